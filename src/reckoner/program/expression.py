"""The proof of a skill for whole expressions: every path of views over an unknown rest of the text, by induction.

What has to be shown at HALT: the memory is the value of the problem up to its first unmatched closing bracket, and
then the rest of the problem from there on. Assumed of calls: what the rows of the operations say, and what is
to be shown, for texts that are strictly shorter.

Division by zero is part of it, and so are powers that have no value. Such an operation is refused, and a run with a
refusal gives no number. So two things are shown: an operation (or a self-call on a text that holds some) is only asked
for where what it demands (a divisor that is not zero) is demanded by the problem, hence nothing is refused if the
problem has a value; and at HALT every demand of the problem was put, hence something was refused if it has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import final

from reckoner.nn.config import HALT
from reckoner.program.decision import Chosen, History
from reckoner.program.exploration import MOST_STEPS, Exploration, Unproved
from reckoner.program.polynomial import variable
from reckoner.program.reading import NOTHING, Gap, Read, consume, is_accepted, read_span
from reckoner.program.symbolic import Quantity, Symbolic
from reckoner.program.text import (
    END,
    Filler,
    Malformed,
    Number,
    Tail,
    TextState,
    Token,
    begin,
    is_longer,
    length,
    look,
    numbers,
    scale,
    see,
)
from reckoner.program.text_row import TextRow
from reckoner.program.value import NotAnExpression, Parser


@final
@dataclass
class ExpressionProof(Exploration[TextState, TextState]):
    """The state of one skill's proof."""

    row: TextRow = field(kw_only=True)

    def starts(self) -> Iterator[TextState]:
        """A text of which nothing is known."""
        perception = self.skill.spec.perception
        start = begin(self.row, Symbolic(self.row.is_scaled, self.row.laws))
        if perception.fovea != 0 or perception.reach is None or perception.kind != "foveal":
            raise Unproved("it sees numbers whole, up to a reach", start)
        self._show(perception.decimals == self.row.is_scaled, "it sees decimals if there are some", start)
        self._show(self.skill.spec.layout == self.row.layout, "its memory is laid out as specified", start)
        yield start

    def looks(self, state: TextState) -> Iterator[TextState]:
        """As the base class says."""
        perception = self.skill.spec.perception
        assert perception.reach is not None
        try:
            for case, visible, more in look(state, perception.reach):
                view = see(case, perception)
                assert len(view.gaps) == visible + 1 + more, (case, view)
                yield replace(case, history=(*case.history, view.tokens))
        except Malformed as error:
            raise Unproved(str(error), state) from None

    def history(self, case: TextState) -> History:
        """As the base class says."""
        return case.history

    def renew(self, case: TextState) -> TextState:
        """As the base class says."""
        return replace(case, count=[*case.count])

    def follow(self, case: TextState, chosen: Chosen) -> list[TextState]:
        """As the base class says."""
        try:
            return list(self._follow(case, chosen))
        except (Malformed, NotAnExpression) as error:
            raise Unproved(str(error), case) from None

    def _follow(self, state: TextState, chosen: Chosen) -> Iterator[TextState]:
        state = replace(state, decisions=(*state.decisions, chosen.choice))
        module, *pointers = chosen.choice
        if module == HALT:
            self._halt(state)
            return
        self._show(len(state.history) <= MOST_STEPS, "it halts in time", state)
        view = see(state, self.skill.spec.perception)
        spans = [Gap.of(state, view.gaps[i]) for i in pointers]
        a, b, c, d, w, v = spans
        self._show(a <= b and c <= d and w <= v, "spans end behind their beginnings", state)
        callee = self.skill.spec.calls[module - 1]
        x, y = read_span(state, a, b), read_span(state, c, d)
        if callee == self.skill.name:
            after, answer, tail = self._call_itself(state, self._text(state, x, y))
        elif callee == "strip":  # nothing stays nothing; of no other text its row says something here
            self._show(x == y == NOTHING, f"{callee} accepts what it is asked", state)
            after, answer, tail = state, (), None
        else:
            after, answer, tail = self._operate(state, callee, x, y)
        yield self._write(after, answer, tail, w, v)

    # --- calls ---

    def _operate(
        self, state: TextState, callee: str, x: Read, y: Read
    ) -> tuple[TextState, tuple[Token, ...], Tail | None]:
        """One operation on two numbers."""
        self._show(callee in self.row.operations, f"it is specified what {callee} does", state)
        signs = self.row.operations[callee]
        if self.row.is_scaled:
            self._show(self._is_scale(state, y), f"{callee} is asked at the scale of the problem", state)
            tokens, has_tail = x.tokens, x.has_tail
        else:
            tokens, has_tail = (*x.tokens, signs, *y.tokens), x.has_tail or y.has_tail
        match tokens:
            case (Number() as first, str(sign), Number() as second) if sign in signs and not has_tail:
                asked = Parser.begin(state.values).operand(first.value).operator(sign).operand(second.value)
            case _:
                raise Unproved(f"{callee} accepts what it is asked", state)
        state = self._demand(state, asked, f"{callee} divides by a divisor of the problem")
        # a number that an operation gives is at most as long as its operands together (see `Number`)
        return state, (Number(asked.value, first.length + second.length),), None

    def _is_scale(self, state: TextState, read: Read) -> bool:
        return read == Read((scale(state.values),), False)

    def _text(self, state: TextState, x: Read, y: Read) -> Read:
        """The text that the skill asks itself for."""
        name = self.skill.name
        if self.row.is_scaled:
            self._show(self._is_scale(state, x), f"{name} is asked at the scale of the problem", state)
            return y
        self._show(y == NOTHING, f"{name} accepts what it is asked", state)
        return x

    def _call_itself(self, state: TextState, read: Read) -> tuple[TextState, tuple[Token, ...], Tail | None]:
        """The skill itself on a strictly shorter text."""
        name = self.skill.name
        self._show(is_accepted(read, state), f"{name} accepts what it is asked", state)
        size = length(read.tokens) + (state.tail.length if read.has_tail else 0) + 2 * self.row.is_scaled
        self._show(is_longer(state.start, size, state.tail), "a call of itself is strictly shorter", state)
        parser: Parser[Quantity] = Parser.begin(state.values)
        for i, token in enumerate(read.tokens):
            if isinstance(token, Number):
                parser = parser.operand(token.value)
            elif token == "(":
                parser = parser.open()
            elif token == ")":
                parser = parser.close()
            else:
                parser = parser.operator(token)
            if parser.is_stopped:
                done, rest = read.tokens[:i], read.tokens[i:]
                state = self._divides(state, parser)
                tail = state.tail if read.has_tail else None
                return state, (Number(parser.value, numbers(done)), *rest), tail
        if not read.has_tail or state.tail.kind == "end":
            self._show(parser.depth == 0, f"brackets are closed in what {name} is asked", state)
            state = self._divides(state, parser)
            return state, (Number(parser.value, numbers(read.tokens)),), END if read.has_tail else None
        return self._call_with_tail(state, parser, read)

    def _call_with_tail(
        self, state: TextState, parser: Parser[Quantity], read: Read
    ) -> tuple[TextState, tuple[Token, ...], Tail | None]:
        """A text that goes on with the tail, as the problem does: both read it to the same closing bracket or end."""
        problem, tail, depth = state.problem, state.tail, parser.depth
        self._show(not problem.is_stopped, "nothing is read behind the end of the problem", state)
        self._show(depth <= problem.depth, "brackets of a call are closed in the problem", state)
        if "^" in self.row.operators:
            rooms = zip(parser.levels[::-1], problem.levels[::-1], strict=False)
            is_alone = [asked.room >= known.room for asked, known in rooms]
            self._show(all(is_alone[tail.kind == "stop" :]), "a power in the rest stands alone", state)
        asked = consume(parser, tail, problem)
        after = consume(problem, tail, problem, depth)
        # how long the part of the tail is that is read: its numbers, and its operators and brackets
        digits, signs = variable(f"c{state.fresh()}"), variable(f"s{state.fresh()}") + tail.least_signs
        is_unread = tail.kind == "stop" and depth == 0  # then what was known of its end still is
        stop = Tail("stop", state.fresh(), after.depth == 0 and (tail.may_end or not is_unread))
        shown = (*state.shown, Filler(tail, tuple(level.room for level in problem.levels[-1 - depth :])))
        state = replace(state.shorten_tail(digits + signs, stop), problem=after, shown=shown)
        state = self._divides(state, asked)
        return state, (Number(asked.value, numbers(read.tokens) + digits),), stop

    def _divides(self, state: TextState, parser: Parser[Quantity]) -> TextState:
        return self._demand(
            state, parser, f"{self.skill.name} is asked to divide by divisors of the problem alone"
        )

    def _demand(self, state: TextState, asked: Parser[Quantity], obligation: str) -> TextState:
        """What is asked for demands nothing that the problem does not; now that is known to be so."""
        self._show(asked.demands <= state.problem.demands | state.performed, obligation, state)
        return replace(state, performed=state.performed | asked.demands)

    def _write(
        self, state: TextState, answer: tuple[Token, ...], tail: Tail | None, w: Gap, v: Gap
    ) -> TextState:
        """The memory with the answer in place of the written span."""
        before, behind = state.tokens[: w.tokens], state.tokens[v.tokens :]
        has_tail = state.tail.kind != "end"
        self._show(not (has_tail and w.is_behind_tail), "nothing is written behind unknown text", state)
        if v.is_behind_tail:
            self._show(tail is not None or not has_tail, "the rest of the text is not lost", state)
            return replace(state, tokens=(*before, *answer), tail=tail or END)
        self._show(tail is None or tail.kind == "end", "the rest of the text is not there twice", state)
        return replace(state, tokens=(*before, *answer, *behind))

    # --- the end ---

    def _halt(self, state: TextState) -> None:
        """At HALT the memory is the value of the problem, and the rest of it."""
        problem, tokens = state.problem, state.tokens
        self._show(problem.depth == 0 and not problem.wants_operand, "the problem is worked off", state)
        first = tokens[0] if tokens else None
        self._show(isinstance(first, Number), "the memory begins with a number", state)
        assert isinstance(first, Number)
        if problem.is_stopped:
            self._show(tokens[1:] == (")",), "the memory is a number and the rest of the text", state)
        else:
            is_done = len(tokens) == 1 and state.tail.kind in ("end", "stop")
            self._show(is_done, "the memory is a number", state)
        self._show(first.value == problem.value, "the number is the value of the problem", state)
        self._show(problem.demands <= state.performed, "every division of the problem is made", state)

    def _show(self, is_so: bool, obligation: str, state: TextState) -> None:
        self.obligations += 1
        if not is_so:
            raise Unproved(obligation, state)
