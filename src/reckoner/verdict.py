"""What an outcome of the machine means: a number, or an error for the person who asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from reckoner.errors import MessageRefused, ReckonerError, WrongAnswer
from reckoner.fault import is_zero

if TYPE_CHECKING:
    from reckoner.machine import Outcome, Refusal

NATURAL = re.compile("0|[1-9][0-9]*")
WHOLE = re.compile("0|-?[1-9][0-9]*")
NUMBER = re.compile(r"(?!-0(?:\.0*)?\Z)-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")  # zeros have no sign
UNLEARNED = "the networks of this library have not learned this kind of expression"
_DIVISIONS = ("divide", "modulo")  # how the names of skills end that refuse a divisor of zero


def check_outcome(outcome: Outcome, form: re.Pattern[str]) -> str | ReckonerError:
    """Only a clean run that ends in a number is an answer."""
    if outcome.error is not None:
        return outcome.error
    if outcome.refusal is not None:
        return MessageRefused(
            f"the networks lost their way: {outcome.refusal.skill} refused what it was asked"
        )
    if outcome.answer is None:
        return MessageRefused(UNLEARNED)
    if not form.fullmatch(outcome.answer):
        return WrongAnswer("the networks lost their way: their answer is not a number")
    return outcome.answer


def is_division_by_zero(refusal: Refusal) -> bool:
    """Whether a skill refused to divide by zero."""
    divisor = refusal.y.partition(",")[0]  # where there is a scale, it stands behind a comma
    return refusal.skill.endswith(_DIVISIONS) and divisor != "" and is_zero(divisor)


def number_or_none(outcome: Outcome) -> str | None:
    """The answer of a clean run, if it is a number."""
    if outcome.refusal is not None or outcome.answer is None or not NUMBER.fullmatch(outcome.answer):
        return None
    return outcome.answer
