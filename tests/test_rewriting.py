"""The steps of an answer: the whole expression on every line."""

from __future__ import annotations

import pytest

from reckoner.calculator import Calculator
from reckoner.machine import Call, Step
from reckoner.rewriting import explain, render
from reckoner.trace_json import from_json, to_json
from tests.fakes import FakeMachine, Frame


def trace_of(text: str) -> Call:
    return Frame(text).run()


@pytest.mark.parametrize(
    "lines",
    [
        ["12*(3+45)", "12*48", "576"],
        ["576"],
        ["1+2", "3"],
        ["1+2*3-4", "1+6-4", "7-4", "3"],
        ["2*(3+4)*5", "2*7*5", "14*5", "70"],
        ["((1+2)*(3+4))-5", "(3*(3+4))-5", "(3*7)-5", "21-5", "16"],
        ["3-(2-9)", "3--7", "10"],
        ["0-(2+3)*4", "0-5*4", "0-20", "-20"],
        ["(1+2)", "3"],
        ["(5)+3", "5+3", "8"],
        ["(((5))+1)*2", "(5+1)*2", "6*2", "12"],
    ],
    ids=lambda lines: lines[0],
)
def test_rewriting(lines):
    assert [line.text for line in explain(trace_of(lines[0]))] == lines


def test_each_line_has_the_calls_that_made_it():
    rewriting = explain(trace_of("12*(3+45)"))
    assert [[(c.skill, c.x, c.y) for c in line.calls] for line in rewriting] == [
        [],
        [("signed-add", "3", "45")],
        [("signed-multiply", "12", "48")],
    ]


def test_all_lines_are_balanced_and_no_call_is_lost():
    text = "2*(3+(4-(5+6))*7)-(8+9)%(1+(2))"
    rewriting = explain(trace_of(text))
    for line in rewriting:
        assert line.text.count("(") == line.text.count(")")
    calls = [call.skill for line in rewriting for call in line.calls]
    assert len(calls) == sum(text.count(sign) for sign in "+-*/%")


def test_a_refused_call_is_shown_with_its_line():
    frame = Frame("1+8/0")
    rewriting = explain(frame.run())
    assert rewriting[-1].text == "1+8/0"
    assert [(call.skill, call.answer) for call in rewriting[-1].calls] == [("signed-divide", None)]


def test_rendering_opens_to_the_depth_asked_for():
    trace = trace_of("12*(3+45)")
    assert render(trace, 0).splitlines() == ["  12*(3+45)", "= 12*48", "= 576"]
    lines = render(trace, 1).splitlines()
    assert [line for line in lines if not line.startswith("      ")] == render(trace, 0).splitlines()
    assert any("signed-add" in line and line.endswith("48") for line in lines)


def test_rendering_shows_calls_below_calls():
    below = Call("M+M", "1", "2", "1,20", (), "3")
    step = Step(below, (0, 1), (2, 3), (0, 3), False, "1,2", "3")
    add = Call("signed-add", "1", "2", "1,2", (step,), "3")
    trace = Call("expression", "1+2", "", "1+2", (Step(add, (0, 1), (2, 3), (0, 3), False, "1+2", "3"),), "3")
    assert "M+M" not in render(trace, 1)
    assert "M+M" in render(trace, 2)


def test_lines_keep_to_the_width_asked_for():
    text = "*".join(["1" * 50] * 4)
    for width in (60, 100, 200):
        assert max(map(len, render(trace_of(text), 2, width).splitlines())) <= width


def test_long_expressions_need_no_deep_recursion():
    call = Call("expression", "1", "", "1", (), "1")
    for count in range(1, 5_000):
        text = "+".join(["1"] * min(count, 3))
        call = Call(
            "expression", text, "", text, (Step(call, (0, 1), (1, 1), (0, len(text)), False, text, "1"),), "1"
        )
    assert explain(call)[-1].text == "1"


def test_decimals_are_rewritten_without_their_scale():
    answer = Calculator(machine=FakeMachine())("2*(1/3+.5^2)-1.25", scale=5, trace=True)
    assert answer.trace is not None
    lines = explain(answer.trace)
    assert [line.text for line in lines] == [
        "2*(1/3+(0.5^2))-1.25",
        "2*(0.33333+(0.5^2))-1.25",
        "2*(0.33333+0.25)-1.25",
        "2*0.58333-1.25",
        "1.16666-1.25",
        "-0.08334",
    ]
    assert lines[1].calls[0].x == "1/3"
    shown = render(answer.trace)
    assert "operate(0.33333+0.25, 0.00000) = 0.58333" in shown
    assert "strip" not in shown
    assert from_json(to_json(answer.trace)) == answer.trace


def test_the_last_line_is_the_answer_as_it_is_printed():
    answer = Calculator(machine=FakeMachine())("2*(1.50-1.5)", trace=True)
    assert answer.trace is not None
    assert [line.text for line in explain(answer.trace)] == ["2*(1.50-1.5)", "2*0.00", "0"]
    assert answer.text == "0"


def test_what_is_no_expression_is_no_line():
    calls = [Call("operate", "8/0", "0.00", "8/0,0.00", (), "8/0,8"), Call("strip", "", "", "", (), "")]
    steps = (
        Step(calls[0], (5, 8), (0, 4), (0, 8), False, "0.00,8/0", "8/0,8,0.00"),
        Step(calls[1], (0, 0), (0, 0), (0, 4), False, "8/0,8,0.00", "8,0.00"),
    )
    lines = explain(Call("expression", "0.00", "8/0", "0.00,8/0", steps, "8,0.00"))
    assert [line.text for line in lines] == ["8/0"]
    assert lines[0].calls == tuple(calls)
