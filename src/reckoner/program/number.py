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
from reckoner.program.form import Digit, Digits
from reckoner.program.formula import TRUE, Formula, at_least, both, either, less, spell
from reckoner.program.formula import substitute as put_in
from reckoner.program.memory import (
    Cell,
    Item,
    Names,
    State,
    Text,
    join,
    power,
    runs,
    size,
)
from reckoner.program.number_answer import is_written, write, write_apart
from reckoner.program.number_message import bind, cut_for, lay_out, make_piece, padded_fields, quantities
from reckoner.program.polynomial import ZERO, Polynomial
from reckoner.program.row import Row, Specified, Spread
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
                    piece, known, bounds = make_piece(element, fresh)
                    items.append(piece)
                    facts += known
                    ranges |= bounds
                    problem |= quantities(element.name, alternative.sign_of(element), (piece,))
                reads[name] = tuple(items)
            memory = lay_out(self.skill.spec.layout, reads)
            padded = frozenset(padded_fields(x) | padded_fields(y))
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
        for case in cut_for(state, row):
            if case.is_absurd or not self.solver.is_possible(case.facts, case.ranges):
                continue
            model: dict[str, int] = {}
            for x, y in row.alternatives:
                first, second = bind(case.texts[2], x), bind(case.texts[3], y)
                if first is None or second is None:
                    continue
                self.obligations += 1
                goal = both(first.condition, second.condition)
                is_shown, model = self.solver.implies(case.facts, case.ranges, goal)
                if is_shown:
                    yield case, first.names | second.names, frozenset(padded_fields(x) | padded_fields(y))
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
                    digits, after = write_apart(part, known, after)
                    items += digits
                    continue
                item, facts = write(part, known, padded, state.names)
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
        goals = [both(put_in(case.when, bound), is_written(state, case, bound)) for case in self.row.cases]
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
