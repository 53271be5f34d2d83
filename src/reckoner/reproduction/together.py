"""All tasks of an operation at once: every skill learns on helpers that are themselves still learning.

The students take turns. Each sees the others as they are when its turn begins, from random weights on; a skill that is
mastered on them (its answers are right, whatever they are) is frozen, as it would be in a lesson.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from reckoner.baselines.standard import standard_seconds
from reckoner.curriculum.lesson import lesson_seed
from reckoner.curriculum.progress import Progress, Stuck
from reckoner.curriculum.student import Student, StudentConfig
from reckoner.curriculum.tasks import INTERACTIVE, InteractiveTask
from reckoner.errors import ReckonerError
from reckoner.reproduction.budget import Cap
from reckoner.reproduction.records import Point, Record
from reckoner.reproduction.trial import held_out_test
from reckoner.skills.base import Skill
from reckoner.skills.interactive import InteractiveSkill
from reckoner.skills.library import Library, names_below


@dataclass
class Pupil:
    """One task, and how far its student has come over all its turns."""

    task: InteractiveTask
    config: StudentConfig
    seed: int
    skill: InteractiveSkill  # as it is now, for the others to call
    progress: Progress
    is_mastered: bool = False
    accuracy: float = 0.0  # on its own training and validation problems
    reasons: list[str] = field(default_factory=list)  # why a turn ended before its time

    @classmethod
    def enrol(cls, task: InteractiveTask, library: Library, config: StudentConfig, seed: int) -> Pupil:
        """A student that knows nothing yet."""
        own = lesson_seed(seed, task.spec.name, 0)
        student = Student(task, library, config, own)
        return cls(task, config, own, student.freeze(), Progress(tensors=student.network.tensors()))

    def take_turn(self, library: Library, seconds: float) -> None:
        """Learn for so long on the others as they are; what was learned is kept, what was tried is forgotten."""
        end = standard_seconds() + seconds

        def listen(entry: dict[str, Any]) -> None:
            self.accuracy = float(entry["accuracy"])

        student = Student(
            self.task,
            library,
            self.config,
            self.seed,
            listen,
            should_stop=lambda: standard_seconds() > end,
        )
        try:
            self.is_mastered = student.learn(self.progress) is not None
        except Stuck as error:  # all stages were mastered, and the very last test was not
            self.reasons.append(str(error))
            student.progress.stage = len(self.task.stages) - 1
        except ReckonerError as error:  # a limit of the machine, met by helpers that wander
            self.reasons.append(error.message)
        self.progress = student.progress
        self.progress.tensors = student.network.tensors()
        self.skill = student.freeze()


def tasks_for(name: str) -> list[InteractiveTask]:
    """A skill's task and those of all its helpers, in the curriculum's order."""
    needed = names_below(INTERACTIVE[name].spec, {n: t.spec.calls for n, t in INTERACTIVE.items()})
    return [task for n, task in INTERACTIVE.items() if n in needed or n == name]


def learn_together(
    name: str, facts: Sequence[Skill], config: StudentConfig, seed: int, cap: Cap, turn: float
) -> Record:
    """A skill and all its helpers in turns of so many seconds: what came of it, as of one trial."""
    pupils: list[Pupil] = []
    for task in tasks_for(name):
        pupils.append(Pupil.enrol(task, _as_they_are(facts, pupils).below(task.spec), config, seed))
    last, seconds, curve = pupils[-1], 0.0, list[Point]()
    accuracy = 0.0
    while seconds < cap.seconds and not last.is_mastered:
        for pupil in (p for p in pupils if not p.is_mastered):
            library = _as_they_are(facts, [p for p in pupils if p is not pupil])
            started = standard_seconds()
            pupil.take_turn(library.below(pupil.task.spec), min(turn, cap.seconds - seconds))
            seconds += standard_seconds() - started
            if pupil is last:
                accuracy = held_out_test(last.task, library)(last.skill)
                curve.append(_point(pupils, seconds, accuracy))
            if seconds >= cap.seconds:
                break
    done = [p.task.spec.name for p in pupils if p.is_mastered]
    reason = (
        "" if last.is_mastered else f"cap of {cap.seconds:g} s reached, {len(done)} of {len(pupils)} mastered"
    )
    return {
        "skill": name,
        "seed": seed,
        "mastered": last.is_mastered,
        "reason": reason,
        "updates": sum(p.progress.updates for p in pupils),
        "attempts": sum(p.progress.attempts for p in pupils),
        "steps": sum(p.progress.steps for p in pupils),
        "seconds": round(seconds, 2),
        "stage": last.task.stages[min(last.progress.stage, len(last.task.stages) - 1)],
        "stages": list(last.task.stages),
        "accuracy": round(accuracy, 4),
        "cap": asdict(cap),
        "turn": turn,
        "tasks": [p.task.spec.name for p in pupils],
        "learned": done,
        "failures": {p.task.spec.name: p.reasons for p in pupils if p.reasons},
        "curve": curve,
    }


def _as_they_are(facts: Sequence[Skill], pupils: Sequence[Pupil]) -> Library:
    """What can be called now."""
    library = Library()
    for skill in [*facts, *(p.skill for p in pupils)]:
        if {skill.name, *library.names}.issuperset(skill.spec.calls):
            library.append(skill)
    return library


def _point(pupils: Sequence[Pupil], seconds: float, accuracy: float) -> Point:
    updates = sum(p.progress.updates for p in pupils)
    return Point(updates, round(seconds, 2), round(pupils[-1].accuracy, 4), round(accuracy, 4))
