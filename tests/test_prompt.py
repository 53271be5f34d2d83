"""The prompt: expressions, commands, the last answer, and completion."""

from __future__ import annotations

import json

import pytest

from reckoner.calculator import Calculator
from reckoner.cli.options import Options
from reckoner.cli.prompt import complete, converse
from reckoner.cli.report import Report
from reckoner.machine import Outcome
from tests.fakes import FakeMachine


def hold_conversation(lines, capsys, script=None, options=None):
    pending = iter(lines)

    def read(prompt):
        line = next(pending, None)
        if line is None:
            raise EOFError
        if isinstance(line, BaseException):
            raise line
        return line

    options = options or Options()
    report = Report(options.json, options.trace, options.depth, options.verify)
    code = converse(Calculator(machine=FakeMachine(script)), options, report, read)
    out, err = capsys.readouterr()
    return code, out, err


def test_the_prompt_shows_steps_of_the_last_answer(capsys):
    lines = [
        ":steps",
        "12*(3+45)",
        ":steps",
        ":steps 0",
        ":stats",
        ":verify",
        "",
        ":nonsense",
        ":steps x",
        ":help",
    ]
    code, out, err = hold_conversation(lines, capsys)
    assert code == 0
    assert "576" in out.splitlines()
    assert out.count("= 12*48") == 2
    assert out.count("signed-add") == 1
    assert "calls," in out
    assert "exact arithmetic agrees" in out
    assert "no answer yet" in err
    assert "no :nonsense" in err
    assert "number of levels" in err


def test_the_prompt_survives_errors_and_interruptions(capsys):
    code, out, err = hold_conversation(["2+*3", KeyboardInterrupt(), "1/0", "1+2", ":quit", "9+9"], capsys)
    assert code == 0
    assert "3" in out.splitlines()
    assert "18" not in out
    assert err.count("^") == 2


def test_the_prompt_says_when_the_networks_were_wrong(capsys):
    script = {"1+2": Outcome("4", None, 1, None)}
    _, out, err = hold_conversation(["1+2"], capsys, script, Options(verify=True))
    assert "4" in out.splitlines()
    assert "the networks were wrong" in err


@pytest.mark.parametrize("word", ["quit", "exit", "QUIT", "q", ":quit", ":exit", ":q"])
def test_ways_out(word, capsys):
    code, out, err = hold_conversation([word, "1+2"], capsys)
    assert (code, err) == (0, "")
    assert "3" not in out.splitlines()


@pytest.mark.parametrize("word", ["help", "?", "Help", ":help", ":?"])
def test_ways_to_help(word, capsys):
    _, out, err = hold_conversation([word], capsys)
    assert "ans is the last answer" in out
    assert err == ""


def test_commands_need_no_colon(capsys):
    _, out, err = hold_conversation(["12*(3+45)", "steps 0", "stats", "verify"], capsys)
    assert "= 12*48" in out
    assert "calls," in out
    assert "exact arithmetic agrees" in out
    assert err == ""


def test_ans_is_the_last_answer(capsys):
    lines = ["2*3", "ans+1", "ANS*ans", "0-5", "3-ans", "2*ans", "(ans)", "-ans"]
    _, out, err = hold_conversation(lines, capsys)
    assert out.splitlines()[1:-1] == ["6", "7", "49", "-5", "8", "16", "16", "-16"]
    assert err == ""


@pytest.mark.parametrize("line", ["3ans", "ans3", "answer", "3 ans", "(1)ans", "ans ans"])
def test_ans_is_no_part_of_a_number_or_word(line, capsys):
    _, out, err = hold_conversation(["0-7", line], capsys)
    assert out.splitlines()[1:-1] == ["-7"]
    assert "^" in err


def test_ans_before_there_is_one(capsys):
    _, _, err = hold_conversation(["ans+1", "2+*3", "ans"], capsys)
    assert err.count("no answer yet") == 2


def test_json_at_the_prompt(capsys):
    _, out, err = hold_conversation(["1+2", "ans*2", "2+"], capsys, options=Options(json=True, trace=True))
    entries = [json.loads(line) for line in out.splitlines() if line]
    assert [entry["answer"] for entry in entries] == ["3", "6", None]
    assert entries[0]["trace"]["lines"][-1]["text"] == "3"
    assert err == ""


def test_json_at_the_prompt_says_what_was_verified(capsys):
    script = {"1+2": Outcome("4", None, 1, None)}
    options = Options(json=True, verify=True)
    _, out, _ = hold_conversation(["1+2", "2+2", "2+"], capsys, script, options)
    entries = [json.loads(line) for line in out.splitlines() if line]
    assert [(entry["status"], entry["verified"]) for entry in entries] == [
        ("wrong-answer", False),
        ("ok", True),
        ("syntax", False),
    ]


def test_steps_with_every_answer(capsys):
    _, out, _ = hold_conversation(["12*(3+45)"], capsys, options=Options(trace=True, depth=0))
    assert out.splitlines()[1:-1] == ["  12*(3+45)", "= 12*48", "= 576"]


@pytest.mark.parametrize(
    ("beginning", "offered"),
    [("st", ["steps", "stats"]), ("q", ["quit"]), (":he", [":help"]), ("an", ["ans"]), ("12", [])],
)
def test_completion_of_commands(beginning, offered):
    found = [complete(beginning, number) for number in range(5)]
    assert [word for word in found if word] == offered
    assert found[-1] is None
