"""What a form says number by number: where a number is one thing, a message is signs and whole numbers.

A form lists the shapes of a message digit by digit (`form.Alternative`). Where sign and point of a number are the only
difference between some of them, they are one *reading* here, in which a field is a number of one of several shapes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from reckoner.program.figure import Figure, Several
from reckoner.program.form import (
    Alternative,
    Digit,
    Digits,
    Element,
    Form,
    Listed,
    Literal,
    decimals_of,
    is_zero,
    not_zero,
)
from reckoner.program.formula import All, Formula


class Shape(NamedTuple):
    """What can be seen of a number, and whether it is zero."""

    sign: int  # -1, 0 or 1
    has_point: bool


Shapes = frozenset[Shape]

ANY: Shapes = frozenset(Shape(sign, point) for sign in (-1, 0, 1) for point in (False, True))
WHOLE = frozenset(shape for shape in ANY if not shape.has_point)
NEGATIVE = frozenset(shape for shape in ANY if shape.sign < 0)
NATURAL = ANY - NEGATIVE
ZERO = frozenset(shape for shape in ANY if shape.sign == 0)
NONZERO = ANY - ZERO


class Number(NamedTuple):
    """A field that is a number of one of these shapes."""

    name: str
    shapes: Shapes


class String(NamedTuple):
    """A field that is a string of digits, at least so many."""

    name: str
    least: int


Field = Number | String | Digit | Listed | Literal | str
Reading = tuple[Field, ...]


def shape_of(x: Figure) -> Shape:
    """Of a number that is known."""
    return Shape((x.units > 0) - (x.units < 0), x.places > 0)


_readings: dict[int, tuple[Form, tuple[Reading, ...]]] = {}  # with the form, so that its id stays its own


def readings(form: Form) -> tuple[Reading, ...]:
    """All ways to read a message, those that differ in shapes of numbers alone as one."""
    if id(form) not in _readings:
        _readings[id(form)] = form, _find_readings(form)
    return _readings[id(form)][1]


def _find_readings(form: Form) -> tuple[Reading, ...]:
    found: dict[tuple[object, ...], list[Reading]] = {}
    for alternative in form.alternatives:
        reading = _read(alternative)
        found.setdefault(tuple(f.name if isinstance(f, Number) else f for f in reading), []).append(reading)
    return tuple(_merge(alike) for alike in found.values())


def _merge(alike: list[Reading]) -> Reading:
    """One reading for some; they must be all combinations of the shapes that each of their numbers has."""
    merged: list[Field] = []
    combinations = 1
    for fields in zip(*alike, strict=True):
        first = fields[0]
        if isinstance(first, Number):
            different = {field.shapes for field in fields if isinstance(field, Number)}
            first = Number(first.name, frozenset().union(*different))
            combinations *= len(different)
        merged.append(first)
    assert combinations == len(set(alike)), "shapes of one number depend on another"
    return tuple(merged)


def _read(alternative: Alternative) -> Reading:
    fields: list[Field] = []
    elements = list(alternative.elements)
    while elements:
        element = elements.pop(0)
        if element == "-" and elements and _is_number(elements[0]):
            continue  # the number says so itself
        if not _is_number(element):
            fields.append(String(element.name, element.least) if isinstance(element, Digits) else element)
            continue
        assert isinstance(element, Digits)
        has_point = elements[:1] == ["."]
        del elements[: 1 + has_point if _is_rest(elements, element.name, has_point) else 0]
        is_not_zero = element.is_positive or not_zero(element.name) in _parts(alternative.where)
        sign = alternative.sign_of(element)
        signs = {sign} if sign < 0 or is_not_zero else {0, 1}
        signs = {0} if is_zero(element.name) in _parts(alternative.where) else signs
        fields.append(Number(element.name, frozenset(Shape(s, has_point) for s in signs)))
    return tuple(fields)


def _is_number(element: Element) -> bool:
    return isinstance(element, Digits) and element.is_canonical


def _is_rest(elements: list[Element], name: str, has_point: bool) -> bool:
    """Whether the decimals of a number follow."""
    behind = elements[1:2] if has_point else elements[:1]
    return any(isinstance(e, Digits) and e.name == decimals_of(name) for e in behind)


def _parts(formula: Formula) -> Iterable[Formula]:
    return (
        [part for each in formula.parts for part in _parts(each)] if isinstance(formula, All) else [formula]
    )


def figures(form: Form, text: str) -> dict[str, Any] | None:
    """What each field stands for in a message, if it has this form."""
    values = form.read(text)
    if values is None:
        return None
    return {field.name: _figure(field, values) for field in _names(form, values)}


def _names(form: Form, values: Mapping[str, int]) -> Iterable[Number | String | Digit | Listed | Literal]:
    """The fields of the reading that a message has."""
    for reading in readings(form):
        fields = [field for field in reading if not isinstance(field, str)]
        literals = [field for field in fields if isinstance(field, Literal)]
        if all(values.get(f.name) == f.value for f in literals):
            return fields
    raise AssertionError("no reading for what was read")


def _figure(field: Number | String | Digit | Listed | Literal, values: Mapping[str, int]) -> Any:
    name = field.name
    value, length = values[name], values[f"|{name}|"]
    if isinstance(field, Listed):
        return Several(value, length, 10**length)
    if isinstance(field, Literal):
        return value
    if isinstance(field, String):
        return Several(value, length, 10**length)
    behind = decimals_of(name)
    if behind not in values:
        return Figure(value, 0)
    return Figure(value * values[f"10^|{behind}|"] + values[behind], values[f"|{behind}|"])
