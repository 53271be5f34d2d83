"""Decimals for people: --scale, lines that set the scale, the prompt, and the word about a cut quotient."""

from __future__ import annotations

import io
import json
import sys
from decimal import Decimal

import pytest

from reckoner.answer import Answer
from reckoner.calculator import Calculator
from reckoner.cli import calculate as calculate_module
from reckoner.cli.hint import CutHint
from reckoner.cli.main import main
from reckoner.cli.options import Options
from reckoner.cli.prompt import converse
from reckoner.cli.report import Report
from reckoner.errors import MessageRefused, TextLimit
from reckoner.grammar import TextLimits
from reckoner.operand import find_quotients
from tests.fakes import FakeLibrary, FakeMachine


@pytest.fixture
def reckon(capsys, monkeypatch):
    def run(*arguments, typed=None):
        monkeypatch.setattr(
            calculate_module,
            "make_calculator",
            lambda options: Calculator(machine=FakeMachine(), text_limits=options.text_limits),
        )
        with open(typed or "/dev/null") as file:
            monkeypatch.setattr(sys, "stdin", file)
            code = main(arguments)
        return (code, *capsys.readouterr())

    return run


@pytest.mark.parametrize(
    ("arguments", "out"),
    [
        (["1.5*4"], "6.0\n"),
        (["7/2"], "3\n"),
        (["--scale", "2", "7/2"], "3.50\n"),
        (["--scale=5", "2/3", "-2^-4", "1-1.000"], "0.66666\n0.06250\n0\n"),
        (["scale=3", "1/3", "scale = 0", "1/3"], "\n0.333\n\n0\n"),
        (["--scale", "1", "7/2", "scale=2", "7/2"], "3.5\n\n3.50\n"),
        (["2^10"], "1024\n"),
        (["-.5"], "-0.5\n"),
        (["--scale", "4", "--verify", "10/3^2"], "1.1111\n"),
        (["2", "^", "3"], "8\n"),
    ],
)
def test_answers(reckon, arguments, out):
    code, printed, _ = reckon(*arguments)
    assert (code, printed) == (0, out)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["scale=x"], 2, "whole number from 0 to 10,000\n  scale=x\n        ^"),
        (["scale = -1"], 2, "  scale = -1\n          ^"),
        (["scale="], 2, "  scale=\n        ^"),
        (["scale=10001"], 2, "whole number"),
        (["scale=" + "9" * 5_000], 2, "whole number"),
        (["--scale", "10001", "1"], 4, "--max-scale"),
        (["--scale", "-1", "1"], 2, "--scale"),
        (["0^-1"], 3, "  0^-1\n   ^"),
        (["1+0.0^-2"], 3, "  1+0.0^-2\n       ^"),
        (["3%0.00"], 3, "  3%0.00\n   ^"),
        (["2^(1/2)", "--scale", "1"], 3, "  2^(1/2)\n    ^"),
        (["2^99999"], 4, "--max-exponent-digits"),
        (["2^(99*99*99)"], 4, "  2^(99*99*99)\n    ^"),
    ],
)
def test_errors(reckon, arguments, code, words):
    found = reckon(*arguments)
    assert found[0] == code
    assert words in found[2]


def test_limits_can_be_raised(reckon):
    assert reckon("--max-scale", "20000", "--scale", "10001", "1/2")[1] == "0.5" + "0" * 10_000 + "\n"
    assert reckon("--max-exponent-digits", "5", "1^10001")[1] == "1\n"


def test_a_file_sets_the_scale_line_by_line(reckon, tmp_path):
    file = tmp_path / "sums"
    file.write_text("1/3\nscale=2\n1/3\n\nscale=?\n  SCALE = 5  \n2/3\n")
    code, out, err = reckon("-f", str(file))
    assert (code, out) == (2, "0\n\n0.33\n\n\n\n0.66666\n")
    assert "line 5: a scale is" in err
    assert reckon(typed=str(file))[1] == out
    _, out, _ = reckon("--json", "-f", str(file))
    entries = [json.loads(line) for line in out.splitlines()]
    assert [entry["status"] for entry in entries] == ["ok", "scale", "ok", "blank", "syntax", "scale", "ok"]
    assert [entry["answer"] for entry in entries] == ["0", None, "0.33", None, None, None, "0.66666"]


def test_the_scale_goes_on_from_batch_to_batch(reckon, tmp_path):
    file = tmp_path / "sums"
    file.write_text("1/3\n" * 3 + "scale=1\n" + "1/3\n" * 3)
    assert reckon("--batch", "2", "-f", str(file))[1].split() == ["0"] * 3 + ["0.3"] * 3


# --- Python ---


def test_a_calculator_takes_a_scale():
    calc = Calculator(machine=FakeMachine())
    assert calc("7/2", scale=3).text == "3.500"
    assert [str(found) for found in calc.many(["1/3", "2/3"], scale=2)] == ["0.33", "0.66"]
    assert calc("7/2", scale=3).value == Decimal("3.5")
    assert float(calc("7/2", scale=3)) == 3.5
    assert calc("0.5-0.5").value == 0
    assert int(calc("2^3")) == 8
    with pytest.raises(ValueError, match="decimals"):
        int(calc("7/2", scale=3))


@pytest.mark.parametrize("scale", [-1, 1.0, "2", True, None])
def test_what_is_no_scale(scale):
    with pytest.raises(ValueError, match="scale"):
        Calculator(machine=FakeMachine())("1", scale=scale)


def test_a_huge_scale_is_refused():
    with pytest.raises(TextLimit):
        Calculator(machine=FakeMachine(), text_limits=TextLimits(scale=5))("1/3", scale=6)


def test_whole_numbers_at_scale_0_go_where_they_went():
    machine = FakeMachine()
    calc = Calculator(machine=machine)
    texts = ["7/2", "-(3)*4", "1.5", "2^3", "5%(2-9)"]
    assert [str(found) for found in calc.many(texts)] == ["3", "-12", "1.5", "8", "5"]
    assert machine.runs == [
        ("expression", [("7/2", ""), ("0-(3)*4", ""), ("5%(2-9)", "")]),
        ("expression-decimal", [("0", "1.5"), ("0", "2^3")]),
    ]
    machine.runs.clear()
    calc("7/2", scale=3)
    assert machine.runs == [("expression-decimal", [("0.000", "7/2")])]


@pytest.mark.parametrize(("text", "scale"), [("1.5", 0), ("2^3", 0), ("7/2", 1), ("1+1", 2)])
def test_a_library_of_whole_numbers_says_that_it_knows_no_others(text, scale):
    machine = FakeMachine()
    machine.library = FakeLibrary("strip", "expression")
    with pytest.raises(MessageRefused, match="not learned this kind"):
        Calculator(machine=machine)(text, scale=scale)
    assert machine.runs == []


@pytest.mark.parametrize("answer", ["-0.00", "1.", ".5", "01.5", "1.5.", "--1.5", "1.5\n"])
def test_only_a_decimal_number_is_an_answer(answer):
    from reckoner.machine import Outcome

    failure = Calculator(machine=FakeMachine({"1.5": Outcome(answer, None, 1, None)})).results(["1.5"])[0]
    assert not isinstance(failure, Answer)
    assert failure.error.kind == "wrong-answer"


def test_exponents_are_known_before_they_hurt():
    machine = FakeMachine()
    with pytest.raises(TextLimit):
        Calculator(machine=machine)("7^(9^(2+7))")
    assert machine.runs == [
        ("expression-decimal", [("0", "(2+7)")]),
        ("expression-decimal", [("0", "(9^9)")]),
    ]


# --- the prompt ---


def talk(lines, capsys, options=None):
    pending, prompts = iter(lines), []

    def read(prompt):
        prompts.append(prompt)
        line = next(pending, None)
        if line is None:
            raise EOFError
        return line

    options = options or Options()
    converse(Calculator(machine=FakeMachine()), options, Report(options.json), read)
    out, err = capsys.readouterr()
    return prompts, out.splitlines()[0 if options.json else 1 : -1], err


def test_the_prompt_shows_and_sets_the_scale(capsys):
    lines = [
        "7/2",
        "scale = 3",
        "7/2",
        "scale",
        "steps 0",
        "scale 1",
        "verify",
        "7/2",
        "scale=0",
        "scale=x",
        "7/2",
    ]
    prompts, out, err = talk(lines, capsys)
    assert out == ["3", "3.500", "3", "  7/2", "= 3.500", "exact arithmetic agrees", "3.5", "3"]
    assert err.count("a scale is") == 1
    assert prompts == ["> "] * 2 + ["scale=3> "] * 4 + ["scale=1> "] * 3 + ["> "] * 3


def test_the_prompt_begins_with_the_scale_of_the_command_line(capsys):
    prompts, out, _ = talk(["1/3", "ans*3"], capsys, Options(scale=2))
    assert prompts[0] == "scale=2> "
    assert out == ["0.33", "0.99"]


def test_the_scale_at_the_prompt_in_json(capsys):
    _, out, _ = talk(["scale=1", "1/2"], capsys, Options(json=True))
    assert [json.loads(line)["status"] for line in out] == ["scale", "ok"]


# --- the hint ---


class Terminal(io.StringIO):
    def isatty(self):
        return True


def hints(texts, monkeypatch, capsys, scale=0, machine=None, terminal=True):
    calc = Calculator(machine=machine or FakeMachine())
    if terminal:
        monkeypatch.setattr(sys, "stdout", Terminal())
    hint = CutHint(calc, "--scale ")
    for text in texts:
        hint.tell(calc.results([text], scale=scale)[0])
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["7/2"], "7/2 = 3, remainder 1: --scale 2 gives 3.50\n"),
        (["8/2", "1+2", "-7/2", "9/2"], "-7/2 = -3, remainder -1: --scale 2 gives -3.50\n"),
        (["1+3*5/(4-2)"], "3*5/(4-2) = 7, remainder 1: --scale 2 gives 8.50\n"),
        (["6/3-(1+7 ÷ 4)"], "7/4 = 1, remainder 3: --scale 2 gives -0.75\n"),
        (["7.5/2"], "7.5/2 = 3, remainder 1.5: --scale 2 gives 3.75\n"),
        (["8/2/2", "1+2", "1/", "7/0"], ""),
    ],
)
def test_a_person_is_told_once_that_a_quotient_was_cut(texts, told, monkeypatch, capsys):
    assert hints(texts, monkeypatch, capsys) == told


def test_nobody_else_is_told(monkeypatch, capsys):
    assert hints(["7/2"], monkeypatch, capsys, terminal=False) == ""
    assert hints(["7/2"], monkeypatch, capsys, scale=1) == ""


def test_a_library_of_whole_numbers_names_the_remainder(monkeypatch, capsys):
    machine = FakeMachine()
    machine.library = FakeLibrary("strip", "expression")
    assert hints(["7/2"], monkeypatch, capsys, machine=machine) == "7/2 = 3, remainder 1\n"


def test_quotients_know_their_dividends():
    text = "1-2*-3/4/(5+6/7)-(0-8)/9%2/3"
    found = [(text[start:at], text[at + 1 : end]) for start, at, end in find_quotients(text)]
    assert found == [("2*-3", "4"), ("2*-3/4", "(5+6/7)"), ("6", "7"), ("(0-8)", "9"), ("(0-8)/9%2", "3")]
