"""Forms of messages: which characters they hold, and what the numbers in them are called.

A form is written once. Its pattern is what the machine checks (a skill whose `accepts` is another is not proved);
its alternatives are what the proof starts from, and what a call is matched against. A test holds the two together.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar, final

from reckoner.program.formula import TRUE, Formula, at_least, both, equal, evaluate
from reckoner.program.polynomial import Polynomial, variable

T = TypeVar("T")


@final
@dataclass(frozen=True)
class Digits:
    """A string of digits. Its value, length, power of ten, sign and amount have names made from this one."""

    name: str
    least: int = 1  # how many digits at least
    most: int | None = None
    is_canonical: bool = False  # no leading zero, unless it is "0"
    is_positive: bool = False  # not zero
    sign: int | None = None  # whether it is meant negative; None: as its alternative is

    @property
    def pattern(self) -> str:
        if self.is_positive:
            return r"[1-9]\d*" if self.is_canonical else r"\d*[1-9]\d*"
        if self.is_canonical:
            return r"(?:0|[1-9]\d*)"
        return {(0, None): r"\d*", (1, None): r"\d+", (0, 1): r"\d?", (0, 0): ""}[self.least, self.most]


@final
@dataclass(frozen=True)
class Digit:
    """One digit between two bounds."""

    name: str
    low: int = 0
    high: int = 9
    sign: int | None = None

    @property
    def pattern(self) -> str:
        return rf"[{self.low}-{self.high}]"


@final
@dataclass(frozen=True)
class Listed:
    """Digits with a comma before each, as many as there are; the value is that of all of them together."""

    name: str
    sign: int = 1

    @property
    def pattern(self) -> str:
        return r"(?:,\d)*"


@final
@dataclass(frozen=True)
class Literal:
    """A text that stands there, and what it is worth."""

    name: str
    text: str
    value: int
    sign: int = 1

    @property
    def pattern(self) -> str:
        return re.escape(self.text)


Element = Digits | Digit | Listed | Literal | str  # a str is a sign that stands there


@final
@dataclass(frozen=True)
class Alternative:
    """One shape of a message; `sign` says whether its numbers are meant negative."""

    elements: tuple[Element, ...]
    sign: int = 1
    where: Formula = TRUE  # what must hold of its fields together

    @cached_property
    def regex(self) -> re.Pattern[str]:
        parts = []
        for element in self.elements:
            if isinstance(element, str):
                parts.append(re.escape(element))
            else:
                parts.append(f"(?P<{element.name}>{element.pattern})")
        return re.compile("".join(parts))

    def read(self, text: str) -> dict[str, int] | None:
        """What each name stands for in this text, if it has this shape."""
        found = self.regex.fullmatch(text)
        if found is None:
            return None
        values: dict[str, int] = {}
        for element in self.elements:
            if isinstance(element, str):
                continue
            name, digits, sign = element.name, found[element.name].replace(",", ""), self.sign_of(element)
            amount = element.value if isinstance(element, Literal) else int(digits or "0")
            is_canonical = digits == "0" or (digits != "" and digits[0] != "0")
            values |= names(name, sign * amount, len(digits), 10 ** len(digits), sign, amount)
            values[f"canonical {name}"] = is_canonical
        return values if evaluate(self.where, values) else None

    def sign_of(self, element: Digits | Digit | Listed | Literal) -> int:
        """Whether a field is meant negative."""
        return self.sign if element.sign is None else element.sign


@final
@dataclass(frozen=True)
class Form:
    """All messages of one kind: the pattern the machine checks, and the alternatives it stands for."""

    pattern: str
    alternatives: tuple[Alternative, ...] = field(default=(Alternative(()),))

    def read(self, text: str) -> dict[str, int] | None:
        """What each name stands for in this text, if it has this form."""
        for alternative in self.alternatives:
            values = alternative.read(text)
            if values is not None:
                return values
        return None


def names(name: str, value: T, length: T, power: T, sign: T, amount: T) -> dict[str, T]:
    """The quantities of one field by their names."""
    return {
        name: value,
        f"|{name}|": length,
        f"10^|{name}|": power,
        f"sign {name}": sign,
        f"abs {name}": amount,
    }


def length(name: str) -> Polynomial:
    """How many digits a field has."""
    return variable(f"|{name}|")


def power(name: str) -> Polynomial:
    """Ten to the length of a field."""
    return variable(f"10^|{name}|")


def sign(name: str) -> Polynomial:
    """1, or -1 behind a minus sign."""
    return variable(f"sign {name}")


def amount(name: str) -> Polynomial:
    """A field's value without its sign."""
    return variable(f"abs {name}")


def with_sign(element: Element, alternative: Alternative) -> Element:
    """The same, meant negative or not as in this alternative, whatever stands beside it."""
    return element if isinstance(element, str) else replace(element, sign=alternative.sign_of(element))


def _form(pattern: str, *elements: Element) -> Form:
    return Form(pattern, (Alternative(elements),))


NOTHING = Form("")


def digits(name: str) -> Form:
    """Any number of digits, none included."""
    return _form(r"\d*", Digits(name, 0))


def digits_and(name: str, last: Digit, pattern: str) -> Form:
    """Any number of digits and one more."""
    return _form(pattern, Digits(name, 0), last)


def some_digits(name: str) -> Form:
    """At least one digit; leading zeros are allowed."""
    return _form(r"\d+", Digits(name))


def canonical(name: str) -> Form:
    """A number without leading zeros."""
    return _form(r"0|[1-9]\d*", Digits(name, is_canonical=True))


def positive(name: str) -> Form:
    """A number without leading zeros, and not 0."""
    return _form(r"[1-9]\d*", Digits(name, is_canonical=True, is_positive=True))


def signed(name: str) -> Form:
    """A number without leading zeros, maybe with a minus sign; never -0."""
    plain = Alternative((Digits(name, is_canonical=True),))
    return Form(r"0|-?[1-9]\d*", (plain, _negative(name)))


def signed_nonzero(name: str) -> Form:
    """As `signed`, and not 0."""
    plain = Alternative((Digits(name, is_canonical=True, is_positive=True),))
    return Form(r"-?[1-9]\d*", (plain, _negative(name)))


def _negative(name: str) -> Alternative:
    return Alternative(("-", Digits(name, is_canonical=True, is_positive=True)), -1)


def accumulated(name: str, last: str) -> Form:
    """A number without leading zeros and one digit more."""
    return _form(r"(?:0|[1-9]\d*)\d", Digits(name, is_canonical=True), Digit(last))


def counted(count: str, name: str) -> Form:
    """A digit, a comma and a number, which may have leading zeros."""
    exact = Alternative((Digit(count), ",", Digits(name, is_canonical=True)))
    padded = Alternative((Digit(count), ",", Digits(name)))
    return Form(r"\d,\d+", (exact, padded))


def digit(name: str, pattern: str = r"\d", low: int = 0, high: int = 9) -> Form:
    """A single digit."""
    return _form(pattern, Digit(name, low, high))


def maybe_digit(name: str) -> Form:
    """A digit or nothing."""
    return _form(r"\d?", Digits(name, 0, 1))


def maybe_digit_and(name: str, last: Digit, pattern: str) -> Form:
    """A digit or nothing, and one more."""
    return _form(pattern, Digits(name, 0, 1), last)


def two_digits(first: str, second: str, pattern: str, high: int = 9) -> Form:
    """Two digits."""
    return _form(pattern, Digit(first), Digit(second, 0, high))


# --- numbers with decimals: the whole part has the number's name, the decimals that of `decimals_of`

NATURAL = r"(?:0|[1-9]\d*)(?:\.\d+)?"
SCALE = r"0(?:\.0+)?"
DECIMAL = r"(?:0|-?[1-9]\d*)(?:\.\d+)?|-0\.\d*[1-9]\d*"
NONZERO = r"-?(?:[1-9]\d*(?:\.\d+)?|0\.\d*[1-9]\d*)"


def decimals_of(name: str) -> str:
    """The name of a number's decimals."""
    return f"{name}_decimals"


def not_zero(name: str) -> Formula:
    """That a number with decimals is not zero."""
    return at_least(_units(name), 1)


def is_zero(name: str) -> Formula:
    """That it is."""
    return equal(_units(name), 0)


def _units(name: str) -> Polynomial:
    rest = decimals_of(name)
    return amount(name) * power(rest) + amount(rest)


def _shapes(name: str, pattern: str) -> tuple[Alternative, ...]:
    """All shapes of a number: with or without decimals, and below zero."""
    rest = decimals_of(name)
    found = []
    for sign, before in ((1, ()), (-1, ("-",))):
        where = TRUE if sign > 0 and pattern != NONZERO else not_zero(name)
        where = is_zero(name) if pattern == SCALE else where
        whole = Digits(name, is_canonical=True, sign=sign)
        for behind in ((Digits(rest, 0, 0, sign=sign),), (".", Digits(rest, sign=sign))):
            if sign > 0 or pattern not in (NATURAL, SCALE):
                found.append(Alternative((*before, whole, *behind), where=where))
    return tuple(found)


def number(name: str, pattern: str = DECIMAL) -> Form:
    """A number with or without decimals."""
    return Form(pattern, _shapes(name, pattern))


def numbers(first: str, one: str, second: str, other: str) -> Form:
    """Two numbers with a comma between them."""
    shapes = itertools.product(_shapes(first, one), _shapes(second, other))
    pattern = ",".join(f"(?:{p})" if p == DECIMAL else p for p in (one, other))
    both_of = (Alternative((*a.elements, ",", *b.elements), where=both(a.where, b.where)) for a, b in shapes)
    return Form(pattern, tuple(both_of))
