"""The proof of one skill on numbers: every path of views, with symbolic memories, by induction.

Assumed of a call is what the callee's row says: callees earlier in the library are proved before, and a skill may
assume its own row of strictly shorter messages. To be shown, on every path: that the call is one the callee has to
answer; that a self-call is strictly shorter; and at HALT, that the memory is what the skill's row says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from typing import NamedTuple, final

from reckoner.nn.config import HALT
from reckoner.program.decision import Chosen, History
from reckoner.program.exploration import MOST_STEPS, Exploration, Unproved
from reckoner.program.form import Alternative, Digit, Digits, names
from reckoner.program.formula import FALSE, TRUE, Formula, at_least, both, either, equal, less, spell
from reckoner.program.formula import substitute as put_in
from reckoner.program.memory import (
    Cell,
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
    size,
)
from reckoner.program.polynomial import ONE, ZERO, Polynomial, lift, variable
from reckoner.program.row import Case, Row, Run, Specified, Spread
from reckoner.program.sight import look, see
from reckoner.program.solver import Solver


class Look(NamedTuple):
    """A state whose memory is cut into what stands for one character of the view each."""

    state: State
    cells: list[Cell]


@final
@dataclass
class NumberProof(Exploration[State, Look]):
    """The state of one skill's proof."""

    row: Row = field(kw_only=True)
    rows: Mapping[str, Specified] = field(kw_only=True)
    solver: Solver = field(kw_only=True)
    most_states: int = 20_000

    # --- beginning ---

    def starts(self) -> Iterator[State]:
        """The memory of every shape of message the skill has to answer."""
        spec, row = self.skill.spec, self.row
        if (spec.accepts_x, spec.accepts_y) != (row.x.pattern, row.y.pattern):
            raise Unproved("the skill accepts other messages than specified", _nowhere())
        is_read = spec.perception.reach is not None and not spec.perception.fovea
        is_read = is_read and not spec.perception.reads_decimals
        if spec.perception.kind != "foveal" or is_read:
            raise Unproved("it sees all numbers, with the inside of long ones elided", _nowhere())
        for x, y in self.row.alternatives:
            fresh = Names()
            facts: list[Formula] = []
            ranges: dict[str, Polynomial] = {}
            problem: dict[str, Polynomial] = {}
            reads = {}
            for name, alternative in (("x", x), ("y", y)):
                items: list[Item] = []
                for element in alternative.elements:
                    if isinstance(element, str):
                        items.append(element)
                        continue
                    assert isinstance(element, Digits | Digit)  # others are in rows of figures alone
                    piece, known, bounds = _make(element, fresh)
                    items.append(piece)
                    facts += known
                    ranges |= bounds
                    problem |= _quantities(element.name, alternative.sign_of(element), (piece,))
                reads[name] = tuple(items)
            memory = _lay_out(self.skill.spec.layout, reads)
            padded = frozenset(_padded(x) | _padded(y))
            state = State((memory,), tuple(facts), ranges, problem, size(memory), padded, names=fresh)
            state = state.know(put_in(x.where, problem), put_in(y.where, problem))
            for case, bound in _differ(state, self.row, problem):
                yield replace(case, problem=bound).know(put_in(self.row.where, bound))

    def looks(self, state: State) -> Iterator[Look]:
        """The possible cases of a state, with what is seen in each added to its history."""
        perception = self.skill.spec.perception
        for case, cells in look(state, perception):
            history = (*case.history, see(perception, cells).tokens)
            if not case.is_absurd and self.solver.is_possible(case.facts, case.ranges):
                yield Look(replace(case, history=history), cells)

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
        callee = self.skill.spec.calls[module - 1]
        texts = (_flat(cells[:w]), _flat(cells[v:]), _flat(cells[a:b]), _flat(cells[c:d]))
        return list(self._call(replace(state, texts=texts), callee))

    def _call(self, state: State, callee: str) -> Iterator[State]:
        """What can be after a call. During a call the texts are: before and behind what is written; the two reads."""
        row = self.rows.get(callee)
        if not isinstance(row, Row):
            raise Unproved(f"it is specified what {callee} does", state)
        if callee == self.skill.name:
            layout = len(self.skill.spec.layout.replace("{x}", "").replace("{y}", ""))
            length = size(state.texts[2]) + size(state.texts[3]) + layout
            self._show(state, less(length, state.start), "a call of itself is strictly shorter")
        for matched, names_, padded in self._match(state, row, callee):
            for case, bound in _differ(matched, row, names_):
                self._show(case, put_in(row.where, bound), f"{callee} has to answer what it is asked")
                yield from self._answers(case, row, bound, padded)

    def _match(
        self, state: State, row: Row, callee: str
    ) -> Iterator[tuple[State, dict[str, Polynomial], frozenset[str]]]:
        """The reads as the callee's row names them; raises if they are not of a form that it takes."""
        obligation = f"{callee} accepts what it is asked"
        for case in _cut_for(state, row):
            if case.is_absurd or not self.solver.is_possible(case.facts, case.ranges):
                continue
            model: dict[str, int] = {}
            for x, y in row.alternatives:
                first, second = _bind(case.texts[2], x), _bind(case.texts[3], y)
                if first is None or second is None:
                    continue
                self.obligations += 1
                goal = both(first.condition, second.condition)
                is_shown, model = self.solver.implies(case.facts, case.ranges, goal)
                if is_shown:
                    yield case, first.names | second.names, frozenset(_padded(x) | _padded(y))
                    break
            else:
                raise Unproved(obligation, case, model)

    def _answers(
        self, state: State, row: Row, bound: dict[str, Polynomial], padded: frozenset[str]
    ) -> Iterator[State]:
        """One state for each case of the callee's answer."""
        if row.quotient is not None:
            value = state.names.value()
            bound = bound | {row.quotient.name: value}
            state = state.know(put_in(row.quotient.definition, bound))
            state = replace(state, quotients=(*state.quotients, value))
        for case in row.cases:
            after, known = state.know(put_in(case.when, bound)), bound
            for quotient in case.quotients:
                known = known | {quotient.name: state.names.value()}
                after = after.know(put_in(quotient.definition, known))
            items: list[Item] = []
            for part in case.parts:
                if isinstance(part, Spread):
                    digits, after = _write_apart(part, known, after)
                    items += digits
                    continue
                item, facts = _write(part, known, padded, state.names)
                items.append(item)
                after = after.know(*facts)
            before, behind, *_ = after.texts
            yield replace(after, texts=((*before, *items, *behind),))

    # --- the end ---

    def _halt(self, state: State) -> None:
        """At HALT the memory is the answer."""
        quotient = self.row.quotient
        if quotient is None:
            self._show(state, self._goal(state, state.problem), "the memory is the answer")
            return
        # the quotient that the row speaks of is one of the values at hand: any that has its defining property
        pieces = [join(run)[0] for run in runs(state.memory) if not isinstance(run, str)]
        values = [*state.quotients, *pieces, ZERO]
        model: dict[str, int] = {}
        for value in dict.fromkeys(values):
            bound = {**state.problem, quotient.name: value}
            goal = both(at_least(value, 0), put_in(quotient.definition, bound), self._goal(state, bound))
            self.obligations += 1
            is_shown, model = self.solver.implies(state.facts, state.ranges, goal)
            if is_shown:
                return
        raise Unproved("the memory is the answer", state, model)

    def _goal(self, state: State, bound: Mapping[str, Polynomial]) -> Formula:
        goals = [both(put_in(case.when, bound), _is_written(state, case, bound)) for case in self.row.cases]
        return either(*goals)

    def _show(self, state: State, goal: Formula, obligation: str) -> None:
        self.obligations += 1
        if goal == TRUE:
            return
        is_shown, model = self.solver.implies(state.facts, state.ranges, goal)
        if not is_shown:
            raise Unproved(f"{obligation} ({spell(goal)})", state, model)


def _differ(
    state: State, row: Row, bound: Mapping[str, Polynomial]
) -> Iterator[tuple[State, dict[str, Polynomial]]]:
    """Cases in which it is known how much longer one thing is than another, where a row speaks of that."""
    if not row.differences:
        yield state, dict(bound)
        return
    kept = state.problem
    held = {f"{_HELD}{name}": value for name, value in bound.items()}  # so that it changes with the state
    cases = [replace(state, problem={**kept, **held})]
    for difference in row.differences:  # one after the other: a later one may speak of those before it
        wanted = difference.longer - difference.shorter

        def measure(s: State, wanted: Polynomial = wanted) -> Polynomial:
            return wanted.substitute(_released(s))

        split = [part for case in cases for part in case.compare(measure)]
        cases = []
        for case in split:
            length = measure(case)
            length = length if all(n > 0 for n in length.terms.values()) else ZERO
            new = {
                f"{_HELD}{difference.name}": length,
                f"{_HELD}10^{difference.name}": power(length),
            }
            cases.append(replace(case, problem={**case.problem, **new}))
    for case in cases:
        yield replace(case, problem={k: v for k, v in case.problem.items() if k in kept}), _released(case)


_HELD = "call "


def _released(state: State) -> dict[str, Polynomial]:
    return {k.removeprefix(_HELD): v for k, v in state.problem.items() if k.startswith(_HELD)}


def _nowhere() -> State:
    return State(((),), (), {}, {}, ZERO)


def _flat(cells: list[Cell]) -> Text:
    return tuple(item for cell in cells for item in cell)


def _padded(alternative: Alternative) -> set[str]:
    """The fields that may have leading zeros."""
    return {e.name for e in alternative.elements if isinstance(e, Digits) and not e.is_canonical}


def _make(element: Digits | Digit, fresh: Names) -> tuple[Piece, list[Formula], dict[str, Polynomial]]:
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


def _quantities(name: str, sign: int, pieces: Text) -> dict[str, Polynomial]:
    value, length = join(pieces)
    return names(name, sign * value, length, power(length), lift(sign), value)


def _lay_out(layout: str, reads: Mapping[str, Text]) -> Text:
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


# --- matching reads with forms ---


class _Bound(NamedTuple):
    names: dict[str, Polynomial]
    condition: Formula  # what has to hold for the text to be of this form


def _cut_for(state: State, row: Row) -> Iterator[State]:
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


def _bind(text: Text, alternative: Alternative) -> _Bound | None:
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
            found |= _quantities(element.name, alternative.sign_of(element), (piece,))
        else:
            assert isinstance(element, Digits)
            run: list[Item] = []
            while element.most != 0 and items and not isinstance(items[-1], str):
                run.insert(0, items.pop())
            found |= _quantities(element.name, alternative.sign_of(element), tuple(run))
            conditions += _has_form(tuple(run), element)
    return None if items else _Bound(found, both(*conditions, put_in(alternative.where, found)))


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


# --- answers ---


def _write_apart(part: Spread, bound: Mapping[str, Polynomial], state: State) -> tuple[Text, State]:
    """Digits with commas between them: the first, and the list of all others."""
    rest = part.length.substitute(bound) - 1
    if rest.constant < 0:
        raise Unproved("it is known that there is a digit", state)
    digit, value = state.names.digit(), state.names.value()
    after = replace(state, ranges={**state.ranges, str(value): power(rest)})
    whole = digit * power(rest) + value
    return (Piece(digit, ONE), Listed(value, rest)), after.know(equal(part.value.substitute(bound), whole))


def _write(
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


def _is_written(state: State, case: Case, bound: Mapping[str, Polynomial]) -> Formula:
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
