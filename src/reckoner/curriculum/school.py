"""The school: trains all skills of a curriculum, independent ones side by side, and resumes after any interruption.

Each skill is a lesson that depends only on the frozen skills it may call, on the seed and on the configuration,
never on the order in which lessons happen to end: so an interrupted run, continued, ends with the same weights.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from reckoner.curriculum.checkpoint import SPENT, Attempts, SkillFolder
from reckoner.curriculum.plan import Plan
from reckoner.curriculum.run_folder import locked, open_run
from reckoner.curriculum.student import Progress, Stuck, Student
from reckoner.curriculum.tasks import BasicTask, InteractiveTask, Task
from reckoner.engine import Processes
from reckoner.errors import LibraryError, ReckonerError
from reckoner.provenance import provenance
from reckoner.skills.base import Skill
from reckoner.skills.library import Library
from reckoner.training.supervised import train_basic


class NotLearned(ReckonerError):
    """A student was given up after all its restarts."""

    kind = "not-learned"


Report = Callable[[dict[str, Any]], None]


def teach(plan: Plan, report: Report) -> Library | None:
    """Train everything that is not mastered yet; the whole library, which is also saved in the folder.

    None if the budget was used up before; what is learned so far is on disk.
    """
    with open_run(plan.folder, plan.settings, plan.workers):
        plan.check_names()
        if not _teach(plan, report):
            return None
        library = plan.frozen()
        library.save(plan.folder / "library")
        return library


def _teach(plan: Plan, report: Report) -> bool:
    """Whether all that is wanted could be learned in time."""
    mastered = plan.mastered()
    todo = [t for t in plan.tasks if t not in mastered and (not plan.only or t.spec.name in plan.only)]
    wanted = {t.spec.name for t in todo}
    done = {*plan.frozen().names} - wanted
    for task in todo:
        for callee in {*task.spec.calls} - done - wanted:
            raise LibraryError(
                f"{task.spec.name!r} calls {callee!r}, which is not learned and not to be learned"
            )
    weight = _importance(plan.tasks)
    running: dict[str, Task] = {}
    with Processes(plan.workers) as engine:
        while todo or running:
            if plan.is_out_of_time():
                todo = []
            ready = [t for t in todo if all(c in done or c == t.spec.name for c in t.spec.calls)]
            if todo and not ready and not running:
                raise LibraryError(
                    f"{todo[0].spec.name!r} and others wait for one another: none can be first"
                )
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
                last = plan.skill_folder(task).last_record()
                if last is not None:
                    report({"event": "progress", "skill": task.spec.name, **last})
    return wanted <= done


def lesson(plan: Plan, name: str) -> dict[str, Any] | None:
    """Learn one skill, in a worker process; its record, or None if the time was up before."""
    task = next(t for t in plan.tasks if t.spec.name == name)
    folder = plan.skill_folder(task)
    folder.folder.mkdir(parents=True, exist_ok=True)
    # a worker whose run was killed takes half a second to notice: until then it has this lock
    with locked(folder.folder / "lock", wait=True):
        return _study(plan, task, folder)


def _study(plan: Plan, task: Task, folder: SkillFolder) -> dict[str, Any] | None:
    name, started = task.spec.name, time.monotonic()
    if isinstance(task, BasicTask):
        table = [(p.x.encode(), p.y.encode(), p.answer.encode()) for p in task.table()]
        try:
            skill, epochs = train_basic(task.spec, table, lesson_seed(plan.seed, name, 0))
        except RuntimeError as error:  # so many epochs were not enough
            raise NotLearned(str(error)) from None
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
    library = plan.frozen(below=task)
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
        found = {"restarts": attempts.number, "failures": attempts.failures}
        found |= {"margin": round(student.margin, 4), "proved": student.proved}
        return skill, {**attempts.spent, **found}
    raise NotLearned(
        f"skill {task.spec.name!r} was not learned by {attempts.number} students: {attempts.failures[-1]}"
    )


def _spend(attempts: Attempts, student: Student) -> None:
    for name in SPENT:
        attempts.spent[name] += getattr(student if name == "seconds" else student.progress, name)


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
