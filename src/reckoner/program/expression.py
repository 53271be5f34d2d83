"""The proof of a skill for whole expressions: every path of views over an unknown rest of the text, by induction.

What has to be shown at HALT: the memory is the value of the problem up to its first unmatched closing bracket, and
then the rest of the problem from there on. Assumed of calls: what the rows of the signed operations say, and what is
to be shown, for texts that are strictly shorter.

Division by zero is part of it. A division by zero is refused by the operation's pattern, and a run with a refusal
gives no number. So two things are shown: a division (or a self-call on a text that holds divisions) is only asked for
where its divisors are divisors of the problem, hence nothing is refused if the problem has a value; and at HALT every
divisor of the problem has been divided by, hence something was refused if it has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import final

from reckoner.nn.config import HALT
from reckoner.program.decision import Chosen, History
from reckoner.program.exploration import MOST_STEPS, Exploration, Unproved
from reckoner.program.polynomial import Polynomial, variable
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
    see,
)
from reckoner.program.value import Level, Parser, Symbolic, split_sign

OPERATIONS = {
    "signed-add": "+", "signed-subtract": "-", "signed-multiply": "*", "signed-divide": "/", "signed-modulo": "%",
}  # fmt: skip


@final
@dataclass
class ExpressionProof(Exploration[TextState, TextState]):
    """The state of one skill's proof."""

    operators: str = field(kw_only=True)

    def starts(self) -> Iterator[TextState]:
        """A text of which nothing is known."""
        perception, start = self.skill.spec.perception, begin(self.operators, Symbolic())
        if perception.fovea != 0 or perception.reach is None or perception.kind != "foveal":
            raise Unproved("it sees numbers whole, up to a reach", start)
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
        except Malformed as error:
            raise Unproved(str(error), case) from None

    def _follow(self, state: TextState, chosen: Chosen) -> Iterator[TextState]:
        state = replace(state, decisions=(*state.decisions, chosen.choice))
        module, *pointers = chosen.choice
        if module == HALT:
            self._halt(state)
            return
        self._show(len(state.history) <= MOST_STEPS, "it halts in time", state)
        view = see(state, self.skill.spec.perception)
        spans = [_Gap.of(state, view.gaps[i]) for i in pointers]
        a, b, c, d, w, v = spans
        self._show(a <= b and c <= d and w <= v, "spans end behind their beginnings", state)
        callee = self.skill.spec.calls[module - 1]
        x, y = _read(state, a, b), _read(state, c, d)
        if callee == self.skill.name:
            self._show(y == _Read((), False), f"{callee} accepts what it is asked", state)
            after, answer, tail = self._call_itself(state, x)
        else:
            after, answer, tail = self._operate(state, callee, x, y)
        yield self._write(after, answer, tail, w, v)

    # --- calls ---

    def _operate(
        self, state: TextState, callee: str, x: _Read, y: _Read
    ) -> tuple[TextState, tuple[Token, ...], Tail | None]:
        """One operation on two numbers."""
        self._show(callee in OPERATIONS, f"it is specified what {callee} does", state)
        operator = OPERATIONS[callee]
        is_pair = all(
            len(r.tokens) == 1 and isinstance(r.tokens[0], Number) and not r.has_tail for r in (x, y)
        )
        self._show(is_pair, f"{callee} accepts what it is asked", state)
        (first,), (second,) = x.tokens, y.tokens
        assert isinstance(first, Number)
        assert isinstance(second, Number)
        if operator in "/%":
            self._show(
                _divisor(second.value) in _divisors(state.problem) | state.performed,
                f"{callee} divides by a divisor of the problem",
                state,
            )
            state = replace(state, performed=state.performed | {_divisor(second.value)})
        value = Parser.begin(state.values).operand(first.value).operator(operator).operand(second.value).value
        # a number that an operation gives has at most as many characters as its operands (see `lengths`)
        return state, (Number(value, first.length + second.length),), None

    def _call_itself(self, state: TextState, read: _Read) -> tuple[TextState, tuple[Token, ...], Tail | None]:
        """The skill itself on a strictly shorter text."""
        name = self.skill.name
        self._show(_is_accepted(read, state.tail, self.operators), f"{name} accepts what it is asked", state)
        size = length(read.tokens) + (state.tail.length if read.has_tail else 0)
        self._show(is_longer(state.start, size, state.tail), "a call of itself is strictly shorter", state)
        parser: Parser[Polynomial] = Parser.begin(state.values)
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
        self, state: TextState, parser: Parser[Polynomial], read: _Read
    ) -> tuple[TextState, tuple[Token, ...], Tail | None]:
        """A text that goes on with the tail, as the problem does: both read it to the same closing bracket or end."""
        self._show(not state.problem.is_stopped, "nothing is read behind the end of the problem", state)
        self._show(parser.depth <= state.problem.depth, "brackets of a call are closed in the problem", state)
        depth = parser.depth
        asked = _consume(parser, state.tail, depth)
        problem = _consume(state.problem, state.tail, depth)
        # characters of the tail that are read: those of its numbers, and those of its operators and brackets
        digits, signs = variable(f"c{state.fresh()}"), variable(f"s{state.fresh()}") + state.tail.least_signs
        stop = Tail("stop", state.fresh(), may_end=problem.depth == 0)
        shown = (*state.shown, Filler(state.tail, depth))
        after = replace(state.shorten_tail(digits + signs, stop), problem=problem, shown=shown)
        after = self._divides(after, asked)
        return after, (Number(asked.value, numbers(read.tokens) + digits),), stop

    def _divides(self, state: TextState, parser: Parser[Polynomial]) -> TextState:
        """The divisors of a text that is asked for are divisors of the problem; now they are known not to be zero."""
        divisors = _divisors(parser)
        self._show(
            divisors <= _divisors(state.problem) | state.performed,
            f"{self.skill.name} is asked to divide by divisors of the problem alone",
            state,
        )
        return replace(state, performed=state.performed | divisors)

    def _write(
        self, state: TextState, answer: tuple[Token, ...], tail: Tail | None, w: _Gap, v: _Gap
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
        self._show(_divisors(problem) <= state.performed, "every division of the problem is made", state)

    def _show(self, is_so: bool, obligation: str, state: TextState) -> None:
        self.obligations += 1
        if not is_so:
            raise Unproved(obligation, state)


@final
@dataclass(frozen=True, order=True)
class _Gap:
    """A place in a memory: behind so many tokens, or behind the tail too."""

    tokens: int
    is_behind_tail: bool

    @classmethod
    def of(cls, state: TextState, gap: int) -> _Gap:
        count = len(state.tokens)
        if state.tail.kind == "end":
            return cls(gap, gap == count)
        return cls(min(gap, count), gap > count)


@final
@dataclass(frozen=True)
class _Read:
    """What is read: tokens, and the tail if the span reaches the end of the memory."""

    tokens: tuple[Token, ...]
    has_tail: bool


def _read(state: TextState, start: _Gap, end: _Gap) -> _Read:
    tokens = state.tokens[start.tokens : end.tokens]
    return _Read(tokens, state.tail.kind != "end" and end.is_behind_tail and not start.is_behind_tail)


def _is_accepted(read: _Read, tail: Tail, operators: str) -> bool:
    """Whether tokens, and the tail behind them, are operands joined by operators, brackets round operands aside."""
    before: Token = "+"
    for token in read.tokens:
        behind_operand = before == ")" or isinstance(before, Number)
        wants_operand = isinstance(token, Number) or token == "("
        if behind_operand == wants_operand or (isinstance(token, str) and token not in "()" + operators):
            return False
        before = token
    behind_operand = before == ")" or isinstance(before, Number)
    if not read.has_tail:
        return behind_operand
    return behind_operand != (tail.kind == "operand")


def _consume(parser: Parser[Polynomial], tail: Tail, depth: int) -> Parser[Polynomial]:
    """The parser behind the part of the tail that closes `depth` brackets and goes on to the next one's end.

    What a part of the tail makes of a term is not known, but it is the same for equal terms: it gets a name made of
    them. A sum before the term is added to it: V(p + e) = V(p) + V(e).
    """
    names = parser.arithmetic
    assert isinstance(names, Symbolic)
    for part in range(depth + 1):
        if part:
            parser = parser.close()
        level = parser.levels[-1]
        if part or tail.kind != "stop":
            value = names.name("value", level.term, level.operator, tail.number, part)
            name = ("tail", tail.number, part, level.operator)  # all divisors in it, by one name
            parser = replace(
                parser,
                levels=(*parser.levels[:-1], Level(level.total, value, None)),
                divisors=(*parser.divisors, names.name("divisors", *name)),
            )
    return parser


def _divisor(value: Polynomial) -> object:
    return split_sign(value)[1]


def _divisors(parser: Parser[Polynomial]) -> frozenset[object]:
    return frozenset(_divisor(value) for value in parser.divisors)
