"""Symbolic expressions: the tokens that were seen, and a tail that was not.

A memory and the problem it came from share the tail. When a view shows more of it, a token is revealed in both: the
problem is kept as the state of a parser that has read everything but the tail.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, final

from reckoner.alphabet import Perception, View
from reckoner.program.polynomial import ONE, ZERO, Polynomial, lift, total, variable
from reckoner.program.symbolic import Quantity, Symbolic
from reckoner.program.text_row import TextRow
from reckoner.program.value import Parser, Room


class Number(NamedTuple):
    """A number: its value, and at most how long it is.

    An operation's answer is at most as long as its operands together (`lengths` shows that of characters; where a
    number is one symbol, two with a minus sign, it is so), so the value of an expression is at most as long as all
    numbers in it together: operators and brackets come on top.
    """

    value: Quantity
    length: Polynomial


Token = Number | str


class Malformed(Exception):
    """A memory that the proof does not understand, and why."""


@final
@dataclass(frozen=True)
class Tail:
    """The part of a text that nothing is known of but how it can begin.

    end      there is nothing
    operand  an operand must come: a number or an opening bracket
    open     an operand came: an operator, a closing bracket, or the end can follow
    stop     a closing bracket or the end must come
    rest     what stands behind the bracket at which the problem ends: anything
    """

    kind: Literal["end", "operand", "open", "stop", "rest"]
    number: int = 0
    may_end: bool = True
    may_close: bool = True
    is_behind_bracket: bool = False  # operand: right behind an opening bracket, and then
    may_be_single: bool = True  # whether it can be just a number and the closing bracket

    @property
    def length(self) -> Polynomial:
        return ZERO if self.kind == "end" else variable(f"t{self.number}")

    @property
    def least_signs(self) -> int:
        """How many operators and brackets at least are read before the bracket that closes, or the end."""
        if self.kind == "operand":
            return int(self.is_behind_bracket and not self.may_be_single)
        return int(self.kind == "open" and not self.may_end and not self.may_close)


END = Tail("end")


class Filler(NamedTuple):
    """A part of the problem that was never seen: what a tail stood for, until brackets were closed."""

    tail: Tail
    rooms: tuple[
        Room, ...
    ]  # what can follow in the text around each of them, outermost first, and in the last


@final
@dataclass(frozen=True)
class TextState:
    """What is known at one moment of a frame that works on an expression."""

    tokens: tuple[Token, ...]  # of the memory
    tail: Tail  # of memory and problem
    problem: Parser[Quantity]  # what was read of the problem
    start: Polynomial  # how long the memory was at first
    row: TextRow
    values: Symbolic
    performed: frozenset[Hashable] = frozenset()  # demands known to be met, because something was answered
    history: tuple[bytes, ...] = ()
    decisions: tuple[tuple[int, ...], ...] = ()
    count: list[int] = field(default_factory=lambda: [0])
    shown: tuple[str | Filler, ...] = ()  # what is known of the problem's text, to make problems from

    def fresh(self) -> int:
        self.count[0] += 1
        return self.count[0]

    def shorten_tail(self, by: Polynomial, tail: Tail) -> TextState:
        """With another tail, that much shorter than the one before."""
        length = {f"t{self.tail.number}": by + tail.length}
        return replace(self, tail=tail, start=self.start.substitute(length))

    # --- revealing the tail ---

    def reveal(self) -> Iterator[TextState]:
        """All ways in which the tail can begin, with one token of it revealed."""
        tail = self.tail
        match tail.kind:
            case "operand":
                yield self._reveal_number()
                yield self._reveal_opening()
            case "open":
                if tail.may_end and self.problem.depth == 0:
                    yield self.at_end()
                if tail.may_close:
                    yield self.reveal_closing()
                for sign in self.row.operators:
                    if sign == "^" and self.problem.levels[-1].room < Room.ANYTHING:
                        continue
                    new = Tail("operand", self.fresh(), may_end=False)
                    state = self.shorten_tail(ONE, new)
                    problem = self.problem.operator(sign)
                    yield replace(
                        state, tokens=(*self.tokens, sign), problem=problem, shown=(*self.shown, sign)
                    )
            case "stop":
                if tail.may_end and self.problem.depth == 0:
                    yield self.at_end()
                yield self.reveal_closing()
            case _:
                raise Malformed("what stands behind the end of the problem would be read")

    def at_end(self) -> TextState:
        """The tail is empty."""
        return replace(self, tail=END, start=self.start.substitute({f"t{self.tail.number}": ZERO}))

    def reveal_closing(self) -> TextState:
        """The tail begins with a closing bracket."""
        problem = self.problem.close()
        if problem.is_stopped:
            new = Tail("rest", self.fresh())
        else:
            new = Tail(_behind_operand(problem), self.fresh(), may_end=problem.depth == 0)
        state = self.shorten_tail(ONE, new)
        return replace(state, tokens=(*self.tokens, ")"), problem=problem, shown=(*self.shown, ")"))

    def _reveal_number(self) -> TextState:
        n = self.fresh()
        value, length = self.values.named(f"n{n}"), variable(f"l{n}")
        problem = self.problem.operand(value)
        # behind an opening bracket and known not to be single: no closing bracket can follow the number
        may_close = self.tail.may_be_single
        kind = _behind_operand(problem)
        new = Tail(kind, self.fresh(), may_end=problem.depth == 0, may_close=may_close)
        state = self.shorten_tail(length, new)
        tokens = (*self.tokens, Number(value, length))
        return replace(state, tokens=tokens, problem=problem, shown=(*self.shown, f"n{n}"))

    def _reveal_opening(self) -> TextState:
        new = Tail("operand", self.fresh(), may_end=False, is_behind_bracket=True)
        state = self.shorten_tail(ONE, new)
        return replace(
            state, tokens=(*self.tokens, "("), problem=self.problem.open(), shown=(*self.shown, "(")
        )


def _behind_operand(problem: Parser[Quantity]) -> Literal["open", "stop"]:
    """Behind an exponent nothing follows inside the bracket."""
    return "stop" if problem.levels[-1].room == Room.NOTHING else "open"


def begin(row: TextRow, values: Symbolic) -> TextState:
    """A text of which nothing is known, with the scale and a comma before it if the row has a scale."""
    before: tuple[Token, ...] = (scale(values), ",") if row.is_scaled else ()
    tail = Tail("operand", 0, may_end=False)
    return TextState(before, tail, Parser.begin(values), length(before) + variable("t0"), row, values)


def scale(values: Symbolic) -> Number:
    """The number whose decimals are the scale; it has no minus sign."""
    return Number(values.named("z"), ONE)


def length(tokens: tuple[Token, ...]) -> Polynomial:
    """At most how long tokens are."""
    return total(lift(1) if isinstance(token, str) else token.length for token in tokens)


def numbers(tokens: tuple[Token, ...]) -> Polynomial:
    """At most how long the numbers among tokens are together: as long is the value of what they say."""
    return total(token.length for token in tokens if isinstance(token, Number))


def is_longer(a: Polynomial, b: Polynomial, tail: Tail) -> bool:
    """Whether a length is surely greater: a number has at least one character, and so has a tail that cannot end."""
    difference = a - b
    least = difference.constant
    for monomial, n in difference.terms.items():
        if monomial:
            if n < 0:
                return False
            (name,) = monomial
            is_not_empty = name[0] == "l" or (name == f"t{tail.number}" and not tail.may_end)
            least += n * is_not_empty
    return least >= 1


# --- what a skill sees ---


def look(state: TextState, reach: int) -> Iterator[tuple[TextState, int, bool]]:
    """The cases that differ in what is seen: how many tokens are visible, and whether there is more."""
    _check(state)
    numbers = 0
    for i, token in enumerate(state.tokens):
        if token == "(":
            yield from _look_at_bracket(state, reach, i)
            return
        if token == ")":
            yield from _look_behind(state, i + 1)
            return
        numbers += isinstance(token, Number)
        if isinstance(token, Number) and numbers == reach:
            yield from _look_behind(state, i + 1)
            return
    if state.tail.kind == "end":
        yield state, len(state.tokens), False
    else:
        for case in state.reveal():
            yield from look(case, reach)


def _look_at_bracket(state: TextState, reach: int, at: int) -> Iterator[tuple[TextState, int, bool]]:
    """An opening bracket: it is seen whole if just a number is in it."""
    inside, tail = state.tokens[at + 1 :], state.tail
    if not inside and tail.kind == "operand":
        if tail.may_be_single:
            yield from look(state._reveal_number().reveal_closing(), reach)
            state = replace(state, tail=replace(tail, may_be_single=False))
        yield from _look_behind(state, at + 1)
    elif len(inside) == 1 and isinstance(inside[0], Number) and tail.kind != "end":
        if tail.kind == "open":
            if tail.may_close:
                yield from look(state.reveal_closing(), reach)
                state = replace(state, tail=replace(tail, may_close=False))
            yield from _look_behind(state, at + 1)
        else:
            for case in state.reveal():
                yield from look(case, reach)
    elif len(inside) >= 2 and isinstance(inside[0], Number) and inside[1] == ")":
        yield from _look_behind(state, at + 3)
    elif not inside and tail.kind != "end":
        raise Malformed("an opening bracket before something that is no operand")
    else:
        yield from _look_behind(state, at + 1)


def _look_behind(state: TextState, visible: int) -> Iterator[tuple[TextState, int, bool]]:
    """Whether there is more than what is visible."""
    tail = state.tail
    if visible < len(state.tokens):
        yield state, visible, True
    elif tail.kind == "end":
        yield state, visible, False
    else:
        if tail.may_end and (tail.kind == "rest" or state.problem.depth == 0):
            yield state.at_end(), visible, False
        yield replace(state, tail=replace(tail, may_end=False)), visible, True


def _check(state: TextState) -> None:
    """That the characters of the tokens are read as these tokens, whatever the signs of the numbers."""
    before: Token = "("
    for token in state.tokens:
        behind_operand = before == ")" or isinstance(before, Number)
        if isinstance(token, Number) and behind_operand:
            raise Malformed("a number right behind an operand")
        if token == "-" and not behind_operand:
            raise Malformed("a minus sign that would be read as a number's")
        before = token
    behind_operand = before == ")" or isinstance(before, Number)
    if state.tail.kind in ("open", "stop") and not behind_operand:
        raise Malformed("an operator or bracket where an operand is missing")
    if state.tail.kind == "operand" and behind_operand:
        raise Malformed("an operand right behind an operand")


_BEGINS = {"operand": "1+1", "open": "+1", "stop": ")", "rest": "+1", "end": ""}


def see(state: TextState, perception: Perception) -> View:
    """The view: that of a text with one character for each token and a short tail."""
    tokens = "".join("1" if isinstance(token, Number) else token for token in state.tokens)
    return perception.view((tokens + _BEGINS[state.tail.kind]).encode())
