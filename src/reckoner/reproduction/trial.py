"""One trial: a student learns a task once, within a cap, while a fixed test set is looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from random import Random
from typing import Any

from reckoner.baselines.standard import standard_seconds
from reckoner.baselines.trainer import Exercise
from reckoner.curriculum.problems import Problem
from reckoner.curriculum.progress import Stuck
from reckoner.curriculum.stage import distinct
from reckoner.curriculum.student import CAUTIOUS, Student, StudentConfig, wrong
from reckoner.curriculum.tasks import INTERACTIVE, InteractiveTask
from reckoner.errors import ReckonerError
from reckoner.grammar import parse
from reckoner.machine import Machine
from reckoner.reproduction.baseline import CURVE_LENGTH, exercises
from reckoner.reproduction.budget import Cap
from reckoner.reproduction.records import Point, Record, RecordsError
from reckoner.skills.interactive import InteractiveSkill
from reckoner.skills.library import Library

TEST_PROBLEMS = 200
TEST_EVERY = 5  # updates
CLOSELY = 20  # every one of the first updates is looked at, where a test is cheap: some skills need no more
FEW_OPERATORS = 3

Measure = Callable[[InteractiveSkill], float]  # accuracy of a skill as it is now


@dataclass
class Observer:
    """Receives a student's log, keeps the curve, says when the cap is reached. Time for tests is not counted."""

    cap: Cap
    test: Callable[[], float]
    closely: int
    curve: list[Point] = field(default_factory=list)
    attempts_at: list[int] = field(default_factory=list)  # each point of the curve
    stage: int = 0
    updates: int = 0
    attempts: int = 0
    _started: float = field(default_factory=standard_seconds)
    _testing: float = 0.0

    @property
    def seconds(self) -> float:
        """Of a standard core, of the training alone."""
        return standard_seconds() - self._started - self._testing

    def __call__(self, entry: dict[str, Any]) -> None:
        self.updates, self.stage = int(entry["update"]), int(entry["stage"])
        self.attempts = int(entry.get("attempts", self.attempts))
        if self.updates <= self.closely or self.updates % TEST_EVERY == 0 or entry.get("mastered"):
            self.look(float(entry["accuracy"]))

    def is_over(self) -> bool:
        """Whether the cap is reached."""
        return self.seconds > self.cap.seconds or self.updates >= self.cap.updates

    def look(self, training: float) -> float:
        """Measure the test accuracy now."""
        seconds, started = self.seconds, standard_seconds()
        accuracy = self.test()
        self._testing += standard_seconds() - started
        self.curve.append(Point(self.updates, round(seconds, 2), round(training, 4), round(accuracy, 4)))
        self.attempts_at.append(self.attempts)
        return accuracy


def run_trial(
    task: InteractiveTask,
    library: Library,
    config: StudentConfig,
    seed: int,
    cap: Cap,
    test: Measure | None = None,
) -> tuple[Record, InteractiveSkill | None]:
    """One attempt at a task: what it reached and what it cost; the skill, if it was mastered."""
    measure = test or held_out_test(task, library)
    student: Student

    def measure_now() -> float:
        return measure(student.freeze())

    observer = Observer(cap, measure_now, closely=CLOSELY if test is None else 0)
    student = Student(task, library, config, seed, observer, should_stop=observer.is_over)
    skill, reason = None, ""
    try:
        skill = student.learn()
        if skill is None:
            reason = f"cap of {cap.seconds:g} s or {cap.updates:,} updates reached in stage {observer.stage}"
    except Stuck as error:
        reason = str(error)
    except ReckonerError as error:  # a limit of the machine, met by a policy that wanders
        reason = error.message
    seconds = observer.seconds
    before = (observer.curve[-1].training or 0.0) if observer.curve else 0.0
    accuracy = observer.look(before if skill is None else 1.0)
    record = {
        "skill": task.spec.name,
        "seed": seed,
        "mastered": skill is not None,
        "reason": reason,
        "updates": observer.updates,
        "attempts": student.progress.attempts,
        "steps": student.progress.steps,
        "tried": student.progress.tried,
        "seconds": round(seconds, 2),
        "stage": observer.stage,
        "stages": list(task.stages),
        "accuracy": round(accuracy, 4),
        "cap": asdict(cap),
        "curve": observer.curve,
        "attempts_at": observer.attempts_at,
    }
    return record, skill


def interactive(name: str) -> InteractiveTask:
    """The task of an interactive skill."""
    if name not in INTERACTIVE:
        raise RecordsError(f"{name!r} is not an interactive skill, and trials are about those")
    return INTERACTIVE[name]


def ablated(name: str, stages: int | None = None) -> InteractiveTask:
    """The task as ablations teach it: of expressions those with up to three operators and brackets.

    Whole lessons, with ten times their time for every variant that fails, would take weeks. What is longer than these
    is then not expected and does not decide.
    """
    task = interactive(name)
    if name.startswith("expression"):
        short = tuple(size for size in task.stages if size <= FEW_OPERATORS)
        task = replace(task, stages=short, longer=FEW_OPERATORS)
    return replace(task, stages=task.stages[:stages])


def held_out_problems(task: InteractiveTask) -> list[Problem]:
    """Test problems of the last stage's size, the same for every seed and configuration."""
    rng = Random(f"{task.spec.name} ablation test")
    # all messages of one character are for training
    size = max(2, task.stages[-1])
    return distinct(task, size, TEST_PROBLEMS, rng, "test")


def held_out_test(task: InteractiveTask, library: Library) -> Measure:
    """Accuracy on those problems."""
    problems, machine = held_out_problems(task), Machine(library, CAUTIOUS)
    return lambda skill: 1 - len(wrong(machine, skill, problems)) / len(problems)


def papers_test(name: str, library: Library, kind: str, count: int) -> Measure:
    """The paper's test set: expressions of length 10 with about three operators and brackets; here, at most three.

    Of `count` problems of our Table 1 those that have no more: two of five have three operators and a pair of brackets,
    which an ablated lesson does not reach. So those that are left have no brackets.
    """
    problems = exercises(kind, CURVE_LENGTH, count)
    return expression_test(
        name, library, [p for p in problems if sum(c in "+-*/%()" for c in p.question) <= FEW_OPERATORS]
    )


def expression_test(name: str, library: Library, problems: Sequence[Exercise]) -> Measure:
    """Accuracy on whole expressions; zero while another skill is being learned."""
    pairs = [(parse(p.question).text, "") for p in problems]

    def test(skill: InteractiveSkill) -> float:
        if skill.name != name:
            return 0.0
        outcomes = Machine(library).run(skill, pairs)
        return sum(o.answer == p.answer for o, p in zip(outcomes, problems, strict=True)) / len(problems)

    return test
