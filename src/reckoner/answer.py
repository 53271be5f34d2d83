"""What a calculation gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reckoner.errors import ReckonerError

if TYPE_CHECKING:
    from decimal import Decimal

    from reckoner.machine.trace import Call

# Python refuses to convert more digits at once (sys.get_int_max_str_digits); longer numbers go in halves.
_DIGITS_AT_ONCE = 4_000


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one expression."""

    expression: str  # as typed
    text: str  # the number, as the networks wrote it
    calls: int  # calls of skills it took
    seconds: float  # wall-clock time; in a batch, an equal share of the batch's
    evaluations: int | None = None  # network evaluations it took; not known for one row of a batch
    trace: Call | None = field(default=None, repr=False, compare=False)
    scale: int = 0  # decimals after which quotients were cut

    @property
    def value(self) -> int | Decimal:
        """The answer as an int, or a Decimal if it has decimals: for Python programs, no calculation uses it."""
        if "." in self.text:
            from decimal import Decimal

            return Decimal(self.text)
        return -_to_int(self.text[1:]) if self.text.startswith("-") else _to_int(self.text)

    def __int__(self) -> int:
        """A whole answer as an int; nothing is rounded."""
        if isinstance(value := self.value, int):
            return value
        raise ValueError(f"{self.text} has decimals; .value is the number, .text its digits")

    def __float__(self) -> float:
        return float(self.value)

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """The answer in a notebook, with its steps if there is a trace."""
        from reckoner.notebook import show

        return show(self)


@dataclass(frozen=True, slots=True)
class Failure:
    """Why one expression of a batch has no answer."""

    expression: str
    error: ReckonerError
    calls: int = 0
    seconds: float = 0.0
    trace: Call | None = field(default=None, repr=False, compare=False)  # up to where it failed
    scale: int = 0


Result = Answer | Failure


def _to_int(digits: str) -> int:
    if len(digits) <= _DIGITS_AT_ONCE:
        return int(digits)
    middle = len(digits) // 2
    return _to_int(digits[:-middle]) * 10**middle + _to_int(digits[-middle:])
