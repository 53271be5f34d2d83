"""One stage of a lesson: its problems, the world they are tried in, and all that learning them needs."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from reckoner.curriculum.problems import Problem, Split, collect
from reckoner.curriculum.tasks import InteractiveTask
from reckoner.curriculum.teacher import Teacher, TeacherConfig
from reckoner.skills.interactive import InteractiveSkill
from reckoner.training.analogy import Analogies, Way
from reckoner.training.experience import Experience, ExperienceConfig
from reckoner.training.policy import Node, Policy
from reckoner.training.ppo import Decisions
from reckoner.training.reward import IDLE, reward
from reckoner.training.rollout import (
    ANALOGOUS,
    HOPEFUL,
    NEAR_BEST,
    OWN_WAY,
    TOGETHER,
    WILD,
    Attempts,
    Floats,
    RolloutConfig,
    attempt,
    attempt_greedily,
    decisions,
)
from reckoner.training.world import REFUSED, STOP, Ints, World


def distinct(task: InteractiveTask, size: int, count: int, rng: Random, split: Split | None) -> list[Problem]:
    """Up to `count` different problems of one part of the split (or of all)."""

    def draw() -> Problem | None:
        problem = task.sampler(rng, size)
        return problem if split in (None, problem.split) else None

    return collect(draw, count, count * 10)


CLEAR = 0.9  # a place is clear once its best known action is worth so much, counted down


class Stage:
    """The problems up to one size: those to learn from, and those that steer (validation)."""

    def __init__(
        self,
        task: InteractiveTask,
        size: int,
        world: World,
        teacher: TeacherConfig,
        experience: ExperienceConfig,
        seed: Sequence[int],
        idle_cost: float = IDLE,
        analogies: Analogies | None = None,
    ) -> None:
        """`idle_cost` is what a second call costs that changes nothing; `analogies` come from earlier stages."""
        self.task = task
        self.size = size
        self.world = world
        self.idle_cost = idle_cost
        self.problem_rng = Random(f"{task.spec.name} {size}")
        self.rng = np.random.default_rng(list(seed))
        self.training: list[Problem] = []
        self.validation: list[Problem] = []
        self.start: list[int] = []  # memory of each training problem
        self.teacher = Teacher(0, teacher, self.rng)
        self.experience = Experience(experience)
        self.analogies = analogies or Analogies(world.perception)
        self.missed: list[Problem] = []  # by the last test
        self._known: set[Problem] = set()
        self._rewards: dict[tuple[int, int], float] = {}
        self.add(distinct(task, size, task.problems, self.problem_rng, "training"))
        self.add(distinct(task, size, task.problems // 2, self.problem_rng, "validation"))

    def add(self, problems: Sequence[Problem], to_training: bool = False) -> None:
        """More problems, each on its side of the split, or all of them to learn from."""
        fresh = [p for p in dict.fromkeys(problems) if p not in self._known]
        self._known.update(fresh)
        training = [p for p in fresh if to_training or p.split == "training"]
        self.validation += [p for p in fresh if not to_training and p.split == "validation"]
        self.training += training
        self.start += [self.enter(p) for p in training]
        self.teacher.add(len(training))

    def enter(self, problem: Problem) -> int:
        """The memory that a problem starts from, by number."""
        return self.world.enter(self.world.student.lay_out(problem.x.encode(), problem.y.encode()))

    def look(self, problem: Problem) -> bytes:
        """The first view of a problem."""
        return self.world.view(self.enter(problem))

    def _likeness(self, problem: Problem) -> int:
        """The first view that counts as alike."""
        return int(self.world.likeness(np.array([self.enter(problem)]))[0])

    def reward_of(self, problem: int, memory: int) -> float:
        """The reward for ending a training problem with this memory."""
        key = (problem, memory)
        found = self._rewards.get(key)
        if found is None:
            answer = None if memory == REFUSED else self.world.memories[memory]
            found = self._rewards[key] = reward(answer, self.training[problem].answer.encode())
        return found

    def renew(self, student: InteractiveSkill) -> None:
        """Self-calls go to another snapshot from now on: what is known of outcomes and of attempts is void."""
        self.world.renew(student)
        self.experience = Experience(self.experience.config)

    # --- looking ---

    def sample(self, count: int) -> list[Problem]:
        """Fresh problems; none of the test set's."""
        found = [self.task.sampler(self.problem_rng, self.size) for _ in range(count)]
        return [p for p in dict.fromkeys(found) if p.split != "test"]

    def test(self, policy: Policy) -> list[Problem]:
        """The training and validation problems that the policy's likeliest actions do not solve."""
        problems = self.training + self.validation
        start = np.array([self.enter(p) for p in problems], np.int64)
        self._met = tried = attempt_greedily(self.world, policy, start)
        memories = self.world.memories
        self.missed = [
            p
            for p, m in zip(problems, tried.answer.tolist(), strict=True)
            if m == REFUSED or memories[m] != p.answer.encode()
        ]
        return self.missed

    def accuracy(self, missed: Sequence[Problem]) -> float:
        """The share of all known problems that is right."""
        return 1 - len(missed) / (len(self.training) + len(self.validation))

    def decided(self) -> list[tuple[Node, int]]:
        """The decisions that the last test met: where, and which action."""
        met = self._met
        found: set[tuple[Node, int]] = set()
        for view, code in zip(met.first_view.tolist(), met.first.tolist(), strict=True):
            found.add(((view,), code))
        columns = (met.first_view, met.second_view, met.second)
        for view, after, code in zip(*(c.tolist() for c in columns), strict=True):
            if after >= 0:
                found.add(((view, after), code))
        return sorted(found)

    def margin(self, skill: InteractiveSkill) -> float:
        """The smallest margin of all decisions that the last test met."""
        views = self.world.views
        nodes = [node for node, _ in self.decided()]
        firsts = [node for node in nodes if len(node) == 1]
        decided = skill.decide([(skill.root, views[v]) for (v,) in firsts])
        first = {v: d for (v,), d in zip(firsts, decided, strict=True)}
        seconds = [node for node in nodes if len(node) == 2]
        later = skill.decide([(first[v].recollection, views[after]) for v, after in seconds])
        return min([d.margin for d in first.values()] + [d.margin for d in later])

    def wasted(self) -> list[Node]:
        """Where the last test met a second call that never changed anything: halting there is right, too."""
        if not self.idle_cost:
            return []
        met, alike = self._met, self.world.alike
        is_vain: dict[Node, bool] = {}  # by place: first and second view, as they count as alike
        nodes: dict[Node, Node] = {}
        for view, after, idle in zip(
            met.first_view.tolist(), met.second_view.tolist(), met.is_idle.tolist(), strict=True
        ):
            if after >= 0:
                place = (alike[view], alike[after])
                is_vain[place] = is_vain.get(place, True) and idle
                nodes[(view, after)] = place
        return [node for node, place in nodes.items() if is_vain[place]]

    def gather(self, missed: Sequence[Problem]) -> None:
        """Views on which only validation problems fail: find more training problems of such views, if there are any."""
        if self.world.is_literal:
            return
        trained = {self._likeness(p) for p in missed if p.split == "training"}
        wanted = {self._likeness(p) for p in missed if p.split == "validation"} - trained
        if wanted:
            drawn = (self.task.sampler(self.problem_rng, self.size) for _ in range(4000))
            self.add([p for p in drawn if p.split == "training" and self._likeness(p) in wanted])

    # --- trying ---

    def attempt(self, policy: Policy, config: RolloutConfig) -> tuple[Attempts, Floats, Decisions]:
        """Attempts of each kind at problems the teacher picks, their rewards, and what to learn from them."""
        kind = np.concatenate([np.full(n, k, np.int64) for k, n in enumerate(config.counts)])
        problem = self._draw(kind)
        start = np.array(self.start, np.int64)[problem]
        tried = attempt(self.world, policy, self.experience, problem, start, kind, self.rng, self.analogies)
        answers = zip(problem.tolist(), tried.answer.tolist(), strict=True)
        rewards = np.array([self.reward_of(p, m) for p, m in answers])
        is_right = rewards == 1.0
        rewards -= self.idle_cost * tried.is_idle
        alike = np.array([*self.world.alike, -1], np.int64)  # the last is that of no view
        places = alike[tried.first_view], alike[tried.second_view]
        columns = (problem, places[0], tried.first, places[1], tried.second, rewards)
        self.experience.record(zip(*(c.tolist() for c in columns), strict=True))
        if config.analogous:
            self.analogies.remember(self._ways(tried, is_right))
        own = kind == OWN_WAY
        self.teacher.mark(problem[own], is_right[own])
        alpha = self.teacher.entropy_coefficients(self._starts())[problem]
        return tried, rewards, decisions(tried, rewards, alpha)

    def _ways(self, tried: Attempts, is_right: NDArray[np.bool_]) -> set[Way]:
        """The different ways that were right, but for halting at once and calls in vain."""
        rows = is_right & (tried.first != STOP) & ~tried.is_idle
        columns = np.stack([tried.first_view, tried.first, tried.second_view, tried.second])[:, rows]
        views = self.world.views
        return {(views[v], a, views[w], b) for v, a, w, b in np.unique(columns, axis=1).T.tolist()}

    def _draw(self, kind: Ints) -> Ints:
        """A problem for each attempt.

        Own and guided attempts: by difficulty, a quarter of them by view. Exploring ones: most at problems of unclear
        views, or such as lead to an unclear place, and in groups that look alike where they begin with a wild action.
        What was right elsewhere is tried at problems that look like those that the last test missed.
        """
        count, rng = len(kind), self.rng
        views = self._starts()
        order = np.argsort(views, kind="stable")
        different, first, size = np.unique(views[order], return_index=True, return_counts=True)

        def of_view(place: Ints) -> Ints:
            """Any problem of each of these views."""
            return order[first[place] + (rng.random(len(place)) * size[place]).astype(np.int64)]

        problem = self.teacher.choose(count)
        explores = kind >= HOPEFUL
        unclear, places = self._unclear()
        wanted = np.array(
            [i for i, v in enumerate(different.tolist()) if v in unclear] or range(len(different))
        )
        by_view = np.flatnonzero(np.where(explores, rng.random(count) < 0.8, rng.random(count) < 0.25))
        everywhere = rng.integers(len(different), size=len(by_view))
        pick = np.where(explores[by_view], wanted[rng.integers(len(wanted), size=len(by_view))], everywhere)
        problem[by_view] = of_view(pick)
        if places:
            searching = np.flatnonzero(((kind == HOPEFUL) | (kind == NEAR_BEST)) & (rng.random(count) < 0.5))
            chosen = rng.integers(len(places), size=len(searching))
            spread = rng.integers(1 << 30, size=len(searching))
            for row, p, s in zip(searching.tolist(), chosen.tolist(), spread.tolist(), strict=True):
                problem[row] = places[p][s % len(places[p])]
        carried = np.flatnonzero(kind == ANALOGOUS)
        if len(carried) and self.missed:
            missing = np.isin(views, sorted({self._likeness(p) for p in self.missed}))
            if missing.any():
                problem[carried] = rng.choice(np.flatnonzero(missing), size=len(carried))
        wild = np.flatnonzero(kind == WILD)
        leader = np.repeat(views[problem[wild[::TOGETHER]]], TOGETHER)[: len(wild)]
        problem[wild] = of_view(np.searchsorted(different, leader))
        return problem

    def _starts(self) -> Ints:
        """How each training problem looks at first."""
        return self.world.likeness(np.array(self.start, np.int64))

    def _unclear(self) -> tuple[set[int], list[list[int]]]:
        """First views, and examples of what leads to second ones, where not even the best known is always right."""
        known = self.experience.roots
        views = {v for v in self._starts().tolist() if v not in known}
        places = []
        for view, root in known.items():
            if root.best is None or root.worth < CLEAR:
                views.add(view)
            if root.best is not None:
                for place in root.actions[root.best].after.values():
                    if place.examples and (place.best is None or place.worth < CLEAR):
                        places.append(place.examples)
                        views.add(view)
        return views, places
