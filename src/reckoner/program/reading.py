"""What a decision reads of a symbolic text, and how a parser reads what is not known of it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import final

from reckoner.program.symbolic import Quantity, Symbolic, split_sign
from reckoner.program.text import Number, Tail, TextState, Token
from reckoner.program.value import Parser, Room


@final
@dataclass(frozen=True, order=True)
class Gap:
    """A place in a memory: behind so many tokens, or behind the tail too."""

    tokens: int
    is_behind_tail: bool

    @classmethod
    def of(cls, state: TextState, gap: int) -> Gap:
        """The place that a gap of the view is."""
        count = len(state.tokens)
        if state.tail.kind == "end":
            return cls(gap, gap == count)
        return cls(min(gap, count), gap > count)


@final
@dataclass(frozen=True)
class Read:
    """What is read: tokens, and the tail if the span reaches the end of the memory."""

    tokens: tuple[Token, ...]
    has_tail: bool


def read_span(state: TextState, start: Gap, end: Gap) -> Read:
    """What stands between two places."""
    tokens = state.tokens[start.tokens : end.tokens]
    return Read(tokens, state.tail.kind != "end" and end.is_behind_tail and not start.is_behind_tail)


NOTHING = Read((), False)


def is_accepted(read: Read, state: TextState) -> bool:
    """Whether tokens, and the tail behind them, are operands joined by operators, brackets round operands aside.

    With decimals no bracket may be opened behind the last one that is closed; none is in the problem.
    """
    before: Token = "+"
    for token in read.tokens:
        behind_operand = before == ")" or isinstance(before, Number)
        wants_operand = isinstance(token, Number) or token == "("
        known = "()" + state.row.operators
        if behind_operand == wants_operand or (isinstance(token, str) and token not in known):
            return False
        before = token
    behind_operand = before == ")" or isinstance(before, Number)
    brackets = [token for token in read.tokens if token in ("(", ")")]
    is_open = state.row.is_scaled and brackets[-1:] == ["("]
    if not read.has_tail:
        return behind_operand and not is_open
    is_closed_later = not state.problem.is_stopped and state.problem.depth > 0
    return behind_operand != (state.tail.kind == "operand") and (is_closed_later or not is_open)


def consume(
    parser: Parser[Quantity], tail: Tail, problem: Parser[Quantity], depth: int | None = None
) -> Parser[Quantity]:
    """The parser behind the part of the tail that closes all its brackets, or so many, up to the next one's end.

    What a part of the tail makes of a term is not known, but it is the same for equal terms: it gets a name made of
    them. A sum before the term is added to it: V(p + e) = V(p) + V(e).
    """
    names = parser.arithmetic
    assert isinstance(names, Symbolic)
    for part in range((parser.depth if depth is None else depth) + 1):
        if part:
            parser = parser.close()
        level, room = parser.levels[-1], problem.levels[-1 - part].room
        if (part and room != Room.NOTHING) or (not part and tail.kind != "stop"):
            value = names.name("value", level.term, level.operator, tail.number, part)
            # all that it demands, by one name; of the term itself only if that can be the base of a power
            can_be_base = names.is_scaled and level.term is not None and room != Room.CHAIN
            base = split_sign(level.term)[1].value if can_be_base and level.term is not None else None
            demands: Hashable = ("tail", tail.number, part, level.operator, base)
            read = replace(level, term=value, operator=None)
            parser = replace(parser, levels=(*parser.levels[:-1], read), demands=parser.demands | {demands})
    return parser
