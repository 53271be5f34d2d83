"""The machine: runs skills on many memories at once.

A *frame* is a skill at work on its own memory. Frames of one skill that have seen the same views and whose
memories have one *shape* (all that a view depends on) take the same decisions, so they move in lockstep as one
`Group`. Groups that wait for a decision nobody remembers go through the network as one batch per skill, and a
message that several frames send is answered once. The call stack is the web of waiting groups: no Python
recursion, so depth is bounded by memory and not by the interpreter.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from reckoner.alphabet import View
from reckoner.errors import (
    CallLimit,
    DepthLimit,
    DidNotHalt,
    MemoryLimit,
    MessageRefused,
    ReckonerError,
    TimeLimit,
)
from reckoner.machine.trace import Call, Step, shorten
from reckoner.nn.config import HALT
from reckoner.skills.base import Answerer, Choice, Decider, Decision, Recollection, Skill, SkillSpec
from reckoner.skills.library import Library

Pair = tuple[str, str]
_BAR = b"|"  # joins the two reads of a message to its key; no memory holds it


@dataclass(frozen=True)
class Limits:
    """Budgets of one run; each ends in a typed error, so that even random weights always come to an end."""

    calls: int = 20_000_000  # calls per question, the remembered ones counted too
    depth: int = 100_000  # calls within calls
    memory: int = 1_000_000  # characters of one memory
    steps: int = 8  # calls per frame: no program here needs more than three
    seconds: float | None = None
    remembered: int = 1_000_000  # answers and moves kept before the caches are emptied


class Refusal(NamedTuple):
    """A call whose message was not accepted."""

    skill: str
    x: str
    y: str
    behind: int  # characters of the caller's memory behind the rightmost read


class Result(NamedTuple):
    """How a message was answered: `answer` is None if it was refused or `error` says why there is none."""

    answer: bytes | None
    calls: int = 0
    refusal: Refusal | None = None  # the first refused call below
    error: ReckonerError | None = None
    trace: Call | None = None


@dataclass(frozen=True)
class Outcome:
    """A question's result as the caller sees it."""

    answer: str | None
    error: ReckonerError | None
    calls: int
    refusal: Refusal | None
    trace: Call | None = None


@dataclass
class Episode:
    """A sampled run of one frame: what was seen and chosen, and the memory it ended with."""

    views: list[bytes]
    choices: list[Choice]
    refused: list[bool]
    answer: bytes | None  # None: a sub-call failed or it did not halt in time


class Move(NamedTuple):
    """A decision with its gaps resolved for one shape of memory."""

    callee: Skill | None  # None: halt
    read1: tuple[int, int]
    read2: tuple[int, int]
    write: tuple[int, int]
    decision: Decision


class Group:
    """Frames that move in lockstep, and what they are waiting for."""

    __slots__ = (
        "calls", "depth", "keys", "length", "memories", "move", "past", "refusals", "sampled", "shape",
        "skill", "steps", "view", "waiting", "wanted",
    )  # fmt: skip

    def __init__(self, skill: Decider, past: Recollection, shape: bytes, depth: int, length: int) -> None:
        self.skill = skill
        self.past = past
        self.shape = shape
        self.depth = depth
        self.length = length  # of the memory they started from
        self.sampled = False
        self.view: View | None = None
        self.move: Move | None = None
        self.wanted: list[Any] = []  # keys of the answers it waits for
        self.waiting = 0
        self.keys: list[Any] = []
        self.memories: list[bytes] = []
        self.calls: list[int] = []
        self.refusals: list[Refusal | None] = []
        self.steps: list[list[Any]] = []

    def split(self, past: Recollection, shape: bytes) -> Group:
        """An empty group for some of these frames, further on."""
        part = Group(self.skill, past, shape, self.depth, self.length)
        part.sampled = self.sampled
        return part

    def take(self, other: Group, row: int, memory: bytes) -> None:
        """Move one frame of another group here, with its new memory."""
        self.keys.append(other.keys[row])
        self.memories.append(memory)
        self.calls.append(other.calls[row])
        self.refusals.append(other.refusals[row])
        self.steps.append(other.steps[row])


class Machine:
    """Runs the skills of a library, and remembers what cannot change: decisions per view, answers per message."""

    def __init__(self, library: Library, limits: Limits | None = None, cache: bool = True) -> None:
        self.library = library
        self.limits = limits or Limits()
        self.cache = cache
        self.evaluations = 0  # decisions and basic answers that networks had to work out
        self._callees: WeakKeyDictionary[Skill, list[Skill | None]] = WeakKeyDictionary()
        self._answers: WeakKeyDictionary[Skill, dict[Any, Result]] = WeakKeyDictionary()

    def run(self, skill: Skill | str, pairs: Sequence[Pair], trace: bool = False) -> list[Outcome]:
        """Answer the messages with a skill, greedily."""
        chosen = self.library[skill] if isinstance(skill, str) else skill
        results = self.answer(chosen, [x.encode() + _BAR + y.encode() for x, y in pairs], trace)
        return [_outcome(r, self.limits, chosen.name) for r in results]

    def answer(self, skill: Skill, keys: Sequence[bytes], trace: bool = False) -> list[Result]:
        """As `run`, on keys (`x|y`) and with bare results."""
        self._trim()
        run = _Run(self, trace, budget=self.limits.calls * max(1, len(keys)))
        try:
            return run.answer(skill, keys)
        except TimeLimit as error:
            return [run.known(skill).get(key) or Result(None, error=error) for key in keys]
        except CallLimit as error:
            if len(keys) == 1:
                return [Result(None, error=error)]
        # one of them used up what was meant for all: each by itself then, with its own budget
        return [self.answer(skill, [key], trace)[0] for key in keys]

    def sample(
        self, skill: Decider, keys: Sequence[bytes], rng: np.random.Generator, steps: int
    ) -> list[Episode]:
        """Let a student try each message once, drawing its own decisions; the skills it calls stay greedy."""
        run = _Run(self, False, budget=self.limits.calls * max(1, len(keys)), rng=rng, steps=steps)
        return run.sample(skill, keys)

    def callees(self, skill: Decider) -> list[Skill | None]:
        """Who answers each of the skill's module choices (0 is HALT)."""
        found = self._callees.get(skill)
        if found is None:
            names = skill.spec.calls
            found = [None, *(skill.delegate if n == skill.name else self.library[n] for n in names)]
            self._callees[skill] = found
        return found

    def forget(self) -> None:
        """Empty all caches."""
        self._answers.clear()
        for skill in self.library:
            if isinstance(skill, Decider):
                skill.root.choices.clear()
                skill.root.moves.clear()

    def answers_of(self, skill: Skill) -> dict[Any, Result]:
        """The remembered answers of a skill."""
        found = self._answers.get(skill)
        if found is None:
            found = self._answers[skill] = {}
        return found

    def _trim(self) -> None:
        """Keep the caches bounded."""
        if sum(map(len, self._answers.values())) > self.limits.remembered:
            self.forget()


class _Run:
    """One run: the queues, and the answers it knows."""

    def __init__(
        self,
        machine: Machine,
        trace: bool,
        budget: int,
        rng: np.random.Generator | None = None,
        steps: int | None = None,
    ) -> None:
        self.machine = machine
        self.limits = machine.limits
        self.cache = machine.cache
        self.trace = trace
        self.rng = rng
        self.max_steps = machine.limits.steps
        self.sample_steps = steps or 0
        self.budget = budget
        self.deadline = None if self.limits.seconds is None else time.monotonic() + self.limits.seconds
        self.ready: deque[Group] = deque()
        self.arrivals: dict[tuple[Decider, bytes, int, Any], Group] = {}
        self.undecided: dict[Decider, list[Group]] = {}
        self.lookups: dict[Answerer, list[Any]] = {}
        self.flying: dict[tuple[Skill, Any], list[Group]] = {}  # messages under way and who waits for them
        self.local: dict[Skill, dict[Any, Result]] = {}
        self.failed: list[tuple[Skill, Any]] = []  # errors may depend on where they arose: not remembered
        self.episodes: dict[Any, Episode] = {}
        self.serial = 0

    # --- the two ways in ---

    def answer(self, skill: Skill, keys: Sequence[bytes]) -> list[Result]:
        known = self.known(skill)
        wanted = self._unique(keys)
        missing = [k for k in dict.fromkeys(wanted) if k not in known]
        try:
            self._submit(skill, missing, 0, None)
            self._work()
            return [known[k] for k in wanted]
        finally:
            for callee, key in self.failed:
                self.known(callee).pop(key, None)

    def sample(self, skill: Decider, keys: Sequence[bytes]) -> list[Episode]:
        """As `answer`; every frame of the student is an episode of its own."""
        for number, key in enumerate(keys):
            x, _, y = key.partition(_BAR)
            memory = skill.lay_out(x, y)
            self._arrive(skill, number, memory, 0, None, sampled=True)
            self.episodes[number] = Episode([], [], [], None)
        self._work()
        return list(self.episodes.values())

    # --- the loop ---

    def _work(self) -> None:
        """Until nothing is left: move groups on, then start what they called, then ask the networks."""
        while True:
            while self.ready:
                group = self.ready.popleft()
                if group.move is not None:
                    self._receive(group)
                else:
                    self._step(group)
            if self.deadline is not None and time.monotonic() > self.deadline:
                raise TimeLimit(f"no answer within {self.limits.seconds:g} seconds")
            if self.arrivals:
                self.ready.extend(self.arrivals.values())
                self.arrivals.clear()
            elif self.lookups:
                self._look_up()
            elif self.undecided:
                self._decide()
            else:
                return

    def _step(self, group: Group) -> None:
        """Carry out the decision for this group's shape, or queue for the network."""
        if self.cache and not group.sampled:
            move = group.past.moves.get(group.shape)
            if move is not None:
                self._carry_out(group, move)
                return
        group.view = group.skill.spec.perception.view(group.shape)
        if self.cache and not group.sampled:
            decision = group.past.choices.get(group.view.tokens)
            if decision is not None:
                self._carry_out(group, self._resolve(group, decision))
                return
        self.undecided.setdefault(group.skill, []).append(group)

    def _decide(self) -> None:
        """Ask the networks for all decisions that are waiting, one batch per skill and way of choosing."""
        waiting, self.undecided = self.undecided, {}
        for skill, groups in waiting.items():
            greedy = [g for g in groups if not g.sampled]
            sampled = [g for g in groups if g.sampled]
            if greedy:
                self._decide_greedily(skill, greedy)
            if sampled:
                requests = [(g.past, g.view.tokens, len(g.keys)) for g in sampled if g.view]
                for group, decisions in zip(sampled, skill.decide(requests, self.rng), strict=True):
                    self._part_ways(group, decisions)

    def _decide_greedily(self, skill: Decider, groups: list[Group]) -> None:
        if self.cache:
            requests = list(dict.fromkeys((g.past, g.view.tokens, 1) for g in groups if g.view))
        else:
            requests = [(g.past, g.view.tokens, 1) for g in groups if g.view]
        self.machine.evaluations += len(requests)
        decided = [d[0] for d in skill.decide(requests)]
        if self.cache:
            for (past, view, _), decision in zip(requests, decided, strict=True):
                past.choices[view] = decision
            decided = [g.past.choices[g.view.tokens] for g in groups if g.view]
        for group, decision in zip(groups, decided, strict=True):
            self._carry_out(group, self._resolve(group, decision))

    def _part_ways(self, group: Group, decisions: list[Decision]) -> None:
        """Sampled frames that chose differently go on separately."""
        assert group.view is not None
        parts: dict[Choice, Group] = {}
        for row, decision in enumerate(decisions):
            episode = self.episodes[group.keys[row]]
            episode.views.append(group.view.tokens)
            episode.choices.append(decision.choice)
            part = parts.get(decision.choice)
            if part is None:
                part = parts[decision.choice] = group.split(group.past, group.shape)
                part.view = group.view
                part.move = self._resolve(part, decision)
            part.take(group, row, group.memories[row])
        for part in parts.values():
            move, part.move = part.move, None
            assert move is not None
            self._carry_out(part, move)

    def _resolve(self, group: Group, decision: Decision) -> Move:
        """The move that a decision means for this group's shape."""
        assert group.view is not None
        callee = self.machine.callees(group.skill)[decision.choice[0]]
        gaps = group.view.gaps
        a, b, c, d, w, v = (gaps[i] for i in decision.choice[1:])
        halts = decision.choice[0] == HALT
        move = Move(None if halts else callee or _NOBODY, (a, b), (c, d), (w, v), decision)
        if self.cache and not group.sampled:
            group.past.moves[group.shape] = move
        return move

    # --- calling ---

    def _carry_out(self, group: Group, move: Move) -> None:
        """Halt, or send the message and wait for the answers."""
        callee = move.callee
        if callee is None:
            self._finish(group)
            return
        group.move = move
        (a, b), (c, d) = move.read1, move.read2
        if callee.name == group.skill.name and b - a + d - c + callee.layout_length >= group.length:
            group.wanted = []  # a skill may call itself on a strictly shorter message only
            self._receive(group)
            return
        wanted = [m[a:b] + _BAR + m[c:d] for m in group.memories]
        if not self.cache:
            wanted = self._unique(wanted)
        group.wanted = wanted
        known = self.known(callee)
        missing = [k for k in dict.fromkeys(wanted) if k not in known]
        if missing:
            group.waiting = len(missing)
            self._submit(callee, missing, group.depth + 1, group)
            if group.waiting:
                return
        self._receive(group)

    def _submit(self, skill: Skill, keys: list[Any], depth: int, waiter: Group | None) -> None:
        """Have these messages answered, each once; refused ones are answered on the spot."""
        known = self.known(skill)
        basic = isinstance(skill, Answerer)
        for key in keys:
            waiters = self.flying.get((skill, key))
            if waiters is not None:
                if waiter is not None:
                    waiters.append(waiter)
                continue
            x, _, y = self._bare(key).partition(_BAR)
            if not skill.is_accepted(x, y):
                known[key] = Result(None, trace=self._call(skill, key, (), None))
                if waiter is not None:
                    waiter.waiting -= 1
                continue
            if depth > self.limits.depth:
                error = DepthLimit(f"calls are nested deeper than {self.limits.depth:,}, last in {skill.name!r}")
                known[key] = Result(None, error=error, trace=self._call(skill, key, (), None))
                self.failed.append((skill, key))
                if waiter is not None:
                    waiter.waiting -= 1
                continue
            self.budget -= 1
            self.flying[skill, key] = [] if waiter is None else [waiter]
            if basic:
                self.lookups.setdefault(skill, []).append(key)
            else:
                self._arrive(skill, key, skill.lay_out(x, y), depth, None if self.cache else key)
        if self.budget < 0:
            raise CallLimit(f"more than {self.limits.calls:,} calls, last in skill {skill.name!r}")

    def _arrive(
        self, skill: Decider, key: Any, memory: bytes, depth: int, alone: Any, sampled: bool = False
    ) -> None:
        """A new frame joins those of its shape that start in this round."""
        shape = skill.spec.perception.shape(memory)
        group = self.arrivals.get((skill, shape, depth, alone))
        if group is None:
            group = Group(skill, skill.root, shape, depth, len(memory))
            group.sampled = sampled
            self.arrivals[skill, shape, depth, alone] = group
        group.keys.append(key)
        group.memories.append(memory)
        group.calls.append(0)
        group.refusals.append(None)
        group.steps.append([])

    def _look_up(self) -> None:
        """Have basic skills answer all that waits, one batch per skill."""
        waiting, self.lookups = self.lookups, {}
        for skill, keys in waiting.items():
            memories = [skill.lay_out(*_halves(self._bare(k))) for k in keys]
            self.machine.evaluations += len(keys)
            for key, answer in zip(keys, skill.answer(memories), strict=True):
                self._settle(skill, key, Result(answer, 0, trace=self._call(skill, key, (), answer)))

    def _settle(self, skill: Skill, key: Any, result: Result) -> None:
        """Note an answer and wake those whose last open question it was."""
        self.known(skill)[key] = result
        for waiter in self.flying.pop((skill, key), ()):
            waiter.waiting -= 1
            if not waiter.waiting:
                self.ready.append(waiter)

    # --- answers come back ---

    def _receive(self, group: Group) -> None:
        """Write the answers into the memories and regroup by the new shapes."""
        move, group.move = group.move, None
        assert move is not None and move.callee is not None
        if group.wanted:
            known = self.known(move.callee)
            results = [known[k] for k in group.wanted]
        else:
            results = [_REFUSED] * len(group.keys)
        w, v = move.write
        plain = True
        memories = []
        for memory, result in zip(group.memories, results, strict=True):
            if result[0] is None:
                plain = False
                memories.append(memory)
            else:
                memories.append(memory[:w] + result[0] + memory[v:])
        group.calls = [c + 1 + r[1] for c, r in zip(group.calls, results, strict=True)]
        if self.trace:
            self._record(group, move, results, memories)
        if not plain or group.sampled or any(r[2] is not None for r in results):
            self._note_refusals(group, move, results)
        self._go_on(group, move.decision.recollection, memories, results if not plain else [])

    def _go_on(self, group: Group, past: Recollection, memories: list[bytes], results: list[Result]) -> None:
        """Frames whose memories still look alike stay together; failed ones end here."""
        perception = group.skill.spec.perception
        steps = self.sample_steps if group.sampled else self.max_steps
        parts: dict[bytes, Group] = {}
        for row, memory in enumerate(memories):
            error = results[row].error if results else None
            if error is None and len(memory) > self.limits.memory:
                error = MemoryLimit(f"a memory of {group.skill.name!r} grew beyond {self.limits.memory:,} characters")
            if error is None and past.depth > steps:
                seen = shorten(memory.decode(), 60)
                error = DidNotHalt(f"skill {group.skill.name!r} did not halt in {steps} steps; its memory is {seen!r}")
            if error is not None:
                self._fail(group, row, error)
                continue
            shape = perception.shape(memory)
            part = parts.get(shape)
            if part is None:
                part = parts[shape] = group.split(past, shape)
            part.take(group, row, memory)
        self.ready.extend(parts.values())

    def _finish(self, group: Group) -> None:
        """HALT: the memories are the answers."""
        for row, memory in enumerate(group.memories):
            key = group.keys[row]
            if group.sampled:
                self.episodes[key].answer = memory
                continue
            trace = self._call(group.skill, key, tuple(group.steps[row]), memory)
            result = Result(memory, group.calls[row], group.refusals[row], None, trace)
            self._settle(group.skill, key, result)

    def _fail(self, group: Group, row: int, error: ReckonerError) -> None:
        key = group.keys[row]
        if not group.sampled:
            trace = self._call(group.skill, key, tuple(group.steps[row]), None)
            self.failed.append((group.skill, key))
            self._settle(group.skill, key, Result(None, group.calls[row], group.refusals[row], error, trace))

    def _note_refusals(self, group: Group, move: Move, results: list[Result]) -> None:
        """Remember the first refusal below each frame; a student hears of its own at once."""
        (a, b), (c, d) = move.read1, move.read2
        assert move.callee is not None
        for row, result in enumerate(results):
            refused = result.answer is None and result.error is None
            if group.sampled:
                self.episodes[group.keys[row]].refused.append(refused)
            elif group.refusals[row] is None:
                memory = group.memories[row]
                if refused:
                    x, y = memory[a:b].decode(), memory[c:d].decode()
                    group.refusals[row] = Refusal(move.callee.name, x, y, len(memory) - max(b, d))
                else:
                    group.refusals[row] = result.refusal

    # --- small helpers ---

    def known(self, skill: Skill) -> dict[Any, Result]:
        """Answers this run may use: remembered ones, or with a trace or without cache only its own."""
        if self.cache and not self.trace:
            return self.machine.answers_of(skill)
        return self.local.setdefault(skill, {})

    def _unique(self, keys: Sequence[bytes]) -> list[Any]:
        """Keys that are never equal to another's, when nothing may be shared."""
        if self.cache:
            return list(keys)
        self.serial += 1
        return [(key, self.serial, i) for i, key in enumerate(keys)]

    def _bare(self, key: Any) -> bytes:
        return key if self.cache else key[0]

    def _call(self, skill: Skill, key: Any, steps: tuple[Step, ...], answer: bytes | None) -> Call | None:
        if not self.trace:
            return None
        x, y = _halves(self._bare(key))
        memory = skill.lay_out(x, y).decode()
        return Call(skill.name, x.decode(), y.decode(), memory, steps, None if answer is None else answer.decode())

    def _record(self, group: Group, move: Move, results: list[Result], memories: list[bytes]) -> None:
        (a, b), (c, d) = move.read1, move.read2
        callee = move.callee
        assert callee is not None
        for row, result in enumerate(results):
            before = group.memories[row]
            call = result.trace
            if call is None:
                x, y = before[a:b], before[c:d]
                call = Call(callee.name, x.decode(), y.decode(), callee.lay_out(x, y).decode(), (), None)
            refused = result.answer is None and result.error is None
            step = Step(
                call, move.read1, move.read2, move.write, refused,
                before.decode(), memories[row].decode(), move.decision.probability,
            )  # fmt: skip
            group.steps[row].append(step)


class _Nobody(Skill):
    """Stands where a student without a snapshot calls itself: refuses everything."""

    def is_accepted(self, x: bytes, y: bytes) -> bool:
        return False

    @property
    def tensors(self) -> dict[str, Any]:
        return {}


def _halves(key: bytes) -> tuple[bytes, bytes]:
    x, _, y = key.partition(_BAR)
    return x, y


def _outcome(result: Result, limits: Limits, name: str) -> Outcome:
    """A result in the caller's terms."""
    error = result.error
    if error is None and result.calls > limits.calls:
        error = CallLimit(f"more than {limits.calls:,} calls in skill {name!r}")
    if error is None and result.answer is None:
        error = MessageRefused(f"skill {name!r} does not accept this message")
    answer = None if result.answer is None or error is not None else result.answer.decode()
    return Outcome(answer, error, result.calls, result.refusal, result.trace)


_NOBODY = _Nobody(SkillSpec("nobody", "{x},{y}", ".*", ".*"))
_REFUSED = Result(None)
