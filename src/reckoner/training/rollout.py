"""Attempts, many at once: the policy's own, guided ones, and ones that change a single part of a decision.

An attempt is at most two calls and the answer is what the memory then holds. A refused call ends it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reckoner.training.analogy import Analogies, Step
from reckoner.training.experience import Experience
from reckoner.training.policy import ALL, COLD, OWN, PARTS, Node, Policy
from reckoner.training.ppo import Decisions
from reckoner.training.world import REFUSED, STOP, Ints, World

Floats = NDArray[np.float64]
HOT = np.array([2.0, 4.0, 1e6], np.float32)  # temperatures of a changed part; the last is as good as uniform

# How an attempt is made: drawn from the policy; following the best that is remembered; trying again what may turn out
# best; changing one part of the policy's action, or of the best remembered one; beginning with any action at all; doing
# what was right at other views, one part of it changed or with the end of another such program every third time.
OWN_WAY, GUIDED, HOPEFUL, NEAR_OWN, NEAR_BEST, WILD, ANALOGOUS = range(7)
TOGETHER = 16  # attempts that begin with the same wild action


@dataclass(frozen=True)
class RolloutConfig:
    """How many attempts of which kind per update; all chosen here."""

    own: int = 2048
    guided: int = 1024
    hopeful: int = 1024
    near_own: int = 1024
    near_best: int = 1024
    wild: int = 1024
    analogous: int = 1024

    @property
    def counts(self) -> tuple[int, ...]:
        """In the order of the kinds."""
        return (self.own, self.guided, self.hopeful, self.near_own, self.near_best, self.wild, self.analogous)


class Attempts(NamedTuple):
    """A batch of attempts, one row each."""

    problem: Ints
    kind: Ints
    first_view: Ints
    first: Ints  # action
    second_view: Ints  # -1: there was none
    second: Ints
    answer: Ints  # the memory at the end, or REFUSED
    is_idle: NDArray[np.bool_]  # whether a second call changed nothing


History = tuple[int, int | None, int | None]  # first view, first action and the view after it


class _Ways:
    """How each row of a batch chooses its actions: one draw of what to change, then step by step."""

    def __init__(
        self,
        policy: Policy,
        experience: Experience,
        alike: Sequence[int],
        kind: Ints,
        rng: np.random.Generator,
        analogies: Analogies | None,
    ) -> None:
        self.policy, self.experience, self.kind, self.rng = policy, experience, kind, rng
        self.analogies = analogies
        self.alike = alike  # of each view the one under which it is remembered
        self.endings: dict[int, Step | None] = {}  # of rows that do what was right elsewhere
        self.step = rng.integers(2, size=len(kind))  # at which step a row changes something, if it does
        self.part = rng.integers(PARTS, size=len(kind))
        self.heat = HOT[rng.integers(len(HOT), size=len(kind))]
        self.near = (kind == NEAR_OWN) | (kind == NEAR_BEST)
        self.crossing = np.zeros(len(kind), np.bool_)
        self.carried = np.flatnonzero(kind == ANALOGOUS)
        if len(self.carried):
            variant = rng.integers(3, size=len(self.carried))
            self.crossing[self.carried] = variant == 1
            self.near[self.carried] = variant == 2
        self.wild = kind == WILD

    def first(self, view: Ints) -> Ints:
        """The first action of each row."""
        nodes, rows = _number([(v,) for v in view.tolist()])
        forced = self._forced([(v, None, None) for v in view.tolist()], self.kind)
        self._carry_over(view, forced)
        hot = np.where(self.wild, ALL, np.where(self.near & (self.step == 0), self.part, COLD))
        first = self.policy.draw(nodes, rows, self.rng, forced, hot, np.where(self.wild, HOT[-1], self.heat))
        leaders = np.flatnonzero(self.wild)[::TOGETHER]
        first[self.wild] = np.repeat(first[leaders], TOGETHER)[: self.wild.sum()]
        return first

    def second(self, rows: Ints, view: Ints, first: Ints, after: Ints) -> Ints:
        """The second action of those rows that go on."""
        histories = list(zip(view.tolist(), first.tolist(), after.tolist(), strict=True))
        nodes, places = _number([(v, a) for v, _, a in histories])
        forced = self._forced(histories, self.kind[rows])
        if self.analogies is not None:
            for place in np.flatnonzero(self.kind[rows] == ANALOGOUS).tolist():
                ending = self.endings[rows[place]]
                if ending is not None:
                    action = self.analogies.point(ending, self.policy.views[after[place]])
                    forced[place] = OWN if action is None else action
        changing = self.near | (self.kind == HOPEFUL) | self.wild
        hot = np.where(changing & (self.step == 1), self.part, COLD)[rows]
        return self.policy.draw(nodes, places, self.rng, forced, hot, self.heat[rows])

    def _carry_over(self, view: Ints, forced: Ints) -> None:
        """Force the first actions of rows that do what was right at other views; how these end is kept for later."""
        if self.analogies is None:
            return
        starts = view[self.carried]
        for number in np.unique(starts).tolist():
            seen, rows = self.policy.views[number], self.carried[starts == number].tolist()
            programs, others = (self.analogies.draw(seen, len(rows), self.rng) for _ in range(2))
            for row, program, other in zip(rows, programs, others, strict=True):
                forced[row] = program.first
                self.endings[row] = (other if self.crossing[row] else program).ending

    def _forced(self, histories: Sequence[History], kind: Ints) -> Ints:
        """The remembered action that each row takes, or OWN."""
        forced = np.full(len(histories), OWN, np.int64)
        spread = self.rng.integers(1 << 30, size=len(histories))
        for row in np.flatnonzero((kind != OWN_WAY) & (kind != NEAR_OWN) & (kind != ANALOGOUS)).tolist():
            view, first, after = histories[row]
            place = self.experience.place(
                self.alike[view], first, None if after is None else self.alike[after]
            )
            if place is not None and place.best is not None:
                if kind[row] in (HOPEFUL, WILD):
                    forced[row] = place.hopes[spread[row] % len(place.hopes)]
                else:
                    forced[row] = place.best
        return forced


class _Greedy:
    """The policy's likeliest actions."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy

    def first(self, view: Ints) -> Ints:
        """As `_Ways.first`."""
        return self.policy.draw(*_number([(v,) for v in view.tolist()]), None)

    def second(self, rows: Ints, view: Ints, first: Ints, after: Ints) -> Ints:
        """As `_Ways.second`."""
        return self.policy.draw(*_number(list(zip(view.tolist(), after.tolist(), strict=True))), None)


def attempt(
    world: World,
    policy: Policy,
    experience: Experience,
    problem: Ints,
    start: Ints,
    kind: Ints,
    rng: np.random.Generator,
    analogies: Analogies | None = None,
) -> Attempts:
    """One attempt per row, at the problem whose memory at the start is given."""
    return _carry_out(
        world, _Ways(policy, experience, world.alike, kind, rng, analogies), problem, start, kind
    )


def attempt_greedily(world: World, policy: Policy, start: Ints) -> Attempts:
    """One attempt per row with the policy's likeliest actions."""
    rows = np.arange(len(start))
    return _carry_out(world, _Greedy(policy), rows, start, np.full(len(start), OWN_WAY))


def _carry_out(world: World, ways: _Ways | _Greedy, problem: Ints, start: Ints, kind: Ints) -> Attempts:
    lengths = world.measure(start)
    view = world.look(start)
    first = ways.first(view)
    answer = start.copy()
    calling = np.flatnonzero(first != STOP)
    answer[calling] = world.act(start[calling], first[calling], lengths[calling])
    second_view = np.full(len(start), -1, np.int64)
    second = np.full(len(start), STOP, np.int64)
    is_idle = np.zeros(len(start), np.bool_)
    going = calling[answer[calling] != REFUSED]
    if len(going):
        second_view[going] = world.look(answer[going])
        second[going] = ways.second(going, view[going], first[going], second_view[going])
        acting = going[second[going] != STOP]
        before = answer.copy()
        answer[acting] = world.act(answer[acting], second[acting], lengths[acting])
        is_idle[acting] = answer[acting] == before[acting]
    return Attempts(problem, kind, view, first, second_view, second, answer, is_idle)


def _number(nodes: Sequence[Node]) -> tuple[list[Node], Ints]:
    """The different nodes, and which one each row stands at."""
    index: dict[Node, int] = {}
    rows = [index.setdefault(node, len(index)) for node in nodes]
    return list(index), np.array(rows, np.int64)


def decisions(attempts: Attempts, reward: Floats, entropy: Floats) -> Decisions:
    """The decisions to learn from, those of own and guided attempts, laid end to end."""
    rows = np.flatnonzero(attempts.kind <= GUIDED)
    two = attempts.second_view[rows] >= 0
    place = np.cumsum(1 + two) - 1  # of each attempt's last decision
    total = len(rows) + np.count_nonzero(two)
    seen: list[Node] = [() for _ in range(total)]
    code = np.zeros(total, np.int64)
    is_last = np.zeros(total, np.bool_)
    gain = np.zeros(total)
    is_last[place] = True
    gain[place] = reward[rows]
    first_at = place - two
    code[first_at] = attempts.first[rows]
    code[place[two]] = attempts.second[rows][two]
    for at, v in zip(first_at.tolist(), attempts.first_view[rows].tolist(), strict=True):
        seen[at] = (v,)
    late = rows[two]
    pairs = zip(attempts.first_view[late].tolist(), attempts.second_view[late].tolist(), strict=True)
    for at, pair in zip(place[two].tolist(), pairs, strict=True):
        seen[at] = pair
    nodes, node = _number(seen)
    whose = np.repeat(rows, 1 + two)
    return Decisions(nodes, node, code, is_last, gain, attempts.kind[whose] == OWN_WAY, entropy[whose])
