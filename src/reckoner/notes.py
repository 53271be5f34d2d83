"""What each skill does: one line, one example, and a sentence about any call of it.

The sentences describe what a right answer is, not how the networks find it, so they stay true whatever program
a training comes to.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from reckoner.machine.trace import shorten

_LONG = re.compile("[0-9]{25,}")  # digits that a sentence leaves out the inside of
_SHORT = 17
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


def _scaled(sign: str) -> Sentence:
    """An operation whose second read is the second number and z."""

    def sentence(x: str, y: str, answer: str) -> str:
        second, z = y.split(",")
        return f"{x} {sign} {second} with z = {z} is {answer}."

    return sentence


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
    "point": Note("a point before a digit", ("7", ""), lambda x, y, answer: f"{x} with a point before it."),
    "comma": Note("a comma before a digit", ("7", ""), lambda x, y, answer: f"{x} with a comma before it."),
    "marks": Note("as many marks as a digit says", ("3", ""), lambda x, y, answer: f"{x} as marks: {_none(answer)}."),
    "pad": Note(
        "digits with zeros behind them until they are as many as those of y",
        ("25", "1234"),
        lambda x, y, answer: f"{_none(x)}, with zeros behind it to be as long as {_none(y)}: {_none(answer)}.",
    ),
    "cut": Note(
        "the first digits of x, at most as many as y has",
        ("12345", "99"),
        lambda x, y, answer: f"As many digits of {_none(x)} as {_none(y)} has: {_none(answer)}.",
    ),
    "place": Note(
        "y with a point before as many of its last digits as x has",
        ("00", "12345"),
        lambda x, y, answer: f"{_none(y)} with as many decimals as {_none(x)} has digits: {answer}.",
    ),
    "extend": Note(
        "a number with zeros behind it until it has as many decimals as y has digits",
        ("1.5", "000"),
        lambda x, y, answer: f"{x} with at least as many decimals as {_none(y)} has digits: {answer}.",
    ),
    "level": Note(
        "two numbers with equally many decimals",
        ("1.5", "0.125"),
        lambda x, y, answer: f"{x} and {y} with equally many decimals: {answer.replace(',', ' and ')}.",
    ),
    "whole-pair": Note(
        "two numbers without their points",
        ("1.5", "-0.25"),
        lambda x, y, answer: f"{x} and {y} without their points: {answer.replace(',', ' and ')}.",
    ),
    "negate": Note("the opposite number", ("1.50", ""), lambda x, y, answer: f"The opposite of {x} is {answer}."),
    "whole-add": Note(
        "adds the digits of two numbers as if there were no points",
        ("1.50", "0.25"),
        lambda x, y, answer: f"{x} + {y} without the points is {answer}.",
    ),
    "add-level": Note("adds two numbers with equally many decimals", ("1.50", "0.25"), _operation("+")),
    "decimal-add": Note("adds", ("1.5", "0.25"), _operation("+")),
    "decimal-subtract": Note("subtracts", ("1.5", "0.25"), _operation("−")),
    "whole-multiply": Note(
        "multiplies the digits of two numbers as if there were no points",
        ("1.5", "0.25"),
        lambda x, y, answer: f"{x} × {y} without the points is {answer}.",
    ),
    "place-both": Note(
        "a whole number with as many decimals as two numbers have together",
        ("375", "1.5,0.25"),
        lambda x, y, answer: f"{x} with as many decimals as {' and '.join(y.split(','))} together: {answer}.",
    ),
    "exact-multiply": Note("multiplies; all decimals are kept", ("1.5", "0.25"), _operation("×")),
    "widest": Note(
        "a zero with as many decimals as any of three numbers",
        ("1.5", "0.25,0"),
        lambda x, y, answer: f"As many decimals as any of {x}, {y.replace(',', ' and ')} has: {answer}.",
    ),
    "fit": Note(
        "a number with no more decimals than another has",
        ("-1.375", "0.00"),
        lambda x, y, answer: f"{x} with no more decimals than {y}: {answer}.",
    ),
    "multiply-fit": Note(
        "multiplies; no more decimals than z has are kept (y is `y,z`)", ("1.5", "0.25,0.00"), _scaled("×")
    ),
    "decimal-multiply": Note("multiplies, at the scale of z (y is `y,z`)", ("1.5", "0.25,0"), _scaled("×")),
    "scale-dividend": Note(
        "makes a division of whole numbers of one of decimals (y is `y,z`)",
        ("1.5", "0.25,0.00"),
        lambda x, y, answer: f"{x} ÷ {y.split(',')[0]} has the digits of {' ÷ '.join(answer.split(',')[:2])}.",
    ),
    "whole-divide": Note(
        "divides the digits of two numbers as if there were no points",
        ("1.5000", "0.25"),
        lambda x, y, answer: f"{x} ÷ {y} without the points is {answer}.",
    ),
    "place-scale": Note(
        "a whole number with as many decimals as z has",
        ("600", "0.00"),
        lambda x, y, answer: f"{x} with as many decimals as {y}: {answer}.",
    ),
    "divide-scaled": Note(
        "divides digits as if there were no points, then places the point as z has it (y is `y,z`)",
        ("1.5000", "0.25,0.00"),
        lambda x, y, answer: f"The digits of {x} ÷ {y.split(',')[0]}, with as many decimals as z: {answer}.",
    ),
    "decimal-divide": Note("divides, at the scale of z (y is `y,z`)", ("1", "3,0.00"), _scaled("÷")),
    "take-product": Note(
        "a number less the product of two others",
        ("1", "3,0.33"),
        lambda x, y, answer: f"{x} − {' × '.join(y.split(','))} = {answer}.",
    ),
    "decimal-modulo": Note(
        "what is left of a division at the scale of z (y is `y,z`)", ("1", "3,0.00"), _scaled("modulo")
    ),
    "digits-apart": Note(
        "digits with commas between them",
        ("305", ""),
        lambda x, y, answer: f"The digits of {x}: {answer}.",
    ),
    "power-marks": Note(
        "a number to the power of as many marks as there are",
        ("1.5", "^^^"),
        lambda x, y, answer: f"{x} taken {len(y)} times as a factor: {answer}.",
    ),
    "power-digit": Note("a number to the power of a digit", ("1.5", "3"), _operation("to the power of")),
    "tenth-power-times": Note(
        "the tenth power of x times y",
        ("2", "3"),
        lambda x, y, answer: f"The tenth power of {x}, times {y}: {answer}.",
    ),
    "power-step": Note(
        "one digit of an exponent: the power so far to the tenth, times x to the digit (y is `p,d`)",
        ("2", "4,1"),
        lambda x, y, answer: (
            f"{y.split(',')[0]} to the tenth, times {x} to the next digit, {y.split(',')[1]}: {answer}."
        ),
    ),
    "power-digits": Note(
        "a power, one digit of the exponent after the other (y is the power so far, then digits)",
        ("2", "1,1,2"),
        lambda x, y, answer: f"{y.partition(',')[0]}, then {x} to the digits {_none(y.partition(',')[2])}: {answer}.",
    ),
    "exact-power": Note("a power; all decimals are kept", ("1.5", "12"), _operation("to the power of")),
    "power-fit": Note(
        "a power; no more decimals than z has are kept (y is `n,z`)", ("1.5", "3,0.0"), _scaled("to the power of")
    ),
    "power-scaled": Note(
        "a power, at the scale of z (y is `n,z`, n without a sign)", ("1.25", "2,0.0"), _scaled("to the power of")
    ),
    "decimal-power": Note("a power, at the scale of z (y is `n,z`)", ("2", "-2,0.000"), _scaled("to the power of")),
    "operate": Note(
        "one operation; a quotient gets as many decimals as y has",
        ("1.5*0.25", "0.00"),
        lambda x, y, answer: f"{x} becomes {answer}.",
    ),
    "expression-decimal": Note(
        "works an expression off, up to a closing bracket without a partner; quotients get as many decimals as x has",
        ("0.00", "1.5*(2-0.75)/3"),
        lambda x, y, answer: f"{y} becomes {answer}.",
    ),
}  # fmt: skip


def tell(skill: str, x: str, y: str, answer: str | None) -> str | None:
    """What a call did, in words; None for a skill without a note, and where there is nothing to tell."""
    note = NOTES.get(skill)
    if note is None or answer is None:
        return None
    try:
        sentence = note.sentence(x, y, answer)
    except (IndexError, ValueError):  # an answer that has not the form of a right one
        return None
    return _LONG.sub(lambda found: shorten(found.group(), _SHORT), sentence)
