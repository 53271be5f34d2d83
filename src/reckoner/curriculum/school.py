"""The school: trains all skills of a curriculum, independent ones side by side, and resumes after any interruption.

Each skill is a lesson that depends only on the frozen skills it may call, on the seed and on the configuration,
never on the order in which lessons happen to end: so an interrupted run, continued, ends with the same weights.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from reckoner.curriculum.checkpoint import SPENT, Attempts, SkillFolder
from reckoner.curriculum.student import Progress, Stuck, Student, StudentConfig
from reckoner.curriculum.tasks import CURRICULA, BasicTask, InteractiveTask, Task
from reckoner.engine import Processes
from reckoner.errors import LibraryError, ReckonerError
from reckoner.provenance import provenance
from reckoner.skills.base import Skill
from reckoner.skills.library import BUNDLED, Library, write_atomically
from reckoner.training.supervised import train_basic


class NotLearned(ReckonerError):
    """A student was given up after all its restarts."""

    kind = "not-learned"


@dataclass(frozen=True)
class Plan:
    """What is to be trained, where and how."""

    curriculum: str  # a name in CURRICULA
    folder: Path
    seed: int = 0
    workers: int = 2
    deadline: float | None = None  # wall-clock time (time.time()) at which to stop
    only: tuple[str, ...] = ()  # train these alone, on top of what the folder or the bundled library has
    config: StudentConfig = field(default_factory=StudentConfig)

    def is_out_of_time(self) -> bool:
        """Whether the budget of this run is used up."""
        return self.deadline is not None and time.time() > self.deadline

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The rows of the curriculum."""
        return CURRICULA[self.curriculum]


Report = Callable[[dict[str, Any]], None]


def skill_folder(plan: Plan, task: Task) -> SkillFolder:
    """Where a task's files are."""
    return SkillFolder(plan.folder, task.spec.name, plan.tasks.index(task) + 1)


def teach(plan: Plan, report: Report) -> Library | None:
    """Train everything that is not mastered yet; the whole library, which is also saved in the folder.

    None if the budget was used up before; what is learned so far is on disk.
    """
    todo = [t for t in plan.tasks if not plan.only or t.spec.name in plan.only]
    todo = [t for t in todo if not skill_folder(plan, t).is_mastered]
    wanted = {t.spec.name for t in todo}
    done = {t.spec.name for t in plan.tasks if t not in todo}
    weight = _importance(plan.tasks)
    running: dict[str, Task] = {}
    with _clock(plan), Processes(plan.workers) as engine:
        while todo or running:
            if plan.is_out_of_time():
                todo = []
            ready = [t for t in todo if all(c in done or c == t.spec.name for c in t.spec.calls)]
            ready.sort(key=lambda t: -weight[t.spec.name])
            for task in ready[: plan.workers - len(running)]:
                todo.remove(task)
                running[task.spec.name] = task
                engine.submit(task.spec.name, lesson, plan, task.spec.name)
                report({"event": "start", "skill": task.spec.name})
            for name, record in engine.collect(timeout=0.5):
                del running[name]
                if record is not None:
                    done.add(name)
                    report({"event": "mastered", "skill": name, **record})
            for task in running.values():
                last = skill_folder(plan, task).last_record()
                if last is not None:
                    report({"event": "progress", "skill": task.spec.name, **last})
    return assemble(plan) if wanted <= done else None


@contextmanager
def _clock(plan: Plan) -> Iterator[None]:
    """Add this session's wall-clock time to the run's, in run.json, however the session ends (short of a kill)."""
    file = plan.folder / "run.json"
    plan.folder.mkdir(parents=True, exist_ok=True)
    page = (
        json.loads(file.read_bytes()) if file.exists() else {"seed": plan.seed, "seconds": 0.0, "sessions": 0}
    )
    started = time.monotonic()
    try:
        yield
    finally:
        page["seconds"] += time.monotonic() - started
        page["sessions"] += 1
        write_atomically(
            file, json.dumps({**page, "workers": plan.workers, "curriculum": plan.curriculum}).encode()
        )


def assemble(plan: Plan) -> Library:
    """The mastered skills in order, saved as a library."""
    library = Library()
    for task in plan.tasks:
        folder = skill_folder(plan, task)
        if folder.is_mastered and all(c in library or c == task.spec.name for c in task.spec.calls):
            skill, record = folder.load()
            library.append(skill, record)
    if len(library):
        library.save(plan.folder / "library")
    return library


def lesson(plan: Plan, name: str) -> dict[str, Any] | None:
    """Learn one skill, in a worker process; its record, or None if the time was up before."""
    task = next(t for t in plan.tasks if t.spec.name == name)
    folder = skill_folder(plan, task)
    folder.folder.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    if isinstance(task, BasicTask):
        table = [(p.x.encode(), p.y.encode(), p.answer.encode()) for p in task.table()]
        skill, epochs = train_basic(task.spec, table, lesson_seed(plan.seed, name, 0))
        record: dict[str, Any] = {
            "epochs": epochs,
            "entries": len(table),
            "seconds": time.monotonic() - started,
            "restarts": 0,
        }
        frozen: Skill = skill
    else:
        learned = _learn(plan, task, folder)
        if learned is None:
            return None
        frozen, record = learned
    record |= {"seed": plan.seed, "config": asdict(plan.config), **provenance()}
    folder.finish(frozen, record)
    return record


def _learn(plan: Plan, task: InteractiveTask, folder: SkillFolder) -> tuple[Skill, dict[str, Any]] | None:
    """Students one after the other, each with another seed, until one masters the task or the time is up."""
    library = _callees(plan, task)
    attempts = folder.resume()
    while attempts.number <= plan.config.restarts:

        def save(progress: Progress, attempts: Attempts = attempts) -> None:
            attempts.progress = progress
            folder.save(attempts)

        def log(record: dict[str, Any], number: int = attempts.number) -> None:
            folder.log({"attempt": number, **record})

        seed = lesson_seed(plan.seed, task.spec.name, attempts.number)
        student = Student(task, library, plan.config, seed, log, save, plan.is_out_of_time)
        try:
            skill = student.learn(attempts.progress)
        except Stuck as stuck:
            _spend(attempts, student)
            attempts = Attempts(attempts.number + 1, [*attempts.failures, str(stuck)], attempts.spent)
            folder.save(attempts)
            continue
        if skill is None:
            return None
        _spend(attempts, student)
        return skill, {**attempts.spent, "restarts": attempts.number, "failures": attempts.failures}
    raise NotLearned(
        f"skill {task.spec.name!r} was not learned by {attempts.number} students: {attempts.failures[-1]}"
    )


def _spend(attempts: Attempts, student: Student) -> None:
    for name in SPENT:
        attempts.spent[name] += getattr(student if name == "seconds" else student.progress, name)


def _callees(plan: Plan, task: Task) -> Library:
    """The frozen skills below a task: of this run, or else the bundled ones."""
    by_name = {t.spec.name: t for t in plan.tasks}
    needed = {task.spec.name}
    for t in reversed(plan.tasks):
        if t.spec.name in needed:
            needed.update(t.spec.calls)
    library, bundled = Library(), None
    for name, t in by_name.items():
        if name not in needed or name == task.spec.name:
            continue
        folder = skill_folder(plan, t)
        if folder.is_mastered:
            library.append(*folder.load())
            continue
        if bundled is None:
            bundled = Library.load(BUNDLED)
        if name not in bundled:
            raise LibraryError(
                f"{task.spec.name!r} calls {name!r}, which is neither in {plan.folder} nor bundled"
            )
        library.append(bundled[name], bundled.records[name])
    return library


def _importance(tasks: Sequence[Task]) -> dict[str, int]:
    """The length of the longest chain of skills that wait for each one: those are taught first."""
    weight = {t.spec.name: 0 for t in tasks}
    for t in reversed(tasks):
        for callee in t.spec.calls:
            if callee != t.spec.name and callee in weight:
                weight[callee] = max(weight[callee], weight[t.spec.name] + 1)
    return weight


def lesson_seed(seed: int, name: str, attempt: int) -> int:
    """The seed of one attempt at one skill."""
    return zlib.crc32(f"{seed} {name} {attempt}".encode())
