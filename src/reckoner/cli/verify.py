"""--verify: the networks' results beside exact arithmetic. What is wrong is reported, never corrected."""

from __future__ import annotations

from reckoner.answer import Answer, Failure, Result
from reckoner.errors import DivisionByZero, WrongAnswer
from reckoner.grammar import TextLimits, parse


def can_verify(result: Result) -> bool:
    """Whether the networks came to a result that can be right or wrong."""
    return isinstance(result, Answer) or isinstance(result.error, DivisionByZero)


def verify(result: Result, limits: TextLimits) -> Result:
    """The same result if it is right, otherwise a failure that says what both found."""
    from reckoner.curriculum.oracle import evaluate, shown

    try:
        exact = shown(evaluate(parse(result.expression, limits).text, result.scale))
    except ZeroDivisionError:
        exact = None
    found = result.text if isinstance(result, Answer) else None
    if found == exact:
        return result
    message = f"the networks were wrong: they found {_name(found)}, exact arithmetic finds {_name(exact)}"
    return Failure(
        result.expression, WrongAnswer(message), result.calls, result.seconds, result.trace, result.scale
    )


def _name(found: str | None) -> str:
    if found is None:
        return "a division by zero"
    return found if len(found) <= 60 else f"{found[:25]}…{found[-25:]} ({len(found)} characters)"
