"""Random texts for the skills that work on expressions, and pieces of such texts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import final

from reckoner.program.fixed import Fixed
from reckoner.program.value import Room

_POWERS = 0.12  # how often a bracket holds a power


@final
@dataclass(frozen=True)
class Phrases:
    """Makes texts with these operators, of whole numbers or with decimals; a power stands alone in its bracket."""

    operators: str
    has_decimals: bool = False

    @property
    def chained(self) -> str:
        """The operators that stand side by side."""
        return self.operators.replace("^", "")

    def scale(self, rng: Random) -> str:
        """A zero with so many decimals."""
        return str(_fixed(0, rng.choice((0, 0, 1, 2, 3))))

    def number(self, rng: Random) -> str:
        """A number."""
        units = rng.choice((rng.randint(-9, 9), rng.randint(-99, 99), rng.randint(0, 12345)))
        places = rng.choice((0, 0, 1, 2, 3)) if self.has_decimals else 0
        return str(_fixed(units, places))

    def exponent(self, rng: Random) -> str:
        """A number to raise to that is not too long a way, and seldom one that is no exponent."""
        return str(rng.choice((0, 1, 2, 2, 3, -1, -2))) if rng.random() < 0.95 else self.number(rng)

    def say(self, rng: Random, item: str, before: str) -> str:
        """What is shown of a text at a place, with a number in place of its name."""
        if item[0] != "n":
            return item
        return self.exponent(rng) if before.endswith("^") else self.number(rng)

    def operand(self, rng: Random, depth: int) -> str:
        """A number, or something in up to so many brackets inside one another."""
        if depth and rng.random() < 0.3:
            return f"({self.operand(rng, depth - 1)}{self.following(rng, Room.ANYTHING)})"
        return self.number(rng)

    def following(self, rng: Random, room: Room, least: int = 0, depth: int = 0) -> str:
        """What can follow an operand until its bracket is closed, with at least so many operators."""
        if room == Room.ANYTHING and "^" in self.operators and rng.random() < 2 * _POWERS:
            return "^" + self.raised(rng)
        count = 0 if room == Room.NOTHING else max(least, rng.choice((0, 0, 1, 1, 2)))
        return "".join(rng.choice(self.chained) + self.operand(rng, depth) for _ in range(count))

    def raised(self, rng: Random) -> str:
        """An exponent, perhaps in a bracket."""
        inside = f"({self.exponent(rng)}{rng.choice('+-')}{rng.randint(0, 2)})"
        return inside if rng.random() < 0.2 else self.exponent(rng)

    def text(self, rng: Random, size: int) -> str:
        """A text of up to so many operators and brackets; some end at an unmatched bracket."""
        text = self._level(rng, rng.randint(0, size))
        if rng.random() < 0.3:
            text += ")" + rng.choice(["", ")", "+1", "*2", "-3)"])
        return text

    def _level(self, rng: Random, size: int) -> str:
        if size and "^" in self.operators and rng.random() < _POWERS:
            base = f"({self._level(rng, size - 3)})" if size > 2 and rng.random() < 0.6 else self.number(rng)
            return f"{base}^{self.raised(rng)}"
        parts = []
        while True:
            if size >= 2 and rng.random() < 0.4:
                inside = rng.randint(0, size - 2)
                parts.append(f"({self._level(rng, inside)})")
                size -= 2 + inside
            else:
                parts.append(self.number(rng))
            if size == 0:
                return "".join(parts)
            parts.append(rng.choice(self.chained))
            size -= 1


def _fixed(units: int, places: int) -> Fixed:
    return Fixed(Fraction(units, 10**places), places)
