"""Symbolic memories: what is known of a skill's memory when only the view of it is known.

A memory is a sequence of signs and pieces; a piece is a string of digits of which value and length are polynomials.
Lengths are sums of quantities m1, m2, …, each with its power of ten P1, P2, …; digits are d1, d2, …, other values
v1, v2, …. A piece is cut lazily, where a view shows a digit by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import NamedTuple, final

from reckoner.program.formula import (
    FALSE,
    TRUE,
    Formula,
    at_least,
    both,
    either,
    equal,
    less,
    substitute,
)
from reckoner.program.polynomial import ONE, ZERO, Polynomial, lift, total, variable


class Piece(NamedTuple):
    """A string of digits; `is_canonical` says that it has no leading zero unless it is a single digit."""

    value: Polynomial
    length: Polynomial
    is_canonical: bool = False


class Listed(NamedTuple):
    """Digits with a comma before each: what they are worth together, and how many they are."""

    value: Polynomial
    length: Polynomial


Item = Piece | Listed | str
Text = tuple[Item, ...]
Cell = tuple[Item, ...]  # what one character of a representative memory stands for


@final
class Names:
    """Fresh names."""

    def __init__(self) -> None:
        self.count = 0

    def digit(self) -> Polynomial:
        return self._fresh("d")

    def value(self) -> Polynomial:
        return self._fresh("v")

    def length(self) -> Polynomial:
        return self._fresh("m")

    def _fresh(self, kind: str) -> Polynomial:
        self.count += 1
        return variable(f"{kind}{self.count}")


def power(length: Polynomial) -> Polynomial:
    """Ten to a length."""
    result = lift(10**length.constant)
    for monomial, n in length.terms.items():
        if monomial:
            (name,) = monomial
            for _ in range(n):
                result = result * variable("P" + name[1:])
    return result


def join(pieces: Text) -> tuple[Polynomial, Polynomial]:
    """Value and length of digits side by side."""
    value, length = ZERO, ZERO
    for piece in pieces:
        assert isinstance(piece, Piece)
        value = value * power(piece.length) + piece.value
        length = length + piece.length
    return value, length


def has_no_leading_zero(pieces: Text) -> Formula:
    """That digits side by side are a number without leading zeros."""
    if not pieces:
        return FALSE
    first, rest = pieces[0], pieces[1:]
    assert isinstance(first, Piece)
    _, behind = join(rest)
    is_tidy: Formula = TRUE
    if not first.is_canonical:
        is_tidy = either(equal(first.length, 1), at_least(10 * first.value, power(first.length)))
    here = both(at_least(first.length, 1), is_tidy, either(equal(behind, 0), at_least(first.value, 1)))
    return either(here, both(equal(first.length, 0), has_no_leading_zero(rest)))


def runs(text: Text) -> list[str | Text]:
    """The text with neighbouring pieces put together."""
    result: list[str | Text] = []
    for is_digits, items in groupby(text, key=lambda item: isinstance(item, Piece)):
        if is_digits:
            result.append(tuple(items))
        else:
            result += [item if isinstance(item, str) else (item,) for item in items]
    return result


def size(text: Text) -> Polynomial:
    """How many characters a text has."""
    return total(_size(item) for item in text)


def _size(item: Item) -> Polynomial:
    if isinstance(item, str):
        return ONE
    return 2 * item.length if isinstance(item, Listed) else item.length


@final
@dataclass(frozen=True)
class State:
    """What is known at one moment of a frame: texts, facts about their quantities, and the problem."""

    texts: tuple[Text, ...]  # the memory first; during a call also what is read and what stays
    facts: tuple[Formula, ...]
    ranges: Mapping[str, Polynomial]
    problem: Mapping[str, Polynomial]  # the quantities of the message by the names the row gives them
    start: Polynomial  # how long the memory was at first
    padded: frozenset[str] = frozenset()  # fields of the message that may have leading zeros
    quotients: tuple[Polynomial, ...] = ()  # values that are known to be quotients
    history: tuple[bytes, ...] = ()
    decisions: tuple[tuple[int, ...], ...] = ()
    names: Names = field(default_factory=Names)

    @property
    def memory(self) -> Text:
        return self.texts[0]

    def know(self, *facts: Formula) -> State:
        """With more facts."""
        return replace(self, facts=self.facts + tuple(fact for fact in facts if fact != TRUE))

    @property
    def is_absurd(self) -> bool:
        return FALSE in self.facts

    def put(self, values: Mapping[str, Polynomial], ranges: Mapping[str, Polynomial] | None = None) -> State:
        """With polynomials in place of quantities, everywhere."""

        def item(old: Item) -> Item:
            if isinstance(old, str):
                return old
            if isinstance(old, Listed):
                return Listed(old.value.substitute(values), old.length.substitute(values))
            return Piece(old.value.substitute(values), old.length.substitute(values), old.is_canonical)

        facts = tuple(fact for old in self.facts if (fact := substitute(old, values)) != TRUE)
        kept = {name: bound.substitute(values) for name, bound in self.ranges.items() if name not in values}
        for name, new_value in values.items():
            if name in self.ranges:
                # what a quantity is replaced by stays within the same bound
                facts += (less(new_value, self.ranges[name].substitute(values)),)
            elif name[0] == "d":
                facts += (less(new_value, 10),)  # it was the name of a digit
        return replace(
            self,
            texts=tuple(tuple(item(old) for old in text) for text in self.texts),
            facts=tuple(fact for fact in facts if fact != TRUE),
            ranges={**kept, **(ranges or {})},
            problem={name: value.substitute(values) for name, value in self.problem.items()},
            start=self.start.substitute(values),
            quotients=tuple(q.substitute(values) for q in self.quotients),
        )

    # --- lengths ---

    def lengthen(self, measure: Callable[[State], Polynomial], least: int) -> Iterator[State]:
        """Cases in which a length is known exactly, or known to be at least this."""
        length = measure(self)
        if self.is_absurd:
            return
        if length.is_constant or length.constant >= least:
            yield self
            return
        name = min(length.variables)
        ten = "P" + name[1:]
        yield from self.put({name: ZERO, ten: ONE}).lengthen(measure, least)
        longer = {name: variable(name) + 1, ten: 10 * variable(ten)}
        yield from self.put(longer).lengthen(measure, least)

    def compare(self, measure: Callable[[State], Polynomial]) -> Iterator[State]:
        """Cases in which a difference of lengths has a sign that can be seen: no two terms of it are opposite."""
        if self.is_absurd:
            return
        difference = measure(self)
        names = {name: n for (name,), n in ((m, n) for m, n in difference.terms.items() if m)}
        plus, minus = sorted(n for n in names if names[n] > 0), sorted(n for n in names if names[n] < 0)
        if plus and minus:
            for longer, shorter, least in ((plus[0], minus[0], 0), (minus[0], plus[0], 1)):
                length = variable(shorter) + self.names.length() + least
                yield from self.put({longer: length, "P" + longer[1:]: power(length)}).compare(measure)
        elif (plus and difference.constant < 0) or (minus and difference.constant > 0):
            name = (plus or minus)[0]
            yield from self.put({name: ZERO, "P" + name[1:]: ONE}).compare(measure)
            longer_by_one = {name: variable(name) + 1, "P" + name[1:]: 10 * variable("P" + name[1:])}
            yield from self.put(longer_by_one).compare(measure)
        else:
            yield self

    # --- cutting pieces; the piece must be known not to be empty ---

    def cut_first(self, text: int, at: int) -> State:
        """With the first digit of a piece as a piece of its own."""
        piece = self.texts[text][at]
        assert isinstance(piece, Piece)
        if piece.length == ONE:
            return self._as_digit(text, at)
        rest = piece.length - 1
        ten, digit = power(rest), self.names.digit()
        tidy = either(equal(rest, 0), at_least(digit, 1)) if piece.is_canonical else TRUE
        name = piece.value.bare
        if name is None:
            value = piece.value - digit * ten
            state = self.know(at_least(value, 0), less(value, ten))
        else:
            value = self.names.value()
            state = self._split(name, digit * ten + value, {str(value): ten}, piece)
        return state.know(tidy)._replace(text, at, Piece(digit, ONE), Piece(value, rest))

    def cut_last(self, text: int, at: int) -> State:
        """With the last digit of a piece as a piece of its own."""
        piece = self.texts[text][at]
        assert isinstance(piece, Piece)
        if piece.length == ONE:
            return self._as_digit(text, at)
        rest, value = piece.length - 1, self.names.value()
        ranges = {str(value): power(rest)}
        tidy = either(equal(rest, 0), at_least(value, 1)) if piece.is_canonical else TRUE
        name = piece.value.bare
        if name is None:
            digit = piece.value - 10 * value
            state = replace(self, ranges={**self.ranges, **ranges})
            state = state.know(at_least(digit, 0), less(digit, 10))
        else:
            digit = self.names.digit()
            state = self._split(name, 10 * value + digit, ranges, piece)
        first = Piece(value, rest, piece.is_canonical)
        return state.know(tidy)._replace(text, at, first, Piece(digit, ONE))

    def _split(self, name: str, value: Polynomial, ranges: Mapping[str, Polynomial], piece: Piece) -> State:
        """A piece whose value is one quantity: that quantity is written as two."""
        if self.ranges.get(name) == power(piece.length):  # then what it is made of says as much
            return replace(self, ranges={k: v for k, v in self.ranges.items() if k != name}).put(
                {name: value}, ranges
            )
        return self.put({name: value}, ranges)

    def _as_digit(self, text: int, at: int) -> State:
        """A piece of one digit; if its value is one quantity, call that a digit."""
        piece = self.texts[text][at]
        assert isinstance(piece, Piece)
        name = piece.value.bare
        if name is None or name[0] == "d":
            return self
        return self.put({name: self.names.digit()})

    def unfold(self, text: int, at: int) -> State:
        """With the first digit of a list, which has one, and its comma as items of their own."""
        listed = self.texts[text][at]
        assert isinstance(listed, Listed)
        rest, digit, value = listed.length - 1, self.names.digit(), self.names.value()
        whole, ranges = digit * power(rest) + value, {str(value): power(rest)}
        name = listed.value.bare
        if name is None:
            state = replace(self, ranges={**self.ranges, **ranges}).know(equal(listed.value, whole))
        else:
            state = self.put({name: whole}, ranges)
        return state._replace(text, at, ",", Piece(digit, ONE), Listed(value, rest))

    def _replace(self, text: int, at: int, *items: Item) -> State:
        old = self.texts[text]
        new = old[:at] + items + old[at + 1 :]
        return replace(self, texts=(*self.texts[:text], new, *self.texts[text + 1 :]))

    def drop(self, text: int, at: int) -> State:
        """Without an empty piece."""
        return self._replace(text, at)

    def digit_at_end(self, text: int) -> Iterator[tuple[State, bool]]:
        """Cases in which the last digit of a text is a piece of its own, or (False) the text ends with no digit."""
        if not self.texts[text] or not isinstance(self.texts[text][-1], Piece):
            yield self, False
            return
        at = len(self.texts[text]) - 1
        for case in self.lengthen(lambda s: length_at(s, text, at), 1):
            if length_at(case, text, at) == ZERO:
                yield from case.drop(text, at).digit_at_end(text)
            else:
                yield case.cut_last(text, at), True


def length_at(state: State, text: int, at: int) -> Polynomial:
    """How many digits a piece or a list has."""
    item = state.texts[text][at]
    assert not isinstance(item, str)
    return item.length
