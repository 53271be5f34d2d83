"""What stands in a memory of figures after a call: the answers of callees whose rows are written digit by digit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from reckoner.program.exploration import Unproved
from reckoner.program.field import String, readings
from reckoner.program.figure import Figure, Several
from reckoner.program.figure_message import Get, is_digit
from reckoner.program.figure_state import Item, State, Text
from reckoner.program.formula import FALSE, TRUE, Atom, substitute
from reckoner.program.known import Known
from reckoner.program.polynomial import ONE, ZERO, Polynomial, lift, variable
from reckoner.program.row import Specified
from reckoner.program.shown import Apart, places_of, units_of
from reckoner.program.template import Template
from reckoner.program.term import Term, as_term, maximum, put


def _apart(answer: Apart, state: State) -> tuple[Text, dict[str, Polynomial]]:
    """The digits of a number one by one, and what its value is by theirs."""
    name = answer.value.bare
    if name is not None and name[0] == "d":
        return (Figure(answer.value, ZERO),), {}
    if name is None or name[0] != "a":
        raise Unproved("the digits of a number are those of the message", state)
    digit, rest = state.names.digit(), state.names.several()
    return (digit, rest), {name: digit.count * rest.power + rest.value}


def write(state: State, items: Text, values: Mapping[str, Polynomial]) -> State:
    before, behind, *_ = state.texts
    after = replace(state, texts=(before, behind)).put(values)
    before, behind = after.texts
    return replace(after, texts=(joined((*before, *items, *behind), after.known),))


def joined(text: Text, known: Known) -> Text:
    """With a `0` right behind a number with a point as one more of its decimals."""
    found: list[Item] = []
    for item in text:
        last = found[-1] if found else None
        is_nought = isinstance(item, Figure) and item == Figure(as_term(0), ZERO)
        if is_nought and isinstance(last, Figure) and known.points_of(last.places) == {True}:
            found[-1] = Figure(last.units * 10, last.places + 1)
        else:
            found.append(item)
    return tuple(found)


def values_of(state: State, row: Specified, bound: Mapping[str, Get]) -> dict[str, Any]:
    """What is asked, by the names of the callee's row. Of a string, the number of digits counts."""
    strings = {f.name for form in (row.x, row.y) for r in readings(form) for f in r if isinstance(f, String)}
    values: dict[str, Any] = {}
    for name, get in bound.items():
        found = get(state)
        is_string = name in strings and isinstance(found, Figure)
        values[name] = Several(found.units, _digits(found, state), ONE) if is_string else found
    return values


def by_template(state: State, template: Template, asked: Mapping[str, Any]) -> Iterator[State]:
    """The answers of a skill whose row is written digit by digit."""
    values: dict[str, Polynomial | Term] = {}
    for name, found in asked.items():
        is_figure = isinstance(found, Figure)
        values[units_of(name)] = found.units if is_figure else as_term(found.value)
        values[places_of(name)] = found.places if is_figure else found.length
    for difference in template.row.differences:
        longer, shorter = (
            put(side.substitute(template.counts), values) for side in (difference.longer, difference.shorter)
        )
        values[difference.name] = maximum(longer, shorter) - shorter
    for option in template.options:
        counts = {name: put(count, values) for name, count in template.counts.items()}
        for name, found in asked.items():
            if isinstance(found, Figure) and is_digit(found):
                counts[name] = found.count
        when = substitute(option.when, counts)
        if when == FALSE:
            continue
        changes = {} if when == TRUE else _solution(when, state)
        items: list[Item] = []
        for shown in option.shown:
            match shown:
                case Figure(units, places):
                    items.append(Figure(units.substitute(values), put(places, values)))
                case Apart(value, length):
                    digits, more = _apart(Apart(value.substitute(values), put(length, values)), state)
                    items += digits
                    changes |= more
                case _:
                    items.append(shown)
        yield write(state, tuple(items), changes)


def _solution(when: Any, state: State) -> dict[str, Polynomial]:
    """The digit that makes an equation true."""
    if isinstance(when, Atom) and when.relation == "=":
        name = (when.polynomial - when.polynomial.constant).bare
        if name is not None and name[0] == "d":
            return {name: lift(-when.polynomial.constant)}
    raise Unproved("it is known which answer is given", state)


def _digits(x: Figure, state: State) -> Polynomial:
    """How many digits a whole number has."""
    if state.known.signs_of(x.units) == {0} or is_digit(x):
        return ONE
    return 1 + variable(f"l[{x.units}]")
