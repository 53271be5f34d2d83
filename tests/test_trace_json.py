"""Traces as JSON: the documented form, complete, and as deep as they come."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reckoner.calculator import Calculator
from reckoner.machine import Call, Machine, Step
from reckoner.trace_json import from_json, to_json
from tests.fakes import Frame
from tests.scripted import addition

DOCS = Path(__file__).parent.parent / "docs"
SCHEMA = json.loads((DOCS / "trace.schema.json").read_text(encoding="utf-8"))
MEANT = SCHEMA["$defs"]["call"]["properties"]


def trace_of(text: str) -> Call:
    return Frame(text).run()


def traced(x: str, y: str) -> Call:
    trace = Machine(addition()).run("M+M", [(x, y)], trace=True)[0].trace
    assert trace is not None
    return trace


def check(data):
    """Against the schema in the docs, by a library that knows such schemas."""
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed here")
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(data, SCHEMA)


def below(calls, number):
    return [call for call in calls if call["parent"] == number]


@pytest.mark.parametrize("depth", [None, 0, 1, 2])
@pytest.mark.parametrize("text", ["12*(3+45)", "1+8/0", "7", "((1+2)*(3+4))-5"])
def test_the_schema_holds(text, depth):
    check(json.loads(json.dumps(to_json(trace_of(text), depth))))


def test_the_networks_trace_holds_all_that_the_page_promises():
    trace = Calculator()("12*(3+45)", trace=True).trace
    assert trace is not None
    data = to_json(trace)
    check(data)
    calls = data["calls"]
    assert len(calls) == trace.count()
    for number, call in enumerate(calls):
        memory = call["memory"]
        for step in below(calls, number):
            (a, b), (c, d), (w, v) = step["read1"], step["read2"], step["write"]
            assert step["before"] == memory
            assert (step["x"], step["y"]) == (memory[a:b], memory[c:d])
            assert step["after"] == memory[:w] + step["answer"] + memory[v:]
            assert 0 < step["probability"] <= 1
            memory = step["after"]
        if below(calls, number):
            assert call["answer"] == memory


def test_lines_name_the_calls_that_led_to_them():
    data = to_json(trace_of("12*(3+45)"))
    named = [[data["calls"][number] for number in line["calls"]] for line in data["lines"]]
    assert [line["text"] for line in data["lines"]] == ["12*(3+45)", "12*48", "576"]
    assert [[(c["skill"], c["x"], c["y"], c["level"]) for c in calls] for calls in named] == [
        [],
        [("signed-add", "3", "45", 1)],
        [("signed-multiply", "12", "48", 1)],
    ]


def test_a_refused_call_is_there():
    data = to_json(trace_of("1+8/0"))
    refused = [call for call in data["calls"] if call["refused"]]
    assert [(call["skill"], call["x"], call["y"], call["answer"]) for call in refused] == [
        ("signed-divide", "8", "0", None)
    ]
    assert data["lines"][-1]["calls"] == [data["calls"].index(refused[0])]


def test_what_depth_leaves_out_is_counted():
    trace = Calculator()("12*(3+45)", trace=True).trace
    assert trace is not None
    for depth in (0, 1, 2, 3):
        data = to_json(trace, depth)
        check(data)
        assert max(call["level"] for call in data["calls"]) == depth
        assert len(data["calls"]) + sum(call["hidden"] for call in data["calls"]) == trace.count()


@pytest.mark.parametrize(("x", "y"), [("1", "2"), ("95", "7"), ("99999", "1")])
def test_round_trip(x, y):
    trace = traced(x, y)
    assert from_json(json.loads(json.dumps(to_json(trace)))) == trace


def test_round_trip_keeps_refusals_and_probabilities():
    step = Step(Call("s", "1", "", "1", (), None), (0, 1), (0, 0), (0, 1), True, "1", "1", 0.25)
    call = Call("t", "1", "", "1", (step, step), "1")
    assert from_json(json.loads(json.dumps(to_json(call)))) == call


def test_without_a_first_call():
    with pytest.raises(ValueError, match="first call"):
        from_json({"lines": [], "calls": []})


def test_deep_traces_need_no_recursion():
    call = Call("expression", "1", "", "1", (), "1")
    for _ in range(5_000):
        call = Call("expression", "1", "", "1", (Step(call, (0, 1), (1, 1), (0, 1), False, "1", "1"),), "1")
    data = json.loads(json.dumps(to_json(call)))
    assert len(data["calls"]) == 5_001
    assert from_json(data) == call


def test_the_page_describes_every_field():
    page = (DOCS / "reading-a-trace.md").read_text(encoding="utf-8")
    assert [name for name in MEANT if f"`{name}`" not in page] == []
