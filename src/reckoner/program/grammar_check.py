"""That the grammar's rewriting keeps the value: what a user types means what the networks read.

The grammar copies numbers, operators and brackets, and writes minus signs that are no subtraction in another way
(`-(2+1)` as `0-(2+1)`). So it is enough to look at one operand with the minus signs before it, in everything that can
stand around it: the parser must be in the same state behind the operand as typed and behind what is written for it.

That is looked at for up to three minus signs, and for more it follows by induction. One more minus sign writes `(0-u)`
in place of the innermost part u, and `(0-u)` is read as an operand with the value of u and another sign. What is
written for n signs has the right value whatever the operand's value is, so with another sign, too: with n + 1.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import final

from reckoner.grammar import parse
from reckoner.program.polynomial import Polynomial, variable
from reckoner.program.value import Parser, Symbolic, split_sign

_MOST_MINUSES = 3
_STEPS = range(2, 12)  # numbers of minus signs for which the step to one more is looked at
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
    if not _negates():
        return Grammar(0, "(0-5)")
    for before, minuses, operand, behind in itertools.product(
        _BEFORE, range(_MOST_MINUSES + 1), _OPERANDS, _BEHIND
    ):
        text = before + "-" * minuses + operand + behind
        text += ")" * (text.count("(") - text.count(")"))
        count += 1
        values = Symbolic()
        if _read(text, values) != _read(parse(text).text, values):
            return Grammar(count, text)
    for before, operand, minuses in itertools.product(_BEFORE, _OPERANDS, _STEPS):
        count += 1
        if not is_step(before, operand, minuses):
            return Grammar(count, before + "-" * (minuses + 1) + operand)
    return Grammar(count)


def is_step(before: str, operand: str, minuses: int) -> bool:
    """Whether one minus sign more writes `(0-u)` in place of the innermost part u, and changes nothing else."""
    written, more = (_write(before + "-" * n + operand) for n in (minuses, minuses + 1))
    inner = _write("-" + operand)
    if inner.startswith("0-"):  # it does not belong to the operand: then that is the innermost part
        inner = _write(operand)
    at = written.rindex(inner)
    return more == written[:at] + f"(0-{inner})" + written[at + len(inner) :]


def _write(text: str) -> str:
    """What the grammar writes, with the brackets closed that are open."""
    return parse(text + ")" * (text.count("(") - text.count(")"))).text


def _negates() -> bool:
    """Whether `(0-u)` is an operand with the value of u and another sign, for whatever u."""
    values = Symbolic()
    inner, start = variable("u"), Parser.begin(values)
    read = start.open().operand(values.number(0)).operator("-").operand(inner).close()
    return read == start.operand(-inner)


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
