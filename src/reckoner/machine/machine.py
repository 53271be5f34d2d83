"""The machine: runs the skills of a library, and remembers what cannot change.

How a run works is in `run`; what comes back is in `result`. A machine serves one thread at a time, for its
runs share what is remembered; `Calculator` sees to that with a lock.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary

import numpy as np

from reckoner.errors import CallLimit
from reckoner.machine.group import Store
from reckoner.machine.result import Episode, Limits, Outcome, Refusal, Result, make_outcome
from reckoner.machine.run import Run
from reckoner.skills.base import BAR, Decider, Skill
from reckoner.skills.library import Library

__all__ = ["Episode", "Limits", "Machine", "Outcome", "Refusal", "Result"]

Pair = tuple[str, str]
# A message of n characters can have n frames at work on up to n characters each. Messages asked at once run
# together as long as that stays within this many bytes; more of them go in turn.
_AT_ONCE = 50_000_000


class Machine:
    """Answers messages with skills; with `cache` it remembers decisions per view and answers per message."""

    def __init__(self, library: Library, limits: Limits | None = None, cache: bool = True) -> None:
        self.library = library
        self.limits = limits or Limits()
        self.cache = cache
        self.evaluations = 0  # decisions and basic answers that networks had to work out
        self._stores: WeakKeyDictionary[Skill, Store] = WeakKeyDictionary()

    def run(self, skill: Skill | str, pairs: Sequence[Pair], trace: bool = False) -> list[Outcome]:
        """Answer the messages with a skill, greedily."""
        chosen = self.library[skill] if isinstance(skill, str) else skill
        # what is no character of a memory, lone surrogates included, is for the skill to refuse
        keys = [x.encode(errors="replace") + BAR + y.encode(errors="replace") for x, y in pairs]
        return [make_outcome(r, self.limits, chosen.name) for r in self.answer(chosen, keys, trace)]

    def answer(self, skill: Skill, keys: Sequence[bytes], trace: bool = False) -> list[Result]:
        """As `run`, on keys (`x|y`) and with bare results."""
        deadline = None if self.limits.seconds is None else time.monotonic() + self.limits.seconds
        results: list[Result] = []
        for chunk in _chunks(keys):
            results += self._answer(skill, chunk, trace, deadline)
        return results

    def _answer(
        self, skill: Skill, keys: Sequence[bytes], trace: bool, deadline: float | None
    ) -> list[Result]:
        self._trim()
        run = Run(self, trace, self.limits.calls * len(keys), deadline)
        try:
            return run.answer(skill, keys)
        except CallLimit as error:
            if len(keys) == 1:
                return [Result(None, self.limits.calls + 1, error=error)]
        # one of them used up what was meant for all: each by itself then, with its own budget
        return [self._answer(skill, [key], trace, deadline)[0] for key in keys]

    def sample(
        self, skill: Decider, keys: Sequence[bytes], rng: np.random.Generator, steps: int
    ) -> list[Episode]:
        """Let a student try each message once, drawing its own decisions; the skills it calls stay greedy."""
        self._trim()
        deadline = None if self.limits.seconds is None else time.monotonic() + self.limits.seconds
        run = Run(self, False, self.limits.calls * len(keys), deadline, rng, steps)
        return run.sample(skill, keys)

    def callees(self, skill: Decider) -> list[Skill | None]:
        """Who answers each of the skill's module choices (0 is HALT)."""
        return [None, *(skill.delegate if n == skill.name else self.library[n] for n in skill.spec.calls)]

    def store_of(self, skill: Skill) -> Store:
        """What is remembered of a skill."""
        found = self._stores.get(skill)
        if found is None:
            found = self._stores[skill] = Store()
        return found

    def forget(self) -> None:
        """Empty all caches."""
        for skill in {*self._stores, *self.library}:
            if isinstance(skill, Decider):
                skill.root.choices.clear()
        self._stores.clear()

    def _trim(self) -> None:
        """Keep the caches bounded."""
        if sum(store.size for store in self._stores.values()) > self.limits.remembered:
            self.forget()


def _chunks(keys: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    """The keys in turn, as many at once as memory allows."""
    start = size = 0
    for end, key in enumerate(keys):
        size += len(key) ** 2
        if size > _AT_ONCE and end > start:
            yield keys[start:end]
            start, size = end, len(key) ** 2
    if start < len(keys):
        yield keys[start:]
