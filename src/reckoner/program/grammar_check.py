"""That the grammar's rewriting keeps the value: what a user types means what the networks read.

The grammar copies numbers, operators and brackets, and writes minus signs that are no subtraction in another way
(`-(2+1)` as `0-(2+1)`), numbers with a digit on either side of their point, and brackets round powers. So it is enough
to look at one operand with the minus signs before it, in everything that can stand around it: value and demands of the
text as typed, by the rules of precedence, must be those of what is written for it, as the networks' parser reads it.

That is looked at for up to three minus signs, and for more it follows by induction. One more minus sign writes `(0-u)`
in place of the innermost part u, and `(0-u)` is read as an operand with the value of u and another sign. What is
written for n signs has the right value whatever the operand's value is, so with another sign, too: with n + 1.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Hashable
from dataclasses import dataclass
from typing import final

from reckoner.errors import ExponentError
from reckoner.grammar import parse
from reckoner.program.polynomial import variable
from reckoner.program.symbolic import Quantity, Symbolic
from reckoner.program.text_row import EXPRESSIONS
from reckoner.program.value import NotAnExpression, Parser

_MOST_MINUSES = 3
_STEPS = range(2, 12)  # numbers of minus signs for which the step to one more is looked at
_BEFORE = (
    "", "(", "7+", "7-", "7*", "7/", "7%", "(7+", "(7-", "7+8*", "7-8/", "7-8%", "7*(", "7-(", "7/(8-",
    "7^", "7*8^", "7-8^", "7^8^", "(7^", "7^(", "7-8*(", "(7)^", "-7^", "-(7)^", ".7/",
)  # fmt: skip
_OPERANDS = (
    "5", "0", "05", "00", "(5)", "(0)", "(5+6)", "(-5)", "(-(5))", "(--5)",
    ".5", "5.", "0.50", "05.5", "0.0", ".0", "(.5)", "(5^6)", "(-5)^6",
)  # fmt: skip
_BEHIND = ("", "+9", "-9", "*9", "/9", "%9", "^9", "^9^4", "*9^4", "^9-4", "-.9")
_PATTERN = re.compile(EXPRESSIONS["expression-decimal"].patterns[1])


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
        text = _close(before + "-" * minuses + operand + behind)
        count += 1
        if not keeps_value(text):
            return Grammar(count, text)
    for before, operand, behind, minuses in itertools.product(_BEFORE, _OPERANDS, ("", "^9"), _STEPS):
        count += 1
        if not is_step(before, operand, minuses, behind):
            return Grammar(count, _close(before + "-" * (minuses + 1) + operand + behind))
    return Grammar(count)


def keeps_value(text: str) -> bool:
    """Whether what the grammar writes for a text is one that the networks accept, and means the same."""
    values = Symbolic(is_scaled=True)
    meant = Typed(text, values)
    try:
        parsed = parse(text)
    except ExponentError:
        return meant.has_broken_exponent
    written = parsed.with_numbers([number.lstrip("0") or "0" for number in parsed.padded_numbers]).text
    if not _PATTERN.fullmatch(written):
        return False
    try:
        return (meant.value, frozenset(meant.demands)) == _read(written, values)
    except NotAnExpression:
        return False


def is_step(before: str, operand: str, minuses: int, behind: str = "") -> bool:
    """Whether one minus sign more writes `(0-u)` in place of the innermost part u, and changes nothing else."""
    try:
        written, more = (_write(before + "-" * n + operand + behind) for n in (minuses, minuses + 1))
    except ExponentError:
        return Typed(_close(before + operand + behind), Symbolic(is_scaled=True)).has_broken_exponent
    if not operand.endswith(")") and "^" in operand:  # the minus signs belong to its base
        operand, _, raised = operand.rpartition("^")
        behind = f"^{raised}{behind}"
    inner = _write("-" + operand)
    if inner.startswith("0-"):  # it does not belong to the operand: then that is the innermost part
        inner = _write(operand)
    at = written.rindex(inner)
    return more == written[:at] + f"(0-{inner})" + written[at + len(inner) :]


def _close(text: str) -> str:
    return text + ")" * (text.count("(") - text.count(")"))


def _write(text: str) -> str:
    """What the grammar writes, with the brackets closed that are open."""
    return parse(_close(text)).text


def _negates() -> bool:
    """Whether `(0-u)` is an operand with the value of u and another sign, for whatever u."""
    values = Symbolic(is_scaled=True)
    inner, start = values.named("u"), Parser.begin(values)
    read = start.open().operand(values.number(0)).operator("-").operand(inner).close()
    return read == start.operand(-inner)


_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+")
_SIGNED = re.compile(r"(?<![0-9)])-[0-9.]+|[0-9.]+|[^0-9.]")


def _number(text: str) -> Quantity:
    """What a number is called: leading zeros and a point without decimals mean nothing, the decimals do."""
    whole, _, decimals = text.partition(".")
    name = f"{whole.lstrip('0') or '0'}.{decimals}"
    places = frozenset({f"decimals {len(decimals)}"} if decimals else ())
    return Quantity(variable(name) if name.strip("0.") else Symbolic().number(0).value, places)


def _read(text: str, values: Symbolic) -> tuple[Quantity, frozenset[Hashable]]:
    """Value and demands of a canonical text, as the networks' parser reads it."""
    parser: Parser[Quantity] = Parser.begin(values)
    for token in _SIGNED.findall(text):
        if token[-1].isdigit():
            number = _number(token.lstrip("-"))
            parser = parser.operand(-number if token[0] == "-" else number)
        elif token in "()":
            parser = parser.open() if token == "(" else parser.close()
        else:
            parser = parser.operator(token)
    return parser.value, parser.demands


@final
class Typed:
    """A text as a user means it, by rules: a minus sign in front of an operand binds most, then ^ from the right."""

    def __init__(self, text: str, values: Symbolic) -> None:
        self.values = values
        self.demands: set[Hashable] = set()
        self.has_broken_exponent = False  # one that is no whole number
        self._left = re.findall(rf"{_NUMBER.pattern}|.", text)[::-1]
        self.value = self._sum()

    def _takes(self, signs: str) -> str:
        """The next token, if it is one of these."""
        return self._left.pop() if self._left and self._left[-1] in signs else ""

    def _apply(self, sign: str, a: Quantity, b: Quantity) -> Quantity:
        demand = self.values.demand(sign, a, b)
        self.demands |= set() if demand is None else {demand}
        return self.values.apply(sign, a, b)

    def _sum(self) -> Quantity:
        value = self._product()
        while sign := self._takes("+-"):
            term = self._product()
            value = self.values.add(value, -term if sign == "-" else term)
        return value

    def _product(self) -> Quantity:
        value = self._power()
        while sign := self._takes("*/%"):
            value = self._apply(sign, value, self._power())
        return value

    def _power(self) -> Quantity:
        base = self._operand()
        if not self._takes("^"):
            return base
        raised = self._power()
        self.has_broken_exponent |= bool(raised.places)
        return self._apply("^", base, raised)

    def _operand(self) -> Quantity:
        if self._takes("-"):
            return -self._operand()
        if not self._takes("("):
            return _number(self._left.pop())
        value = self._sum()
        self._left.pop()  # the closing bracket
        return value
