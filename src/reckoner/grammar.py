"""From what a user types to the text the networks read, by copying characters only.

The expression skills know digits, `. + - * / % ^ ( )`, and a minus sign that belongs to a number: one directly before
it, at the start of an expression, after an opening bracket or after an operator. A minus before anything else is
written as a subtraction from zero (`-(2+1)` becomes `0-(2+1)`, `3--(2+1)` becomes `3-(0-(2+1))`), so that no
memory ever holds the signed number `-0`. A minus sign binds more strongly than `^`, so what is raised to a power gets
brackets (`-(3)^2` becomes `(0-(3))^2`), and so does every power among other operators (`2*3^4` becomes `2*(3^4)`).
A number has a digit before its point and behind it (`.5` becomes `0.5`, `5.` becomes `5`). Nothing here knows what a
digit is worth, and nothing is recursive, so that deep nesting costs no stack.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

from reckoner.characters import refuse
from reckoner.errors import ExponentError, ExpressionError, ReckonerError, TextLimit
from reckoner.operand import bracket_powers, insert

OPERATORS = "+-*/%^"
# What a user may type for each operator of the canonical text.
_CANONICAL = {sign: sign for sign in OPERATORS} | {"×": "*", "·": "*", "÷": "/", "−": "-"}

_TOKEN = re.compile(r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+|[^ ]")
_BRACKET = re.compile("[()]")
_POWER = re.compile(r" *\^")
# Most expressions are canonical as typed: no brackets, no unary minus, no leading zeros, no powers. They skip the loop.
_NUMBER = r"(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+"
_PLAIN = re.compile(f"{_NUMBER}(?:[-+*/%]{_NUMBER})*+")


@dataclass(frozen=True, slots=True)
class TextLimits:
    """How much text is accepted."""

    length: int = 100_000  # characters of the typed text
    depth: int = 1_000  # brackets inside one another in the canonical text
    exponent: int = 4  # digits of an exponent
    scale: int = 10_000  # decimals of a quotient


class Parsed(NamedTuple):
    """An accepted expression: its canonical text and where each character of it was typed."""

    source: str
    text: str
    places: Sequence[int]  # for each canonical position, the end included, the position in `source`
    padded: tuple[tuple[int, int], ...] = ()  # canonical spans of numbers with superfluous leading zeros

    @property
    def padded_numbers(self) -> list[str]:
        return [self.text[start:end] for start, end in self.padded]

    def with_numbers(self, numbers: Sequence[str]) -> Parsed:
        """The same expression with each padded number replaced, in order."""
        pieces: list[str] = []
        places: list[int] = []
        done = 0
        for (start, end), number in zip(self.padded, numbers, strict=True):
            pieces += self.text[done:start], number
            places += self.places[done:start]
            # A shorter number keeps the places of its last digits, those that are not leading zeros.
            first = max(start, end - len(number))
            places += self.places[first:end]
            places += [self.places[end - 1]] * (len(number) - (end - first))
            done = end
        pieces.append(self.text[done:])
        places += self.places[done:]
        return Parsed(self.source, "".join(pieces), places)


def parse(text: str, limits: TextLimits | None = None) -> Parsed:
    """The canonical form of `text`; raises ExpressionError or TextLimit with the place."""
    limits = limits or _DEFAULT_LIMITS
    if len(text) > limits.length:
        message = f"the text is longer than {limits.length:,} characters; --max-length allows more"
        raise TextLimit(message, limits.length)
    if _PLAIN.fullmatch(text):
        return Parsed(text, text, range(len(text) + 1))
    return _Scanner(text, limits).scan()


_DEFAULT_LIMITS = TextLimits()


class _Scanner:
    """One pass over the tokens, writing the canonical text as it goes."""

    def __init__(self, source: str, limits: TextLimits) -> None:
        self.source = source
        self.limits = limits
        self.out: list[str] = []  # pieces of canonical text
        self.places: list[int] = []  # one per character written
        self.padded: list[tuple[int, int]] = []
        self.open: list[tuple[int, int]] = []  # typed brackets still open: where, and how many made ones
        self.depth = 0  # typed and made brackets open now
        self.minuses: list[int] = []  # where the unary minuses before the next operand stand
        self.is_fresh = True  # at the start of an expression or right after an opening bracket
        self.is_exponent = False  # what comes next is, or begins, an exponent
        self.bases = (
            _find_bases(source) if "^" in source else frozenset()
        )  # brackets that are raised to a power
        self.fault: ReckonerError | None = None  # of an exponent: told if there is nothing worse
        self.wants_operand = True
        self.last = ""  # the token before, for messages
        self.end = 0  # where it ended

    def scan(self) -> Parsed:
        for match in _TOKEN.finditer(self.source):
            token, at = match.group(), match.start()
            if "0" <= token[-1] <= "9" or len(token) > 1:
                self.number(token, at)
            elif token == "(":
                self.opening(at)
            elif token == ")":
                self.closing(at)
            elif token in _CANONICAL:
                self.operator(token, at)
            else:
                refuse(token, at)
            self.last, self.end = token, match.end()
        self.finish()
        self.places.append(len(self.source))
        parsed = Parsed(self.source, "".join(self.out), self.places, tuple(self.padded))
        return _bracket_powers(parsed, self.limits) if "^" in self.source else parsed

    def write(self, piece: str, at: int) -> None:
        """Write text that all stands for the typed character at `at`."""
        self.out.append(piece)
        self.places += [at] * len(piece)

    def nest(self, at: int) -> None:
        self.depth += 1
        if self.depth > self.limits.depth:
            raise _too_deep(self.limits, at)

    def number(self, number: str, at: int) -> None:
        if not self.wants_operand:
            if number[0] == "." and self.end == at:
                raise ExpressionError("a number has only one decimal point", at)
            raise ExpressionError("an operator is missing before this number", at)
        is_base = self.is_base(at + len(number))
        if self.is_exponent and not is_base and self.fault is None:
            self.fault = self.check_exponent(number, at)
        # A minus before zero is written as a subtraction, so that no skill meets the number `-0`.
        is_negated_zero = bool(self.minuses) and not number.strip("0.")
        zero_minus = self.minuses.pop() if is_negated_zero else 0
        made = self.write_minuses(is_number=not is_negated_zero, is_base=is_base)
        if is_negated_zero:
            self.nest(zero_minus)
            self.write("(0-", zero_minus)
            made += 1
        self.write_number(number, at)
        self.close_made(made, at + len(number) - 1)
        self.wants_operand = self.is_fresh = self.is_exponent = False

    def is_base(self, end: int) -> bool:
        """Whether what ends there is raised to a power."""
        return _POWER.match(self.source, end) is not None

    def check_exponent(self, number: str, at: int) -> ReckonerError | None:
        """Why a typed exponent is none, or not one to try."""
        whole, _, decimals = number.partition(".")
        shown = whole.lstrip("0") + "." * bool(decimals)
        return check_exponent(shown, at, self.limits)

    def write_number(self, number: str, at: int) -> None:
        """Copy a number, with a digit on either side of its point."""
        whole, point, decimals = number.partition(".")
        if not whole:
            self.write("0", at)
        start = len(self.places)
        shown = whole + point + decimals if decimals else whole
        self.out.append(shown)
        self.places += range(at, at + len(shown))
        if len(whole) > 1 and whole[0] == "0":
            self.padded.append((start, start + len(whole)))

    def opening(self, at: int) -> None:
        if not self.wants_operand:
            raise ExpressionError("an operator is missing before this bracket", at)
        made = self.write_minuses(is_number=False, is_base=at in self.bases)
        self.nest(at)
        self.open.append((at, made))
        self.write("(", at)
        self.is_fresh = True
        self.is_exponent = False

    def closing(self, at: int) -> None:
        if not self.open:
            raise ExpressionError("this bracket closes nothing", at)
        if self.wants_operand:
            if self.last == "(":
                raise ExpressionError("there is nothing between these brackets", at)
            raise ExpressionError(f"a number is missing between '{self.last}' and ')'", at)
        _, made = self.open.pop()
        self.close_made(made + 1, at)

    def operator(self, sign: str, at: int) -> None:
        canonical = _CANONICAL[sign]
        if not self.wants_operand:
            self.write(canonical, at)
            self.wants_operand = True
            self.is_exponent = canonical == "^"
        elif canonical == "-":
            self.minuses.append(at)
            # Each but the first and the last is sure to need a bracket.
            if len(self.minuses) > self.limits.depth + 2:
                message = f"more than {self.limits.depth:,} minus signs in a row; --max-nesting allows more"
                raise TextLimit(message, at)
        else:
            self.refuse_operator(sign, at)

    def refuse_operator(self, sign: str, at: int) -> NoReturn:
        if sign == "+":
            hint = ": a plus sign stands between two numbers"
        elif self.last == sign == "*":
            hint = ": powers are written with '^'"
        elif self.last == sign == "/":
            hint = ": '/' alone is the quotient"
        else:
            hint = ""
        if self.last in ("", "("):
            raise ExpressionError(f"a number is missing before '{sign}'{hint}", at)
        raise ExpressionError(f"a number is missing between '{self.last}' and '{sign}'{hint}", at)

    def finish(self) -> None:
        if self.last == "":
            raise ExpressionError("there is no expression", 0)
        if self.wants_operand:
            raise ExpressionError(f"a number is missing after '{self.last}'", self.end)
        if self.open:
            raise ExpressionError("this bracket is never closed", self.open[-1][0])
        if self.fault:
            raise self.fault

    def write_minuses(self, *, is_number: bool, is_base: bool) -> int:
        """Write the waiting unary minuses; returns how many brackets were made and wait to be closed."""
        waiting, self.minuses = self.minuses, []
        bare = waiting.pop() if waiting and is_number else None  # a signed number is one the networks know
        made = 0
        for at in waiting:
            if self.is_fresh and at == waiting[0] and not is_base:
                self.write("0-", at)
            else:
                self.nest(at)
                self.write("(0-", at)
                made += 1
        if bare is not None:
            self.write("-", bare)
        return made

    def close_made(self, count: int, at: int) -> None:
        self.write(")" * count, at)
        self.depth -= count


def _bracket_powers(parsed: Parsed, limits: TextLimits) -> Parsed:
    """The same expression with brackets around each power that does not stand alone."""
    made = bracket_powers(parsed.text)
    if not made:
        return parsed
    text, before = insert(parsed.text, made)
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth > limits.depth:
            raise _too_deep(limits, parsed.places[before[at]])
    moved = {old: new for new, old in enumerate(before) if text[new : new + 1] not in ("(", ")")}
    padded = tuple((moved[start], moved[start] + end - start) for start, end in parsed.padded)
    return Parsed(parsed.source, text, [parsed.places[at] for at in before], padded)


def _too_deep(limits: TextLimits, at: int) -> TextLimit:
    return TextLimit(f"nested deeper than {limits.depth:,} brackets; --max-nesting allows more", at)


def check_exponent(number: str, at: int, limits: TextLimits) -> ReckonerError | None:
    """What is wrong with an exponent, without leading zeros, that begins there."""
    if "." in number:
        return ExponentError("an exponent is a whole number, without decimals", at)
    if len(number.removeprefix("-")) > limits.exponent:
        message = f"an exponent of more than {limits.exponent} digits; --max-exponent-digits allows more"
        return TextLimit(message, at)
    return None


def _find_bases(source: str) -> frozenset[int]:
    """Where the brackets open that are raised to a power."""
    open_brackets: list[int] = []
    bases: set[int] = set()
    for bracket in _BRACKET.finditer(source):
        if bracket.group() == "(":
            open_brackets.append(bracket.start())
        elif open_brackets:
            at = open_brackets.pop()
            if _POWER.match(source, bracket.end()):
                bases.add(at)
    return frozenset(bases)
