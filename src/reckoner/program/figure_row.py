"""Rows of skills to which a number is one thing: what they answer is said in units and decimals, not in digits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, final

from reckoner.program.field import ZERO, Shapes, figures, shape_of
from reckoner.program.figure import Figure
from reckoner.program.form import decimals_of
from reckoner.program.row import Specified

_LONGEST = 30  # digits of a power that is tried out


@final
@dataclass(frozen=True)
class Worth:
    """An answer, and of which shapes some numbers of the message are if it is the right one.

    The formula is called with the fields of the message by their names: figures, or whatever else they are.
    """

    formula: Callable[..., Figure]
    when: Mapping[str, Shapes | int] = field(default_factory=dict)  # an int: what a text is worth


@final
@dataclass(frozen=True)
class FigureRow(Specified):
    """What one skill has to do. Where no answer is the right one, it must refuse."""

    cases: tuple[Worth, ...]
    where: Mapping[str, Shapes] = field(default_factory=dict)  # elsewhere nothing is asked of it
    raises: Callable[..., int] | None = None  # an upper bound of how many digits a power gets

    def read(self, x: str, y: str) -> dict[str, Any] | None:
        """As the base class says; None also if it has to refuse."""
        values = self._fields(x, y)
        if values is None or not _are(values, self.where) or self._case(values) is None:
            return None
        return values

    def _fields(self, x: str, y: str) -> dict[str, Any] | None:
        first, second = figures(self.x, x), figures(self.y, y)
        return None if first is None or second is None else first | second

    def _case(self, values: Mapping[str, Any]) -> Worth | None:
        found = [case for case in self.cases if _are(values, case.when)]
        assert len(found) <= 1, "cases exclude one another"
        return found[0] if found else None

    def answer(self, x: str, y: str) -> str:
        """As the base class says."""
        values = self.read(x, y)
        case = None if values is None else self._case(values)
        if values is None or case is None:
            raise ValueError(f"{self.name} need not answer {x!r}, {y!r}")
        return str(case.formula(**values))

    def holds(self, x: str, y: str, answer: str) -> bool:
        """As the base class says: there is just one."""
        return answer == self.answer(x, y)

    def is_easy(self, x: str, y: str) -> bool:
        """As the base class says; also that there is something to be tried."""
        for form, text in ((self.y, y), (self.x, x)):  # the second is the shorter one
            values = figures(form, text)
            if values is None or not _are(values, {n: s for n, s in self.where.items() if n in values}):
                return False
        return self.raises is None or self.raises(**self._fields(x, y) or {}) <= _LONGEST

    @property
    def zeros(self) -> frozenset[str]:
        """As the base class says."""
        found = [name for name, shapes in self.where.items() if shapes <= ZERO]
        return frozenset(part for name in found for part in (name, decimals_of(name)))

    @property
    def longest(self) -> int:
        """As the base class says: of an exponent, nine numbers are seen, some of which are others."""
        return 7 if self.raises is None else 9


def _are(values: Mapping[str, Any], wanted: Mapping[str, Shapes | int]) -> bool:
    """Whether numbers are of these shapes."""
    return all(
        values[name] == shapes if isinstance(shapes, int) else shape_of(values[name]) in shapes
        for name, shapes in wanted.items()
    )
