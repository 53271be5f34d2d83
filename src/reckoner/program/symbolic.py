"""Values in a normal form: what expressions mean where the numbers in them are not known.

A value is a polynomial over numbers of which only the name is known; what an operation or unknown text makes of such
values is named by what it is made of, so that equal values have equal names. Sums are exact. With decimals a sum has as
many as the summand that has most: that is a set of names, whose largest count is meant, and a summand that cancels out
stays in it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, final

from reckoner.program.polynomial import ZERO, Polynomial, lift, variable


class Quantity(NamedTuple):
    """A value, and the names of which one has as many decimals as it is written with."""

    value: Polynomial
    places: frozenset[str] = frozenset()  # none: it is a whole number

    def __neg__(self) -> Quantity:
        return Quantity(-self.value, self.places)


@final
@dataclass(frozen=True)
class Law:
    """What is known of an operation, beside that of equal operands it makes the same (`laws` shows it).

    A minus sign of an operand: -1, the result has it, too; 1, the result does not change; 0, nothing is known.
    """

    name: str
    left: int = 0
    right: int = 0
    commutes: bool = False
    keeps_zero: bool = False  # a left operand of zero gives zero


LAWS = {
    "*": Law("product", -1, -1, commutes=True, keeps_zero=True),
    "/": Law("quotient", -1, -1, keeps_zero=True),
    "%": Law("remainder", -1, 1, keeps_zero=True),
    "^": Law("power"),
}


@final
class Symbolic:
    """Arithmetic on names: of whole numbers, or with decimals at one scale that is not known."""

    def __init__(self, is_scaled: bool = False, laws: Mapping[str, Law] = LAWS) -> None:
        self.is_scaled = is_scaled
        self.laws = laws
        self._names: dict[Hashable, str] = {}

    def named(self, name: str) -> Quantity:
        """A number of which nothing is known."""
        return Quantity(variable(name), frozenset({name}) if self.is_scaled else frozenset())

    def name(self, kind: str, *parts: Hashable) -> Quantity:
        """The value that is called by its kind and its parts."""
        return self.named(self._names.setdefault((kind, *parts), f"{kind}{len(self._names)}"))

    def number(self, n: int) -> Quantity:
        return Quantity(lift(n))

    def add(self, a: Quantity, b: Quantity) -> Quantity:
        return Quantity(a.value + b.value, a.places | b.places)

    def negate(self, a: Quantity) -> Quantity:
        return -a

    def apply(self, operator: str, a: Quantity, b: Quantity) -> Quantity:
        """The name of `a operator b`, with the signs drawn out of it that can be."""
        if operator == "*" and not self.is_scaled:
            return Quantity(a.value * b.value)  # whole numbers: a polynomial again
        law, sign = self.laws[operator], 1
        if law.left:
            s, a = split_sign(a)
            sign *= s if law.left < 0 else 1
        if law.right:
            s, b = split_sign(b)
            sign *= s if law.right < 0 else 1
        found = self.name(law.name, frozenset((a, b))) if law.commutes else self.name(law.name, a, b)
        if law.keeps_zero and (not a.value.terms or (law.commutes and not b.value.terms)):
            return Quantity(ZERO, found.places)
        return found if sign > 0 else -found

    def demand(self, operator: str, a: Quantity, b: Quantity) -> Hashable | None:
        """What must be so, or `a operator b` has no value: a divisor is not zero, whatever its sign and decimals.

        An exponent has no decimals, and is not negative if the base is zero, whatever the base's sign and decimals.
        """
        if operator in "/%":
            return split_sign(b)[1].value
        if operator == "^":
            return split_sign(a)[1].value, b
        return None


def split_sign(q: Quantity) -> tuple[int, Quantity]:
    """A quantity as ±1 times one whose first coefficient is positive."""
    terms = q.value.terms
    return (1, q) if not terms or terms[min(terms)] > 0 else (-1, -q)
