"""What an expression means: a parser that works on values of any kind.

`evaluate` runs it on numbers, the proof on names (`symbolic`). A text is worked off up to its first unmatched closing
bracket. A power stands alone, or alone in its bracket: that is how the grammar writes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Generic, Protocol, TypeVar, final

from reckoner.program.fixed import Concrete, Fixed, read

V = TypeVar("V")


class NotAnExpression(ValueError):
    """A text has no value because of its form."""


class Arithmetic(Protocol[V]):
    """What the parser has to be able to do with values."""

    def number(self, n: int) -> V: ...

    def add(self, a: V, b: V) -> V: ...

    def negate(self, a: V) -> V: ...

    def apply(self, operator: str, a: V, b: V) -> V: ...

    def demand(self, operator: str, a: V, b: V) -> Hashable | None: ...


class Room(IntEnum):
    """What can follow inside a bracket, from little to much."""

    NOTHING = 0  # a power was begun: its exponent, and no more
    CHAIN = 1  # operators other than ^
    ANYTHING = 2  # also ^: no operator was read so far


@final
@dataclass(frozen=True)
class Level(Generic[V]):
    """What was read inside one bracket: a sum, the term that grows, and the operator that waits for its operand.

    The value so far is `total + term`, and what follows a term only changes the term: a subtracted term is kept with
    its sign, for -(a·b) = (-a)·b, and likewise for / and %. (Not for ^, which stands alone.)
    """

    total: V
    term: V | None = None  # None: at the beginning, or behind + or -
    operator: str | None = "+"  # None: behind an operand
    room: Room = Room.ANYTHING


@final
@dataclass(frozen=True)
class Parser(Generic[V]):
    """The state of reading an expression: the brackets that are open, innermost last, and all demands met."""

    arithmetic: Arithmetic[V]
    levels: tuple[Level[V], ...]
    demands: frozenset[Hashable] = frozenset()  # what must be so, or there is no value
    is_stopped: bool = False  # an unmatched closing bracket was met: what follows is not read

    @classmethod
    def begin(cls, arithmetic: Arithmetic[V]) -> Parser[V]:
        return cls(arithmetic, (Level(arithmetic.number(0)),))

    @property
    def depth(self) -> int:
        """How many brackets are open."""
        return len(self.levels) - 1

    @property
    def wants_operand(self) -> bool:
        return self.levels[-1].operator is not None

    def operand(self, value: V) -> Parser[V]:
        """Read an operand."""
        level, do = self.levels[-1], self.arithmetic
        assert level.operator is not None
        demands = self.demands
        if level.operator == "+":
            new = value
        elif level.operator == "-":
            new = do.negate(value)
        else:
            assert level.term is not None
            new = do.apply(level.operator, level.term, value)
            demand = do.demand(level.operator, level.term, value)
            demands = demands if demand is None else demands | {demand}
        read = replace(level, term=new, operator=None)
        return replace(self, levels=(*self.levels[:-1], read), demands=demands)

    def operator(self, sign: str) -> Parser[V]:
        """Read an operator."""
        level = self.levels[-1]
        assert level.term is not None
        if level.room < (Room.ANYTHING if sign == "^" else Room.CHAIN):
            raise NotAnExpression("a power stands alone")
        if sign in "+-":
            new = Level(self.arithmetic.add(level.total, level.term), None, sign, Room.CHAIN)
        else:
            room = Room.NOTHING if sign == "^" else Room.CHAIN
            new = Level(level.total, level.term, sign, room)
        return replace(self, levels=(*self.levels[:-1], new))

    def open(self) -> Parser[V]:
        """Read an opening bracket."""
        return replace(self, levels=(*self.levels, Level(self.arithmetic.number(0))))

    def close(self) -> Parser[V]:
        """Read a closing bracket."""
        if self.depth == 0:
            return replace(self, is_stopped=True)
        value = self.value
        return replace(self, levels=self.levels[:-1]).operand(value)

    @property
    def value(self) -> V:
        """What was read inside the innermost bracket."""
        level = self.levels[-1]
        assert level.term is not None
        assert level.operator is None
        return self.arithmetic.add(level.total, level.term)


_TOKEN = re.compile(r"(?<![0-9)])-[0-9]+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?|.")


def evaluate(text: str, arithmetic: Concrete | None = None) -> tuple[Fixed, str]:
    """Value of a text up to its first unmatched closing bracket or its end, and the rest from there on.

    Raises an ArithmeticError if a divisor is zero or an exponent none, NotAnExpression if the text is none.
    """
    parser: Parser[Fixed] = Parser.begin(arithmetic or Concrete())
    end = len(text)
    for found in _TOKEN.finditer(text):
        token = found.group()
        step = _step(parser, token)
        if step is None:
            raise NotAnExpression(text)
        parser = step()
        if parser.is_stopped:
            end = found.start()
            break
    if parser.wants_operand or (not parser.is_stopped and parser.depth):
        raise NotAnExpression(text)
    return parser.value, text[end:]


def _step(parser: Parser[Fixed], token: str) -> Callable[[], Parser[Fixed]] | None:
    """How a token is read, if it may stand here."""
    if token[-1] in "0123456789":
        return (lambda: parser.operand(read(token))) if parser.wants_operand else None
    if token == "(":
        return parser.open if parser.wants_operand else None
    if parser.wants_operand:
        return None
    if token == ")":
        return parser.close
    return (lambda: parser.operator(token)) if token in "+-*/%^" else None
