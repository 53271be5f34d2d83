"""docs/worked-examples.md: a multiplication and a division, call by call, each with a sentence."""

from __future__ import annotations

from reckoner.calculator import Calculator
from reckoner.machine import Call, Step
from reckoner.notes import NOTES

_HEAD = """\
# Two worked examples

This page is written by the program (`make docs`): the bundled networks work the examples out, and each call gets its
sentence. A test checks that it is up to date. What is said about a call follows from what its skill is for
([skills.md](skills.md)); which calls are made, and where their answers go, is what the networks have learned. Other
weights may do it in another way.

Read a list from the top: a call is followed by the calls that it made itself, further to the right. After each is said
what its answer did to the caller's memory. Some skills turn up again and again; what they do is shown the first time
only.
"""
_MULTIPLICATION = """
## Long multiplication: {expression}

On paper one multiplies by one digit after the other, and adds, each time one place further. The networks do it from the
first digit on: the product so far moves up one place, and the product with the next digit is added.
"""
_DIVISION = """
## Long division: {expression}

On paper one takes the digits of the dividend one after the other. Each time, what is left from before and the next
digit make a number; how often the divisor goes into it is the next digit of the quotient. The networks find "how often"
by subtracting the divisor again and again, and counting.
"""
_EXAMPLES = ((_MULTIPLICATION, "34*12"), (_DIVISION, "974/4"))
# The calls of these are shown the first time only.
_ONCE = (
    "strip", "add-columns", "subtract-columns", "multiply-columns", "less", "M+M", "M-M", "M-M-natural",
    "quotient-take", "quotient-step", "quotient-twice", "quotient-four", "quotient-eight",
)  # fmt: skip


def make_worked_page() -> str:
    """The whole page."""
    calculator = Calculator()
    parts = [_HEAD]
    for text, expression in _EXAMPLES:
        trace = calculator(expression, trace=True).trace
        assert trace is not None
        parts.append(text.format(expression=expression.replace("*", " × ").replace("/", " ÷ ")))
        parts.append("\n" + "".join(_tell(trace)))
    return "".join(parts)


def _tell(trace: Call) -> list[str]:
    """The calls as nested list items, those of the expression itself on the left."""
    lines = []
    opened: set[str] = set()
    stack = [(0, step) for step in reversed(trace.steps)]
    while stack:
        level, step = stack.pop()
        call = step.call
        lines.append("  " * level + _sentence(call, step))
        if call.skill not in _ONCE or call.skill not in opened:
            stack.extend((level + 1, below) for below in reversed(call.steps))
        opened.add(call.skill)
    return lines


def _sentence(call: Call, step: Step) -> str:
    what = NOTES[call.skill].sentence(call.x, call.y, call.answer or "")
    return f"* `{call.title()}`: {what} {_place(step)}\n"


def _place(step: Step) -> str:
    """Where the answer went."""
    start, end = step.write
    if (start, end) == (0, len(step.before)):
        return f"That replaces `{step.before}`."
    if start == end:
        return f"That is put into `{step.before}`, which becomes `{step.after}`."
    return f"In `{step.before}` that replaces `{step.before[start:end]}`: `{step.after}`."
