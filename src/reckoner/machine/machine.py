"""The machine: answers messages with the skills of a library.

A core (`c/`, or `core.py`) moves characters and remembers; whatever it does not know, the networks are asked
here, once for all questions that wait. Traces, and machines without a cache, follow the definition instead.
A machine serves one thread at a time; `Calculator` sees to that with a lock.
"""

from __future__ import annotations

import weakref
from collections import defaultdict
from collections.abc import Sequence
from typing import cast

from reckoner.errors import LibraryError, ReckonerError
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
from reckoner.machine.kernel import make_core
from reckoner.machine.limits import Limits
from reckoner.machine.message import is_memory, split
from reckoner.machine.outcome import Outcome, Refusal, Reply, make_outcome
from reckoner.skills.base import BAR, Answerer, Decider, Skill
from reckoner.skills.library import Library

Pair = tuple[str, str]
_BAR = BAR.decode()


class Machine:
    """Answers messages with skills; without `cache` it remembers nothing."""

    def __init__(self, library: Library, limits: Limits | None = None, cache: bool = True) -> None:
        self.library = library
        self.limits = limits or Limits()
        self.cache = cache
        self.evaluations = 0  # decisions and basic answers that networks had to work out
        self._core = make_core()
        self._numbers: weakref.WeakKeyDictionary[Skill, int] = weakref.WeakKeyDictionary()
        self._skills: weakref.WeakValueDictionary[int, Skill] = weakref.WeakValueDictionary()
        self._dropped: list[int] = []  # numbers of skills that are no more

    def run(self, skill: Skill | str, pairs: Sequence[Pair], trace: bool = False) -> list[Outcome]:
        """Answer messages with a skill."""
        chosen = self.library[skill] if isinstance(skill, str) else skill
        # what is no character of a memory, lone surrogates included, is for the skill to refuse
        messages = [f"{x}{_BAR}{y}".encode(errors="replace") for x, y in pairs]
        return [make_outcome(reply, chosen.name) for reply in self.answer(chosen, messages, trace)]

    def answer(self, skill: Skill, messages: Sequence[bytes], trace: bool = False) -> list[Reply]:
        """As `run`, on messages `x|y` and with bare replies; the skill need not be in the library."""
        if trace or not self.cache:
            return self._follow_definition(skill, messages, trace)
        return self._replies(skill, self._work(skill, messages))

    def callees(self, skill: Decider) -> list[Skill | None]:
        """Who answers each of the skill's module choices (0 is HALT)."""
        return [None, *(skill.delegate if n == skill.name else self.library[n] for n in skill.spec.calls)]

    @property
    def remembered(self) -> int:
        """Bytes that decisions take, roughly."""
        return self._core.decided

    def forget(self) -> None:
        """Forget all decisions and answers."""
        self._core.forget()

    # --- the definition ---

    def _follow_definition(self, skill: Skill, messages: Sequence[bytes], trace: bool) -> list[Reply]:
        from reckoner.machine.definition import Definition, Networks

        networks = Networks(remember=self.cache)
        awake = skill.wake()  # a trace tells how sure the networks were, so they have to say it
        replies = []
        try:
            for message in messages:
                definition = Definition(self._callees_awake, self.limits, networks, trace)
                try:
                    replies.append(definition.answer(awake, *split(message)))
                except MemoryError:
                    replies.append(Reply(None, definition.calls, error=self.limits.too_big(skill.name)))
        finally:
            self.evaluations += networks.evaluations
        return replies

    def _callees_awake(self, skill: Decider) -> list[Skill | None]:
        return [callee and callee.wake() for callee in self.callees(skill)]

    # --- the core ---

    def _work(self, skill: Skill, messages: Sequence[bytes]) -> Sequence[Ending]:
        """Let the core work, and tell it what it needs to know."""
        while self._dropped:
            self._core.drop(self._dropped.pop())
        try:
            run = self._core.begin(self._number(skill), messages, self.limits)
        except MemoryError:
            return [Ending(BYTES, None, 0, None, 0)] * len(messages)
        while True:
            try:
                # when too much is remembered, those under way come to their end and then all is forgotten
                is_full = self._core.decided > self.limits.remembered
                need = run.advance(is_full)
                if need is not None:
                    self._tell(Need(*need))
                elif run.is_done:
                    return cast(Sequence[Ending], run.endings)
                elif is_full:
                    self._core.forget()
            except MemoryError:
                if not run.give_up():
                    raise

    def _tell(self, need: Need) -> None:
        """Ask the networks for all that the core needs."""
        views = defaultdict(list)
        for number, history, view in need.decisions:
            views[number].append((history, view))
        for number, wanted in views.items():
            self._decide(number, wanted)
        messages = defaultdict(list)
        for number, message in need.answers:
            messages[number].append(message)
        for number, asked in messages.items():
            self._look_up(number, asked)

    def _decide(self, number: int, wanted: list[tuple[int, bytes]]) -> None:
        skill = cast(Decider, self._skills[number])
        recalled = skill.recalled
        pasts = [self._core.recollection(number, history) for history, _ in wanted]
        requests = [(past, view) for past, (_, view) in zip(pasts, wanted, strict=True)]
        decisions = skill.decide(requests)
        self.evaluations += len(wanted) - (skill.recalled - recalled)
        for (history, view), decision in zip(wanted, decisions, strict=True):
            following = decision.recollection
            self._core.learn(number, history, view, decision.choice, following, following.size)

    def _look_up(self, number: int, messages: list[bytes]) -> None:
        skill = cast(Answerer, self._skills[number])
        recalled = skill.recalled
        answers = skill.answer([skill.lay_out(*split(message)) for message in messages])
        self.evaluations += len(messages) - (skill.recalled - recalled)
        for message, answer in zip(messages, answers, strict=True):
            if not is_memory(answer):
                raise LibraryError(f"skill {skill.name!r} answered with a character that no memory holds")
            self._core.know(number, message, answer, self.limits.remembered)

    def _number(self, skill: Skill) -> int:
        """The core's number of a skill; a new one is introduced with all those it can call."""
        number = self._numbers.get(skill)
        if number is not None:
            return number
        number = int(self._core.add(skill))
        if isinstance(skill, Decider):
            callees = self.callees(skill)[1:]
            numbers = [-1 if c is None else number if c is skill else self._number(c) for c in callees]
            own = [c is not None and c.name == skill.name for c in callees]
            self._core.connect(number, numbers, own, skill.most_calls)
        self._skills[number] = skill
        weakref.finalize(skill, self._dropped.append, number).atexit = False
        self._numbers[skill] = number  # last: after an interrupt the skill is known wholly or not at all
        return number

    def _name(self, number: int) -> str:
        skill = self._skills.get(number)
        return "nobody" if skill is None else skill.name

    def _replies(self, skill: Skill, endings: Sequence[Ending]) -> list[Reply]:
        """The endings in the caller's terms."""
        replies = []
        for status, answer, calls, refused, at in endings:
            if status == ANSWERED and refused is None:  # as nearly all are
                replies.append(Reply(answer, calls))
                continue
            refusal = None
            if status == BYTES:
                at = at or self._numbers.get(skill, 0)
            if refused is not None:
                number, x, y = refused
                refusal = Refusal(self._name(number), x.decode(), y.decode())
            if status == ANSWERED:
                replies.append(Reply(answer, calls, refusal))
            elif status == REFUSED:
                replies.append(Reply(None))
            else:
                replies.append(Reply(None, calls, refusal, self._error(status, self._name(at), answer)))
        return replies

    def _error(self, status: int, skill: str, memory: bytes | None) -> ReckonerError:
        limits = self.limits
        if status == STEPS:
            return limits.did_not_halt(skill, memory or b"")
        errors = {CALLS: limits.too_many_calls, DEPTH: limits.too_deep, LENGTH: limits.too_long}
        errors |= {GROWTH: limits.grew, TIME: limits.too_late}
        return errors.get(status, limits.too_big)(skill)
