"""What a skill decides on a sequence of views: asked of its network, or looked up in a changed program."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple, final

from reckoner.skills.base import Choice, Decider, Decision, Recollection

History = tuple[bytes, ...]  # the views of a frame so far, the present one last


class Chosen(NamedTuple):
    """A decision, and by how much in log-probability it beats the second best (at least)."""

    choice: Choice
    margin: float


class Program(ABC):
    """The greedy decisions of a skill."""

    @abstractmethod
    def choose(self, histories: Sequence[History]) -> list[Chosen]:
        """The decision after each of these sequences of views."""


@final
class Learned(Program):
    """The program that a network has learned."""

    def __init__(self, skill: Decider) -> None:
        self.skill = skill
        self._known: dict[History, tuple[Chosen, Recollection]] = {}

    def choose(self, histories: Sequence[History]) -> list[Chosen]:
        """As the base class says; what is not known yet goes through the network together, view by view."""
        missing = [h for h in dict.fromkeys(histories) if h not in self._known]
        for depth in range(1, max(map(len, missing), default=0) + 1):
            self._ask([h for h in dict.fromkeys(h[:depth] for h in missing) if h not in self._known])
        return [self._known[history][0] for history in histories]

    def _ask(self, histories: Sequence[History]) -> None:
        requests = [(self._past(history[:-1]), history[-1]) for history in histories]
        if requests:
            for history, decision in zip(histories, self.skill.decide(requests), strict=True):
                self._known[history] = Chosen(decision.choice, margin(decision)), decision.recollection

    def _past(self, history: History) -> Recollection:
        return self._known[history][1] if history else self.skill.root


@final
class Changed(Program):
    """A program with some decisions replaced, for tests of the proof."""

    def __init__(self, program: Program, changes: Mapping[History, Choice]) -> None:
        self.program = program
        self.changes = changes

    def choose(self, histories: Sequence[History]) -> list[Chosen]:
        """As the base class says."""
        chosen = self.program.choose(histories)
        return [
            Chosen(self.changes[h], math.inf) if h in self.changes else c
            for h, c in zip(histories, chosen, strict=True)
        ]


@final
class Recorded(Program):
    """A program that remembers what it was asked."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.met: dict[History, None] = {}

    def choose(self, histories: Sequence[History]) -> list[Chosen]:
        """As the base class says."""
        self.met.update(dict.fromkeys(histories))
        return self.program.choose(histories)


def margin(decision: Decision) -> float:
    """By how much the choice beats the second best in log-probability; nan where a network does not say."""
    known = getattr(decision, "margin", None)
    return math.nan if known is None else known
