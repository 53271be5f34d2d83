"""What the machine means: one question at a time, one memory at a time, nothing left out.

A *frame* is a skill at work on a memory of its own. In each step the skill looks at its memory and decides:
HALT, and the memory is its answer; or a call: two parts of the memory are read as the message (x, y) for
another skill, whose answer replaces a third part. A message that the callee does not accept changes nothing.

The fast machine (`c/`, or `core.py` where there is no compiler) must agree with this page in answers,
calls, refusals, errors and steps; `tests/test_agreement.py` holds it to that.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from reckoner.alphabet import View, spell
from reckoner.errors import LibraryError, ReckonerError
from reckoner.machine.limits import Limits
from reckoner.machine.message import is_accepted, is_memory
from reckoner.machine.outcome import Refusal, Reply
from reckoner.machine.trace import Call, Halt, Sight, Step
from reckoner.nn.config import HALT
from reckoner.skills.base import Answerer, Decider, Decision, Recollection, Skill

_FRAME = 1_000  # bytes that a frame or a traced step takes beside its characters, roughly
_spell = lru_cache(maxsize=10_000)(spell)  # most views are seen again and again


class Networks:
    """Asks the skills' networks, and counts the questions; with `remember` it asks nothing twice."""

    def __init__(self, remember: bool = False) -> None:
        self.evaluations = 0
        self._decisions: dict[tuple[Recollection, bytes], Decision] | None = {} if remember else None

    @property
    def remembered(self) -> int:
        """How many decisions it need not ask for again."""
        return len(self._decisions or ())

    def decide(self, skill: Decider, past: Recollection, view: bytes) -> Decision:
        """The greedy decision on a view, after what was seen before it in this frame."""
        if self._decisions is not None and (past, view) in self._decisions:
            return self._decisions[past, view]
        self.evaluations += 1
        decision = skill.decide([(past, view)])[0]
        if self._decisions is not None:
            self._decisions[past, view] = decision
        return decision

    def answer(self, skill: Answerer, memory: bytes) -> bytes:
        """A basic skill's answer."""
        self.evaluations += 1
        answer = skill.answer([memory])[0]
        if not is_memory(answer):
            raise LibraryError(f"skill {skill.name!r} answered with a character that no memory holds")
        return answer


@dataclass(slots=True)
class Frame:
    """A skill at work."""

    skill: Decider
    x: bytes
    y: bytes
    memory: bytes
    past: Recollection  # the views seen before
    view: View | None = None  # the one it sees now
    decision: Decision | None = None  # the call under way
    spans: tuple[int, ...] = ()  # … its two reads and its write: six places of the memory
    callee: Skill | None = None
    steps: list[Step] = field(default_factory=list)  # with a trace


@dataclass(frozen=True, slots=True)
class Return:
    """What a call comes back with; no answer: it was refused."""

    answer: bytes | None
    trace: Call | None = None


class Definition:
    """Answers one question: `callees` tells who answers each of a skill's module choices."""

    def __init__(
        self,
        callees: Callable[[Decider], Sequence[Skill | None]],
        limits: Limits,
        networks: Networks,
        trace: bool = False,
    ) -> None:
        self.callees = callees
        self.limits = limits
        self.networks = networks
        self.trace = trace
        self.stack: list[Frame] = []
        self.calls = 0
        self.refusal: Refusal | None = None
        self.bytes = 0  # held by memories and the trace, roughly
        self.deadline = None if limits.seconds is None else time.monotonic() + limits.seconds

    def answer(self, skill: Skill, x: bytes, y: bytes) -> Reply:
        """The skill's reply to a message."""
        try:
            returned = self.call(skill, x, y)
            while self.stack:
                if returned is not None:
                    self.write(self.stack[-1], returned)
                returned = self.step(self.stack[-1], skill)
        except ReckonerError as error:
            return Reply(None, self.calls, self.refusal, error)
        assert returned is not None
        return Reply(returned.answer, self.calls, self.refusal, None, returned.trace)

    def step(self, frame: Frame, asked: Skill) -> Return | None:
        """One decision: a return, if the skill halts or its call is answered at once; or a new frame."""
        self.check_budgets(frame)
        view = frame.view = frame.skill.spec.perception.view(frame.memory)
        decision = self.networks.decide(frame.skill, frame.past, view.tokens)
        module, *gaps = decision.choice
        if module == HALT:
            self.stack.pop()
            self.bytes -= len(frame.memory) + _FRAME
            return Return(frame.memory, self.describe_end(frame, decision) if self.trace else None)
        if self.calls == self.limits.calls:
            self.calls += 1
            raise self.limits.too_many_calls(asked.name)
        self.calls += 1
        frame.decision, frame.spans = decision, tuple(view.gaps[gap] for gap in gaps)
        frame.callee = callee = self.callees(frame.skill)[module]
        a, b, c, d, _, _ = frame.spans
        x, y = frame.memory[a:b], frame.memory[c:d]
        if callee is None or (callee.name == frame.skill.name and not self.is_shorter(callee, x, y, frame)):
            return Return(None, self.describe(callee, x, y))
        return self.call(callee, x, y)

    def is_shorter(self, callee: Skill, x: bytes, y: bytes, frame: Frame) -> bool:
        """Whether a self-call starts from a shorter memory than its caller did: only then it ends one day."""
        return callee.measure(x, y) < frame.skill.measure(frame.x, frame.y)

    def call(self, skill: Skill, x: bytes, y: bytes) -> Return | None:
        """Send a message: a new frame, or at once the answer of a basic skill or of one that refuses."""
        if not is_accepted(skill, x, y):
            return Return(None, self.describe(skill, x, y))
        memory = skill.lay_out(x, y)
        if len(self.stack) > self.limits.depth:
            raise self.limits.too_deep(skill.name)
        if len(memory) > self.limits.memory:
            raise self.limits.too_long(skill.name)
        if isinstance(skill, Answerer):
            answer = self.networks.answer(skill, memory)
            return Return(answer, self.describe(skill, x, y, answer))
        assert isinstance(skill, Decider)
        self.stack.append(Frame(skill, x, y, memory, skill.root))
        self.bytes += len(memory) + _FRAME
        return None

    def write(self, frame: Frame, returned: Return) -> None:
        """The answer takes the place of what was there; a refused call leaves everything as it was."""
        assert frame.decision is not None
        a, b, c, d, w, v = frame.spans
        before = frame.memory
        if returned.answer is not None:
            frame.memory = before[:w] + returned.answer + before[v:]
            self.bytes += len(frame.memory) - len(before)
        elif self.refusal is None:
            name = frame.callee.name if frame.callee is not None else "nobody"
            self.refusal = Refusal(name, before[a:b].decode(), before[c:d].decode())
        frame.past = frame.decision.recollection
        if self.trace:
            assert returned.trace is not None
            refused, probability = returned.answer is None, frame.decision.probability
            texts = (before.decode(), frame.memory.decode())
            spans = ((a, b), (c, d), (w, v))
            frame.steps.append(Step(returned.trace, *spans, refused, *texts, probability, _look(frame)))
            self.bytes += 2 * len(before) + _FRAME
        if len(frame.memory) > self.limits.memory:
            raise self.limits.grew(frame.skill.name)
        if frame.past.depth > self.limits.steps:
            raise self.limits.did_not_halt(frame.skill.name, frame.memory)

    def check_budgets(self, frame: Frame) -> None:
        """Time and bytes; the other limits are looked at where they can be passed."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise self.limits.too_late(frame.skill.name)
        if self.bytes > self.limits.megabytes * 1_000_000:
            raise self.limits.too_big(frame.skill.name)

    def describe(
        self, skill: Skill | None, x: bytes, y: bytes, answer: bytes | None = None, hidden: int = 0
    ) -> Call | None:
        """A call without steps, as the trace keeps it."""
        if not self.trace:
            return None
        name = "nobody" if skill is None else skill.name
        memory = (x + y if skill is None else skill.lay_out(x, y)).decode(errors="replace")
        end = None if answer is None else answer.decode()
        texts = (x.decode(errors="replace"), y.decode(errors="replace"), memory)
        return Call(name, *texts, (), end, hidden=hidden)

    def describe_end(self, frame: Frame, decision: Decision) -> Call:
        """The call of a frame that halts."""
        texts = (frame.x.decode(), frame.y.decode(), frame.skill.lay_out(frame.x, frame.y).decode())
        halt = Halt(_look(frame), decision.probability)
        return Call(frame.skill.name, *texts, tuple(frame.steps), frame.memory.decode(), halt)


def _look(frame: Frame) -> Sight:
    """What the frame's controller saw when it decided."""
    assert frame.view is not None
    return Sight(_spell(frame.skill.spec.perception, frame.view.tokens), frame.view.gaps)
