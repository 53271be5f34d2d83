"""Frames that move in lockstep, and what a machine remembers of a skill."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from reckoner.alphabet import View
from reckoner.machine.result import Refusal, Result
from reckoner.machine.trace import Step
from reckoner.skills.base import Decider, Decision, Recollection, Skill

Span = tuple[int, int]


class Move(NamedTuple):
    """A decision with its gaps resolved for one shape of memory."""

    module: int  # which callee; HALT: none
    read1: Span
    read2: Span
    write: Span
    decision: Decision


class Store:
    """What is known of one skill: what it answered, and how it decided.

    Nearly all answers are plain ones, so these are kept without a Result around them: that is half the work
    and, as the garbage collector need not look at bytes and numbers, less work later.
    """

    __slots__ = ("answers", "calls", "moves", "odd", "size")

    def __init__(self) -> None:
        self.answers: dict[Any, bytes | None] = {}  # by key; None: see `odd`
        self.calls: dict[Any, int] = {}  # calls below a plain answer; without an entry there were none
        self.odd: dict[Any, Result] = {}  # refused, failed, with a refusal below, or with a trace
        self.moves: dict[tuple[Recollection, bytes], Move] = {}  # by what was seen before, and shape
        self.size = 0  # bytes, roughly

    def __getitem__(self, key: Any) -> Result:
        answer = self.answers[key]
        return self.odd[key] if answer is None else Result(answer, self.calls.get(key, 0))

    def __setitem__(self, key: Any, result: Result) -> None:
        self.answers[key] = None
        self.odd[key] = result

    def drop(self, key: Any) -> None:
        """Forget an answer, if it is there."""
        self.answers.pop(key, None)
        self.odd.pop(key, None)


class Group:
    """Frames of one skill that have seen the same views and whose memories have one shape: parallel lists."""

    __slots__ = (
        "callee", "calls", "depth", "keys", "length", "memories", "move", "past", "refusals", "sampled",
        "shape", "skill", "steps", "view", "waiting", "wanted",
    )  # fmt: skip

    def __init__(self, skill: Decider, past: Recollection, shape: bytes, depth: int, length: int) -> None:
        self.skill = skill
        self.past = past
        self.shape = shape
        self.depth = depth
        self.length = length  # of the memory they started from
        self.sampled = False
        self.view: View | None = None
        self.move: Move | None = None  # the call under way
        self.callee: Skill | None = None
        self.wanted: list[Any] = []  # keys of the answers it waits for; none if all are refused
        self.waiting = 0  # how many of them are still to come
        self.keys: list[Any] = []
        self.memories: list[bytes] = []
        self.calls: list[int] = []
        self.refusals: list[Refusal | None] = []
        self.steps: list[list[Step]] = []  # empty without a trace

    def enter(self, keys: Sequence[Any], memories: Sequence[bytes], trace: bool) -> None:
        """New frames start here."""
        self.keys.extend(keys)
        self.memories.extend(memories)
        self.calls.extend([0] * len(keys))
        self.refusals.extend([None] * len(keys))
        if trace:
            self.steps.extend([] for _ in keys)

    def part(self, rows: Sequence[int], past: Recollection, shape: bytes, memories: Sequence[bytes]) -> Group:
        """A group of some of these frames, further on: the memories of all are given."""
        part = Group(self.skill, past, shape, self.depth, self.length)
        part.sampled = self.sampled
        part.keys = [self.keys[i] for i in rows]
        part.memories = [memories[i] for i in rows]
        part.calls = [self.calls[i] for i in rows]
        part.refusals = [self.refusals[i] for i in rows]
        if self.steps:
            part.steps = [self.steps[i] for i in rows]
        return part
