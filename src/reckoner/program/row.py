"""What a row of the specification is: the form of a message, and its right answer by cases.

Everything else is derived from rows: the formulas of the proof (as assumption about a callee, and as goal of the
skill itself), a concrete oracle (`Row.answer`), and the check of any answer (`Row.holds`).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

from reckoner.program.form import Alternative, Form
from reckoner.program.formula import TRUE, Formula, at_least, both, evaluate, less
from reckoner.program.polynomial import Polynomial, variable


@final
@dataclass(frozen=True)
class Run:
    """A string of digits in an answer: with this value, in this many digits or (None) without leading zeros."""

    value: Polynomial
    length: Polynomial | None = None
    kept: str | None = None  # the field that this number still is: leading zeros are allowed if that had some


@final
@dataclass(frozen=True)
class Spread:
    """All digits of a string with commas between them: of this value, so many."""

    value: Polynomial
    length: Polynomial


Part = Run | Spread | str  # a str is a sign that stands there


@final
@dataclass(frozen=True)
class Quotient:
    """A name for the integer quotient of two amounts, the second at least 1."""

    name: str
    dividend: Polynomial
    divisor: Polynomial

    @property
    def definition(self) -> Formula:
        """What makes it the quotient, and no other number."""
        rest = self.dividend - variable(self.name) * self.divisor
        return both(at_least(rest, 0), less(rest, self.divisor))

    def add_to(self, values: dict[str, int]) -> dict[str, int]:
        """What the names stand for, this one among them."""
        return values | {self.name: self.dividend.evaluate(values) // self.divisor.evaluate(values)}


@final
@dataclass(frozen=True)
class Difference:
    """A name for how much longer one thing is than another, 0 if it is not; `10^name` is ten to that."""

    name: str
    longer: Polynomial
    shorter: Polynomial


@final
@dataclass(frozen=True)
class Case:
    """An answer and when it is the right one."""

    parts: tuple[Part, ...]
    when: Formula = TRUE
    quotients: tuple[Quotient, ...] = ()  # names that this answer alone speaks of; each is one of its parts


@dataclass(frozen=True)
class Specified(ABC):
    """What one skill has to do: the form of its messages, and their answers."""

    name: str
    says: str  # in words
    x: Form
    y: Form

    @property
    def alternatives(self) -> Iterator[tuple[Alternative, Alternative]]:
        """All shapes of a message."""
        for x in self.x.alternatives:
            for y in self.y.alternatives:
                yield x, y

    @abstractmethod
    def read(self, x: str, y: str) -> dict[str, Any] | None:
        """What every name stands for in a message, or None if it is not one the skill has to answer."""

    @abstractmethod
    def answer(self, x: str, y: str) -> str:
        """The right answer to a message of the domain."""

    @abstractmethod
    def holds(self, x: str, y: str, answer: str) -> bool:
        """Whether this is a right answer."""

    def is_easy(self, x: str, y: str) -> bool:
        """Whether the answer is short enough to be tried out."""
        return True

    @property
    def zeros(self) -> frozenset[str]:
        """Strings of digits that are nothing but zeros."""
        return frozenset()

    @property
    def longest(self) -> int:
        """Strings of up to so many digits show all there is to be seen."""
        return 7


@final
@dataclass(frozen=True)
class Row(Specified):
    """What one skill has to do, digit by digit."""

    cases: tuple[Case, ...]
    where: Formula = TRUE
    quotient: Quotient | None = None
    differences: tuple[Difference, ...] = ()

    def read(self, x: str, y: str) -> dict[str, int] | None:
        """What every name stands for in a message, or None if it is not one the skill has to answer."""
        first, second = self.x.read(x), self.y.read(y)
        if first is None or second is None:
            return None
        values = first | second
        for difference in self.differences:
            count = max(0, difference.longer.evaluate(values) - difference.shorter.evaluate(values))
            values |= {difference.name: count, f"10^{difference.name}": 10**count}
        if not evaluate(self.where, values):
            return None
        return values if self.quotient is None else self.quotient.add_to(values)

    def _case(self, values: dict[str, int]) -> tuple[Case, dict[str, int]]:
        """The one case that holds, and what every name stands for in it."""
        (case,) = [case for case in self.cases if evaluate(case.when, values)]
        for quotient in case.quotients:
            values = quotient.add_to(values)
        return case, values

    def answer(self, x: str, y: str) -> str:
        """The right answer to a message of the domain."""
        values = self.read(x, y)
        if values is None:
            raise ValueError(f"{self.name} need not answer {x!r}, {y!r}")
        case, values = self._case(values)
        return "".join(_write(part, values) for part in case.parts)

    def holds(self, x: str, y: str, answer: str) -> bool:
        """Whether this is a right answer. (Where leading zeros may be kept there can be more than one.)"""
        values = self.read(x, y)
        if values is None:
            raise ValueError(f"{self.name} need not answer {x!r}, {y!r}")
        case, values = self._case(values)
        pattern = "".join(_match(part, values) for part in case.parts)
        return re.fullmatch(pattern, answer) is not None


def _write(part: Part, values: dict[str, int]) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Spread):
        return ",".join(str(part.value.evaluate(values)).zfill(part.length.evaluate(values)))
    text = str(part.value.evaluate(values))
    return text if part.length is None else text.zfill(part.length.evaluate(values))


def _match(part: Part, values: dict[str, int]) -> str:
    text = re.escape(_write(part, values))
    is_free = isinstance(part, Run) and part.kept is not None and not values[f"canonical {part.kept}"]
    return f"0*{text}" if is_free else text
