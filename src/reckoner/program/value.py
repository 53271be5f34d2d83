"""Values of expressions in a normal form, and a parser that works on them.

A value is a polynomial over numbers whose size is not known; quotients, remainders and values of unknown text are
named by what they are made of, so that equal values have equal names. The parser is the definition of what an
expression means: `evaluate` runs it on numbers, the proof on names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar, final

from reckoner.program.polynomial import Polynomial, variable

V = TypeVar("V")


class Arithmetic(Protocol[V]):
    """What the parser has to be able to do with values."""

    def number(self, n: int) -> V: ...

    def add(self, a: V, b: V) -> V: ...

    def negate(self, a: V) -> V: ...

    def multiply(self, a: V, b: V) -> V: ...

    def divide(self, a: V, b: V) -> V: ...

    def modulo(self, a: V, b: V) -> V: ...


@final
class Exact:
    """Numbers. Quotients are cut toward zero; a remainder has the sign of the dividend."""

    def number(self, n: int) -> int:
        return n

    def add(self, a: int, b: int) -> int:
        return a + b

    def negate(self, a: int) -> int:
        return -a

    def multiply(self, a: int, b: int) -> int:
        return a * b

    def divide(self, a: int, b: int) -> int:
        quotient = abs(a) // abs(b)
        return quotient if (a < 0) == (b < 0) else -quotient

    def modulo(self, a: int, b: int) -> int:
        return a - self.divide(a, b) * b


@final
class Symbolic:
    """Names. A sign is drawn out of them: (-a)/b = -(a/b) = a/(-b), (-a)%b = -(a%b), a%(-b) = a%b."""

    def __init__(self) -> None:
        self._names: dict[Hashable, str] = {}

    def name(self, kind: str, *parts: Hashable) -> Polynomial:
        """The value that is called by its kind and its parts."""
        return variable(self._names.setdefault((kind, *parts), f"{kind}{len(self._names)}"))

    def number(self, n: int) -> Polynomial:
        return Polynomial({(): n})

    def add(self, a: Polynomial, b: Polynomial) -> Polynomial:
        return a + b

    def negate(self, a: Polynomial) -> Polynomial:
        return -a

    def multiply(self, a: Polynomial, b: Polynomial) -> Polynomial:
        return a * b

    def divide(self, a: Polynomial, b: Polynomial) -> Polynomial:
        (s, p), (t, q) = split_sign(a), split_sign(b)
        return s * t * self.name("quotient", p, q)

    def modulo(self, a: Polynomial, b: Polynomial) -> Polynomial:
        (s, p), (_, q) = split_sign(a), split_sign(b)
        return s * self.name("remainder", p, q)


def split_sign(p: Polynomial) -> tuple[int, Polynomial]:
    """A polynomial as ±1 times one whose first coefficient is positive."""
    if not p.terms:
        return 1, p
    return (1, p) if p.terms[min(p.terms)] > 0 else (-1, -p)


@final
@dataclass(frozen=True)
class Level(Generic[V]):
    """What was read inside one bracket: a sum, the term that grows, and the operator that waits for its operand.

    The value so far is `total + term`, and what follows a term only changes the term: a subtracted term is kept with
    its sign, for -(a·b) = (-a)·b, and likewise for / and %.
    """

    total: V
    term: V | None = None  # None: at the beginning, or behind + or -
    operator: str | None = "+"  # None: behind an operand


@final
@dataclass(frozen=True)
class Parser(Generic[V]):
    """The state of reading an expression: the brackets that are open, innermost last, and all divisors met."""

    arithmetic: Arithmetic[V]
    levels: tuple[Level[V], ...]
    divisors: tuple[V, ...] = ()
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
        divisors = self.divisors
        term = level.term
        match level.operator:
            case "+":
                new = value
            case "-":
                new = do.negate(value)
            case "*":
                assert term is not None
                new = do.multiply(term, value)
            case operator:
                assert term is not None
                divisors = (*divisors, value)
                new = do.divide(term, value) if operator == "/" else do.modulo(term, value)
        return replace(self, levels=(*self.levels[:-1], Level(level.total, new, None)), divisors=divisors)

    def operator(self, sign: str) -> Parser[V]:
        """Read an operator."""
        level = self.levels[-1]
        assert level.term is not None
        if sign in "+-":
            new = Level(self.arithmetic.add(level.total, level.term), None, sign)
        else:
            new = Level(level.total, level.term, sign)
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


_TOKEN = re.compile(r"(?<![0-9)])-[0-9]+|[0-9]+|[^0-9]")


class NotAnExpression(ValueError):
    """The text has no value because of its form."""


def evaluate(text: str) -> tuple[int, str]:
    """Value of a text up to its first unmatched closing bracket or its end, and the rest from there on.

    Raises ZeroDivisionError if a divisor is zero, NotAnExpression if the text is none.
    """
    parser: Parser[int] = Parser.begin(Exact())
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


def _step(parser: Parser[int], token: str) -> Callable[[], Parser[int]] | None:
    """How a token is read, if it may stand here."""
    if token[-1] in "0123456789":
        return (lambda: parser.operand(int(token))) if parser.wants_operand else None
    if token == "(":
        return parser.open if parser.wants_operand else None
    if parser.wants_operand:
        return None
    if token == ")":
        return parser.close
    return (lambda: parser.operator(token)) if token in "+-*/%" else None
