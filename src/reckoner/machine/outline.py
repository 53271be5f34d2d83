"""Traces in parts: a skill's own frames step by step, and of the calls it makes of others only answer and count.

Skills are deterministic, so whatever is left out can be run afresh from its message when somebody looks at it. A
100-digit multiplication is 85,000 calls; its outline, and the outline of any call in it, has some hundred.
"""

from __future__ import annotations

from collections.abc import Sequence

from reckoner.machine.definition import Definition, Networks, Return
from reckoner.machine.limits import Limits
from reckoner.machine.machine import Machine
from reckoner.machine.message import join, split
from reckoner.machine.outcome import Reply
from reckoner.skills.base import Skill
from reckoner.skills.library import Library

_MOST = 200_000  # decisions that are remembered from one trace to the next


class OutlineMachine(Machine):
    """A machine whose traces are outlines."""

    def __init__(self, library: Library, limits: Limits | None = None) -> None:
        super().__init__(library, limits)
        self._networks = Networks(remember=True)

    def _follow_definition(self, skill: Skill, messages: Sequence[bytes], trace: bool) -> list[Reply]:
        if self._networks.remembered > _MOST:
            self._networks = Networks(remember=True)
        before = self._networks.evaluations
        skill = skill.wake()
        replies = []
        for message in messages:
            outline = _Outline(self, skill, self._networks)
            try:
                replies.append(outline.answer(skill, *split(message)))
            except MemoryError:
                replies.append(Reply(None, outline.calls, error=self.limits.too_big(skill.name)))
        self.evaluations += self._networks.evaluations - before
        return replies


class _Outline(Definition):
    """As the definition says for the skill that was asked; all others are left to the fast machine."""

    def __init__(self, machine: OutlineMachine, skill: Skill, networks: Networks) -> None:
        super().__init__(machine.callees, machine.limits, networks, trace=True)
        self.machine = machine
        self.asked = skill.name

    def call(self, skill: Skill, x: bytes, y: bytes) -> Return | None:
        """Send a message."""
        if skill.name == self.asked:
            return super().call(skill, x, y)
        [reply] = self.machine.answer(skill, [join(x, y)])
        if reply.error is not None:
            raise reply.error
        self.calls += reply.calls
        if self.refusal is None:
            self.refusal = reply.refusal
        return Return(reply.answer, self.describe(skill, x, y, reply.answer, reply.calls))
