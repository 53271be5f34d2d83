"""The proof of one skill to which a number is one thing: every path of views, by normal forms, without a solver.

As in `number`, what a callee's row says is assumed, and it is to be shown that calls are answered, that self-calls are
shorter and that the memory is the answer at HALT. Here also: where a problem has no value, a call is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, NamedTuple, final

from reckoner.nn.config import HALT
from reckoner.program.decision import Chosen, History
from reckoner.program.exploration import MOST_STEPS, Exploration, Unproved
from reckoner.program.field import NATURAL, WHOLE, Number, Reading, Shapes, String, readings
from reckoner.program.figure import Figure, Several
from reckoner.program.figure_row import FigureRow, Worth
from reckoner.program.figure_state import (
    Behind,
    Cell,
    Item,
    Names,
    State,
    Text,
    gather,
    is_less,
    look,
    number,
    see,
    symbols,
)
from reckoner.program.form import Digit, Listed, Literal
from reckoner.program.formula import FALSE, TRUE, Atom, substitute
from reckoner.program.known import Known
from reckoner.program.polynomial import ONE, ZERO, Polynomial, lift, variable
from reckoner.program.row import Row, Specified
from reckoner.program.solver import Solver
from reckoner.program.template import Apart, NoTemplate, Template, places_of, template_of, units_of
from reckoner.program.term import Term, as_term, maximum, put

Get = Callable[[State], Any]  # a field of a message, in whatever state


class Look(NamedTuple):
    """A state whose memory is cut into what stands for one token of the view each."""

    state: State
    cells: list[Cell]


@final
@dataclass
class FigureProof(Exploration[State, Look]):
    """The state of one skill's proof."""

    row: FigureRow = field(kw_only=True)
    rows: Mapping[str, Specified] = field(kw_only=True)
    solver: Solver = field(kw_only=True)
    most_states: int = 20_000

    # --- beginning ---

    def starts(self) -> Iterator[State]:
        """The memory of every shape of message the skill has to answer, or to refuse."""
        spec, row = self.skill.spec, self.row
        nowhere = State(((),), {}, Known(), ZERO)
        if (spec.accepts_x, spec.accepts_y) != (row.x.pattern, row.y.pattern):
            raise Unproved("the skill accepts other messages than specified", nowhere)
        seen = spec.perception
        if seen.kind != "foveal" or seen.fovea != 0 or not seen.decimals:
            raise Unproved("it sees whole numbers, or their parts", nowhere)
        for x, y in product(readings(row.x), readings(row.y)):
            names, known = Names(), Known(solver=self.solver)
            problem: dict[str, Any] = {}
            first, known = _make(x, names, known, problem)
            second, known = _make(y, names, known, problem)
            memory = _lay_out(spec.layout, {"x": first, "y": second})
            state = State((memory,), problem, known, symbols(memory, known), names)
            for case, is_asked in self._are(state, _problem, row.where):
                if is_asked:
                    yield case

    def looks(self, state: State) -> Iterator[Look]:
        """The possible cases of a state, with what is seen in each added to its history."""
        perception = self.skill.spec.perception
        for case, cells in look(state, perception):
            yield Look(replace(case, history=(*case.history, see(perception, cells).tokens)), cells)

    def history(self, case: Look) -> History:
        """As the base class says."""
        return case.state.history

    def renew(self, case: Look) -> Look:
        """As the base class says."""
        return Look(replace(case.state, names=copy(case.state.names)), case.cells)

    # --- one decision ---

    def follow(self, case: Look, chosen: Chosen) -> list[State]:
        """As the base class says."""
        state, cells = replace(case.state, decisions=(*case.state.decisions, chosen.choice)), case.cells
        module, *pointers = chosen.choice
        if module == HALT:
            self._halt(state)
            return []
        if len(state.history) > MOST_STEPS:
            raise Unproved("it halts in time", state)
        gaps = see(self.skill.spec.perception, cells).gaps
        a, b, c, d, w, v = (gaps[i] for i in pointers)
        if not (a <= b and c <= d and w <= v):
            raise Unproved("spans end behind their beginnings", state)
        spans = (cells[:w], cells[v:], cells[a:b], cells[c:d])
        texts = [gather(tuple(item for cell in span for item in cell), state) for span in spans]
        return list(self._call(replace(state, texts=tuple(texts)), self.skill.spec.calls[module - 1]))

    def _call(self, state: State, callee: str) -> Iterator[State]:
        """What can be after a call."""
        row = self.rows.get(callee)
        if row is None:
            raise Unproved(f"it is specified what {callee} does", state)
        if callee == self.skill.name:
            memory = _lay_out(self.skill.spec.layout, {"x": state.texts[2], "y": state.texts[3]})
            self._show(
                state,
                is_less(symbols(memory, state.known), state.start),
                "a call of itself is strictly shorter",
            )
        found = None
        for x, y in product(readings(row.x), readings(row.y)):
            first, second = _match(state.texts[2], x, 2), _match(state.texts[3], y, 3)
            if first is not None and second is not None:
                found = first | second, (*x, *y)
                break
        accepts = f"{callee} accepts what it is asked"
        self._show(state, found is not None, accepts)
        assert found is not None
        bound, fields = found
        wanted: dict[str, Shapes] = {f.name: f.shapes for f in fields if isinstance(f, Number)}
        for each in fields:
            if isinstance(each, String) and isinstance(bound[each.name](state), Figure):
                wanted[each.name] = WHOLE & NATURAL
        for case, is_accepted in self._are(state, bound.__getitem__, wanted):
            self.obligations += 1
            if is_accepted:
                yield from self._answer(case, row, bound)
            else:
                self._refuse(case, accepts)

    def _are(
        self, state: State, bound: Callable[[str], Get], wanted: Mapping[str, Shapes | int]
    ) -> Iterator[tuple[State, bool]]:
        """Cases in which it is known whether fields are of these shapes."""
        if not wanted:
            yield state, True
            return
        (name, shapes), *others = wanted.items()
        get = bound(name)
        if isinstance(shapes, int):
            cases: Iterable[tuple[State, bool]] = [(state, get(state) == shapes)]
        else:
            cases = state.decide(get, shapes)
        for case, is_so in cases:
            if is_so:
                yield from self._are(case, bound, dict(others))
            else:
                yield case, False

    def _refuse(self, state: State, obligation: str) -> None:
        """A call is refused: then the problem must have no value."""
        for case, worth in self._worth(state, self.row, _problem):
            self._show(case, worth is None, obligation)

    def _worth(
        self, state: State, row: FigureRow, bound: Callable[[str], Get], at: int = 0
    ) -> Iterator[tuple[State, Worth | None]]:
        """Cases in which it is known which answer is the right one, if there is one."""
        if at == len(row.cases):
            yield state, None
            return
        for case, is_right in self._are(state, bound, row.cases[at].when):
            if is_right:
                yield case, row.cases[at]
            else:
                yield from self._worth(case, row, bound, at + 1)

    # --- answers ---

    def _answer(self, state: State, row: Specified, bound: Mapping[str, Get]) -> Iterator[State]:
        """One state for each answer of the callee."""
        has_to = f"{row.name} has to answer what it is asked"
        if isinstance(row, Row):
            self._show(state, row.where == TRUE, has_to)
            try:
                yield from _by_template(state, template_of(row), _values(state, row, bound))
            except NoTemplate as unknown:
                raise Unproved(f"{row.name} works on whole numbers ({unknown})", state) from None
            return
        assert isinstance(row, FigureRow)
        for case, is_asked in self._are(state, bound.__getitem__, row.where):
            self._show(case, is_asked, has_to)
            for known, worth in self._worth(case, row, bound.__getitem__):
                if worth is None:
                    self._refuse(known, has_to)
                else:
                    yield _write(known, _shown(known, worth, _values(known, row, bound)), {})

    # --- the end ---

    def _halt(self, state: State) -> None:
        """At HALT the memory is the answer."""
        for case, worth in self._worth(state, self.row, _problem):
            self._show(case, worth is not None, "a call is refused if the problem has no value")
            if worth is None:
                continue
            memory = gather(case.memory, case)
            right = _shown(case, worth, case.problem)
            is_right = memory == right or _reduced(memory, case) == _reduced(right, case)
            self._show(case, is_right, "the memory is the answer")

    def _show(self, state: State, is_so: bool, obligation: str) -> None:
        self.obligations += 1
        if not is_so:
            raise Unproved(obligation, state)


def _problem(name: str) -> Get:
    return lambda state: state.problem[name]


def _shown(state: State, worth: Worth, values: Mapping[str, Any]) -> Text:
    """An answer as it stands in a memory."""
    try:
        answer = worth.formula(**values)
    except ValueError as error:
        raise Unproved(f"an exponent is a number that counts ({error})", state) from None
    return (answer,)


def _reduced(text: Text, state: State) -> Text:
    return tuple(
        Figure(state.known.reduced(item.units), item.places) if isinstance(item, Figure) else item
        for item in text
    )


def _apart(answer: Apart, state: State) -> tuple[Text, dict[str, Polynomial]]:
    """The digits of a number one by one, and what its value is by theirs."""
    name = answer.value.bare
    if name is not None and name[0] == "d":
        return (Figure(answer.value, ZERO),), {}
    if name is None or name[0] != "a":
        raise Unproved("the digits of a number are those of the message", state)
    digit, rest = state.names.digit(), state.names.several()
    return (digit, rest), {name: digit.count * rest.power + rest.value}


def _write(state: State, items: Text, values: Mapping[str, Polynomial]) -> State:
    before, behind, *_ = state.texts
    after = replace(state, texts=(before, behind)).put(values)
    before, behind = after.texts
    return replace(after, texts=((*before, *items, *behind),))


def _values(state: State, row: Specified, bound: Mapping[str, Get]) -> dict[str, Any]:
    """What is asked, by the names of the callee's row. Of a string, the number of digits counts."""
    strings = {f.name for form in (row.x, row.y) for r in readings(form) for f in r if isinstance(f, String)}
    values: dict[str, Any] = {}
    for name, get in bound.items():
        found = get(state)
        is_string = name in strings and isinstance(found, Figure)
        values[name] = Several(found.units, _digits(found, state), ONE) if is_string else found
    return values


def _by_template(state: State, template: Template, asked: Mapping[str, Any]) -> Iterator[State]:
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
            if isinstance(found, Figure) and _is_digit(found):
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
        yield _write(state, tuple(items), changes)


def _solution(when: Any, state: State) -> dict[str, Polynomial]:
    """The digit that makes an equation true."""
    if isinstance(when, Atom) and when.relation == "=":
        name = (when.polynomial - when.polynomial.constant).bare
        if name is not None and name[0] == "d":
            return {name: lift(-when.polynomial.constant)}
    raise Unproved("it is known which answer is given", state)


def _digits(x: Figure, state: State) -> Polynomial:
    """How many digits a whole number has."""
    if state.known.signs_of(x.units) == {0} or _is_digit(x):
        return ONE
    return 1 + variable(f"l[{x.units}]")


def _is_digit(x: Item = "") -> bool:
    if not isinstance(x, Figure) or x.places != ZERO:
        return False
    name, single = x.units.bare, x.units.single
    is_number = single is not None and not single[0] and 0 <= single[1] <= 9
    return (name is not None and name[0] == "d") or is_number or x.units == as_term(0)


# --- messages ---


def _make(reading: Reading, names: Names, known: Known, problem: dict[str, Any]) -> tuple[Text, Known]:
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


def _lay_out(layout: str, reads: Mapping[str, Text]) -> Text:
    """The memory a skill starts from."""
    items: list[Item] = []
    for part in layout.replace("{x}", "x").replace("{y}", "y"):
        if part in reads:
            items += reads[part]
        else:
            items.append(Figure(as_term(int(part)), ZERO) if "0" <= part <= "9" else part)
    return tuple(items)


def _match(text: Text, reading: Reading, where: int) -> dict[str, Get] | None:
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
            case Number(name) | Digit(name):
                if not (_is_digit(item) if isinstance(each, Digit) else isinstance(item, Figure)):
                    return None
                found[name] = _at(where, at)
                at += 1
            case String(name):
                if isinstance(item, Figure | Behind):
                    found[name] = _at(where, at)
                    at += 1
                else:
                    found[name] = lambda s: Several(ZERO, ZERO, ONE)
            case Listed(name):
                end = at
                while text[end : end + 1] == (",",) and _is_digit(*text[end + 1 : end + 2]):
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
