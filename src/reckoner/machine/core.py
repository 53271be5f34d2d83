"""The core of the fast machine in Python: what `c/` does, for computers without a C compiler.

A core remembers decisions and basic answers, and works on many questions at once, each with a stack of its own.
When a question needs something nobody remembers, it waits and the next one goes on; when all wait, the core
says what it needs (`advance`), the machine asks the networks once for all, and the core goes on.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from reckoner.machine.ending import (
    ANSWERED,
    BYTES,
    CALLS,
    DEPTH,
    GROWTH,
    LENGTH,
    REFUSED,
    STEPS,
    TIME,
    Ending,
    Need,
)
from reckoner.machine.limits import Limits
from reckoner.machine.message import is_accepted, join, split
from reckoner.nn.config import HALT
from reckoner.skills.base import Answerer, Choice, Decider, Recollection, Skill

_ENTRY = 300  # bytes that an entry of a table takes beside its characters, roughly
_FRAME = 400  # … and a frame
_AT_ONCE = 4_096  # questions under way at the same time
_MOVES = 100_000  # moves remembered; they can be resolved again at any time


class _Move(NamedTuple):
    """A decision with its gaps resolved for one shape of memory."""

    module: int
    spans: tuple[int, ...]
    following: int  # the history after it


_HALT = _Move(HALT, (), 0)


class _Form(Skill):
    """What a core keeps of a skill: its specification. The skill itself may go when nobody else needs it."""

    @property
    def tensors(self) -> dict[str, Any]:
        return {}


class _Table:
    """One skill: who answers its calls, and what it has decided so far."""

    def __init__(self, skill: Skill) -> None:
        self.form = _Form(skill.spec)
        self.is_basic = isinstance(skill, Answerer)
        self.callees: list[int] = []
        self.most_calls = 0
        self.own: list[bool] = []  # whether a call is one of the skill itself
        # Each history: how many decisions it holds, and what was seen. One list, so that an interrupt cannot come
        # between the two.
        self.histories = [(0, skill.root)] if isinstance(skill, Decider) else []
        self.decisions: dict[tuple[int, bytes], tuple[Choice, int]] = {}
        self.moves: dict[tuple[int, bytes], _Move] = {}


class _Frame:
    """A skill at work."""

    __slots__ = ("history", "length", "memory", "skill", "spans")

    def __init__(self, skill: int, memory: bytes, length: int) -> None:
        self.skill = skill
        self.memory = memory
        self.length = length  # of the message it started from, as the skill measures it
        self.history = 0
        self.spans: tuple[int, ...] = ()  # of the call under way


class _Question:
    """A message from outside, and the stack of what is being done about it."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.stack: list[_Frame] = []
        self.calls = 0
        self.refusal: tuple[int, bytes, bytes] | None = None
        self.seconds = 0.0
        self.bytes = 0


class Core:
    """Skills by number, and what is remembered of them."""

    def __init__(self) -> None:
        self._tables: dict[int, _Table] = {}
        self._answers: dict[tuple[int, bytes], bytes] = {}
        self._old_answers: dict[tuple[int, bytes], bytes] = {}
        self._serial = 0
        self._decided = 0  # bytes
        self._answered = 0

    # --- skills ---

    def add(self, skill: Skill) -> int:
        """A new skill; returns its number."""
        self._serial += 1
        self._tables[self._serial] = _Table(skill)
        return self._serial

    def connect(self, number: int, callees: Sequence[int], own: Sequence[bool], most_calls: int) -> None:
        """Who answers the module choices from 1 on (-1: nobody), and after how many calls a frame halts."""
        table = self._tables[number]
        table.most_calls = most_calls
        table.callees, table.own = [-1, *callees], [False, *own]

    def drop(self, number: int) -> None:
        """Forget a skill."""
        self._tables.pop(number, None)

    # --- what is remembered ---

    @property
    def decided(self) -> int:
        """Bytes that decisions take."""
        return self._decided

    def recollection(self, number: int, history: int) -> Recollection:
        """What the skill has seen in this history."""
        return self._tables[number].histories[history][1]

    def learn(
        self, number: int, history: int, view: bytes, choice: Choice, following: Recollection, size: int
    ) -> None:
        """Remember a decision; `size` is what its recollection takes."""
        table = self._tables[number]
        if (history, view) not in table.decisions:
            new = len(table.histories)
            table.histories.append((table.histories[history][0] + 1, following))
            table.decisions[history, view] = (choice, new)
            self._decided += len(view) + size + _ENTRY

    def know(self, number: int, message: bytes, answer: bytes, most: int) -> None:
        """Remember a basic skill's answer; when they take more than `most` bytes, the older half goes."""
        self._answered += len(message) + len(answer) + _ENTRY
        if self._answered > most // 2:
            self._old_answers, self._answers, self._answered = self._answers, {}, 0
        self._answers[number, message] = answer

    def forget(self) -> None:
        """Forget everything but the skills."""
        for table in self._tables.values():
            # in this order: at no moment does anything lead to a history that is gone
            table.moves = {}
            table.decisions = {}
            table.histories = table.histories[:1]
        self._answers, self._old_answers = {}, {}
        self._decided = self._answered = 0

    def begin(self, number: int, messages: Sequence[bytes], limits: Limits) -> Run:
        """Start work on these messages to one skill."""
        return Run(self, number, messages, limits)


class Run:
    """Questions under way."""

    def __init__(self, core: Core, number: int, messages: Sequence[bytes], limits: Limits) -> None:
        self.core = core
        self.number = number
        self.messages = messages
        self.limits = limits
        self.endings: list[Ending | None] = [None] * len(messages)
        self.waiting: list[_Question] = []
        self.next = 0  # the first message that has not been begun
        self.since: float | None = None
        self.decisions: dict[tuple[int, int, bytes], None] = {}
        self.answers: dict[tuple[int, bytes], None] = {}

    def advance(self, drain: bool = False) -> Need | None:
        """Work as far as possible: what is needed to go on, or None if nothing is.

        With `drain` no new messages are begun: None then means that nothing is under way.
        """
        self._charge()
        self.decisions, self.answers = {}, {}
        waiting, self.waiting = self.waiting, []
        for question in waiting:
            self._work(question)
        while not drain and self.next < len(self.messages) and len(self.waiting) < _AT_ONCE:
            self.next += 1
            self._work(_Question(self.next - 1))
        self.since = time.monotonic()
        if not self.waiting:
            return None
        return Need(list(self.decisions), list(self.answers))

    def give_up(self) -> int:
        """End those under way, for there is no memory to go on with them; returns how many."""
        self.waiting = []
        given_up = [number for number in range(self.next) if self.endings[number] is None]
        for number in given_up:
            self.endings[number] = Ending(BYTES, None, 0, None, self.number)
        return len(given_up)

    @property
    def is_done(self) -> bool:
        """Whether all messages have their ending."""
        return self.next == len(self.messages) and not self.waiting

    def _charge(self) -> None:
        """The time since all had to wait is everyone's: each bears an equal share."""
        if self.since is not None and self.waiting:
            share = (time.monotonic() - self.since) / len(self.waiting)
            for question in self.waiting:
                question.seconds += share

    def _work(self, question: _Question) -> None:
        """Work on one question until it ends or waits."""
        start = time.monotonic()
        allowed = self.limits.seconds
        deadline = None if allowed is None else start + allowed - question.seconds
        ending = None
        if not question.stack:
            x, y = split(self.messages[question.number])
            ending = self._call(question, self.number, x, y)
        while ending is None and question.stack:
            if deadline is not None and time.monotonic() > deadline:
                ending = self._end(question, TIME)
            elif question.bytes > self.limits.megabytes * 1_000_000:
                ending = self._end(question, BYTES)
            else:
                ending = self._step(question)
                if ending is _WAIT:
                    question.seconds += time.monotonic() - start
                    self.waiting.append(question)
                    return
        if ending is _WAIT:  # a basic skill was asked from outside
            self.waiting.append(question)
        else:
            self.endings[question.number] = ending

    def _end(self, question: _Question, status: int, answer: bytes | None = None, skill: int = 0) -> Ending:
        skill = skill or (question.stack[-1].skill if question.stack else self.number)
        return Ending(status, answer, question.calls, question.refusal, skill)

    def _step(self, question: _Question) -> Ending | None:
        """One decision of the frame on top, and what follows from it."""
        frame = question.stack[-1]
        table = self.core._tables[frame.skill]
        move = self._find_move(table, frame)
        if move is None:
            return _WAIT
        if move.module == HALT:
            question.stack.pop()
            question.bytes -= len(frame.memory) + _FRAME
            if not question.stack:
                return self._end(question, ANSWERED, frame.memory, frame.skill)
            return self._write(question, frame.memory)
        if question.calls == self.limits.calls:
            question.calls += 1
            return self._end(question, CALLS, skill=self.number)
        a, b, c, d, _, _ = move.spans
        x, y = frame.memory[a:b], frame.memory[c:d]
        number = table.callees[move.module]
        callee = None if number < 0 else self.core._tables[number].form
        if callee is None or (table.own[move.module] and callee.measure(x, y) >= frame.length):
            question.calls += 1
            frame.spans, frame.history = move.spans, move.following
            return self._refuse(question, number, x, y)
        before = frame.spans, frame.history
        question.calls += 1
        frame.spans, frame.history = move.spans, move.following
        ending = self._call(question, number, x, y)
        if ending is _WAIT:  # as if nothing had happened: it will be decided again
            question.calls -= 1
            frame.spans, frame.history = before
        return ending

    def _find_move(self, table: _Table, frame: _Frame) -> _Move | None:
        """What the skill decides on this memory; None if nobody remembers."""
        if table.most_calls and table.histories[frame.history][0] >= table.most_calls:
            return _HALT
        perception = table.form.spec.perception
        shape = perception.shape(frame.memory)
        move = table.moves.get((frame.history, shape))
        if move is not None:
            return move
        view = perception.view(shape)
        decision = table.decisions.get((frame.history, view.tokens))
        if decision is None:
            self.decisions[frame.skill, frame.history, view.tokens] = None
            return None
        choice, following = decision
        move = _Move(choice[0], tuple(view.gaps[gap] for gap in choice[1:]), following)
        if len(table.moves) >= _MOVES:
            table.moves.clear()
        if len(shape) <= _ENTRY:
            table.moves[frame.history, shape] = move
        return move

    def _call(self, question: _Question, number: int, x: bytes, y: bytes) -> Ending | None:
        """Send a message: a new frame, an answer at once, or the end."""
        core, limits = self.core, self.limits
        skill = core._tables[number].form
        if not is_accepted(skill, x, y):
            return self._refuse(question, number, x, y)
        if len(question.stack) > limits.depth:
            return self._end(question, DEPTH, skill=number)
        if len(x) + len(y) + skill.layout_length > limits.memory:
            return self._end(question, LENGTH, skill=number)
        if core._tables[number].is_basic:
            key = (number, join(x, y))
            answer = core._answers.get(key)
            if answer is None:
                answer = core._old_answers.get(key)
            if answer is None:
                self.answers[key] = None
                return _WAIT
            return self._write(question, answer) if question.stack else self._end(question, ANSWERED, answer)
        frame = _Frame(number, skill.lay_out(x, y), skill.measure(x, y))
        question.stack.append(frame)
        question.bytes += frame.length + _FRAME
        return None

    def _refuse(self, question: _Question, number: int, x: bytes, y: bytes) -> Ending | None:
        if not question.stack:
            return self._end(question, REFUSED, skill=number)
        if question.refusal is None:
            question.refusal = (number, x, y)
        return self._check(question, question.stack[-1])

    def _write(self, question: _Question, answer: bytes) -> Ending | None:
        """The answer takes the place of what was there."""
        frame = question.stack[-1]
        *_, w, v = frame.spans
        frame.memory = frame.memory[:w] + answer + frame.memory[v:]
        question.bytes += w - v + len(answer)
        return self._check(question, frame)

    def _check(self, question: _Question, frame: _Frame) -> Ending | None:
        """The limits that a frame can run into after a call."""
        if len(frame.memory) > self.limits.memory:
            return self._end(question, GROWTH)
        if self.core._tables[frame.skill].histories[frame.history][0] > self.limits.steps:
            return self._end(question, STEPS, frame.memory)
        return None


_WAIT: Any = Ending(-1, None, 0, None, 0)
