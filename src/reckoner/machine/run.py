"""One run of the machine: many memories at once.

A *frame* is a skill at work on its own memory. Frames of one skill that have seen the same views and whose
memories have one *shape* (all that a view depends on) take the same decisions, so they move in lockstep as
one `Group`. Groups that wait for a decision nobody remembers go through the network as one batch per skill,
and a message that several frames send is answered once. The call stack is the web of waiting groups: no
Python recursion, so depth is bounded by memory and not by the interpreter.

What is to be done for each frame is done for a whole list at a time: that, and not the networks, is where the
time of a warm calculator goes.
"""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from reckoner.errors import CallLimit, DepthLimit, DidNotHalt, MemoryLimit, ReckonerError, TimeLimit
from reckoner.machine.group import Group, Move, Store
from reckoner.machine.result import Episode, Refusal, Result
from reckoner.machine.text import read_all, write_all
from reckoner.machine.trace import Call, Step, shorten
from reckoner.nn.config import HALT
from reckoner.skills.base import BAR, Answerer, Choice, Decider, Decision, Recollection, Skill, SkillSpec

if TYPE_CHECKING:
    from reckoner.machine.machine import Machine

_REFUSED = Result(None)
_ENTRY = 300  # bytes that an entry of a cache takes beside its characters
_NOTHING = "(?!)"  # a pattern that matches nothing


class _Nobody(Skill):
    """Stands where a student without a snapshot calls itself: refuses everything."""

    @property
    def tensors(self) -> dict[str, Any]:
        return {}


_NOBODY = _Nobody(SkillSpec("nobody", "{x},{y}", _NOTHING, _NOTHING))


class Run:
    """The queues of one run, and the answers it knows.

    A key is a message `x|y`. Without a cache nothing may be shared, so keys are then (message, number,
    number) and never equal.
    """

    def __init__(
        self,
        machine: Machine,
        trace: bool,
        budget: int,
        deadline: float | None,
        rng: np.random.Generator | None = None,
        steps: int = 0,
    ) -> None:
        self.machine = machine
        self.limits = machine.limits
        self.cache = machine.cache
        self.trace = trace
        self.budget = budget
        self.deadline = deadline
        self.rng = rng
        self.sample_steps = steps
        self.ready: deque[Group] = deque()  # groups that can go on at once
        self.arrivals: dict[tuple[Decider, bytes, int, Any], Group] = {}
        self.undecided: dict[Decider, list[Group]] = {}
        self.drawing: list[Group] = []  # sampled frames that wait for a decision
        self.lookups: dict[Answerer, list[Any]] = {}
        self.flying: dict[Skill, dict[Any, Group | None]] = defaultdict(dict)  # under way, and who asked
        self.late: dict[tuple[Skill, Any], list[Group]] = {}  # who else waits for a message under way
        self.failed: list[tuple[Skill, Any]] = []
        self.episodes: dict[Any, Episode] = {}
        self.serial = 0
        self._callees: dict[Skill, list[Skill | None]] = {}
        self._stores: dict[Skill, Store] = {}
        self._known: dict[Skill, Store] = {}

    # --- the two ways in ---

    def answer(self, skill: Skill, keys: Sequence[bytes]) -> list[Result]:
        """The result of each message; those not worked out when the time runs out say so."""
        known = self.known(skill)
        wanted = self._unique(keys)
        missing = [k for k in dict.fromkeys(wanted) if k not in known.answers]
        try:
            self._submit_first(skill, missing)
            self._work()
            return [known[k] for k in wanted]
        except TimeLimit as error:
            late = Result(None, error=error)
            return [known[k] if k in known.answers else late for k in wanted]
        finally:
            self._forget_failures()

    def sample(self, skill: Decider, keys: Sequence[bytes]) -> list[Episode]:
        """As `answer`; every frame of the student is an episode of its own."""
        self.episodes = {number: Episode([], [], [], None) for number in range(len(keys))}
        self._arrive(skill, range(len(keys)), keys, 0, sampled=True)
        try:
            self._work()
        finally:
            self._forget_failures()
        return list(self.episodes.values())

    def _submit_first(self, skill: Skill, keys: list[Any]) -> None:
        """Submit what comes from outside; messages that are too long by themselves, for they fail at once."""
        most = self.limits.memory + len(BAR) - skill.layout_length
        sizes = list(map(len, self._bare(keys)))
        together = [[k for k, size in zip(keys, sizes, strict=True) if size <= most]]
        for chosen in together + [[k] for k, size in zip(keys, sizes, strict=True) if size > most]:
            if chosen:
                self._submit(skill, chosen, 0, None)

    def _forget_failures(self) -> None:
        """Errors may depend on where they arose, so they are not remembered."""
        for skill, key in self.failed:
            self.known(skill).drop(key)

    # --- the loop ---

    def _work(self) -> None:
        """Until nothing is left: move groups on, then start what they called, then ask the networks."""
        while True:
            while self.ready:
                group = self.ready.popleft()
                if group.move is not None:
                    self._receive(group, group.move)
                else:
                    self._step(group)
            if self.deadline is not None and time.monotonic() > self.deadline:
                raise TimeLimit(f"no answer within {self.limits.seconds:g} seconds; {self._whereabouts()}")
            if self.arrivals:
                self.ready.extend(self.arrivals.values())
                self.arrivals.clear()
            elif self.lookups:
                self._look_up()
            elif self.undecided:
                self._decide()
            elif self.drawing:
                self._draw()
            else:
                return

    def _whereabouts(self) -> str:
        skills: list[Skill] = [key[0] for key in self.arrivals]
        skills += [*self.lookups, *self.undecided, *(group.skill for group in self.drawing)]
        return f"last in skill {skills[0].name!r}" if skills else "nothing was left to do"

    # --- deciding ---

    def _step(self, group: Group) -> None:
        """Carry out the decision for this group's shape, or queue for the network."""
        remembers = self.cache and not group.sampled
        if remembers:
            move = self._store(group.skill).moves.get((group.past, group.shape))
            if move is not None:
                self._carry_out(group, move)
                return
        group.view = group.skill.spec.perception.view(group.shape)
        decision = group.past.choices.get(group.view.tokens) if remembers else None
        if decision is not None:
            self._carry_out(group, self._resolve(group, decision))
        elif group.sampled:
            self.drawing.append(group)
        else:
            self.undecided.setdefault(group.skill, []).append(group)

    def _decide(self) -> None:
        """Ask the networks for all greedy decisions that are waiting, one batch per skill."""
        waiting, self.undecided = self.undecided, {}
        for skill, groups in waiting.items():
            self._decide_for(skill, groups)

    def _draw(self) -> None:
        """Let the student draw for all its frames, when all that they called is answered.

        So every frame has made the same number of decisions, and what is drawn does not depend on what
        happened to be remembered.
        """
        groups, self.drawing = sorted(self.drawing, key=lambda g: g.keys[0]), []
        requests = [(g.past, g.view.tokens, len(g.keys)) for g in groups if g.view]
        for group, decisions in zip(groups, groups[0].skill.decide(requests, self.rng), strict=True):
            self._part_ways(group, decisions)

    def _decide_for(self, skill: Decider, groups: list[Group]) -> None:
        requests = [(g.past, g.view.tokens, 1) for g in groups if g.view]
        asked = list(dict.fromkeys(requests)) if self.cache else requests
        self.machine.evaluations += len(asked)
        decided = [d[0] for d in skill.decide(asked)]
        if self.cache:
            store = self._store(skill)
            for (past, view, _), decision in zip(asked, decided, strict=True):
                past.choices[view] = decision
                store.size += len(view) + decision.recollection.hidden.nbytes + _ENTRY
            fresh = dict(zip(asked, decided, strict=True))
            decided = [fresh[r] for r in requests]
        for group, decision in zip(groups, decided, strict=True):
            self._carry_out(group, self._resolve(group, decision))

    def _part_ways(self, group: Group, decisions: list[Decision]) -> None:
        """Sampled frames that chose differently go on separately."""
        assert group.view is not None
        rows: dict[Choice, list[int]] = defaultdict(list)
        for row, decision in enumerate(decisions):
            episode = self.episodes[group.keys[row]]
            episode.views.append(group.view.tokens)
            episode.choices.append(decision.choice)
            rows[decision.choice].append(row)
        for chosen in rows.values():
            part = group.part(chosen, group.past, group.shape, group.memories)
            self._carry_out(part, self._resolve(group, decisions[chosen[0]]))

    def _resolve(self, group: Group, decision: Decision) -> Move:
        """The move that a decision means for this group's shape."""
        assert group.view is not None
        gaps = group.view.gaps
        a, b, c, d, w, v = (gaps[i] for i in decision.choice[1:])
        move = Move(decision.choice[0], (a, b), (c, d), (w, v), decision)
        if self.cache and not group.sampled:
            store = self._store(group.skill)
            store.moves[group.past, group.shape] = move
            store.size += len(group.shape) + _ENTRY
        return move

    # --- calling ---

    def _carry_out(self, group: Group, move: Move) -> None:
        """Halt, or send the message and wait for the answers."""
        if move.module == HALT:
            self._finish(group)
            return
        callee, (a, b), (c, d) = self._callee(group.skill, move.module), move.read1, move.read2
        group.move, group.callee, group.wanted = move, callee, []
        # a skill may call itself on a strictly shorter message only
        if callee.name != group.skill.name or b - a + d - c + callee.layout_length < group.length:
            group.wanted = wanted = self._unique(read_all(group.memories, move.read1, move.read2))
            known = self.known(callee).answers
            missing = [k for k in dict.fromkeys(wanted) if k not in known]
            if missing:
                group.waiting = len(missing)
                self._submit(callee, missing, group.depth + 1, group)
                if group.waiting:
                    return
        self._receive(group, move)

    def _submit(self, skill: Skill, keys: list[Any], depth: int, waiter: Group | None) -> None:
        """Have these messages answered, each once; refused ones are answered on the spot."""
        flying = self.flying[skill]
        if flying:
            keys = self._join(skill, keys, waiter)
        messages = self._bare(keys)
        if not skill.accepts_all(messages):
            keys = self._refuse(skill, keys, waiter)
            messages = self._bare(keys)
        if not keys or self._is_beyond_limits(skill, keys, messages, depth, waiter):
            return
        flying.update(dict.fromkeys(keys, waiter))
        self.budget -= len(keys)
        if self.budget < 0:
            raise CallLimit(f"more than {self.limits.calls:,} calls, last in skill {skill.name!r}")
        if skill.answers_at_once:
            self.lookups.setdefault(cast(Answerer, skill), []).extend(keys)
        else:
            self._arrive(cast(Decider, skill), keys, messages, depth)

    def _join(self, skill: Skill, keys: list[Any], waiter: Group | None) -> list[Any]:
        """Wait for those messages that are under way already; returns the others."""
        flying = self.flying[skill]
        others = [k for k in keys if k not in flying]
        if waiter is not None and len(others) < len(keys):
            for key in keys:
                if key in flying:
                    self.late.setdefault((skill, key), []).append(waiter)
        return others

    def _refuse(self, skill: Skill, keys: list[Any], waiter: Group | None) -> list[Any]:
        """Answer the messages that the skill does not accept; returns the others."""
        known, accepted = self.known(skill), []
        for key, message in zip(keys, self._bare(keys), strict=True):
            if skill.accepts_all([message]):
                accepted.append(key)
            else:
                trace = self._call(skill, message, (), None) if self.trace else None
                known[key] = Result(None, trace=trace)
        if waiter is not None:
            waiter.waiting -= len(keys) - len(accepted)
        known.size += _ENTRY * (len(keys) - len(accepted))
        return accepted

    def _is_beyond_limits(
        self, skill: Skill, keys: list[Any], messages: Sequence[bytes], depth: int, waiter: Group | None
    ) -> bool:
        """Whether these frames must not even start; then they have failed.

        Messages of one group are equally long; those from outside that are too long come one by one.
        Whoever asks for one of them from less deep in this run gets the error too: it is the run's limit.
        """
        limits = self.limits
        error: ReckonerError
        if depth > limits.depth:
            error = DepthLimit(f"calls are nested deeper than {limits.depth:,}, last in skill {skill.name!r}")
        elif len(messages[0]) - len(BAR) + skill.layout_length > limits.memory:
            error = MemoryLimit(f"a memory of {skill.name!r} would exceed {limits.memory:,} characters")
        else:
            return False
        known = self.known(skill)
        for key, message in zip(keys, messages, strict=True):
            trace = self._call(skill, message, (), None) if self.trace else None
            known[key] = Result(None, error=error, trace=trace)
            self.failed.append((skill, key))
        if waiter is not None:
            waiter.waiting -= len(keys)
        return True

    def _arrive(
        self,
        skill: Decider,
        keys: Sequence[Any],
        messages: Sequence[bytes],
        depth: int,
        sampled: bool = False,
    ) -> None:
        """New frames join those of their shape that start in this round."""
        memories = skill.lay_out_all(messages)
        perception = skill.spec.perception
        shape = perception.alike(memories) if self.cache else None
        if shape is not None:
            self._find_arrivals(skill, shape, depth, None, sampled).enter(keys, memories, self.trace)
            return
        for key, memory, shape in zip(keys, memories, perception.shapes(memories), strict=True):
            alone = None if self.cache or sampled else key
            group = self._find_arrivals(skill, shape, depth, alone, sampled)
            group.enter([key], [memory], self.trace)

    def _find_arrivals(self, skill: Decider, shape: bytes, depth: int, alone: Any, sampled: bool) -> Group:
        group = self.arrivals.get((skill, shape, depth, alone))
        if group is None:
            group = Group(skill, skill.root, shape, depth, len(shape))
            group.sampled = sampled
            self.arrivals[skill, shape, depth, alone] = group
        return group

    def _look_up(self) -> None:
        """Have basic skills answer all that waits, one batch per skill."""
        waiting, self.lookups = self.lookups, {}
        for skill, keys in waiting.items():
            messages = self._bare(keys)
            self.machine.evaluations += len(keys)
            answers = skill.answer(skill.lay_out_all(messages))
            known = self.known(skill)
            known.answers.update(zip(keys, answers, strict=True))
            known.size += (len(keys[0]) + _ENTRY) * len(keys)
            if self.trace:
                for key, message, answer in zip(keys, messages, answers, strict=True):
                    known[key] = Result(answer, trace=self._call(skill, message, (), answer))
            self._wake_all(skill, keys)

    def _wake_all(self, skill: Skill, keys: Sequence[Any]) -> None:
        """These are answered: go on with whoever waited for nothing else."""
        flying = self.flying[skill]
        waiters = list(map(flying.pop, keys))
        first = waiters[0]
        if waiters.count(first) == len(waiters):
            self._wake(first, len(keys))
        else:
            for waiter in waiters:
                self._wake(waiter, 1)
        if self.late:
            for key in keys:
                for waiter in self.late.pop((skill, key), ()):
                    self._wake(waiter, 1)

    def _wake(self, waiter: Group | None, count: int) -> None:
        if waiter is not None:
            waiter.waiting -= count
            if not waiter.waiting:
                self.ready.append(waiter)

    # --- answers come back ---

    def _receive(self, group: Group, move: Move) -> None:
        """Write the answers into the memories and go on."""
        assert group.callee is not None
        group.move = None
        known, past, (w, v) = self.known(group.callee), move.decision.recollection, move.write
        answers: list[Any] = [known.answers[k] for k in group.wanted]
        if not answers or group.sampled or (known.odd and None in answers):
            self._receive_odd(group, move, [known[k] for k in group.wanted])
            return
        memories = write_all(group.memories, answers, move.write)
        if known.calls:
            calls = known.calls
            group.calls = [c + 1 + calls[k] for c, k in zip(group.calls, group.wanted, strict=True)]
        else:  # a basic skill
            group.calls = [c + 1 for c in group.calls]
        written = group.skill.spec.perception.alike(answers)
        if written is not None and past.depth <= self.limits.steps:
            shape = group.shape[:w] + written + group.shape[v:]
            if len(shape) <= self.limits.memory:  # all still look alike
                group.past, group.shape, group.memories = past, shape, memories
                self.ready.append(group)
                return
        self._regroup(group, past, memories, ())

    def _receive_odd(self, group: Group, move: Move, results: list[Result]) -> None:
        """As `_receive`, where a call was refused or failed, or someone wants to hear more than answers."""
        w, v = move.write
        results = results or [_REFUSED] * len(group.keys)
        pairs = list(zip(group.memories, results, strict=True))
        memories = [m if r.answer is None else m[:w] + r.answer + m[v:] for m, r in pairs]
        group.calls = [c + 1 + r.calls for c, r in zip(group.calls, results, strict=True)]
        if self.trace:
            self._record(group, move, results, memories)
        self._note_refusals(group, move, results)
        self._regroup(group, move.decision.recollection, memories, [r.error for r in results])

    def _regroup(
        self, group: Group, past: Recollection, memories: list[bytes], errors: Sequence[ReckonerError | None]
    ) -> None:
        """Frames whose memories look alike stay together; failed ones (if there are `errors`) end here."""
        rows: dict[bytes, list[int]] = defaultdict(list)
        for row, shape in enumerate(group.skill.spec.perception.shapes(memories)):
            rows[shape].append(row)
        for shape, members in rows.items():
            fault = self._find_fault(group, past, memories[members[0]])
            if fault is not None or any(errors):
                problems = {row: error for row in members if (error := (errors and errors[row]) or fault)}
                for row, error in problems.items():
                    self._fail(group, row, error)
                members = [row for row in members if row not in problems]
            if members:
                self.ready.append(group.part(members, past, shape, memories))

    def _find_fault(self, group: Group, past: Recollection, memory: bytes) -> ReckonerError | None:
        """The limit that a frame has run into, if any."""
        name, limits = group.skill.name, self.limits
        if len(memory) > limits.memory:
            return MemoryLimit(f"a memory of {name!r} grew beyond {limits.memory:,} characters")
        steps = self.sample_steps if group.sampled else limits.steps
        if past.depth > steps:
            seen = shorten(memory.decode(), 60)
            return DidNotHalt(f"skill {name!r} did not halt in {steps} steps; its memory is {seen!r}")
        return None

    def _finish(self, group: Group) -> None:
        """HALT: the memories are the answers."""
        if group.sampled:
            for key, memory in zip(group.keys, group.memories, strict=True):
                self.episodes[key].answer = memory
            return
        skill, known = group.skill, self.known(group.skill)
        known.answers.update(zip(group.keys, group.memories, strict=True))
        known.calls.update(zip(group.keys, group.calls, strict=True))
        known.size += (group.length + len(group.shape) + _ENTRY) * len(group.keys)
        if self.trace or any(group.refusals):
            for row, key in enumerate(group.keys):
                if self.trace or group.refusals[row]:
                    known[key] = self._odd_result(group, row, group.memories[row], None)
        self._wake_all(skill, group.keys)

    def _fail(self, group: Group, row: int, error: ReckonerError) -> None:
        if not group.sampled:
            key = group.keys[row]
            self.known(group.skill)[key] = self._odd_result(group, row, None, error)
            self.failed.append((group.skill, key))
            self._wake_all(group.skill, [key])

    def _odd_result(
        self, group: Group, row: int, answer: bytes | None, error: ReckonerError | None
    ) -> Result:
        trace = None
        if self.trace:
            trace = self._call(group.skill, self._bare([group.keys[row]])[0], group.steps[row], answer)
        return Result(answer, group.calls[row], group.refusals[row], error, trace)

    def _note_refusals(self, group: Group, move: Move, results: list[Result]) -> None:
        """Remember the first refusal below each frame; a student hears of its own at once."""
        (a, b), (c, d) = move.read1, move.read2
        assert group.callee is not None
        for i, (answer, _, refusal, error, _) in enumerate(results):
            refused = answer is None and error is None
            if group.sampled:
                self.episodes[group.keys[i]].refused.append(refused)
            elif group.refusals[i] is None:
                if refused:
                    memory = group.memories[i]
                    refusal = Refusal(group.callee.name, memory[a:b].decode(), memory[c:d].decode())
                group.refusals[i] = refusal

    # --- small helpers ---

    def known(self, skill: Skill) -> Store:
        """Answers this run may use: remembered ones, or with a trace or without cache only its own."""
        found = self._known.get(skill)
        if found is None:
            found = self._store(skill) if self.cache and not self.trace else Store()
            self._known[skill] = found
        return found

    def _callee(self, skill: Decider, module: int) -> Skill:
        """Who answers this module choice."""
        found = self._callees.get(skill)
        if found is None:
            found = self._callees[skill] = self.machine.callees(skill)
        return found[module] or _NOBODY

    def _store(self, skill: Skill) -> Store:
        """What the machine remembers of the skill."""
        found = self._stores.get(skill)
        if found is None:
            found = self._stores[skill] = self.machine.store_of(skill)
        return found

    def _unique(self, messages: Sequence[bytes]) -> list[Any]:
        """The messages' keys."""
        if self.cache:
            return list(messages)
        self.serial += 1
        return [(message, self.serial, i) for i, message in enumerate(messages)]

    def _bare(self, keys: Sequence[Any]) -> Sequence[bytes]:
        """The keys' messages."""
        return keys if self.cache else [key[0] for key in keys]

    def _call(self, skill: Skill, message: bytes, steps: Sequence[Step], answer: bytes | None) -> Call:
        x, _, y = message.partition(BAR)
        memory = skill.lay_out(x, y).decode()
        end = None if answer is None else answer.decode()
        return Call(skill.name, x.decode(), y.decode(), memory, tuple(steps), end)

    def _record(self, group: Group, move: Move, results: list[Result], memories: list[bytes]) -> None:
        """Add a step to the trace of each frame."""
        (a, b), (c, d) = move.read1, move.read2
        assert group.callee is not None
        for i, (answer, _, _, error, call) in enumerate(results):
            before = group.memories[i]
            if call is None:
                call = self._call(group.callee, before[a:b] + BAR + before[c:d], (), None)
            refused = answer is None and error is None
            step = Step(
                call, move.read1, move.read2, move.write, refused,
                before.decode(), memories[i].decode(), move.decision.probability,
            )  # fmt: skip
            group.steps[i].append(step)
