"""Numbers as units and decimals, and what is made of them: the same on numbers and on terms.

The value of a figure is its units divided by ten to its places. What skills make of figures is written down once
here; evaluated on integers it is the oracle, and on terms (`term`) what the proof assumes or has to show.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from reckoner.program.term import Term, as_polynomial, cut, maximum, raised, ten_to


class Figure(NamedTuple):
    """A number: whole units, and how many of its digits are decimals. Integers, or a term and a polynomial."""

    units: Any
    places: Any

    def __str__(self) -> str:
        """As it is written: a digit before the point, all decimals behind it, no minus before a zero."""
        if isinstance(self.units, Term):
            return f"({self.units})/10^({self.places})"
        digits = str(abs(self.units)).zfill(self.places + 1)
        whole, behind = digits[: len(digits) - self.places], digits[len(digits) - self.places :]
        return ("-" if self.units < 0 else "") + whole + ("." if behind else "") + behind

    @property
    def count(self) -> Any:
        """Its units where they count something: an exponent, say. Those of a term are a polynomial."""
        if not isinstance(self.units, Term):
            return self.units
        found = as_polynomial(self.units)
        if found is None:
            raise ValueError(f"{self.units} is not a count")
        return found


class Several(NamedTuple):
    """Digits one after the other, none included: what they are worth together, how many, and ten to that."""

    value: Any
    length: Any
    power: Any


def with_units(x: Figure, units: Any) -> Figure:
    """Other units, as many decimals."""
    return Figure(units, x.places)


def times(x: Figure, y: Figure) -> Figure:
    """The product with all its decimals."""
    return Figure(x.units * y.units, x.places + y.places)


def minus(x: Figure, y: Figure) -> Figure:
    """The difference, with as many decimals as the one that has more."""
    most = maximum(x.places, y.places)
    return Figure(x.units * ten_to(most - x.places) - y.units * ten_to(most - y.places), most)


def plus(x: Figure, y: Figure) -> Figure:
    """The sum, with as many decimals as the one that has more."""
    return minus(x, with_units(y, -y.units))


def fitted(x: Figure, places: Any) -> Figure:
    """With no more decimals than these: the others are cut off."""
    more = maximum(x.places, places) - places
    return Figure(cut(x.units, ten_to(more)), x.places - more)


def over(x: Figure, y: Figure, scale: Any) -> Figure:
    """The quotient with so many decimals: further ones are cut off."""
    most = maximum(x.places, y.places + scale)
    return Figure(cut(x.units * ten_to(most - x.places), y.units * ten_to(most - y.places - scale)), scale)


def rest(x: Figure, y: Figure, scale: Any) -> Figure:
    """What is left of x without y times the quotient."""
    return minus(x, times(over(x, y, scale), y))


def to_the(x: Figure, n: Any) -> Figure:
    """A power with all its decimals."""
    return Figure(raised(x.units, n), x.places * n)


def one(like: Figure) -> Figure:
    """1, of the same kind."""
    return Figure(like.units * 0 + 1, like.places * 0)
