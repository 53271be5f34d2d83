"""A word about the first quotient that was cut, for a person at a terminal: `7/2 = 3, remainder 1: …`.

Whether one was cut is asked of the networks: they work out its remainder.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from reckoner.answer import Answer, Result
from reckoner.calculator import Calculator
from reckoner.errors import ReckonerError
from reckoner.grammar import parse
from reckoner.operand import find_quotients

_LONGEST = 60  # characters of an expression: longer ones are no sums of a person
_SLOWEST = 0.5  # seconds that its answer took
_PROPOSED = 2  # decimals, in the example


@dataclass
class CutHint:
    """Tells it once; `way` is how the scale is set here."""

    calculator: Calculator
    way: str  # "--scale " or "scale="
    is_told: bool = False

    def tell(self, result: Result) -> None:
        """Say so on standard error if an answer on this terminal has a cut quotient in it."""
        if self.is_told or not isinstance(result, Answer) or not _is_for_a_person(result):
            return
        for text in self._sentences(result):
            self.is_told = True
            print(_dim(text), file=sys.stderr)
            return

    def _sentences(self, result: Answer) -> Iterator[str]:
        """One for each quotient that has a remainder; none if something goes wrong, for nobody asked."""
        ask = self.calculator
        try:
            text = parse(result.expression, ask.text_limits).text
            for start, at, end in find_quotients(text):
                dividend, divisor = text[start:at], text[at + 1 : end]
                remainder = ask(f"({dividend})%({divisor})").text
                if remainder != "0":
                    quotient = ask(f"({dividend})/({divisor})").text
                    told = f"{dividend}/{divisor} = {quotient}, remainder {remainder}"
                    if ask.knows_decimals:
                        better = ask(result.expression, scale=_PROPOSED).text
                        told += f": {self.way}{_PROPOSED} gives {better}"
                    yield told
        except ReckonerError:
            return


def _is_for_a_person(result: Answer) -> bool:
    is_small = len(result.expression) <= _LONGEST and result.seconds <= _SLOWEST
    has_quotient = "/" in result.expression or "÷" in result.expression
    return has_quotient and is_small and result.scale == 0 and sys.stdout.isatty()


def _dim(text: str) -> str:
    is_plain = not sys.stderr.isatty() or "NO_COLOR" in os.environ
    return text if is_plain else f"\x1b[2m{text}\x1b[0m"
