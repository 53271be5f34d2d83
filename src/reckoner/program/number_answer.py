"""Answers of a skill on numbers, in symbols: what a callee may have written, and whether a memory is the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from reckoner.program.exploration import Unproved
from reckoner.program.formula import FALSE, Formula, at_least, both, either, equal, less
from reckoner.program.formula import substitute as put_in
from reckoner.program.memory import (
    Item,
    Listed,
    Names,
    Piece,
    State,
    Text,
    has_no_leading_zero,
    join,
    power,
    runs,
)
from reckoner.program.polynomial import ONE, ZERO, Polynomial, variable
from reckoner.program.row import Case, Run, Spread


def write_apart(part: Spread, bound: Mapping[str, Polynomial], state: State) -> tuple[Text, State]:
    """Digits with commas between them: the first, and the list of all others."""
    rest = part.length.substitute(bound) - 1
    if rest.constant < 0:
        raise Unproved("it is known that there is a digit", state)
    digit, value = state.names.digit(), state.names.value()
    after = replace(state, ranges={**state.ranges, str(value): power(rest)})
    whole = digit * power(rest) + value
    return (Piece(digit, ONE), Listed(value, rest)), after.know(equal(part.value.substitute(bound), whole))


def write(
    part: Run | str, bound: Mapping[str, Polynomial], padded: frozenset[str], fresh: Names
) -> tuple[Item, list[Formula]]:
    """A part of a callee's answer, and what is known of it."""
    if isinstance(part, str):
        return part, []
    value = part.value.substitute(bound)
    if part.length is not None:
        length = part.length.substitute(bound)
        return Piece(value, length), [at_least(value, 0), less(value, power(length))]
    more = fresh.length()
    facts = [at_least(value, 0), less(value, power(more + 1))]
    if part.kept is not None and part.kept in padded:
        return Piece(value, more + 1), facts
    return Piece(value, more + 1, True), [*facts, either(equal(more, 0), at_least(value, power(more)))]


def is_written(state: State, case: Case, bound: Mapping[str, Polynomial]) -> Formula:
    """That the memory is what this case of the row says."""
    if case.parts and isinstance(case.parts[0], Spread):
        return _is_apart(state.memory, case.parts[0], bound)
    shape: list[str | list[Run]] = []
    for part in case.parts:
        assert not isinstance(part, Spread)
        if isinstance(part, str):
            shape.append(part)
        elif shape and not isinstance(shape[-1], str):
            shape[-1].append(part)
        else:
            shape.append([part])
    memory = [run for run in runs(state.memory) if isinstance(run, str) or join(run)[1] != ZERO]
    if len(memory) != len(shape):
        return FALSE
    goals: list[Formula] = []
    for quotient in case.quotients:  # it stands there by itself
        name = variable(quotient.name)
        found = [
            join(run)[0]
            for run, wanted in zip(memory, shape, strict=True)
            if not isinstance(run, str) and not isinstance(wanted, str) and wanted[0].value == name
        ]
        if not found:
            return FALSE
        bound = {**bound, quotient.name: found[0]}
        goals.append(put_in(quotient.definition, bound))
    for run, wanted in zip(memory, shape, strict=True):
        if isinstance(run, str) or isinstance(wanted, str):
            if run != wanted:
                return FALSE
            continue
        goals.append(_is_run(run, wanted, bound, state.padded))
    return both(*goals)


def _is_apart(memory: Text, wanted: Spread, bound: Mapping[str, Polynomial]) -> Formula:
    """That a memory is nothing but digits with commas between them, which are those that are wanted."""
    value, length = ZERO, ZERO
    goals: list[Formula] = []
    is_behind = True  # a comma, or the beginning
    for item in memory:
        if isinstance(item, Piece) and is_behind:
            value, length, is_behind = 10 * value + item.value, length + 1, False
            goals.append(equal(item.length, 1))
        elif isinstance(item, Listed) and not is_behind:
            value, length = value * power(item.length) + item.value, length + item.length
        elif item == "," and not is_behind:
            is_behind = True
        elif isinstance(item, str) or item.length != ZERO:
            return FALSE
    if is_behind:
        return FALSE
    right_value, right_length = wanted.value.substitute(bound), wanted.length.substitute(bound)
    return both(*goals, equal(value, right_value), equal(length, right_length))


def _is_run(run: Text, wanted: list[Run], bound: Mapping[str, Polynomial], padded: frozenset[str]) -> Formula:
    """That digits are those of some parts side by side."""
    value, length = join(run)
    if wanted[0].length is None:
        (part,) = wanted
        is_free = part.kept is not None and part.kept in padded
        form = at_least(length, 1) if is_free else has_no_leading_zero(run)
        return both(equal(value, part.value.substitute(bound)), form)
    pieces = []
    for part in wanted:
        assert part.length is not None
        pieces.append(Piece(part.value.substitute(bound), part.length.substitute(bound)))
    right_value, right_length = join(tuple(pieces))
    return both(equal(value, right_value), equal(length, right_length))
