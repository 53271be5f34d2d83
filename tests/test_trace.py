"""Traces: as text, as values of Python, and as deep as they come."""

from __future__ import annotations

import copy
import pickle

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
        "M+M(95, 7) = 102",
        "  add-columns(95, 70) = 102   memory 95,70 -> 102",
        "    add-column(5, 70) = 12   memory 95,70 -> 95,12",
    ]
    assert len(text.splitlines()) == traced("95", "7").count()


def test_a_trace_is_collapsed_below_a_depth():
    trace = traced("95", "7")
    lines = trace.render(depth=1).splitlines()
    assert len(lines) == 3
    hidden = [int(line.split("[+")[1].split()[0]) for line in lines if "[+" in line]
    assert len(lines) + sum(hidden) == trace.count()


def test_long_memories_are_shortened_in_text():
    for width in (80, 120):
        lines = traced("1" * 300, "2").render(depth=2, width=width).splitlines()
        assert max(map(len, lines)) <= width
        assert "…" in lines[0]


def test_refused_and_empty_answers_are_told_apart():
    refused, empty = Call("s", "1", "", "1", (), None), Call("s", "1", "", "1", (), "")
    assert refused.render() == "s(1) = refused"
    assert empty.render() == "s(1) = (nothing)"


def test_both_reads_are_told_apart():
    assert Call("add-columns", "", "40", ",40", (), "04").render() == 'add-columns("", 40) = 04'
    assert Call("strip", "0", "48", "048", (), "48").render() == "strip(0, 48) = 48"
    assert Call("strip", "048", "", "048", (), "48").render() == "strip(048) = 48"


def test_a_repr_is_one_short_line():
    for thing in (traced("1" * 500, "2"), traced("1" * 500, "2").steps[0]):
        assert "\n" not in repr(thing)
        assert len(repr(thing)) < 100
    assert repr(traced("95", "7")) == "<Call M+M(95, 7) = 102, 2 steps>"


def test_equal_traces_are_equal_and_others_are_not():
    assert traced("95", "7") == traced("95", "7")
    assert hash(traced("95", "7")) == hash(traced("95", "7"))
    assert traced("95", "7") != traced("95", "8")
    assert traced("95", "7").steps[0] != traced("95", "8").steps[0]
    assert traced("95", "7") != "a trace"
    assert deep(2_000) == deep(2_000)
    assert deep(2_000) != deep(2_001)


@pytest.mark.parametrize("make", [lambda: deep(2_000), lambda: deep(2_000).steps[0]], ids=["call", "step"])
def test_deep_traces_can_be_copied_pickled_hashed_and_shown(make):
    thing = make()
    assert pickle.loads(pickle.dumps(thing)) == thing
    assert copy.copy(thing) == thing
    assert copy.deepcopy(thing) == thing
    assert hash(thing) == hash(make())
    assert repr(thing)


def test_a_pickle_holds_a_shared_call_once():
    step = Step(deep(0), (0, 1), (0, 0), (0, 1), False, "1", "2")
    call = Call("twice", "1", "", "1", (step, step), "2")
    for _ in range(60):  # as a tree this would have 2**61 leaves
        step = Step(call, (0, 1), (0, 0), (0, 1), False, "1", "2")
        call = Call("twice", "1", "", "1", (step, step), "2")
    assert pickle.loads(pickle.dumps(call)) == call


def test_a_trace_in_a_notebook_is_escaped():
    html = Call("<script>", "1", "", "1", (), "2")._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;(1) = 2" in html


def test_deep_traces_need_no_recursion():
    levels = 20_000
    trace = deep(levels)
    assert trace.count() == levels + 1
    assert [depth for depth, _, _ in trace.walk()] == list(range(levels + 1))
    assert len(trace.render(depth=3).splitlines()) == 4


def test_a_deep_run_is_traced():
    trace = traced("9" * 1500, "1")
    assert max(depth for depth, _, _ in trace.walk()) >= 1500
    assert trace.answer == "1" + "0" * 1500
