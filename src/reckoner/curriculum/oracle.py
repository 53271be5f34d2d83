"""Exact arithmetic: makes problems and marks answers, and does nothing else.

This is the only module that computes. Nothing below the curriculum may import it (tests enforce that), so no
answer that a network gives can come from here. A number is a whole number of units and how many of its digits
are decimals; what each operator does with the decimals is what GNU bc does (docs/usage.md says it in words). With
scale 0 and whole numbers, division is cut toward zero and a remainder has the sign of the dividend.
"""

from __future__ import annotations

import re
import sys
from typing import NamedTuple

sys.set_int_max_str_digits(0)  # numbers of any size

_TOKEN = re.compile(r"\d+(?:\.\d*)?|\.\d+|[-+*/%^()]")
_RANK = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2, "^": 3, "negate": 4}
_TO_THE_RIGHT = {"^", "negate"}  # these wait for those of the same rank that follow
MOST_DIGITS = 20_000  # of a power: larger ones are beyond the limits of calls


class ExponentError(ArithmeticError):
    """An exponent with decimals."""


class Number(NamedTuple):
    """`units` divided by ten to the `decimals`."""

    units: int
    decimals: int = 0

    def __str__(self) -> str:
        """Canonical text: a digit before the point, all decimals behind it, and no minus before a zero."""
        digits = str(abs(self.units)).zfill(self.decimals + 1)
        cut = len(digits) - self.decimals
        text = digits[:cut] + ("." + digits[cut:] if self.decimals else "")
        return "-" + text if self.units < 0 else text

    def cut(self, decimals: int) -> Number:
        """The same with so many decimals: further ones are cut off, missing ones are zeros."""
        more = decimals - self.decimals
        return Number(self.units * 10**more if more >= 0 else divide(self.units, 10**-more), decimals)


def read(text: str) -> Number:
    """The number that a text without a sign means."""
    whole, _, decimals = text.partition(".")
    return Number(int(whole + decimals), len(decimals))


def shown(text: str) -> str:
    """As it is printed: a zero without its decimals."""
    return text if text.strip("0.") else "0"


def divide(a: int, b: int) -> int:
    """Quotient cut toward zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def modulo(a: int, b: int) -> int:
    """Remainder with the sign of the dividend."""
    return a - divide(a, b) * b


def operate(operator: str, x: Number, y: Number, scale: int = 0, most_digits: int = MOST_DIGITS) -> Number:
    """What bc's operators do."""
    most = max(x.decimals, y.decimals)
    match operator:
        case "+":
            return Number(x.cut(most).units + y.cut(most).units, most)
        case "-":
            return Number(x.cut(most).units - y.cut(most).units, most)
        case "*":
            product = Number(x.units * y.units, x.decimals + y.decimals)
            return product.cut(min(product.decimals, max(scale, most)))
        case "/":
            shift = scale + y.decimals - x.decimals
            return Number(divide(x.units * 10 ** max(shift, 0), y.units * 10 ** max(-shift, 0)), scale)
        case "%":
            decimals = max(scale + y.decimals, x.decimals)
            quotient = operate("/", x, y, scale)
            taken = Number(quotient.units * y.units, quotient.decimals + y.decimals)
            return Number(x.cut(decimals).units - taken.cut(decimals).units, decimals)
        case _:
            return _power(x, y, scale, most_digits)


def _power(x: Number, y: Number, scale: int, most_digits: int) -> Number:
    """The exact power, then cut; a negative exponent divides 1 by it."""
    if y.decimals:
        raise ExponentError(f"the exponent {y} has decimals")
    exponent = abs(y.units)
    if exponent == 0:
        return Number(1)
    if exponent * max(len(str(abs(x.units))), x.decimals) > most_digits:
        raise OverflowError(f"the power {x}^{y} is too large")
    power = Number(x.units**exponent, x.decimals * exponent)
    if y.units < 0:
        return operate("/", Number(1), power, scale)
    return power.cut(min(power.decimals, max(scale, x.decimals)))


def evaluate(text: str, scale: int = 0, most_digits: int = MOST_DIGITS) -> str:
    """The exact value of an expression in canonical form.

    Without a value it is an ArithmeticError: ZeroDivisionError, ExponentError, or OverflowError for a power of more
    digits than `most_digits`.
    """
    value, rest = evaluate_up_to_bracket(text, scale, most_digits)
    if rest:
        raise ValueError(f"unmatched bracket in {text!r}")
    return value


def evaluate_up_to_bracket(text: str, scale: int = 0, most_digits: int = MOST_DIGITS) -> tuple[str, str]:
    """Value of the text up to its first unmatched closing bracket (or its end), and the rest from there on."""
    rules = (scale, most_digits)
    values: list[Number] = []
    operators: list[str] = []
    after_value = False
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token[0] in ".0123456789":
            values.append(read(token))
            after_value = True
        elif token == "(":
            operators.append(token)
            after_value = False
        elif token == ")":
            _reduce(values, operators, 0, rules)
            if not operators:
                return str(values[0]), text[match.start() :]
            operators.pop()
            after_value = True
        elif after_value:
            _reduce(values, operators, _RANK[token] + (token in _TO_THE_RIGHT), rules)
            operators.append(token)
            after_value = False
        else:
            operators.append("negate")
    _reduce(values, operators, 0, rules)
    return str(values[0]), ""


def _reduce(values: list[Number], operators: list[str], rank: int, rules: tuple[int, int]) -> None:
    """Carry out waiting operators that bind at least as strongly as `rank`."""
    while operators and operators[-1] != "(" and _RANK[operators[-1]] >= rank:
        operator = operators.pop()
        b = values.pop()
        if operator == "negate":
            values.append(Number(-b.units, b.decimals))
        else:
            values.append(operate(operator, values.pop(), b, *rules))
