"""An independent judge of expressions: a parser of its own, fractions, and the rules of bc for decimals."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

_TOKEN = re.compile(r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+|\S")
_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-"})
_STRANGE = re.compile(r"[^0-9.+*/%^() ×÷−·-]")
MOST_DIGITS = 5  # an exponent this long is refused


@dataclass(frozen=True)
class Value:
    """An exact number with its number of decimals."""

    number: Fraction
    decimals: int

    def __str__(self) -> str:
        if not self.number:
            return "0"
        units = abs(self.number) * 10**self.decimals
        assert units.denominator == 1
        digits = str(units.numerator).rjust(self.decimals + 1, "0")
        whole, behind = digits[: len(digits) - self.decimals], digits[len(digits) - self.decimals :]
        return ("-" if self.number < 0 else "") + whole + ("." + behind if behind else "")


def cut(number: Fraction, decimals: int) -> Value:
    """Digits behind that many decimals are dropped."""
    return Value(Fraction(int(number * 10**decimals), 10**decimals), decimals)  # int() cuts toward zero


@dataclass
class Judge:
    """One expression: its tokens, and what went wrong with values of it."""

    tokens: list[str]
    scale: int
    faults: set[str] = field(default_factory=set)
    at: int = 0

    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, *expected: str) -> str:
        token = self.next()
        if token and token in expected:
            self.at += 1
            return token
        return ""

    def sum(self) -> Value | None:
        value = self.product()
        while sign := self.take("+", "-"):
            value = self.operate(sign, value, self.product())
        return value

    def product(self) -> Value | None:
        value = self.power()
        while sign := self.take("*", "/", "%"):
            value = self.operate(sign, value, self.power())
        return value

    def power(self) -> Value | None:
        base = self.operand()
        return self.operate("^", base, self.power()) if self.take("^") else base

    def operand(self) -> Value | None:
        if self.take("-"):
            value = self.operand()
            return value and Value(-value.number, value.decimals)
        if self.take("("):
            value = self.sum()
            if not self.take(")"):
                raise SyntaxError
            return value
        token = self.next()
        if not re.search("[0-9]", token):
            raise SyntaxError
        self.at += 1
        return Value(Fraction("0" + token + "0" * token.endswith(".")), len(token.partition(".")[2]))

    def operate(self, sign: str, x: Value | None, y: Value | None) -> Value | None:
        """A value, or None if there is none; what is at fault is noted."""
        if sign == "^" and y is not None and self.is_no_exponent(y):
            return None
        if x is None or y is None:
            return None
        longer = max(x.decimals, y.decimals)
        if sign == "^":
            return self.raise_to(x, int(y.number))
        if sign in "/%" and not y.number:
            self.faults.add("division-by-zero")
            return None
        if sign == "+":
            return Value(x.number + y.number, longer)
        if sign == "-":
            return Value(x.number - y.number, longer)
        if sign == "*":
            return cut(x.number * y.number, min(x.decimals + y.decimals, max(self.scale, longer)))
        quotient = cut(x.number / y.number, self.scale)
        if sign == "/":
            return quotient
        return Value(x.number - quotient.number * y.number, max(self.scale + y.decimals, x.decimals))

    def is_no_exponent(self, y: Value) -> bool:
        if y.decimals:
            self.faults.add("exponent")
        elif len(str(abs(y.number))) >= MOST_DIGITS:
            self.faults.add("text-limit")
        else:
            return False
        return True

    def raise_to(self, x: Value, exponent: int) -> Value | None:
        if abs(exponent) * len(str(x)) > 5_000:
            raise OverflowError
        if exponent >= 0:
            decimals = min(x.decimals * exponent, max(self.scale, x.decimals)) if exponent else 0
            return cut(x.number**exponent, decimals)
        if not x.number:
            self.faults.add("division-by-zero")
            return None
        return cut(x.number**exponent, self.scale)


def judge(text: str, scale: int = 0) -> str | set[str]:
    """The exact answer as it is printed, or the kinds of error that may come; OverflowError if that takes too long."""
    if _STRANGE.search(text):
        return {"syntax"}
    judge = Judge(_TOKEN.findall(text.translate(_SIGNS)), scale)
    try:
        value = judge.sum()
        if judge.at < len(judge.tokens):
            return {"syntax"}
    except SyntaxError:
        return {"syntax"}
    return str(value) if value is not None else judge.faults


def reference_value(text: str) -> int | None:
    """The exact value of whole numbers; None if the text is not an expression; ZeroDivisionError as usual."""
    found = judge(text)
    if isinstance(found, str):
        return int(found)
    if found == {"syntax"}:
        return None
    raise ZeroDivisionError
