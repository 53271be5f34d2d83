"""What a skill sees of a memory of figures: whole numbers up to its reach, or all parts of all numbers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from reckoner.alphabet import Perception, View
from reckoner.program.exploration import Unproved
from reckoner.program.field import NEGATIVE, WHOLE
from reckoner.program.figure import Figure, Several
from reckoner.program.figure_state import Behind, Cell, Item, State, Text, Whole, negated
from reckoner.program.polynomial import ZERO
from reckoner.program.term import cut, ten_to


def look(state: State, perception: Perception) -> Iterator[tuple[State, list[Cell]]]:
    """The cases of a state that differ in what is seen, each with its memory cut into cells."""
    if perception.reads_decimals:
        assert perception.reach is not None
        yield from _look_at_numbers(state, perception.reach, 0)
    else:
        yield from _look_at_parts(state, 0)


def see(perception: Perception, cells: list[Cell]) -> View:
    """The view of a memory that has one character for each cell."""
    return perception.view("".join(c[0] if isinstance(c[0], str) else "0" for c in cells).encode())


def _look_at_numbers(state: State, reach: int, at: int) -> Iterator[tuple[State, list[Cell]]]:
    """Go on from item `at`; numbers are counted up to the reach."""
    memory = state.memory
    seen = sum(isinstance(item, Figure) for item in memory[:at])
    if at == len(memory) or seen == reach:
        if at < len(memory) and all(isinstance(item, Several) for item in memory[at:]):
            for case in state.unfold(0, at):  # is there anything left?
                yield from _rest(case, at) if len(case.memory) > at else _look_at_numbers(case, reach, at)
            return
        yield from _rest(state, at)
        return
    item = memory[at]
    if isinstance(item, Several):
        for case in state.unfold(0, at):
            yield from _look_at_numbers(case, reach, at)
        return
    before = memory[at - 1] if at else ""
    if isinstance(item, Figure) and isinstance(before, Figure):
        raise Unproved("numbers do not run together", state)
    is_sign = item == "-" and not isinstance(before, Figure) and before != ")"
    if is_sign or (isinstance(item, str) and item in "()."):
        raise Unproved("signs stand between numbers", state)
    yield from _look_at_numbers(state, reach, at + 1)


def _rest(state: State, at: int) -> Iterator[tuple[State, list[Cell]]]:
    cells: list[Cell] = [(item,) for item in state.memory[:at]]
    yield state, [*cells, state.memory[at:]] if at < len(state.memory) else cells


def _look_at_parts(state: State, at: int) -> Iterator[tuple[State, list[Cell]]]:
    """Go on from item `at`: figures are replaced by their parts."""
    if at == len(state.memory):
        is_number = [isinstance(item, Whole | Behind | Figure) for item in state.memory]
        if any(a and b for a, b in pairwise(is_number)):
            raise Unproved("numbers do not run together", state)
        yield state, [(item,) for item in state.memory]
        return
    if not isinstance(state.memory[at], Figure):
        yield from _look_at_parts(state, at + 1)
        return

    def here(s: State) -> Figure:
        item = s.memory[at]
        assert isinstance(item, Figure)
        return item

    for signed, is_negative in state.decide(here, NEGATIVE):
        for case, is_whole in signed.decide(here, WHOLE):
            amount = negated(here(case)) if is_negative else here(case)
            digits: tuple[Item, ...] = (amount,) if is_whole else (Whole(amount), ".", Behind(amount))
            items = ("-", *digits) if is_negative else digits
            yield from _look_at_parts(case.replaced(0, at, *items), at + len(items))


def gather(text: Text, state: State) -> Text:
    """With the parts of numbers put together where they stand side by side."""
    found: list[Item] = []
    at = 0
    while at < len(text):
        item = text[at]
        if isinstance(item, Whole):
            if text[at + 1 : at + 3] == (".", Behind(item.of)):
                item, at = item.of, at + 2
            else:  # by itself it is a number without decimals
                item = Figure(cut(item.of.units, ten_to(item.of.places)), ZERO)
        before = found[-2] if len(found) > 1 else ""
        if (
            isinstance(item, Figure)
            and found[-1:] == ["-"]
            and not isinstance(before, Figure | Whole | Behind)
        ):
            if state.known.signs_of(item.units) != {1}:
                raise Unproved("there is no minus sign before a zero", state)
            found[-1:] = [negated(item)]
        else:
            found.append(item)
        at += 1
    return tuple(found)
