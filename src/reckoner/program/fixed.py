"""Numbers with a fixed count of decimals, and what bc's operators make of two of them at a scale.

The concrete half of what expressions mean; `symbolic` is the other. With whole numbers and scale 0 these are the
operators of whole numbers: a quotient is cut toward zero, a remainder has the sign of the dividend.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple, final


class Fixed(NamedTuple):
    """A value and how many decimals it is written with."""

    value: Fraction
    places: int = 0

    def __str__(self) -> str:
        """A digit before the point, all decimals behind it, and no minus sign before a zero."""
        digits = str(abs(math.trunc(self.value * 10**self.places))).zfill(self.places + 1)
        whole, decimals = digits[: len(digits) - self.places], digits[len(digits) - self.places :]
        return "-" * (self.value < 0) + whole + "." * bool(decimals) + decimals


class ExponentHasDecimals(ArithmeticError):
    """A power has no value."""


@final
class Concrete:
    """Arithmetic at a scale, on numbers."""

    def __init__(self, scale: int = 0, most_digits: int = 20_000) -> None:
        self.scale = scale
        self.most_digits = most_digits  # of a power: larger ones are not worked out

    def number(self, n: int) -> Fixed:
        return Fixed(Fraction(n))

    def add(self, a: Fixed, b: Fixed) -> Fixed:
        return Fixed(a.value + b.value, max(a.places, b.places))

    def negate(self, a: Fixed) -> Fixed:
        return Fixed(-a.value, a.places)

    def apply(self, operator: str, a: Fixed, b: Fixed) -> Fixed:
        """The value of `a operator b`; an ArithmeticError if there is none."""
        most = max(self.scale, a.places)
        match operator:
            case "*":
                return _cut(a.value * b.value, min(a.places + b.places, max(most, b.places)))
            case "/":
                return _cut(a.value / b.value, self.scale)
            case "%":
                taken = _cut(a.value / b.value, self.scale).value * b.value
                return Fixed(a.value - taken, max(self.scale + b.places, a.places))
        if b.places:
            raise ExponentHasDecimals(str(b))
        n = int(b.value)
        if abs(n) * len(str(a)) > self.most_digits:
            raise OverflowError(f"{a}^{b} is too long")
        return _cut(a.value**n, self.scale if n < 0 else min(a.places * n, most))

    def demand(self, operator: str, a: Fixed, b: Fixed) -> None:
        """What must not be has raised an error."""


def _cut(value: Fraction, places: int) -> Fixed:
    """With so many decimals: further ones are cut off."""
    return Fixed(Fraction(math.trunc(value * 10**places), 10**places), places)


def read(text: str) -> Fixed:
    """The number that a text is."""
    return Fixed(Fraction(text), len(text.partition(".")[2]))
