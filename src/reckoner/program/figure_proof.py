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
from reckoner.program.field import NATURAL, WHOLE, Number, Shapes, String, readings
from reckoner.program.figure import Figure
from reckoner.program.figure_answer import by_template, values_of, write
from reckoner.program.figure_message import Get, lay_out, make, match_fields
from reckoner.program.figure_row import FigureRow, Worth
from reckoner.program.figure_sight import gather, look, see
from reckoner.program.figure_state import Cell, Names, State, Text, is_less, symbols
from reckoner.program.formula import TRUE
from reckoner.program.known import Known
from reckoner.program.polynomial import ZERO
from reckoner.program.row import Row, Specified
from reckoner.program.shown import NoTemplate
from reckoner.program.solver import Solver
from reckoner.program.template import template_of


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
            first, known = make(x, names, known, problem)
            second, known = make(y, names, known, problem)
            memory = lay_out(spec.layout, {"x": first, "y": second})
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
            memory = lay_out(self.skill.spec.layout, {"x": state.texts[2], "y": state.texts[3]})
            self._show(
                state,
                is_less(symbols(memory, state.known), state.start),
                "a call of itself is strictly shorter",
            )
        found = None
        for x, y in product(readings(row.x), readings(row.y)):
            first, second = match_fields(state.texts[2], x, 2), match_fields(state.texts[3], y, 3)
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
                yield from by_template(state, template_of(row), values_of(state, row, bound))
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
                    yield write(known, _shown(known, worth, values_of(known, row, bound)), {})

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
