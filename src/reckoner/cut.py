"""Whether a quotient was cut in an answer without decimals: `7/2 = 3, remainder 1`. The networks are asked."""

from __future__ import annotations

from dataclasses import dataclass

from reckoner.answer import Answer, Result
from reckoner.calculator import Calculator
from reckoner.errors import ReckonerError
from reckoner.grammar import parse
from reckoner.operand import find_quotients

_LONGEST = 60  # characters of an expression: longer ones are no sums of a person
_SLOWEST = 0.5  # seconds that its answer took
_PROPOSED = 2  # decimals, in the example


@dataclass(frozen=True, slots=True)
class Cut:
    """A quotient that has a remainder, and what the whole would be with decimals."""

    told: str  # "7/2 = 3, remainder 1"
    scale: int = _PROPOSED
    answer: str | None = None  # at that scale; None if nobody knows decimals here


def find_cut(ask: Calculator, result: Result) -> Cut | None:
    """The first quotient that was cut; none if the answer is not a person's, or something goes wrong: nobody asked."""
    if not isinstance(result, Answer) or not _is_of_a_person(result):
        return None
    try:
        text = parse(result.expression, ask.text_limits).text
        for start, at, end in find_quotients(text):
            dividend, divisor = text[start:at], text[at + 1 : end]
            remainder = ask(f"({dividend})%({divisor})").text
            if remainder != "0":
                quotient = ask(f"({dividend})/({divisor})").text
                better = ask(result.expression, scale=_PROPOSED).text if ask.knows_decimals else None
                return Cut(f"{dividend}/{divisor} = {quotient}, remainder {remainder}", answer=better)
    except ReckonerError:
        pass
    return None


def _is_of_a_person(result: Answer) -> bool:
    is_small = len(result.expression) <= _LONGEST and result.seconds <= _SLOWEST
    has_quotient = "/" in result.expression or "÷" in result.expression
    return has_quotient and is_small and result.scale == 0
