"""Where a baseline's exercises come from: drawn anew for every batch, or the paper's fixed 1,000 per task."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random

import numpy as np

from reckoner.baselines import tasks
from reckoner.baselines.trainer import Exercise
from reckoner.curriculum import oracle
from reckoner.curriculum.expression import of_kind
from reckoner.curriculum.problems import Problem, Split, collect
from reckoner.curriculum.teacher import Teacher, TeacherConfig

LENGTHS = tuple(range(3, 12))  # characters of training problems: up to five digits each
KNOWN = 0.9  # right of the longest problems so far before longer ones come
STANDING = 0.4  # who does not wait for that sees longer ones after so much of all batches at one length …
FEWEST = 300  # … and at least so many


class Source(ABC):
    """Gives exercises batch by batch, and is told which came out right."""

    @abstractmethod
    def draw(self, count: int) -> list[Exercise]:
        """The next exercises."""

    @abstractmethod
    def learn(self, is_right: Sequence[bool]) -> None:
        """How the last ones came out."""

    @property
    @abstractmethod
    def stand(self) -> str:
        """How far the training has come, for people."""


def make_exercise(kind: str, length: int, rng: Random, side: Split) -> Exercise | None:
    """A problem of exactly so many characters on one side of the split, if the draw gives one."""
    text = of_kind(rng, kind, length)
    if text is None:
        return None
    try:
        answer = oracle.evaluate(text)
    except ZeroDivisionError:
        return None
    return Exercise(text, answer) if Problem(text, "", answer).split == side else None


def held_out(kind: str, length: int, count: int, side: Split) -> list[Exercise]:
    """Problems that no rival is trained on, nor our skill for expressions: the same for every model and seed."""
    rng = Random(f"baseline {side} {kind} {length}")
    return collect(lambda: make_exercise(kind, length, rng, side), count, 200 * count)


class Fresh(Source):
    """Problems of one operation, every batch of one length; longer ones come as the longest so far are known.

    One length per batch, because the longest problem sets the Neural GPU's steps.
    """

    def __init__(self, kind: str, seed: int, lengths: Sequence[int] = LENGTHS, waits: bool = True) -> None:
        """`waits`: until the longest so far are known, however long that takes."""
        self.kind = kind
        self.waits = waits
        self.rng = Random(f"fresh {kind} {seed}")
        self.lengths = lengths
        self.reached = min(2, len(lengths) - 1)  # index of the longest so far
        self.drawn = 0  # index of the last batch's length
        self.right = 0.0  # moving share, of the longest so far
        self.batches = self.since = 0  # in all, and since the last longer ones came

    def draw(self, count: int) -> list[Exercise]:
        """Usually of the longest so far, or of one of the others."""
        self.drawn = self.reached if self.rng.random() < 0.4 else self.rng.randint(0, self.reached)
        found: list[Exercise] = []
        while len(found) < count:
            exercise = make_exercise(self.kind, self.lengths[self.drawn], self.rng, "training")
            if exercise is not None:
                found.append(exercise)
        return found

    def learn(self, is_right: Sequence[bool]) -> None:
        """Go on to longer ones when the longest so far are known, or will not be."""
        self.batches += 1
        self.since += 1
        if self.drawn == self.reached:
            self.right += 0.05 * (sum(is_right) / len(is_right) - self.right)
        stands = self.since >= max(FEWEST, STANDING * self.batches) and not self.waits
        if (self.right > KNOWN or stands) and self.reached + 1 < len(self.lengths):
            self.reached, self.right, self.since = self.reached + 1, 0.0, 0

    @property
    def stand(self) -> str:
        """The longest problems so far."""
        return f"{self.lengths[self.reached]} characters"


class Fixed(Source):
    """The paper's way: 1,000 problems per task, hard ones more often, the next task when these are known."""

    def __init__(self, kind: str, seed: int, count: int) -> None:
        rows = [task for task in tasks.TASKS if task.operation == kind]
        self.sets = [tasks.training_set(task, count) for task in rows]
        self.rng = np.random.default_rng(seed)
        self.task = -1
        self._begin()

    def _begin(self) -> None:
        self.task += 1
        config = TeacherConfig(forgets=False, by_view=False)
        self.teacher = Teacher(len(self.sets[self.task]), config, self.rng)
        self.right = 0.0

    def draw(self, count: int) -> list[Exercise]:
        """What the teacher chooses."""
        self.chosen = self.teacher.choose(count)
        return [self.sets[self.task][i] for i in self.chosen]

    def learn(self, is_right: Sequence[bool]) -> None:
        """Mark them; go on when almost all attempts are right."""
        self.teacher.mark(self.chosen, np.array(is_right))
        self.right += 0.02 * (sum(is_right) / len(is_right) - self.right)
        if self.right > 0.98 and self.task + 1 < len(self.sets):
            self._begin()

    @property
    def stand(self) -> str:
        """Which task it is."""
        return f"task {self.task + 1} of {len(self.sets)}"
