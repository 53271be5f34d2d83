"""Exact arithmetic: makes problems and marks answers, and does nothing else.

This is the only module that computes. Nothing below the curriculum may import it (tests enforce that), so no
answer that a network gives can come from here. Division is cut toward zero, and a remainder has the sign of
the dividend, as in bc with scale 0.
"""

from __future__ import annotations

import re
import sys

sys.set_int_max_str_digits(0)  # numbers of any size

_TOKEN = re.compile(r"\d+|[-+*/%()]")
_RANK = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2, "negate": 3}


def divide(a: int, b: int) -> int:
    """Quotient cut toward zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def modulo(a: int, b: int) -> int:
    """Remainder with the sign of the dividend."""
    return a - divide(a, b) * b


def evaluate(text: str) -> str:
    """The exact value of an expression in canonical form; ZeroDivisionError if it has none."""
    value, rest = evaluate_up_to_bracket(text)
    if rest:
        raise ValueError(f"unmatched bracket in {text!r}")
    return value


def evaluate_up_to_bracket(text: str) -> tuple[str, str]:
    """Value of the text up to its first unmatched closing bracket (or its end), and the rest from there on."""
    values: list[int] = []
    operators: list[str] = []
    after_value = False
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token.isdigit():
            values.append(int(token))
            after_value = True
        elif token == "(":
            operators.append(token)
            after_value = False
        elif token == ")":
            _reduce(values, operators, 0)
            if not operators:
                return str(values[0]), text[match.start() :]
            operators.pop()
            after_value = True
        elif after_value:
            _reduce(values, operators, _RANK[token])
            operators.append(token)
            after_value = False
        else:
            operators.append("negate")
    _reduce(values, operators, 0)
    return str(values[0]), ""


def _reduce(values: list[int], operators: list[str], rank: int) -> None:
    """Carry out waiting operators that bind at least as strongly as `rank`."""
    while operators and operators[-1] != "(" and _RANK[operators[-1]] >= rank:
        operator = operators.pop()
        b = values.pop()
        if operator == "negate":
            values.append(-b)
            continue
        a = values.pop()
        match operator:
            case "+":
                values.append(a + b)
            case "-":
                values.append(a - b)
            case "*":
                values.append(a * b)
            case "/":
                values.append(divide(a, b))
            case _:
                values.append(modulo(a, b))
