"""Messages of a skill on numbers, in symbols: the memory it starts from, and reads matched with a callee's forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from reckoner.program.form import Alternative, Digit, Digits, names
from reckoner.program.formula import Formula, at_least, both, either, equal
from reckoner.program.formula import substitute as put_in
from reckoner.program.memory import Item, Listed, Names, Piece, State, Text, has_no_leading_zero, join, power
from reckoner.program.polynomial import ONE, ZERO, Polynomial, lift
from reckoner.program.row import Row


def padded_fields(alternative: Alternative) -> set[str]:
    """The fields that may have leading zeros."""
    return {e.name for e in alternative.elements if isinstance(e, Digits) and not e.is_canonical}


def make_piece(element: Digits | Digit, fresh: Names) -> tuple[Piece, list[Formula], dict[str, Polynomial]]:
    """A new piece for a field, and what is known of it."""
    if isinstance(element, Digit):
        digit = fresh.digit()
        return Piece(digit, ONE), [at_least(digit, element.low), at_least(lift(element.high), digit)], {}
    if element.most == 0:
        return Piece(ZERO, ZERO), [], {}
    value, more = fresh.value(), fresh.length()
    length = more + element.least
    piece = Piece(value, length, element.is_canonical)
    facts = [either(equal(length, 1), at_least(10 * value, power(length)))] if element.is_canonical else []
    if element.is_positive:
        facts.append(at_least(value, 1))
    if element.most is not None:
        facts.append(at_least(lift(element.most), length))
    return piece, facts, {str(value): power(length)}


def quantities(name: str, sign: int, pieces: Text) -> dict[str, Polynomial]:
    value, length = join(pieces)
    return names(name, sign * value, length, power(length), lift(sign), value)


def lay_out(layout: str, reads: Mapping[str, Text]) -> Text:
    """The memory a skill starts from."""
    items: list[Item] = []
    for part in layout.replace("{x}", "x").replace("{y}", "y"):
        if part in reads:
            items += reads[part]
        elif "0" <= part <= "9":
            items.append(Piece(lift(int(part)), ONE))
        else:
            items.append(part)
    return tuple(items)


class Bound(NamedTuple):
    names: dict[str, Polynomial]
    condition: Formula  # what has to hold for the text to be of this form


def cut_for(state: State, row: Row) -> Iterator[State]:
    """Cases in which single digits at the end of a read are pieces of their own, where the callee names such."""
    reads = ((2, row.x), (3, row.y))
    cases = [state]
    for text, form in reads:
        last = form.alternatives[0].elements[-1:]
        if last and isinstance(last[0], Digit):
            count = sum(isinstance(e, Digit) for e in form.alternatives[0].elements)
            cases = [cut for case in cases for cut in _cut_end(case, text, count)]
    yield from cases


def _cut_end(state: State, text: int, count: int) -> Iterator[State]:
    """Cases in which the last `count` digits of a text, if it has so many, are pieces of their own."""
    items = state.texts[text]
    if count == 0 or not items or not isinstance(items[-1], Piece):
        yield state
        return
    for case, is_cut in state.digit_at_end(text):
        if not is_cut:
            yield case
            continue
        # set the digit aside, go on with the rest, and put it back
        *rest, digit = case.texts[text]
        shorter = replace(case, texts=(*case.texts[:text], tuple(rest), *case.texts[text + 1 :], (digit,)))
        for cut in _cut_end(shorter, text, count - 1):
            whole = (*cut.texts[text], *cut.texts[-1])
            yield replace(cut, texts=(*cut.texts[:text], whole, *cut.texts[text + 1 : -1]))


def bind(text: Text, alternative: Alternative) -> Bound | None:
    """A text in the names of a form, or None if its signs are others."""
    elements = list(alternative.elements)
    items = [item for item in text if isinstance(item, str) or item.length != ZERO]
    if any(isinstance(item, Listed) for item in items):
        return None
    found: dict[str, Polynomial] = {}
    conditions: list[Formula] = []
    while elements:
        element = elements.pop()
        if isinstance(element, str):
            if not items or items.pop() != element:
                return None
        elif isinstance(element, Digit):
            if not items or isinstance(items[-1], str):
                return None
            piece = items.pop()
            assert isinstance(piece, Piece)
            conditions += [
                equal(piece.length, 1),
                at_least(piece.value, element.low),
                at_least(lift(element.high), piece.value),
            ]
            found |= quantities(element.name, alternative.sign_of(element), (piece,))
        else:
            assert isinstance(element, Digits)
            run: list[Item] = []
            while element.most != 0 and items and not isinstance(items[-1], str):
                run.insert(0, items.pop())
            found |= quantities(element.name, alternative.sign_of(element), tuple(run))
            conditions += _has_form(tuple(run), element)
    return None if items else Bound(found, both(*conditions, put_in(alternative.where, found)))


def _has_form(run: Text, element: Digits) -> list[Formula]:
    value, length = join(run)
    conditions = [at_least(length, element.least)]
    if element.most is not None:
        conditions.append(at_least(lift(element.most), length))
    if element.is_canonical:
        conditions.append(has_no_leading_zero(run))
    if element.is_positive:
        conditions.append(at_least(value, 1))
    return conditions
