"""Trains a baseline under the curriculum teacher: same sampling of hard problems, same rule for mastery."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

import numpy as np
import torch

from reckoner.baselines.base import Baseline
from reckoner.baselines.standard import standard_seconds
from reckoner.curriculum.teacher import Teacher, TeacherConfig


class Exercise(NamedTuple):
    """A question and its exact answer, as plain text."""

    question: str
    answer: str


@dataclass(frozen=True)
class TrainerConfig:
    """How a baseline learns one task. All chosen here: the paper says nothing of its baselines' training."""

    seconds: float = 60.0  # of a standard core, in gradient steps; the task is given up after that
    most_updates: int = 100_000
    test_every: int = 50  # updates
    batch: int = 64  # exercises per gradient step; the teacher's choice is cut into such pieces
    learning_rate: float = 2e-3
    gradient_clip: float = 1.0
    # the paper counts wrong attempts, over all problems as one
    teacher: TeacherConfig = field(default_factory=lambda: TeacherConfig(forgets=False, by_view=False))


class Check(NamedTuple):
    """One test on the training problems."""

    update: int
    seconds: float
    accuracy: float


class Trainer:
    """A network and its optimiser, taken from task to task."""

    def __init__(self, model: Baseline, config: TrainerConfig, seed: int) -> None:
        self.model = model
        self.config = config
        self.rng = np.random.default_rng(seed)
        self.optimizer = torch.optim.Adam(model.parameters(), lr=config.learning_rate)
        self.updates = 0
        self.seconds = 0.0

    def learn(
        self,
        exercises: Sequence[Exercise],
        watch: Callable[[Check], None] | None = None,
        goal: float = 1.0,
    ) -> bool:
        """Train until every exercise is right (or the goal reached), or the budget is spent."""
        teacher = Teacher(len(exercises), self.config.teacher, self.rng)
        spent, updates, error = 0.0, 0, 1.0
        waiting: list[int] = []
        while True:
            if updates % self.config.test_every == 0:
                accuracy = score(self.model, exercises)
                error = 1 - accuracy
                self.model.consolidate(error)
                if watch is not None:
                    watch(Check(self.updates, self.seconds, accuracy))
                if accuracy >= goal:
                    return True
                if spent >= self.config.seconds or updates >= self.config.most_updates:
                    return False
            started = standard_seconds()
            if not waiting:
                waiting = teacher.choose(self.config.teacher.consecutive).tolist()
            chosen, waiting = waiting[: self.config.batch], waiting[self.config.batch :]
            is_right = self._step([exercises[i] for i in chosen], error)
            teacher.mark(np.array(chosen), np.array(is_right))
            duration = standard_seconds() - started
            spent, updates = spent + duration, updates + 1
            self.seconds, self.updates = self.seconds + duration, self.updates + 1

    def learn_by_length(
        self, draw: Callable[[Random, int], Exercise], sizes: Sequence[int], rng: Random
    ) -> bool:
        """Exercises drawn afresh, longer ones as soon as the present length is known; uses the whole budget.

        Every batch is of one length, usually the present one: the longest sets the Neural GPU's steps.
        """
        present, error = 0, 1.0
        while self.seconds < self.config.seconds and self.updates < self.config.most_updates:
            started = standard_seconds()
            size = sizes[present] if rng.random() < 0.7 else rng.choice(sizes[: present + 1])
            self._step([draw(rng, size) for _ in range(self.config.batch)], error)
            self.seconds, self.updates = self.seconds + standard_seconds() - started, self.updates + 1
            if self.updates % self.config.test_every == 0:
                error = 1 - score(self.model, [draw(rng, sizes[present]) for _ in range(100)])
                self.model.consolidate(error)
                if error < 0.05 and present + 1 < len(sizes):
                    present += 1
        return present + 1 == len(sizes) and error < 0.05

    def _step(self, exercises: Sequence[Exercise], error: float) -> list[bool]:
        """One gradient step; which of the exercises came out right before it."""
        self.model.train()
        loss, is_right = self.model.attempt([e.question for e in exercises], [e.answer for e in exercises])
        self.optimizer.zero_grad()
        loss.backward()
        self.model.disturb(error)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.config.gradient_clip)
        self.optimizer.step()
        return is_right


def score(model: Baseline, exercises: Sequence[Exercise]) -> float:
    """Share of exactly right answers."""
    model.eval()
    answers = model.answer([e.question for e in exercises])
    return sum(a == e.answer for a, e in zip(answers, exercises, strict=True)) / max(1, len(exercises))
