"""The school: trains all skills of a curriculum, independent ones side by side, and resumes after any interruption.

Each skill is a lesson (`lesson.py`) that depends only on the frozen skills it may call, on the seed and on the
configuration, never on where it is taught or on the order in which lessons happen to end: so an interrupted run,
continued, ends with the same weights. Only the school writes into the run's folder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from reckoner.curriculum.checkpoint import SkillFolder
from reckoner.curriculum.lesson import Assignment, Note, Outcome, learn
from reckoner.curriculum.own import read_rows
from reckoner.curriculum.plan import Plan
from reckoner.curriculum.run_folder import open_run
from reckoner.curriculum.tasks import Task
from reckoner.engine import Engine, Lost, Processes
from reckoner.errors import LibraryError
from reckoner.skills.library import Library
from reckoner.skills.parcel import pack_library

Report = Callable[[dict[str, Any]], None]


def teach(plan: Plan, report: Report, engine: Engine | None = None) -> Library | None:
    """Train everything that is not mastered yet; the whole library, which is also saved in the folder.

    Lessons run on the engine, or in processes of this machine. None if the budget was used up before; what is
    learned so far is on disk.
    """
    with open_run(plan.folder, plan.settings, plan.workers):
        plan.check_names()
        if engine is not None:
            is_done = _teach(plan, report, engine)
        else:
            with Processes(plan.workers) as processes:
                is_done = _teach(plan, report, processes)
        if not is_done:
            return None
        library = plan.frozen()
        library.save(plan.folder / "library")
        return library


@dataclass
class _Lesson:
    """A lesson under way: what it needs, and its folder, which only this process writes."""

    task: Task
    folder: SkillFolder
    library: Library
    last: dict[str, Any] | None = field(default=None)  # the newest record, not reported yet
    place: str = ""

    def hear(self, note: Note) -> None:
        """Write down what the lesson tells."""
        if note.kind == "save":
            self.folder.save(note.content)
        else:
            self.folder.log(note.content)
            self.last = note.content

    def finish(self, outcome: Outcome) -> None:
        """Keep the mastered skill."""
        self.folder.finish(outcome.skill.unpack(self.library), outcome.record)


def _teach(plan: Plan, report: Report, engine: Engine) -> bool:
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
    running: dict[str, _Lesson] = {}
    while todo or running:
        if plan.is_out_of_time():
            todo = []
        ready = [t for t in todo if all(c in done or c == t.spec.name for c in t.spec.calls)]
        if todo and not ready and not running:
            raise LibraryError(f"{todo[0].spec.name!r} and others wait for one another: none can be first")
        ready.sort(key=lambda t: -weight[t.spec.name])
        for task in ready[: max(0, engine.room - len(running))]:
            todo.remove(task)
            running[task.spec.name] = _begin(plan, task, engine)
            report({"event": "start", "skill": task.spec.name})
        for name, outcome in engine.collect(timeout=0.5):
            lesson = running.pop(name)
            if isinstance(outcome, Lost):  # its last checkpoint is here: it goes on from there
                todo.append(lesson.task)
                report({"event": "lost", "skill": name, "reason": outcome.reason})
            elif outcome is not None:
                lesson.finish(outcome)
                done.add(name)
                report({"event": "mastered", "skill": name, **outcome.record})
        _report_progress(running, engine.places, report)
    return wanted <= done


def _begin(plan: Plan, task: Task, engine: Engine) -> _Lesson:
    """Start a lesson where an earlier session, or another machine, stopped."""
    lesson = _Lesson(task, plan.skill_folder(task), plan.frozen(below=task))
    assignment = Assignment(
        task.spec.name,
        plan.curriculum if plan.own is None else read_rows(plan.own),
        pack_library(lesson.library),
        plan.seed,
        plan.config,
        lesson.folder.resume(),
        plan.seconds_left(),
    )
    engine.submit(task.spec.name, learn, assignment, listen=lesson.hear)
    return lesson


def _report_progress(running: dict[str, _Lesson], places: dict[str, str], report: Report) -> None:
    for name, lesson in running.items():
        place = places.get(name, "")
        if place != lesson.place:
            lesson.place = place
            report({"event": "placed", "skill": name, "place": place})
        if lesson.last is not None:
            report({"event": "progress", "skill": name, "place": place, **lesson.last})
            lesson.last = None


def _importance(tasks: Sequence[Task]) -> dict[str, int]:
    """The length of the longest chain of skills that wait for each one: those are taught first."""
    weight = {t.spec.name: 0 for t in tasks}
    for t in reversed(tasks):
        for callee in t.spec.calls:
            if callee != t.spec.name and callee in weight:
                weight[callee] = max(weight[callee], weight[t.spec.name] + 1)
    return weight
