"""Attempts of a student: many at once, each decision drawn from its policy; the skills it calls stay greedy.

All attempts are at the same step together. Attempts that have seen the same views draw as one request, and the
messages of a step are answered as one batch, equal ones once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reckoner.alphabet import View
from reckoner.machine.message import join, split
from reckoner.machine.outcome import Reply
from reckoner.nn.config import HALT
from reckoner.skills.base import Choice, Decider, Recollection, Skill

if TYPE_CHECKING:
    from reckoner.machine.machine import Machine


@dataclass
class Episode:
    """One attempt: what was seen and chosen, which calls were refused, and the memory it ended with."""

    views: list[bytes]
    choices: list[Choice]
    refused: list[bool]
    answer: bytes | None  # None: a call failed, or it did not halt in time


@dataclass(slots=True)
class _Group:
    """Attempts that have seen the same views: by number."""

    past: Recollection
    view: View
    rows: list[int]


class _Attempts:
    """All attempts at one moment."""

    def __init__(self, machine: Machine, student: Decider, messages: Sequence[bytes]) -> None:
        self.machine = machine
        self.student = student
        self.callees = machine.callees(student)
        self.memories = [student.lay_out(*split(message)) for message in messages]
        self.lengths = list(map(len, self.memories))
        self.episodes = [Episode([], [], [], None) for _ in messages]

    def group(self, pasts: dict[int, Recollection]) -> list[_Group]:
        """Attempts with one past whose memories look alike."""
        perception = self.student.spec.perception
        views: dict[bytes, View] = {}  # by shape
        found: dict[tuple[Recollection, bytes, tuple[int, ...]], _Group] = {}
        for row, past in pasts.items():
            shape = perception.shape(self.memories[row])
            view = views.get(shape)
            if view is None:
                view = views[shape] = perception.view(shape)
            group = found.get((past, *view))
            if group is None:
                group = found[past, *view] = _Group(past, view, [])
            group.rows.append(row)
        return list(found.values())

    def draw(self, groups: list[_Group], rng: np.random.Generator) -> dict[int, Recollection]:
        """Every attempt decides and acts; returns those that go on, with what they have seen."""
        requests = [(group.past, group.view.tokens, len(group.rows)) for group in groups]
        going: dict[int, Recollection] = {}
        calls: dict[Skill | None, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
        for group, decisions in zip(groups, self.student.decide(requests, rng), strict=True):
            spans: dict[Choice, tuple[int, ...]] = {}
            for row, decision in zip(group.rows, decisions, strict=True):
                choice, episode = decision.choice, self.episodes[row]
                episode.views.append(group.view.tokens)
                episode.choices.append(choice)
                if choice[0] == HALT:
                    episode.answer = self.memories[row]
                    continue
                if choice not in spans:
                    spans[choice] = tuple(group.view.gaps[gap] for gap in choice[1:])
                calls[self.callees[choice[0]]].append((row, spans[choice]))
                going[row] = decision.recollection
        for callee, wanted in calls.items():
            for row in self.carry_out(callee, wanted):
                del going[row]
        return dict(sorted(going.items()))

    def carry_out(self, callee: Skill | None, wanted: list[tuple[int, tuple[int, ...]]]) -> list[int]:
        """Call one skill for all; returns the attempts that failed by it."""
        messages = []
        for row, (a, b, c, d, _, _) in wanted:
            memory = self.memories[row]
            messages.append(join(memory[a:b], memory[c:d]))
        replies: dict[bytes, Reply] = {}
        if callee is not None:
            different = list(dict.fromkeys(messages))
            replies = dict(zip(different, self.machine.answer(callee, different), strict=True))
        failed = []
        for (row, (*_, w, v)), message in zip(wanted, messages, strict=True):
            reply = replies.get(message)
            memory, is_refused = self.memories[row], True
            if reply is not None and not self.is_barred(callee, message, row):
                is_refused = reply.answer is None and reply.error is None
                if reply.answer is not None:
                    self.memories[row] = memory[:w] + reply.answer + memory[v:]
                if reply.error is not None or len(self.memories[row]) > self.machine.limits.memory:
                    failed.append(row)
            self.episodes[row].refused.append(is_refused)
        return failed

    def is_barred(self, callee: Skill | None, message: bytes, row: int) -> bool:
        """A student may call itself on a strictly shorter message only."""
        if callee is None or callee.name != self.student.name:
            return False
        return len(message) - 1 + callee.layout_length >= self.lengths[row]


def sample(
    machine: Machine, student: Decider, messages: Sequence[bytes], rng: np.random.Generator, steps: int
) -> list[Episode]:
    """One attempt at each message, of at most so many calls."""
    attempts = _Attempts(machine, student, messages)
    going = dict.fromkeys(range(len(messages)), student.root)
    for _ in range(steps + 1):
        if not going:
            break
        going = attempts.draw(attempts.group(going), rng)
    return attempts.episodes
