"""Messages of figures: any message of a reading, and the fields of a reading in what is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from reckoner.program.exploration import Unproved
from reckoner.program.field import Number, Reading, String
from reckoner.program.figure import Figure, Several
from reckoner.program.figure_state import Behind, Item, Names, State, Text, number
from reckoner.program.form import Digit, Listed, Literal
from reckoner.program.known import Known
from reckoner.program.polynomial import ONE, ZERO, variable
from reckoner.program.term import as_term

Get = Callable[[State], Any]  # a field of a message, in whatever state


def is_digit(x: Item = "") -> bool:
    if not isinstance(x, Figure) or x.places != ZERO:
        return False
    name, single = x.units.bare, x.units.single
    is_number = single is not None and not single[0] and 0 <= single[1] <= 9
    return (name is not None and name[0] == "d") or is_number or x.units == as_term(0)


def make(reading: Reading, names: Names, known: Known, problem: dict[str, Any]) -> tuple[Text, Known]:
    """Any message of a reading; its fields are added to the problem."""
    items: list[Item] = []
    for each in reading:
        match each:
            case str():
                items.append(each)
            case Number(name, shapes):
                problem[name], known = number(shapes, names, known)
                items.append(problem[name])
            case Literal(name, text, value):
                problem[name] = value
                items += text
            case Digit(name):
                problem[name] = names.digit()
                items.append(problem[name])
            case Listed(name):
                problem[name] = names.several()
                items.append(problem[name])
            case String():
                raise Unproved("it sees whole numbers, or their parts", State(((),), {}, known, ZERO))
    return tuple(items), known


def lay_out(layout: str, reads: Mapping[str, Text]) -> Text:
    """The memory a skill starts from."""
    items: list[Item] = []
    for part in layout.replace("{x}", "x").replace("{y}", "y"):
        if part in reads:
            items += reads[part]
        else:
            items.append(Figure(as_term(int(part)), ZERO) if "0" <= part <= "9" else part)
    return tuple(items)


def match_fields(text: Text, reading: Reading, where: int) -> dict[str, Get] | None:
    """The fields of a reading in a text, or None if its signs are others."""
    found: dict[str, Get] = {}
    at = 0
    for each in reading:
        item = text[at] if at < len(text) else ""
        match each:
            case str() | Literal():
                signs = each if isinstance(each, str) else each.text
                if text[at : at + len(signs)] != tuple(signs):
                    return None
                at += len(signs)
                if isinstance(each, Literal):
                    found[each.name] = lambda s, value=each.value: value  # type: ignore[misc]
            case Digit(low=low, high=high) if (low, high) != (0, 9):
                return None  # nobody asks that of digits that are not known
            case Number(name) | Digit(name):
                if not (is_digit(item) if isinstance(each, Digit) else isinstance(item, Figure)):
                    return None
                found[name] = _at(where, at)
                at += 1
            case String(name):
                if isinstance(item, Figure | Behind):
                    found[name] = _at(where, at)
                    at += 1
                elif each.least:
                    return None
                else:
                    found[name] = lambda s: Several(ZERO, ZERO, ONE)
            case Listed(name):
                end = at
                while text[end : end + 1] == (",",) and is_digit(*text[end + 1 : end + 2]):
                    end += 2
                end += end < len(text) and isinstance(text[end], Several)
                found[name] = _list_at(where, at, end)
                at = end
    return found if at == len(text) else None


def _at(text: int, at: int) -> Get:
    def get(state: State) -> Any:
        item = state.texts[text][at]
        if isinstance(item, Behind):  # its value is not asked for
            return Several(variable(f"b[{item.of}]"), item.of.places, ZERO)
        return item

    return get


def _list_at(text: int, start: int, end: int) -> Get:
    """All digits of a list as one."""

    def get(state: State) -> Several:
        value, length, power = ZERO, ZERO, ONE
        for item in state.texts[text][start:end]:
            if isinstance(item, Figure):
                value, length, power = 10 * value + item.count, length + 1, 10 * power
            elif isinstance(item, Several):
                value = value * item.power + item.value
                length, power = length + item.length, power * item.power
        return Several(value, length, power)

    return get
