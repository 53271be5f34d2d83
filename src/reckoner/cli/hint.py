"""A word about the first quotient that was cut, for a person at a terminal: `7/2 = 3, remainder 1: …`."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from reckoner.answer import Result
from reckoner.calculator import Calculator


@dataclass
class CutHint:
    """Tells it once; `way` is how the scale is set here."""

    calculator: Calculator
    way: str  # "--scale " or "scale="
    is_told: bool = False

    def tell(self, result: Result) -> None:
        """Say so on standard error if an answer on this terminal has a cut quotient in it."""
        if self.is_told or not sys.stdout.isatty():
            return
        from reckoner.cut import find_cut

        cut = find_cut(self.calculator, result)
        if cut is not None:
            self.is_told = True
            better = "" if cut.answer is None else f": {self.way}{cut.scale} gives {cut.answer}"
            print(_dim(cut.told + better), file=sys.stderr)


def _dim(text: str) -> str:
    is_plain = not sys.stderr.isatty() or "NO_COLOR" in os.environ
    return text if is_plain else f"\x1b[2m{text}\x1b[0m"
