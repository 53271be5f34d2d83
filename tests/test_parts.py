"""Traces by parts: every part is what the definition says of the whole, and it is small however long the run is."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import pytest

from reckoner.answer import Answer, Failure
from reckoner.calculator import Calculator
from reckoner.cli.main import main
from reckoner.errors import DivisionByZero, ExpressionError, TextLimit
from reckoner.grammar import TextLimits
from reckoner.parts import NoSuchCallError, Parts
from reckoner.skill_json import reach, skills_to_json
from reckoner.trace_json import from_json, to_json

SCHEMA = json.loads((Path(__file__).parent.parent / "docs" / "trace.schema.json").read_text(encoding="utf-8"))
SHORT = ["12*(3+45)", "100-1", "1+8/0", "-437/12", "((7))", "007+1", "2*-3%2"]
LONG = f"{'9' * 100}*{'8' * 100}"


@pytest.fixture(scope="module")
def parts():
    return Parts()


@pytest.fixture(scope="module")
def whole():
    """Traces by the definition, all calls listed."""
    calculator, traces = Calculator(), {}
    for text in SHORT:
        [result] = calculator.results([text], trace=True)
        assert result.trace is not None
        traces[text] = (result, to_json(result.trace))
    return traces


def check(trace):
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed here")
    jsonschema.validate(json.loads(json.dumps(trace)), SCHEMA)


def without(call, *names):
    return {name: value for name, value in call.items() if name not in names}


@pytest.mark.parametrize("text", SHORT)
def test_every_call_alone_is_the_call_of_the_whole_trace(parts, whole, text):
    run, (result, trace) = parts.ask(text), whole[text]
    assert run.total == trace["total"] == len(trace["calls"])
    assert (run.result.calls, type(run.result)) == (result.calls, type(result))
    children = defaultdict(list)
    for call in trace["calls"]:
        children[call["parent"]].append(call)
    for number, call in enumerate(trace["calls"]):
        part = run.part(number)
        if number % 50 == 0:  # the library that knows schemas is slow
            check(part)
        found, *steps = part["calls"]
        assert found == call
        made = children[number]
        assert [without(step, "halt", "hidden") for step in steps] == [
            without(each, "halt", "hidden") for each in made
        ]
        around: list[int] = []
        while call["parent"] is not None:
            call = trace["calls"][call["parent"]]
            around.insert(0, call["number"])
        assert [ancestor["number"] for ancestor in part["ancestors"]] == around


@pytest.mark.parametrize("text", SHORT)
def test_the_lines_are_those_of_the_whole_trace(parts, whole, text):
    run = parts.ask(text)
    assert run.lines() == whole[text][1]["lines"]
    assert run.lines(1, 1) == whole[text][1]["lines"][1:2]


@pytest.mark.parametrize("text", SHORT)
def test_a_bundle_of_a_short_run_is_the_whole_trace(parts, whole, text):
    bundle = parts.ask(text).bundle()
    check(bundle["trace"])
    assert bundle["trace"] == whole[text][1]
    assert from_json(bundle["trace"]) == whole[text][0].trace


def test_a_part_says_what_the_network_saw_and_how_sure_it_was(parts):
    first, step, *_ = parts.ask("1234567+1").part(0)["calls"]
    assert first["halt"]["probability"] > 0.5
    assert step["view"] == {"text": "N+N", "gaps": [0, 7, 8, 9]}
    inside = parts.ask("1234567+1").part(2)["calls"]
    assert inside[0]["skill"] == "M+M"
    columns = parts.ask("1234567+1").part(3)["calls"]
    assert columns[0]["skill"] == "add-columns"
    assert "~" in columns[1]["view"]["text"]
    for call in inside[1:] + columns[1:]:
        gaps = call["view"]["gaps"]
        assert {*call["read1"], *call["read2"], *call["write"]} <= set(gaps)
        assert (gaps[0], gaps[-1], len(gaps)) == (0, len(call["before"]), len(call["view"]["text"]) + 1)


def test_with_its_parent_a_call_stands_among_its_siblings(parts, whole):
    calls = whole["12*(3+45)"][1]["calls"]
    number = next(call["number"] for call in calls if call["skill"] == "strip")
    part = parts.ask("12*(3+45)").part(number, parent=True)
    parent = calls[number]["parent"]
    siblings = [call["number"] for call in calls if parent in (call["number"], call["parent"])]
    below = [call["number"] for call in calls if call["parent"] == number]
    assert [call["number"] for call in part["calls"]] == sorted({*siblings, *below})
    assert [call["number"] for call in part["ancestors"]][-1] == calls[parent]["parent"]
    for call in part["calls"]:
        assert call["hidden"] == (
            0 if call["number"] in (parent, number) or not call["below"] else call["below"]
        )


def test_a_long_multiplication_is_looked_into_anywhere(parts):
    run = parts.ask(LONG)
    assert run.total == run.result.calls + 1 > 80_000
    for number in (1, run.total // 3, run.total // 2, run.total - 1):
        part = run.part(number, depth=2)
        check(part)
        first = part["calls"][0]
        assert first["number"] == number
        assert part["ancestors"][0]["x"] == f"{'9' * 29}…{'8' * 29}"
        assert len(json.dumps(part)) < 200_000
        parent = run.part(part["ancestors"][-1]["number"])["calls"]
        assert next(call for call in parent if call["number"] == number)["x"] == first["x"]
        memory = first["memory"]
        for step in (call for call in part["calls"] if call["parent"] == number):
            assert step["before"] == memory
            memory = step["after"]
        assert memory == first["answer"] or not first["halt"]


def test_long_lists_are_cut_and_say_so(parts):
    run = parts.ask("+".join(["12"] * 400))
    part = run.part(depth=3)
    assert len(part["calls"]) < 320
    inner = run.part(run.total - 1)
    depths = [ancestor["depth"] for ancestor in inner["ancestors"]]
    assert (len(depths), depths[:20]) == (200, list(range(20)))
    assert depths[20:] == list(range(depths[20], depths[20] + 180))
    assert len(run.lines()) == 100 < len(run.all_lines) == 400
    bundle = run.bundle(most=100)["trace"]
    check(bundle)
    assert len(bundle["calls"]) <= 100
    assert len(bundle["calls"]) + sum(call["hidden"] for call in bundle["calls"]) == run.total


def test_interesting_steps_of_a_sum_are_its_columns(parts):
    steps = parts.ask("999+2*3").interesting()
    assert [step["kind"] for step in steps] == ["operation", "digit", "operation", *["column"] * 3]
    assert [(step["line"], step["skill"]) for step in steps[:3]] == [
        (1, "signed-multiply"), (1, "M*S"), (2, "signed-add"),
    ]  # fmt: skip
    assert "6, 9 and the carry 0 make 15, which is 5 and the carry 1." in [step["sentence"] for step in steps]
    run = parts.ask("999+2*3")
    for step in steps:
        call = run.part(step["call"], 0)["calls"][0]
        assert (call["skill"], call["sentence"]) == (step["skill"], step["sentence"])
    assert run.interesting(2, 3) == steps[2:5]


def test_interesting_steps_of_long_operations_are_their_digits(parts):
    product = parts.ask(LONG).interesting()
    assert [step["kind"] for step in product].count("digit") == 100
    quotient = parts.ask("98765/12").interesting()
    assert [step["skill"] for step in quotient][1:] == ["quotient-next"] * 5
    assert all(len(step["sentence"]) < 200 for step in product)


@pytest.mark.parametrize(
    ("text", "scale", "kinds"),
    [
        ("22/7", 3, ["operation", "digit"]),
        ("1.5*4+.25", 0, ["operation", "digit", "operation", "column"]),
        ("(1.5-1.5)*2", 1, ["operation", "column", "operation", "digit"]),
    ],
)
def test_interesting_steps_of_decimals_are_those_of_their_operations(parts, text, scale, kinds):
    steps = parts.ask(text, scale).interesting()
    assert [kind for kind, _ in groupby(steps, key=itemgetter("kind"))] == kinds
    assert "" not in [step["sentence"].split(" ")[0] for step in steps]


def test_what_has_no_trace_is_an_error(parts):
    with pytest.raises(ExpressionError):
        parts.ask("1+")
    with pytest.raises(TextLimit):
        Parts(parts.library, text_limits=TextLimits(length=3)).ask("1+22")
    zero = parts.ask("1+8/0").result
    assert isinstance(zero, Failure)
    assert isinstance(zero.error, DivisionByZero)
    assert isinstance(parts.ask("1").result, Answer)


@pytest.mark.parametrize("number", [-1, 45, 10**30])
def test_a_call_that_is_not_there(parts, number):
    with pytest.raises(NoSuchCallError, match="0 to 44"):
        parts.ask("12*(3+45)").part(number)


def test_what_is_kept_is_bounded(parts, monkeypatch):
    monkeypatch.setattr("reckoner.parts._KEPT", 100_000)
    small = Parts(parts.library)
    for number in range(200):
        small.ask(f"{number}+{'1' * 50}").part(1)
    assert small._weight <= 100_000
    assert 1 < len(small._kept) < 200
    assert small._weight == sum(weight for _, weight in small._kept.values())


def test_skills_in_words(parts):
    listed = skills_to_json(parts.library)
    assert [skill["name"] for skill in listed["skills"]] == list(parts.library.names)
    assert listed["expression"] == [n for n in parts.library.names if n.startswith("expression")][-1]
    known: set[str] = set()
    for skill in listed["skills"]:
        assert set(skill["calls"]) <= known | {skill["name"]}
        assert skill["summary"]
        known.add(skill["name"])
    assert "add-column" in reach(parts.library, "M+M")
    assert "M*M" not in reach(parts.library, "M+M")


@pytest.mark.parametrize("text", SHORT)
@pytest.mark.parametrize("depth", ["0", "1"])
def test_a_brief_trace_on_the_command_line_is_that_of_the_definition(text, depth, capsys):
    code = main(["--trace", "--depth", depth, "--", text])
    brief = capsys.readouterr()
    assert main(["--trace", "--depth", depth, "--no-cache", "--", text]) == code
    assert capsys.readouterr() == brief


def test_a_brief_trace_of_a_long_multiplication_takes_no_time(capsys):
    """Followed call by call it takes 20 seconds."""
    assert main(["--trace", "--timeout", "3", LONG]) == 0
    assert "signed-multiply(" in capsys.readouterr().out
    assert main(["--trace", "--depth", "2", "--timeout", "0.5", LONG]) == 4
