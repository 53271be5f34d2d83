"""Traces: as text, as JSON, and as deep as they come."""

from __future__ import annotations

import json

import pytest

from reckoner.machine import Call, Machine, Step
from tests.scripted import addition


def traced(x: str, y: str) -> Call:
    trace = Machine(addition()).run("M+M", [(x, y)], trace=True)[0].trace
    assert trace is not None
    return trace


def deep(levels: int) -> Call:
    """A chain of calls, each within the other."""
    call = Call("bottom", "1", "", "1", (), "2")
    for level in range(levels):
        step = Step(call, (0, 1), (0, 0), (0, 1), False, "1", "2", 0.5)
        call = Call(f"level {level}", "1", "", "1", (step,), "2")
    return call


def test_a_trace_says_what_happened():
    trace = traced("95", "7")
    assert (trace.skill, trace.x, trace.y, trace.memory, trace.answer) == ("M+M", "95", "7", "95,70", "102")
    columns, strip = trace.steps
    assert (columns.call.skill, columns.call.x, columns.call.y) == ("add-columns", "95", "70")
    assert (columns.before, columns.after) == ("95,70", "102")
    assert (columns.read1, columns.read2, columns.write) == ((0, 2), (3, 5), (0, 5))
    assert (strip.call.skill, strip.before, strip.after) == ("strip", "102", "102")


def test_memories_follow_from_one_another():
    for _, call, _ in traced("98765", "1234567").walk():
        memory = call.memory
        for step in call.steps:
            (a, b), (c, d), (w, v) = step.read1, step.read2, step.write
            assert step.before == memory
            assert (step.call.x, step.call.y) == (memory[a:b], memory[c:d])
            assert step.call.answer is not None
            memory = memory[:w] + step.call.answer + memory[v:]
            assert step.after == memory
        if call.steps:
            assert call.answer == memory


def test_a_trace_as_text():
    text = traced("95", "7").render()
    assert text.splitlines()[:3] == [
        "M+M(95 7) = 102",
        "  add-columns(95 70) = 102   memory 95,70 -> 102",
        "    add-column(5 70) = 12   memory 95,70 -> 95,12",
    ]
    assert len(text.splitlines()) == traced("95", "7").count()


def test_a_trace_is_collapsed_below_a_depth():
    trace = traced("95", "7")
    lines = trace.render(depth=1).splitlines()
    assert len(lines) == 3
    hidden = [int(line.split("[+")[1].split()[0]) for line in lines if "[+" in line]
    assert len(lines) + sum(hidden) == trace.count()


def test_long_memories_are_shortened_in_text():
    text = traced("1" * 300, "2").render(width=20)
    assert max(map(len, text.splitlines()[:1])) < 60
    assert "…" in text


def test_refused_and_empty_answers_are_told_apart():
    refused, empty = Call("s", "1", "", "1", (), None), Call("s", "1", "", "1", (), "")
    assert refused.render() == "s(1) = refused"
    assert empty.render() == "s(1) = (nothing)"


def test_probabilities_on_request():
    trace = deep(1)
    assert "p=0.5000" in trace.render(probabilities=True)
    assert "p=" not in trace.render()


@pytest.mark.parametrize(("x", "y"), [("1", "2"), ("95", "7"), ("99999", "1")])
def test_json_round_trip(x, y):
    trace = traced(x, y)
    again = Call.from_json(json.loads(json.dumps(trace.to_json())))
    assert again == trace
    assert again.to_json() == trace.to_json()


def test_json_keeps_refusals_and_probabilities():
    step = Step(Call("s", "1", "", "1", (), None), (0, 1), (0, 0), (0, 1), True, "1", "1", 0.25)
    call = Call("t", "1", "", "1", (step, step), "1")
    assert Call.from_json(json.loads(json.dumps(call.to_json()))) == call


def test_json_without_a_first_call():
    with pytest.raises(ValueError, match="first call"):
        Call.from_json({"calls": []})


def test_deep_traces_need_no_recursion():
    levels = 20_000
    trace = deep(levels)
    assert trace.count() == levels + 1
    assert [depth for depth, _, _ in trace.walk()] == list(range(levels + 1))
    assert len(trace.render(depth=3).splitlines()) == 4
    data = json.loads(json.dumps(trace.to_json()))
    assert Call.from_json(data).to_json() == data


def test_a_deep_run_is_traced():
    trace = traced("9" * 1500, "1")
    assert max(depth for depth, _, _ in trace.walk()) >= 1500
    assert trace.answer == "1" + "0" * 1500
