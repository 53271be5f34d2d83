"""Following all paths of views, level by level: what the proofs of both kinds of skills have in common.

A *case* is what is known at one moment of a frame, told apart from others by what the skill sees there. From the cases
at hand the program's decisions lead to states, these are looked at again, and so on until every path has come to HALT.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from reckoner.program.decision import Chosen, History, Program
from reckoner.skills.base import Choice, Skill

MOST_STEPS = 8  # calls per frame that the machine allows

S = TypeVar("S")  # a state
C = TypeVar("C")  # a case: a state that was looked at


class Unproved(Exception):
    """An obligation that could not be shown, where, and values that may show why."""

    def __init__(self, obligation: str, state: Any, model: Mapping[str, int] | None = None) -> None:
        super().__init__(obligation)
        self.obligation = obligation
        self.state = state
        self.model = model or {}


@dataclass
class Exploration(ABC, Generic[S, C]):
    """The state of one skill's proof."""

    skill: Skill
    program: Program
    most_failures: int = 1
    most_states: int = 200_000  # a program that leads to more is not understood here
    obligations: int = 0
    states: int = 0
    visits: dict[History, Chosen] = field(default_factory=dict)
    cases: dict[History, list[C]] = field(default_factory=dict)  # what can be known after these views
    unproved: list[Unproved] = field(default_factory=list)

    @abstractmethod
    def starts(self) -> Iterator[S]:
        """What a frame can begin with; raises `Unproved` if the skill is of another kind."""

    @abstractmethod
    def looks(self, state: S) -> Iterator[C]:
        """The cases of a state that differ in what is seen."""

    @abstractmethod
    def history(self, case: C) -> History:
        """All that was seen, the present view last."""

    @abstractmethod
    def follow(self, case: C, chosen: Chosen) -> Iterable[S]:
        """What can be after a decision; raises `Unproved` if something it needs is not so."""

    @abstractmethod
    def renew(self, case: C) -> C:
        """The same case, with fresh names of its own."""

    def run(self) -> None:
        """Follow all paths."""
        try:
            starts = list(self.starts())
        except Unproved as unproved:
            self.unproved.append(unproved)
            return
        self.explore(starts)

    def explore(self, states: list[S]) -> None:
        """Go on from these states. The network is asked for many decisions at once."""
        while states and len(self.unproved) < self.most_failures:
            cases: list[C] = []
            for state in states:
                try:
                    cases += self.looks(state)
                except Unproved as unproved:
                    self.unproved.append(unproved)
            self.states += len(cases)
            if self.states > self.most_states:
                self.unproved.append(Unproved("too many cases", states[0]))
                return
            chosen = self.program.choose([self.history(case) for case in cases])
            states = []
            for case, decision in zip(cases, chosen, strict=True):
                history = self.history(case)
                self.visits[history] = decision
                self.cases.setdefault(history, []).append(case)
                try:
                    states += self.follow(case, decision)
                except Unproved as unproved:
                    self.unproved.append(unproved)
                    if len(self.unproved) >= self.most_failures:
                        return

    def change(self, history: History, choice: Choice) -> Unproved | None:
        """Why the program with another decision after these views is not proved; None if it is.

        All paths that do not come to that decision are as they were, and known to be right.
        """
        twin = replace(self, most_failures=1, obligations=0, states=0, visits={}, cases={}, unproved=[])
        states: list[S] = []
        try:
            for case in self.cases[history]:
                states += twin.follow(twin.renew(case), Chosen(choice, math.inf))
        except Unproved as unproved:
            return unproved
        twin.explore(states)
        return twin.unproved[0] if twin.unproved else None
