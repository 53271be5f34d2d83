"""What a skill sees of a symbolic memory: pieces are cut where a view shows digits by themselves."""

from __future__ import annotations

from collections.abc import Iterator

from reckoner.alphabet import Perception, View
from reckoner.program.exploration import Unproved
from reckoner.program.memory import Cell, Listed, Piece, State, Text, join, length_at
from reckoner.program.polynomial import ZERO, Polynomial


def look(state: State, perception: Perception) -> Iterator[tuple[State, list[Cell]]]:
    """The cases of a state that differ in what is seen, each with its memory cut into cells."""
    for case, cells in _look(state, perception, 0, []):
        yield case, _numbers(cells, perception.reach) if perception.reads_decimals else cells


def see(perception: Perception, cells: list[Cell]) -> View:
    """The view of a memory that has one character for each cell. All such memories have this view's tokens."""
    return perception.view("".join(map(_character, cells)).encode())


def _character(cell: Cell) -> str:
    first = cell[0]
    if isinstance(first, Listed) or first == ",":  # what lies beyond the reach begins with a comma
        return ","
    return first if isinstance(first, str) and len(cell) == 1 else "0"


def _numbers(cells: list[Cell], reach: int | None) -> list[Cell]:
    """Sign, whole part, point and decimals of a number as one cell, as a perception that reads decimals has it."""
    found: list[Cell] = []
    at = 0
    while at < len(cells):
        is_sign = cells[at] == ("-",) and not (found and (_is_number(found[-1]) or found[-1] == (")",)))
        start = at + 1 if is_sign and at + 1 < len(cells) and _is_number(cells[at + 1]) else at
        stop = start + 1
        if (
            _is_number(cells[start])
            and cells[stop : stop + 1] == [(".",)]
            and _is_number(*cells[stop + 1 : stop + 2])
        ):
            stop += 2
        found.append(tuple(item for cell in cells[at:stop] for item in cell))
        at = stop
    assert reach is None or sum(_is_number(cell) for cell in found) < reach, (
        "nothing may lie beyond the reach"
    )
    return found


def _is_number(cell: Cell = ()) -> bool:
    return any(not isinstance(item, str) for item in cell)


def _look(
    state: State, perception: Perception, at: int, marks: list[tuple[int, int]], seen: int = 0
) -> Iterator[tuple[State, list[Cell]]]:
    """Go on from item `at`, behind so many numbers; `marks` are the spans of items that are one cell each."""
    memory, fovea = state.memory, perception.fovea
    if at == len(memory):
        yield state, [memory[a:b] for a, b in marks]
        return
    item = memory[at]
    if isinstance(item, Listed):
        if perception.reach is None:
            raise Unproved("only so much is seen of a list that can be of any length", state)
        for case in state.lengthen(lambda s: length_at(s, 0, at), 1):
            is_empty = length_at(case, 0, at) == ZERO
            yield from _look(
                case.drop(0, at) if is_empty else case.unfold(0, at), perception, at, marks, seen
            )
        return
    if fovea and seen == perception.reach:
        yield state, [*(memory[a:b] for a, b in marks), memory[at:]]
        return
    if isinstance(item, str):
        yield from _look(state, perception, at + 1, [*marks, (at, at + 1)], seen)
        return
    behind = len(memory) - _end(memory, at)  # items behind this run: their number does not change

    def measure(s: State) -> Polynomial:
        return join(s.memory[at : len(s.memory) - behind])[1]

    for case in state.lengthen(measure, 2 * fovea + 1):
        if case.is_absurd:
            continue
        length = measure(case)
        end = len(case.memory) - behind
        if length == ZERO:
            yield from _look(case, perception, end, marks, seen)
        elif fovea == 0:
            yield from _look(case, perception, end, [*marks, (at, end)], seen + 1)
        elif length.is_constant and length.constant <= 2 * fovea:
            for cut in _cut_left(case, at, length.constant):
                stop = at + length.constant
                while len(cut.memory) > stop + behind:  # empty pieces
                    cut = cut.drop(0, stop)
                shown = [(i, i + 1) for i in range(at, stop)]
                yield from _look(cut, perception, stop, [*marks, *shown], seen + 1)
        else:
            for left in _cut_left(case, at, fovea):
                for cut in _cut_right(left, fovea, behind):
                    stop = len(cut.memory) - behind
                    first = [(i, i + 1) for i in range(at, at + fovea)]
                    last = [(i, i + 1) for i in range(stop - fovea, stop)]
                    middle = (at + fovea, stop - fovea)
                    yield from _look(cut, perception, stop, [*marks, *first, middle, *last], seen + 1)


def _end(memory: Text, at: int) -> int:
    """Where the run of digits that begins here ends."""
    while at < len(memory) and isinstance(memory[at], Piece):
        at += 1
    return at


def _cut_left(state: State, at: int, count: int) -> Iterator[State]:
    """With this many digits cut off at the left of a run, which has as many."""
    if count == 0:
        yield state
        return
    for case in state.lengthen(lambda s: length_at(s, 0, at), 1):
        if length_at(case, 0, at) == ZERO:
            yield from _cut_left(case.drop(0, at), at, count)
        else:
            yield from _cut_left(case.cut_first(0, at), at + 1, count - 1)


def _cut_right(state: State, count: int, behind: int) -> Iterator[State]:
    """The same at the right end of the run that has `behind` items behind it."""
    if count == 0:
        yield state
        return
    at = len(state.memory) - behind - 1
    for case in state.lengthen(lambda s: length_at(s, 0, at), 1):
        if length_at(case, 0, at) == ZERO:
            yield from _cut_right(case.drop(0, at), count, behind)
        else:
            yield from _cut_right(case.cut_last(0, at), count - 1, behind + 1)
