"""The steps of an answer as the expression's rewriting: `12*(3+45)` → `12*48` → `576`.

A trace is a tree of calls. The expression skill calls itself on shorter and shorter texts, and each of these
memories is a part of the expression as a whole. Here they are put back where they belong, so that every line
is the whole expression, with the calls of other skills that led to it. The skill for decimals has the scale before
its text (`0.00,7/2`), which does not belong to the expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reckoner.machine.trace import Call, Step, shorten

_ZERO = re.compile(r"0\.0+")
_INDENT = "      "  # before a call, below its line
_BRACKETED_NUMBER = re.compile(r"(\(+)(-?[0-9]+(?:\.[0-9]+)?)(\)+)")


@dataclass(frozen=True, slots=True)
class Rewriting:
    """The whole expression at one moment, and the calls that made it so since the line before."""

    text: str
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class _Moment:
    """The whole expression after one step of any frame; `call` if it was another skill's."""

    text: str | None  # None: what stands there is no expression; a refused call has led astray
    call: Call | None = None


def explain(trace: Call) -> tuple[Rewriting, ...]:
    """The rewriting of an expression, first line first."""
    lines = [Rewriting(_without_scale(trace.memory))]
    waiting: list[Call] = []  # calls that have changed nothing that shows yet
    for moment in _moments(trace):
        last = lines[-1]
        if moment.call is not None:
            waiting.append(moment.call)
        text = last.text if moment.text is None or _is_half_done(moment) else _tidy(moment.text)
        if text != last.text:
            lines.append(Rewriting(text, tuple(waiting)))
            waiting = []
    if waiting:
        lines[-1] = Rewriting(lines[-1].text, lines[-1].calls + tuple(waiting))
    if _ZERO.fullmatch(lines[-1].text):
        lines[-1] = Rewriting("0", lines[-1].calls)  # as it is printed
    return tuple(lines)


def render(trace: Call, depth: int = 1, width: int = 100) -> str:
    """The rewriting as text of about `width` columns.

    `depth` 0 shows the lines alone, 1 also the skills called for each, 2 whom these called, and so on.
    """
    lines = []
    for number, line in enumerate(explain(trace)):
        lines.append(("= " if number else "  ") + shorten(line.text, width - 2))
        if depth < 1:
            continue
        for call in line.calls:
            if is_wipe(call):
                continue
            tree = call.render(depth - 1, width - len(_INDENT))
            lines += [_INDENT + text for text in tree.splitlines()]
    return "\n".join(lines)


def is_frame(trace: Call, step: Step) -> bool:
    """Whether a step of the expression skill calls the skill itself, on a part of the expression."""
    return step.call.skill == trace.skill and not step.refused


def _moments(trace: Call) -> Iterator[_Moment]:
    """The whole expression after every step, in the order the steps ended."""
    # One entry per open frame: its steps still to come, and the text around its memory. A long expression
    # is a deep tree, so the stack is our own and not the interpreter's.
    stack = [(iter(trace.steps), "", "")]
    closing: list[str | None] = []  # what the whole reads when the frame on top has ended
    while stack:
        steps, left, right = stack[-1]
        step = next(steps, None)
        if step is None:
            stack.pop()
            if closing:
                yield _Moment(closing.pop())
            continue
        after = left + _without_scale(step.after) + right if _has_expression(step.after) else None
        if is_frame(trace, step):
            start, end = step.read2 if step.call.y else step.read1
            closing.append(after)
            around = left + _without_scale(step.before[:start]), step.before[end:] + right
            stack.append((iter(step.call.steps), *around))
        else:
            yield _Moment(after, step.call)


def is_wipe(call: Call) -> bool:
    """Whether nothing was read and nothing written: that is how a skill takes off brackets, and the scale."""
    return call.x == call.y == call.answer == ""


def _is_half_done(moment: _Moment) -> bool:
    """Whether one bracket of a pair was taken off and the other still stands: that is no line of its own."""
    text = moment.text or ""
    return moment.call is not None and is_wipe(moment.call) and text.count("(") != text.count(")")


def _has_expression(memory: str) -> bool:
    """Whether no more than a scale stands before the expression."""
    before, comma, _ = memory.rpartition(",")
    return not comma or before == "0" or _ZERO.fullmatch(before) is not None


def _without_scale(memory: str) -> str:
    """The part of a memory that belongs to the expression."""
    return memory.rpartition(",")[2]


def _tidy(text: str) -> str:
    """Without brackets around a finished number, and without a bracket whose partner has been written over."""
    lost = _unpaired(text)
    if lost:
        text = "".join(c for i, c in enumerate(text) if i not in lost)
    return _BRACKETED_NUMBER.sub(_without_brackets, text)


def _without_brackets(found: re.Match[str]) -> str:
    left, number, right = found.groups()
    pairs = min(len(left), len(right))
    return left[pairs:] + number + right[pairs:]


def _unpaired(text: str) -> set[int]:
    """Where brackets stand that have no partner."""
    if text.count("(") == text.count(")"):
        return set()
    open_ones: list[int] = []
    lost = set()
    for i, c in enumerate(text):
        if c == "(":
            open_ones.append(i)
        elif c == ")" and open_ones:
            open_ones.pop()
        elif c == ")":
            lost.add(i)
    return lost.union(open_ones)
