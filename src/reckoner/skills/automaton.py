"""Patterns of accepted messages as finite automata: a message is checked in time that grows as its length.

Python's `re` can take time without end on a pattern such as `(0*)*1`, and a manifest may come from anybody. Covers what
patterns of skills are made of: characters, `\\d`, sets, groups, `|`, `* + ?` and counts. For anything else, and for a
pattern that needs too many states, `compile_pattern` gives None, and no skill can have it. That every automaton agrees
with `re` is tested, not assumed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from reckoner.alphabet import ALPHABET, DIGITS

_MOST_STATES = 64  # the core keeps sets of states as bits of one machine word
_MOST_PLACES = 5_000  # of a pattern with all its counts written out
_LONGEST_TAIL = 2
NO_SKIP = 255

Characters = frozenset[str]
_EVERY: Characters = frozenset(ALPHABET)
_DIGITS = DIGITS.encode()
_COUNTS = {str(count): count for count in range(_MOST_STATES)}
_COUNT = re.compile(r"\{([0-9]+)(,([0-9]*))?\}")
_RUNS = re.compile(rb"[0-9]+|[^0-9]")
_PLACES = {ord(character): place for place, character in enumerate(ALPHABET)}
_SPECIAL = "\\.^$|?*+()[]{}"


@dataclass(frozen=True)
class Automaton:
    """A deterministic automaton over the alphabet: state 0 is dead, state 1 the first."""

    following: bytes  # per state, one next state for each character of the alphabet
    accepting: bytes  # per state, 1 or 0
    # Per state: how many of the last digits of a run of digits decide the state behind the run, or NO_SKIP.
    # Where it is known, the rest of a long number need not be looked at.
    tails: bytes

    def accepts(self, text: bytes) -> bool:
        """Whether the whole text matches."""
        state, width = 1, len(ALPHABET)
        for run in _RUNS.findall(text):
            tail = self.tails[state]
            if tail < len(run) and tail != NO_SKIP and run[0] in _DIGITS:
                run = run[len(run) - tail :]
            for character in run:
                place = _PLACES.get(character)
                if place is None:
                    return False
                state = self.following[state * width + place]
            if not state:
                return False
        return self.accepting[state] == 1

    def accepts_some(self, parts: Sequence[Iterable[str]]) -> bool:
        """Whether some text is accepted that is made of one of the texts of each part in turn."""
        states = {1}
        for texts in parts:
            states = {self.move(state, text) for state in states for text in texts} - {0}
        return any(self.accepting[state] for state in states)

    def move(self, state: int, text: str) -> int:
        """The state behind a text."""
        for character in text:
            place = ALPHABET.find(character)
            if place < 0:
                return 0
            state = self.following[state * len(ALPHABET) + place]
        return state


class _UnsupportedError(Exception):
    """Something in a pattern that has no automaton here."""


@cache
def compile_pattern(pattern: str) -> Automaton | None:
    """The automaton of a pattern, or None if it is not one of those that can be had."""
    try:
        return _determine(_Parser(pattern).parse())
    except (_UnsupportedError, KeyError, RecursionError):
        return None


# --- from a pattern to an automaton with free moves ---


class _Graph:
    """States with moves on sets of characters, and free moves; each part has one way in and one way out."""

    def __init__(self) -> None:
        self.moves: list[list[tuple[Characters, int]]] = []
        self.free: list[list[int]] = []
        self.closures: dict[frozenset[int], frozenset[int]] = {}
        self.first = self.last = 0

    def state(self) -> int:
        if len(self.moves) == _MOST_PLACES:
            raise _UnsupportedError
        self.moves.append([])
        self.free.append([])
        return len(self.moves) - 1

    def closure(self, states: frozenset[int]) -> frozenset[int]:
        """All states that can be reached by free moves."""
        known = self.closures.get(states)
        if known is None:
            known = self.closures[states] = self._find_closure(states)
        return known

    def _find_closure(self, states: frozenset[int]) -> frozenset[int]:
        found, waiting = set(states), list(states)
        while waiting:
            for state in self.free[waiting.pop()]:
                if state not in found:
                    found.add(state)
                    waiting.append(state)
        return frozenset(found)


class _Parser:
    """Reads a pattern from left to right, adding to the graph as it goes."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.graph = _Graph()

    def parse(self) -> _Graph:
        graph = self.graph
        graph.first, graph.last = self.choice()
        if self.at < len(self.pattern):
            raise _UnsupportedError
        return graph

    def peek(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def take(self) -> str:
        character = self.peek()
        if not character:
            raise _UnsupportedError
        self.at += 1
        return character

    def choice(self) -> tuple[int, int]:
        graph = self.graph
        first, last = graph.state(), graph.state()
        while True:
            start, end = self.sequence()
            graph.free[first].append(start)
            graph.free[end].append(last)
            if self.peek() != "|":
                return first, last
            self.take()

    def sequence(self) -> tuple[int, int]:
        first = last = self.graph.state()
        while self.peek() and self.peek() not in "|)":
            start, end = self.repeated()
            self.graph.free[last].append(start)
            last = end
        return first, last

    def repeated(self) -> tuple[int, int]:
        begun = self.at
        start, end = self.single()
        sign = self.peek()
        if sign == "{":
            return self.counted(begun, start, end)
        if not sign or sign not in "*+?":
            return start, end
        self.take()
        if self.peek() in ("*", "+", "?", "{"):  # possessive and lazy ones
            raise _UnsupportedError
        return self.repeat(start, end, sign)

    def counted(self, begun: int, start: int, end: int) -> tuple[int, int]:
        """`a{2,4}` is written out as `aaa?a?`, and `a{2,}` as `aaa*`."""
        count = _COUNT.match(self.pattern, self.at)
        if count is None:
            raise _UnsupportedError
        least, most = _COUNTS[count[1]], _COUNTS[count[3]] if count[3] else None
        if count[2] is None:
            most = least
        after = count.end()
        if self.pattern[after : after + 1] in ("*", "+", "?", "{") or (most is not None and most < least):
            raise _UnsupportedError
        first = last = self.graph.state()
        for number in range(least + 1 if most is None else most):
            self.at = begun
            start, end = self.single()
            if number >= least:
                start, end = self.repeat(start, end, "*" if most is None else "?")
            self.graph.free[last].append(start)
            last = end
        self.at = after
        return first, last

    def repeat(self, start: int, end: int, sign: str) -> tuple[int, int]:
        graph = self.graph
        first, last = graph.state(), graph.state()
        graph.free[first].append(start)
        graph.free[end].append(last)
        if sign in "*?":
            graph.free[first].append(last)
        if sign in "*+":
            graph.free[end].append(start)
        return first, last

    def single(self) -> tuple[int, int]:
        character = self.take()
        if character == "(":
            if self.peek() == "?":
                if self.pattern[self.at : self.at + 2] != "?:":
                    raise _UnsupportedError
                self.at += 2
            part = self.choice()
            if self.take() != ")":
                raise _UnsupportedError
            return part
        first, last = self.graph.state(), self.graph.state()
        self.graph.moves[first].append((self.characters(character), last))
        return first, last

    def characters(self, character: str) -> Characters:
        if character == "[":
            return self.set_of_characters()
        if character == "\\":
            return self.escaped()
        if character == ".":
            return _EVERY
        if character in _SPECIAL or not character.isascii():
            raise _UnsupportedError
        return frozenset(character)

    def escaped(self) -> Characters:
        character = self.take()
        if character == "d":
            return frozenset(DIGITS)
        if character.isalnum() or not character.isascii():  # \w, \b, \1 …
            raise _UnsupportedError
        return frozenset(character)

    def set_of_characters(self) -> Characters:
        is_inverse = self.peek() == "^"
        self.at += is_inverse
        if self.peek() in ("^", "]"):
            raise _UnsupportedError
        found: set[str] = set()
        while (character := self.take()) != "]":
            if character == "[" or not character.isascii():
                raise _UnsupportedError
            if character == "\\":
                found |= self.escaped()
            elif self.peek() == "-" and self.pattern[self.at + 1 : self.at + 2] != "]":
                self.take()
                end = self.take()
                if end == "\\" or not end.isascii():
                    raise _UnsupportedError
                found |= {c for c in ALPHABET if character <= c <= end}
            elif character + self.peek() in ("--", "&&", "||", "~~"):  # reserved for operations on sets
                raise _UnsupportedError
            else:
                found.add(character)
        return _EVERY - found if is_inverse else frozenset(found)


# --- from free moves to one state at a time ---


def _determine(graph: _Graph) -> Automaton:
    """The subset construction."""
    dead: frozenset[int] = frozenset()
    first = graph.closure(frozenset([graph.first]))
    numbers = {dead: 0, first: 1}
    waiting = [dead, first]
    rows: list[list[int]] = []
    for states in waiting:  # grows while it is walked
        row = []
        moved: dict[str, set[int]] = {character: set() for character in ALPHABET}
        for characters, target in (move for state in states for move in graph.moves[state]):
            for character in characters & _EVERY:
                moved[character].add(target)
        for targets in moved.values():
            reached = graph.closure(frozenset(targets))
            if reached not in numbers:
                numbers[reached] = len(numbers)
                waiting.append(reached)
                if len(numbers) > _MOST_STATES:
                    raise _UnsupportedError
            row.append(numbers[reached])
        rows.append(row)
    accepting = bytes(graph.last in states for states in waiting)
    return Automaton(
        bytes(n for row in rows for n in row), accepting, bytes(map(_Tails(rows).find, range(len(rows))))
    )


class _Tails:
    """Finds out how much of a run of digits matters."""

    def __init__(self, rows: list[list[int]]) -> None:
        # digits that no state tells apart count once
        columns = {tuple(row[d] for row in rows) for d in range(len(DIGITS))}
        self.digits = sorted(columns)

    def find(self, state: int) -> int:
        """As `Automaton.tails` says."""
        states = self._reachable(state)
        for length in range(_LONGEST_TAIL + 1):
            if all(self._is_decided(states, tail) for tail in product(self.digits, repeat=length)):
                return length
        return NO_SKIP

    def _reachable(self, state: int) -> set[int]:
        found, waiting = {state}, [state]
        while waiting:
            here = waiting.pop()
            for digit in self.digits:
                if digit[here] not in found:
                    found.add(digit[here])
                    waiting.append(digit[here])
        return found

    @staticmethod
    def _is_decided(states: set[int], tail: tuple[tuple[int, ...], ...]) -> bool:
        """Whether all states come to the same one by these digits."""
        for digit in tail:
            states = {digit[state] for state in states}
        return len(states) == 1
