"""The world a student acts in: its memory, what frozen skills answer, and nothing of the right answer.

Memories and views are numbered, and what a call does to a memory is worked out once: attempts repeat each other all
the time, and frozen skills always answer alike. An action is packed into one number (`pack`), so that attempts are rows
of arrays.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reckoner.machine import Machine
from reckoner.nn.config import ACTION, HALT
from reckoner.skills.base import BAR, Choice, Skill
from reckoner.skills.interactive import InteractiveSkill

Ints = NDArray[np.int64]
REFUSED = -1  # in place of a memory: the call was refused or failed
_BITS = 8
_MOST_GAPS = 1 << _BITS  # of a view, so that each has a number of so many bits
_SHIFTS = np.array([_BITS * i for i in range(ACTION - 1, -1, -1)], np.int64)
STOP = 0  # HALT, packed


def pack(actions: Ints) -> Ints:
    """Actions (B, 7) as one number each."""
    return (actions << _SHIFTS).sum(axis=1)


def unpack(codes: Ints) -> Ints:
    """The inverse of `pack`."""
    return (codes[:, None] >> _SHIFTS) & ((1 << _BITS) - 1)


def unpack_one(code: int) -> Choice:
    """One action of its number."""
    return Choice(*unpack(np.array([code], np.int64))[0].tolist())


class World:
    """Memories that one student meets during a stage."""

    def __init__(self, machine: Machine, student: InteractiveSkill, compares_forms: bool = True) -> None:
        """`compares_forms`: views that differ in digits only count as alike."""
        self.machine = machine
        self.student = student
        self.perception = student.spec.perception
        self.compares_forms = compares_forms
        self.callees = machine.callees(student)
        self.memories: list[bytes] = []
        self.views: list[bytes] = []  # different ones
        self.alike: list[int] = []  # of each view the first one that counts as alike
        self.most_calls = machine.limits.calls // 4  # below one call of the student's
        self.calls = 0  # that attempts made, those with a known outcome included
        self._memory_ids: dict[bytes, int] = {}
        self._view_ids: dict[bytes, int] = {}
        self._form_ids: dict[bytes, int] = {}
        self._view_of: list[int] = []
        self._gaps_of: list[tuple[int, ...]] = []
        self._outcomes: dict[tuple[int, int, int], int] = {}
        self._answers: dict[Skill, dict[bytes, bytes | None]] = defaultdict(dict)  # None: as good as refused

    @property
    def is_literal(self) -> bool:
        """Whether no two memories look alike."""
        return self.perception.kind == "characters" and not self.compares_forms

    def renew(self, student: InteractiveSkill) -> None:
        """The student with another snapshot for its self-calls."""
        self.student = student
        self.callees = self.machine.callees(student)
        self._outcomes.clear()
        self._answers = defaultdict(dict, {c: a for c, a in self._answers.items() if c in self.callees})

    def enter(self, memory: bytes) -> int:
        """The number of a memory."""
        found = self._memory_ids.get(memory)
        if found is None:
            found = self._memory_ids[memory] = len(self.memories)
            view = self.perception.view(memory)
            self.memories.append(memory)
            self._view_of.append(self.view_number(view.tokens))
            self._gaps_of.append(view.gaps)
        return found

    def view_number(self, view: bytes) -> int:
        """The number of a view."""
        found = self._view_ids.setdefault(view, len(self.views))
        if found == len(self.views):
            self.views.append(view)
            form = self.perception.form(view) if self.compares_forms else view
            self.alike.append(self._form_ids.setdefault(form, found))
        return found

    def view(self, memory: int) -> bytes:
        """What is seen of one memory."""
        return self.views[self._view_of[memory]]

    def measure(self, memories: Ints) -> Ints:
        """How long each memory is, as the student measures it."""
        return np.array([self.perception.measure(self.memories[m]) for m in memories.tolist()], np.int64)

    def look(self, memories: Ints) -> Ints:
        """The view of each memory, by number."""
        return np.array([self._view_of[m] for m in memories.tolist()], np.int64)

    def likeness(self, memories: Ints) -> Ints:
        """Of each memory's view the first one that counts as alike, by number."""
        return np.array([self.alike[self._view_of[m]] for m in memories.tolist()], np.int64)

    def act(self, memories: Ints, codes: Ints, lengths: Ints) -> Ints:
        """Carry out one call each: the memories afterwards, or REFUSED.

        `lengths` are those of the memories that the frames started from (`measure`): a self-call must be shorter.
        """
        self.calls += len(codes)
        keys = list(zip(memories.tolist(), codes.tolist(), lengths.tolist(), strict=True))
        unknown = list(dict.fromkeys(key for key in keys if key not in self._outcomes))
        if unknown:
            self._find_out(unknown)
        outcomes = self._outcomes
        return np.array([outcomes[key] for key in keys], np.int64)

    def _find_out(self, unknown: Sequence[tuple[int, int, int]]) -> None:
        actions = unpack(np.array([code for _, code, _ in unknown], np.int64)).tolist()
        wanted: dict[Skill, list[tuple[tuple[int, int, int], bytes, int, int]]] = defaultdict(list)
        for key, (module, a, b, c, d, w, v) in zip(unknown, actions, strict=True):
            number, _, length = key
            memory, gaps, callee = self.memories[number], self._gaps_of[number], self.callees[module]
            x, y = memory[gaps[a] : gaps[b]], memory[gaps[c] : gaps[d]]
            if callee is None or not self._may_call(callee, x, y, length):
                self._outcomes[key] = REFUSED
            else:
                wanted[callee].append((key, x + BAR + y, gaps[w], gaps[v]))
        for callee, calls in wanted.items():
            answers = self._ask(callee, [message for _, message, _, _ in calls])
            for key, message, w, v in calls:
                answer = answers[message]
                memory = self.memories[key[0]]
                self._outcomes[key] = (
                    REFUSED if answer is None else self._enter_short(memory[:w] + answer + memory[v:])
                )

    def _ask(self, callee: Skill, messages: Sequence[bytes]) -> dict[bytes, bytes | None]:
        """What a frozen skill answers; the same message comes from many memories and is asked once."""
        answers = self._answers[callee]
        fresh = [message for message in dict.fromkeys(messages) if message not in answers]
        for message, reply in zip(fresh, self.machine.answer(callee, fresh), strict=True):
            # an answer on whose way a call was refused is an accident, and a very long way is none to take
            is_way = reply.refusal is None and reply.calls <= self.most_calls
            answers[message] = reply.answer if is_way else None
        return answers

    def _enter_short(self, memory: bytes) -> int:
        """The number of a memory, unless more of it is seen than an action can point at."""
        number = self.enter(memory)
        return number if len(self._gaps_of[number]) <= _MOST_GAPS else REFUSED

    def _may_call(self, callee: Skill, x: bytes, y: bytes, length: int) -> bool:
        if callee.name == self.student.name and callee.measure(x, y) >= length:
            return False
        return callee.is_accepted(x, y)


__all__ = ["HALT", "REFUSED", "STOP", "Ints", "World", "pack", "unpack", "unpack_one"]
