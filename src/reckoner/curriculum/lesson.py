"""A lesson: one skill learned on top of frozen ones, wherever there is a free core.

It is given all it needs as plain data and writes nothing: metrics and checkpoints are told to whoever collects them
(`school.py`), the mastered skill is returned. So it is the same lesson in this process, in another, and on another
machine, and depends on nothing but the frozen skills, the seed and the configuration.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple

from reckoner.curriculum.checkpoint import SPENT, Attempts
from reckoner.curriculum.own import Rows
from reckoner.curriculum.progress import Progress, Stuck
from reckoner.curriculum.student import Student, StudentConfig
from reckoner.curriculum.tasks import CURRICULA, BasicTask, InteractiveTask, Task
from reckoner.errors import ReckonerError
from reckoner.provenance import provenance
from reckoner.skills.base import Skill
from reckoner.skills.library import Library
from reckoner.skills.parcel import Parcel, pack, unpack_library
from reckoner.training.supervised import train_basic


class NotLearned(ReckonerError):
    """A student was given up after all its restarts."""

    kind = "not-learned"


@dataclass(frozen=True)
class Assignment:
    """What is to be learned, on top of what, and where an earlier session stopped."""

    name: str
    rows: str | Rows  # a name in CURRICULA, or rows of one's own
    below: tuple[Parcel, ...]  # the frozen skills that it needs
    seed: int
    config: StudentConfig
    attempts: Attempts
    seconds: float | None  # that are left; None: no limit

    @property
    def task(self) -> Task:
        """The row of the curriculum."""
        rows = CURRICULA[self.rows] if isinstance(self.rows, str) else self.rows.tasks()
        return next(t for t in rows if t.spec.name == self.name)


class Note(NamedTuple):
    """What a lesson tells on its way: a record for the metrics, or where its attempts stand."""

    kind: Literal["log", "save"]
    content: Any


class Outcome(NamedTuple):
    """A mastered skill, and how it was learned."""

    skill: Parcel
    record: dict[str, Any]


Teller = Callable[[Note], None]


def learn(assignment: Assignment, tell: Teller) -> Outcome | None:
    """Learn one skill; None if the time was up before."""
    started, task, library = time.monotonic(), assignment.task, unpack_library(assignment.below)
    if isinstance(task, BasicTask):
        table = [(p.x.encode(), p.y.encode(), p.answer.encode()) for p in task.table()]
        try:
            frozen: Skill
            frozen, epochs = train_basic(task.spec, table, lesson_seed(assignment.seed, task.spec.name, 0))
        except RuntimeError as error:  # so many epochs were not enough
            raise NotLearned(str(error)) from None
        record: dict[str, Any] = {
            "epochs": epochs,
            "entries": len(table),
            "seconds": time.monotonic() - started,
            "restarts": 0,
        }
    else:
        learned = _learn(assignment, task, library, tell)
        if learned is None:
            return None
        frozen, record = learned
    record |= {"seed": assignment.seed, "config": asdict(assignment.config), **provenance()}
    return Outcome(pack(frozen), record)


def _learn(
    assignment: Assignment, task: InteractiveTask, library: Library, tell: Teller
) -> tuple[Skill, dict[str, Any]] | None:
    """Students one after the other, each with another seed, until one masters the task or the time is up."""
    attempts, config, name = assignment.attempts, assignment.config, task.spec.name
    end = None if assignment.seconds is None else time.monotonic() + assignment.seconds

    def is_out_of_time() -> bool:
        return end is not None and time.monotonic() > end

    while attempts.number <= config.restarts:

        def save(progress: Progress, attempts: Attempts = attempts) -> None:
            attempts.progress = progress
            tell(Note("save", attempts))

        def log(record: dict[str, Any], number: int = attempts.number) -> None:
            tell(Note("log", {"attempt": number, **record}))

        seed = lesson_seed(assignment.seed, name, attempts.number)
        student = Student(task, library, config, seed, log, save, is_out_of_time)
        try:
            skill = student.learn(attempts.progress)
        except Stuck as stuck:
            _spend(attempts, student)
            attempts = Attempts(attempts.number + 1, [*attempts.failures, str(stuck)], attempts.spent)
            tell(Note("save", attempts))
            continue
        if skill is None:
            return None
        _spend(attempts, student)
        found = {"restarts": attempts.number, "failures": attempts.failures}
        found |= {"margin": round(student.margin, 4), "proved": student.proved}
        found |= {"proof_seconds": round(student.proof_seconds, 2)}
        return skill, {**attempts.spent, **found}
    raise NotLearned(f"skill {name!r} was not learned by {attempts.number} students: {attempts.failures[-1]}")


def _spend(attempts: Attempts, student: Student) -> None:
    for name in SPENT:
        attempts.spent[name] += getattr(student if name == "seconds" else student.progress, name)


def lesson_seed(seed: int, name: str, attempt: int) -> int:
    """The seed of one attempt at one skill."""
    return zlib.crc32(f"{seed} {name} {attempt}".encode())
