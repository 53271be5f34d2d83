"""One student under observation: learns a task once, within a cap, while a fixed test set is looked at.

Both the ablations and the training curves of our own model are made with it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from reckoner.curriculum.problems import Problem
from reckoner.curriculum.student import Stuck, Student, StudentConfig, distinct, wrong
from reckoner.curriculum.tasks import InteractiveTask
from reckoner.errors import ReckonerError
from reckoner.reproduction.records import Record
from reckoner.skills.interactive import InteractiveSkill
from reckoner.skills.library import Library, round_to_half

TEST_PROBLEMS = 200
TEST_EVERY = 5  # updates
CLOSELY = 20  # so many updates are all looked at first, if that is cheap: some skills need no more


@dataclass(frozen=True)
class Cap:
    """Where a run that does not get there ends."""

    seconds: float  # of processor time
    updates: int


@dataclass
class Observer:
    """Receives a student's log, keeps the curve, says when the cap is reached. Time for tests is not counted."""

    cap: Cap
    test: Callable[[], float]
    closely: int = CLOSELY
    curve: list[list[float]] = field(
        default_factory=list
    )  # update, seconds, accuracy in training, on the test set
    stage: int = 0
    updates: int = 0
    _started: float = field(default_factory=time.process_time)
    _testing: float = 0.0

    @property
    def seconds(self) -> float:
        """Processor time of the training alone."""
        return time.process_time() - self._started - self._testing

    def __call__(self, entry: dict[str, Any]) -> None:
        self.updates = int(entry["update"])
        is_due = self.updates <= self.closely or self.updates % TEST_EVERY == 0 or bool(entry.get("mastered"))
        self.stage = int(entry["stage"])
        if is_due:
            self.look(float(entry["accuracy"]))

    def is_over(self) -> bool:
        """Whether the cap is reached."""
        return self.seconds > self.cap.seconds or self.updates >= self.cap.updates

    def look(self, training: float) -> float:
        """Measure the test accuracy now."""
        seconds, started = self.seconds, time.process_time()
        accuracy = self.test()
        self._testing += time.process_time() - started
        self.curve.append([self.updates, round(seconds, 2), round(training, 4), round(accuracy, 4)])
        return accuracy


def watch(
    task: InteractiveTask,
    library: Library,
    config: StudentConfig,
    seed: int,
    cap: Cap,
    test: Sequence[Problem] | Callable[[InteractiveSkill], float] | None = None,
) -> tuple[Record, InteractiveSkill | None]:
    """One attempt at a task: what it reached and what it cost; the skill, if it was mastered."""
    problems = test_problems(task) if test is None else test
    student: Student

    def measure() -> float:
        tensors = round_to_half(student.network.tensors())
        skill = InteractiveSkill(task.spec, student.network_config, tensors)
        if callable(problems):
            return problems(skill)
        return 1 - len(wrong(student.machine, skill, problems)) / len(problems)

    observer = Observer(cap, measure, closely=0 if callable(problems) else CLOSELY)
    student = Student(task, library, config, seed, observer, should_stop=observer.is_over)
    skill, reason = None, ""
    try:
        skill = student.learn()
        if skill is None:
            reason = f"cap of {cap.seconds:g} s or {cap.updates} updates reached in stage {observer.stage}"
    except Stuck as error:
        reason = str(error)
    except ReckonerError as error:  # a limit of the machine, met by a policy that wanders
        reason = error.message
    seconds = observer.seconds
    final = observer.look(1.0 if skill is not None else (observer.curve[-1][2] if observer.curve else 0.0))
    record = {
        "skill": task.spec.name,
        "seed": seed,
        "mastered": skill is not None,
        "reason": reason,
        "updates": observer.updates,
        "episodes": observer.updates * config.blocks * config.teacher.consecutive,
        "seconds": round(seconds, 2),
        "stage": observer.stage,
        "stages": list(task.stages),
        "accuracy": round(final, 4),
        "cap": {"seconds": cap.seconds, "updates": cap.updates},
        "curve": observer.curve,
    }
    return record, skill


def test_problems(task: InteractiveTask) -> list[Problem]:
    """Held-out problems of the last stage's size, the same for every seed and configuration."""
    return distinct(
        task, task.stages[-1], TEST_PROBLEMS, Random(f"{task.spec.name} ablation test"), held_out=True
    )
