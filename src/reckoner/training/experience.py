"""A memory of the student's own attempts: what it has tried where, and what came of it.

A place is a history: the first view, and after a call the first view, that call and the view it led to. (Views alone
do not do: different calls lead to the same view.) At each place stand the actions that were tried there with the mean
reward of the attempts that went through them. A place is worth as much as its best tried action, less a margin for how
seldom that was tried. Nothing is enumerated, and nothing is known of an answer but the rewards of own attempts.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reckoner.training.world import STOP


@dataclass(frozen=True)
class ExperienceConfig:
    """All chosen here."""

    discount: float = 0.99  # a call less is better: the paper's reward discount
    margin: float = (
        0.5  # over √n: what an action tried n times is counted down by when it is to be followed …
    )
    hope: float = 0.5  # what a place may be worth beyond the best that was seen there, at first …
    curiosity: int = 100  # … half of it after so many attempts
    recent: int = 400  # an action is judged by about its latest attempts
    spread: int = 16  # promising actions that are tried side by side
    most: int = 600  # actions that are remembered at one place


class Action:
    """An action at a place: how often it was tried, what came of it, and the places it led to."""

    __slots__ = ("after", "count", "total")

    def __init__(self) -> None:
        self.count = 0.0
        self.total = 0.0  # rewards of the attempts that ended with this action
        self.after: dict[int, Place] = {}

    def worth(self, discount: float) -> float:
        """Mean reward of attempts that go on from here as well as is known."""
        following = sum(place.count * place.worth for place in self.after.values())
        return (self.total + discount * following) / self.count

    def hope(self, discount: float) -> float:
        """What the action may turn out to be worth."""
        following = sum(place.count * place.hope for place in self.after.values())
        return (self.total + discount * following) / self.count

    def fade(self) -> None:
        """Count earlier attempts half."""
        self.count /= 2
        self.total /= 2
        for place in self.after.values():
            place.count /= 2


class Place:
    """A history: which actions were tried here, and which is best."""

    __slots__ = ("actions", "best", "count", "examples", "hope", "hopes", "worth")

    def __init__(self) -> None:
        self.count = 0.0
        self.actions: dict[int, Action] = {}
        self.best: int | None = None
        self.worth = -1.0  # of the best action, counted down
        self.hope = 1.0  # of the most promising one
        self.hopes: list[int] = []  # the most promising actions
        self.examples: list[int] = []  # problems that led here lately

    def judge(self, config: ExperienceConfig) -> None:
        """Find the best and the most promising actions again."""
        self.best, self.worth = None, -1.0
        for code, action in self.actions.items():
            worth = action.worth(config.discount) - config.margin / action.count**0.5
            if worth > self.worth:
                self.best, self.worth = code, worth
        hopes = {code: action.hope(config.discount) for code, action in self.actions.items()}
        if len(hopes) > config.most:
            kept = heapq.nlargest(config.most // 2, hopes, key=hopes.__getitem__)
            if self.best is not None and self.best not in kept:
                kept.append(self.best)  # many that were lucky once must not push out what has proved itself
            self.actions = {code: self.actions[code] for code in kept}
        self.hopes = heapq.nlargest(config.spread, hopes, key=hopes.__getitem__)
        self.hope = hopes[self.hopes[0]] + config.hope * config.curiosity / (config.curiosity + self.count)


class Experience:
    """The places of one stage, by first view."""

    def __init__(self, config: ExperienceConfig) -> None:
        self.config = config
        self.roots: dict[int, Place] = {}

    def place(self, view: int, action: int | None = None, after: int | None = None) -> Place | None:
        """The place of a history, if it is remembered."""
        root = self.roots.get(view)
        if action is None or root is None:
            return root
        taken = root.actions.get(action)
        return None if taken is None or after is None else taken.after.get(after)

    def record(self, attempts: Iterable[tuple[int, int, int, int, int, float]]) -> None:
        """Remember attempts: problem, first view, first action, view after it (-1: none), second action, reward."""
        touched: set[tuple[int, int, int]] = set()
        for problem, view, first, after, second, reward in attempts:
            root = self.roots.get(view)
            if root is None:
                root = self.roots[view] = Place()
            action = root.actions.get(first)
            if action is None:
                action = root.actions[first] = Action()
            action.count += 1
            if after < 0:
                action.total += reward
            else:
                place = action.after.get(after)
                if place is None:
                    place = action.after[after] = Place()
                place.count += 1
                _keep(place.examples, problem)
                last = place.actions.get(second)
                if last is None:
                    last = place.actions[second] = Action()
                last.count += 1
                last.total += reward
            touched.add((view, first, after))
        self._judge(touched)

    def _judge(self, touched: set[tuple[int, int, int]]) -> None:
        config = self.config
        for view, first, after in touched:
            action = self.roots[view].actions[first]
            if after >= 0:
                place = action.after[after]
                for last in place.actions.values():
                    if last.count > config.recent:
                        last.fade()
                place.judge(config)
            if action.count > config.recent * 4:
                action.fade()
        for view in {view for view, _, _ in touched}:
            self.roots[view].judge(config)

    def walk(self) -> Iterator[tuple[int, int, int, int]]:
        """All remembered (first view, first action, view after it or -1, second action or -1)."""
        for view, root in self.roots.items():
            for first, action in root.actions.items():
                yield view, first, -1, -1
                for after, place in action.after.items():
                    for second in place.actions:
                        yield view, first, after, second

    def best(self) -> Iterator[tuple[tuple[int, ...], int, float]]:
        """The best known action at each place that following the best leads to, with its worth."""
        for view, root in self.roots.items():
            if root.best is None:
                continue
            yield (view,), root.best, root.worth
            if root.best != STOP:
                for after, place in root.actions[root.best].after.items():
                    if place.best is not None:
                        yield (view, after), place.best, place.worth


def _keep(examples: list[int], problem: int) -> None:
    """Remember a few of the latest problems."""
    examples.append(problem)
    if len(examples) > 24:
        del examples[:12]
