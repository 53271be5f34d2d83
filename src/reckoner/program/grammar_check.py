"""That the grammar's rewriting keeps the value: what a user types means what the networks read.

The grammar copies numbers, operators and brackets, and writes minus signs that are no subtraction in another way
(`-(2+1)` as `0-(2+1)`). So it is enough to look at one operand with the minus signs before it, in everything that can
stand around it: the parser must be in the same state behind the operand as typed and behind what is written for it.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import final

from reckoner.grammar import parse
from reckoner.program.polynomial import Polynomial, variable
from reckoner.program.value import Parser, Symbolic, split_sign

_MOST_MINUSES = 5
_BEFORE = ("", "(", "7+", "7-", "7*", "7/", "7%", "(7+", "(7-", "7+8*", "7-8/", "7-8%", "7*(", "7-(", "7/(8-")
_OPERANDS = ("5", "0", "05", "00", "(5)", "(0)", "(5+6)", "(-5)", "(-(5))", "(--5)")
_BEHIND = ("", "+9", "-9", "*9", "/9", "%9")


@final
@dataclass(frozen=True)
class Grammar:
    """How many texts were compared, and one that came out wrong."""

    texts: int
    wrong: str | None = None

    @property
    def is_right(self) -> bool:
        return self.wrong is None


def check_grammar() -> Grammar:
    """Compare the value of what is typed with the value of what is written for it."""
    count = 0
    for before, minuses, operand, behind in itertools.product(
        _BEFORE, range(_MOST_MINUSES + 1), _OPERANDS, _BEHIND
    ):
        text = before + "-" * minuses + operand + behind
        text += ")" * (text.count("(") - text.count(")"))
        count += 1
        values = Symbolic()
        if _read(text, values) != _read(parse(text).text, values):
            return Grammar(count, text)
    return Grammar(count)


def _read(text: str, values: Symbolic) -> tuple[Polynomial, frozenset[Polynomial]]:
    """Value and divisors of a text as a user means it; a minus sign in front of an operand binds most tightly."""
    parser: Parser[Polynomial] = Parser.begin(values)
    waiting: list[int] = [0]  # minus signs in front of the next operand, and of each open bracket
    at = 0
    while at < len(text):
        character = text[at]
        if "0" <= character <= "9":
            end = at
            while end < len(text) and "0" <= text[end] <= "9":
                end += 1
            digits = text[at:end].lstrip("0")
            value = variable(f"number {digits}") if digits else values.number(0)
            parser = parser.operand(value * (-1) ** waiting[-1])
            waiting[-1] = 0
            at = end
            continue
        if character == "-" and parser.wants_operand:
            waiting[-1] += 1
        elif character == "(":
            parser = parser.open()
            waiting.append(0)
        elif character == ")":
            waiting.pop()
            sign = (-1) ** waiting[-1]
            waiting[-1] = 0
            inside = parser.value
            outer: Parser[Polynomial] = Parser(values, parser.levels[:-1], parser.divisors)
            parser = outer.operand(inside * sign)
        else:
            parser = parser.operator(character)
        at += 1
    divisors = frozenset(split_sign(divisor)[1] for divisor in parser.divisors)
    return parser.value, divisors
