"""Forms of messages: which characters they hold, and what the numbers in them are called.

A form is written once. Its pattern is what the machine checks (a skill whose `accepts` is another is not proved);
its alternatives are what the proof starts from, and what a call is matched against. A test holds the two together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar, final

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
    is_positive: bool = False  # canonical and not "0"

    @property
    def pattern(self) -> str:
        if self.is_positive:
            return r"[1-9]\d*"
        if self.is_canonical:
            return r"(?:0|[1-9]\d*)"
        return {(0, None): r"\d*", (1, None): r"\d+", (0, 1): r"\d?"}[self.least, self.most]


@final
@dataclass(frozen=True)
class Digit:
    """One digit between two bounds."""

    name: str
    low: int = 0
    high: int = 9

    @property
    def pattern(self) -> str:
        return rf"[{self.low}-{self.high}]"


Element = Digits | Digit | str  # a str is a sign that stands there


@final
@dataclass(frozen=True)
class Alternative:
    """One shape of a message; `sign` says whether its numbers are meant negative."""

    elements: tuple[Element, ...]
    sign: int = 1

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
        for name, digits in found.groupdict().items():
            amount = int(digits or "0")
            is_canonical = digits == "0" or (digits != "" and digits[0] != "0")
            values |= names(name, self.sign * amount, len(digits), 10 ** len(digits), self.sign, amount)
            values[f"canonical {name}"] = is_canonical
        return values


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
