"""What each skill does: one line, one example, and a sentence about any call of it.

The sentences describe what a right answer is, not how the networks find it, so they stay true whatever program
a training comes to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

Sentence = Callable[[str, str, str], str]  # x, y and the answer -> what happened


class Note(NamedTuple):
    """About one skill."""

    summary: str
    example: tuple[str, str]
    sentence: Sentence


def _none(text: str) -> str:
    return text or "nothing"


def _counts(x: str, y: str, answer: str) -> str:
    """`q,x` and y: how often y was taken from x."""
    (count, rest), (more, left) = x.split(","), answer.split(",")
    if count == more:
        return f"{y} does not go into {rest}: the count stays {count}."
    return f"{y} is taken away from {rest} until {left} is left; the count goes from {count} to {more}."


def _how_often(x: str, y: str, answer: str) -> str:
    quotient, rest = answer.split(",")
    return f"{y} goes {quotient} times into {x}, and {rest} is left."


def _carried(answer: str) -> str:
    return f"{answer}, which is {answer[1]} and the carry {answer[0]}"


def _borrowed(answer: str) -> str:
    return f"{answer[1:]}, with {answer[0]} borrowed"


def _operation(sign: str) -> Sentence:
    return lambda x, y, answer: f"{x} {sign} {y} is {answer}."


def _quotient(most: str) -> str:
    return f"takes y from a number while it goes in, {most}, and counts how often: from `count,rest` to `count,rest`"


NOTES = {
    "add-column": Note(
        "two digits and a carry: the sum, in two digits",
        ("7", "81"),
        lambda x, y, answer: f"{_none(x)}, {_none(y[:-1])} and the carry {y[-1]} make {_carried(answer)}.",
    ),
    "subtract-column": Note(
        "a digit less a digit and a borrow: the new borrow, then the digit",
        ("3", "80"),
        lambda x, y, answer: f"{_none(x)} less {_none(y[:-1])} and the borrow {y[-1]}: {_borrowed(answer)}.",
    ),
    "multiply-column": Note(
        "a digit times a digit plus a carry, in two digits",
        ("7", "85"),
        lambda x, y, answer: f"{x} times {y[0]} plus the carry {y[1]} is {_carried(answer)}.",
    ),
    "next-digit": Note("counts one further", ("6", ""), lambda x, y, answer: f"After {x} comes {answer}."),
    "drop-zero": Note(
        "two digits without a leading zero",
        ("07", ""),
        lambda x, y, answer: f"{x} without a leading zero is {answer}.",
    ),
    "borrow-sign": Note(
        "the borrow 1 becomes a minus sign, 0 nothing",
        ("1", ""),
        lambda x, y, answer: f"The borrow {x} becomes {'a minus sign' if answer else 'nothing'}.",
    ),
    "add-columns": Note(
        "column addition with a carry, in one digit more than the longer number has",
        ("95", "70"),
        lambda x, y, answer: f"{_none(x)} and {_none(y[:-1])}, column by column, with the carry {y[-1]}: {answer}.",
    ),
    "strip": Note(
        "digits without their leading zeros",
        ("0048", ""),
        lambda x, y, answer: f"{x + y} without leading zeros is {answer}.",
    ),
    "M+M": Note("adds two numbers without a sign", ("95", "7"), _operation("+")),
    "subtract-columns": Note(
        "column subtraction with a borrow: the last borrow, then the digits",
        ("52", "170"),
        lambda x, y, answer: (
            f"{_none(x)} less {_none(y[:-1])}, column by column, with the borrow {y[-1]}: {_borrowed(answer)}."
        ),
    ),
    "less": Note(
        "a minus sign if the first number is less than the second, otherwise nothing",
        ("17", "52"),
        lambda x, y, answer: f"{x} is {'less' if answer else 'not less'} than {y}.",
    ),
    "M-M-natural": Note("subtracts where the answer has no sign", ("52", "17"), _operation("−")),
    "M-M": Note("subtracts two numbers without a sign", ("17", "52"), _operation("−")),
    "multiply-columns": Note(
        "a number times a digit plus a carry, column by column, in one digit more",
        ("48", "30"),
        lambda x, y, answer: f"{x} times {y[0]} plus the carry {y[1]}, column by column: {answer}.",
    ),
    "M*S": Note("a number times a digit", ("48", "3"), _operation("×")),
    "shift-add": Note(
        "ten times the first number plus the second",
        ("36", "48"),
        lambda x, y, answer: f"{x} moved up one place plus {y} is {answer}.",
    ),
    "multiply-accumulate": Note(
        "one step of a long multiplication: y is the product so far and the next digit",
        ("12", "364"),
        lambda x, y, answer: (
            f"{y[:-1]}, the product so far, moved up one place, plus {x} times the next digit, {y[-1]}: {answer}."
        ),
    ),
    "M*M": Note("multiplies two numbers without a sign", ("34", "12"), _operation("×")),
    "quotient-take": Note("takes y from a number once and counts it", ("2,77", "12"), _counts),
    "quotient-step": Note(_quotient("at most once"), ("2,77", "12"), _counts),
    "quotient-twice": Note(_quotient("at most twice"), ("2,77", "12"), _counts),
    "quotient-four": Note(_quotient("at most four times"), ("2,77", "12"), _counts),
    "quotient-eight": Note(_quotient("at most eight times"), ("0,77", "12"), _counts),
    "quotient-digit": Note(_quotient("at most nine times"), ("0,77", "12"), _counts),
    "quotient-next": Note(
        "one digit of a long division: how often y goes into x, and what is left",
        ("077", "12"),
        lambda x, y, answer: _how_often(x, y, answer),
    ),
    "divide-digits": Note(
        "long division: the quotient in as many digits as x has, and the remainder",
        ("437", "12"),
        lambda x, y, answer: _how_often(x, y, answer),
    ),
    "M/M": Note("the quotient of two numbers without a sign", ("437", "12"), _operation("÷")),
    "signed-add": Note("adds", ("-7", "3"), _operation("+")),
    "signed-subtract": Note("subtracts", ("3", "-7"), _operation("−")),
    "signed-multiply": Note("multiplies", ("-12", "34"), _operation("×")),
    "signed-divide": Note("divides; the quotient is cut toward zero", ("-437", "12"), _operation("÷")),
    "expression": Note(
        "works an expression with + − × ÷ off, up to a closing bracket without a partner",
        ("12*(3+45)", ""),
        lambda x, y, answer: f"{x} becomes {answer}.",
    ),
    "M%M": Note("the remainder of two numbers without a sign", ("437", "12"), _operation("modulo")),
    "signed-modulo": Note(
        "the remainder, with the sign of the dividend", ("-437", "12"), _operation("modulo")
    ),
    "expression-modulo": Note(
        "works an expression with + − × ÷ and % off, up to a closing bracket without a partner",
        ("12*(3+45)%7", ""),
        lambda x, y, answer: f"{x} becomes {answer}.",
    ),
}  # fmt: skip
