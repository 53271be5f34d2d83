"""Our own training curves, from the folder of a training run (`reckon train --out FOLDER`).

The accuracy in training is in the run's metrics. The test set of expressions needs the skill for expressions,
so it is zero until that lesson begins; the lesson is deterministic, so it is repeated here with the same seed and
on the run's own frozen skills, and looked at on the way.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from reckoner.curriculum.checkpoint import SkillFolder
from reckoner.curriculum.plan import Plan
from reckoner.curriculum.school import lesson_seed, teach
from reckoner.curriculum.student import StudentConfig
from reckoner.curriculum.tasks import CURRICULA, BasicTask, Task
from reckoner.evaluation.cells import exercises, expression_test
from reckoner.reproduction.ablations import library_before
from reckoner.reproduction.budget import Budget
from reckoner.reproduction.pupil import Cap, watch
from reckoner.reproduction.records import Record, RecordsError, Unit
from reckoner.skills.interactive import InteractiveSkill
from reckoner.skills.library import Library

EXPRESSIONS = "expression"  # the kind of the test problems, and how the names of skills for such begin
LENGTH = 10
_POINTS = 600  # per curve at most: enough for any figure


def curriculum_units(budget: Budget, runs: dict[str, Path], home: Path) -> Iterator[Unit]:
    """One unit per training run; without any, the curriculum is learned here, once per seed."""
    for label, folder in runs.items():
        yield Unit(label, partial(_read, label, folder, budget))
    if not runs:
        for seed in range(budget.seeds):
            yield Unit(f"seed{seed}", partial(_learn, seed, budget, home))


def _learn(seed: int, budget: Budget, home: Path) -> Record:
    plan = Plan(budget.curriculum, home / "runs" / f"seed{seed}", seed)
    teach(plan, lambda event: None)
    return _read(plan.folder.name, plan.folder, budget)


def _read(label: str, run: Path, budget: Budget) -> Record:
    """All lessons of a run in curriculum order, as one curve over their time added up."""
    tasks = CURRICULA[budget.curriculum]
    curve: list[list[Any]] = []  # update, seconds, accuracy in training, on the test set (or null)
    lessons, updates, seconds, tested = [], 0, 0.0, 0.0
    for number, task in enumerate(tasks, start=1):
        folder = SkillFolder(run, task.spec.name, number)
        if not folder.is_mastered:
            raise RecordsError(
                f"{run} is not a finished training run: {task.spec.name!r} is not mastered in it"
            )
        _, record = folder.load()
        start = seconds
        if isinstance(task, BasicTask):
            curve.append([updates, round(start, 2), 0.0, tested])
        points: list[list[Any]] = [
            [updates + u, round(start + s, 2), round(a, 4), None] for u, s, a in _metrics(folder.folder)
        ]
        updates += int(record.get("updates", 0))
        seconds += float(record["seconds"])
        if task.spec.name.startswith(EXPRESSIONS) and not tested:
            test = _test(run, task, record, budget)
            points += [[updates, round(start + s, 2), None, a] for s, a in test]
            points.sort(key=lambda p: p[1])
            tested = test[-1][1]
        curve += [*points, [updates, round(seconds, 2), 1.0, tested]]
        lesson = {"task": task.spec.name, "end": updates, "mastered": True, "seconds": round(seconds, 2)}
        lessons.append({**lesson, "restarts": record["restarts"]})
    step = 1 + len(curve) // _POINTS
    ends = {lesson["seconds"] for lesson in lessons}
    return {
        "model": "ours",
        "seed": label,
        "tasks": lessons,
        "updates": updates,
        "seconds": round(seconds, 2),
        "restarts": sum(lesson["restarts"] for lesson in lessons),
        "curve": [p for i, p in enumerate(curve) if i % step == 0 or p[3] is not None or p[1] in ends],
        "summary": f"{len(lessons)} skills, {updates:,} updates, {seconds:.0f} s",
    }


def _metrics(folder: Path) -> Iterator[tuple[int, float, float]]:
    """Update, seconds and accuracy of every record, the attempts one after the other."""
    try:
        lines = (folder / "metrics.jsonl").read_text().splitlines()
    except FileNotFoundError:
        return
    attempt, updates, seconds, last = 0, 0, 0.0, (0, 0.0)
    for line in lines:
        entry = json.loads(line)
        if entry["attempt"] != attempt:
            attempt, updates, seconds = entry["attempt"], updates + last[0], seconds + last[1]
        last = (entry["update"], entry["seconds"])
        yield updates + last[0], seconds + last[1], entry["accuracy"]


def _test(run: Path, task: Task, record: Record, budget: Budget) -> list[tuple[float, float]]:
    """Seconds and test accuracy over the lesson on expressions: its last attempt, learned again."""
    plan = Plan(
        budget.curriculum, run, int(record["seed"]), config=StudentConfig(hidden=record["config"]["hidden"])
    )
    library = Library.load(run / "library")
    assert not isinstance(task, BasicTask)
    name = task.spec.name
    test = expression_test(name, library, exercises(EXPRESSIONS, LENGTH, budget.curve_problems))
    skill = library[name]
    assert isinstance(skill, InteractiveSkill)
    end = (float(record["seconds"]), test(skill))
    seed = lesson_seed(plan.seed, name, int(record["restarts"]))
    cap = Cap(budget.repeat_seconds, 1_000_000)
    found, _ = watch(task, library_before(library, task), plan.config, seed, cap, test)
    before = max(0.0, end[0] - found["seconds"])  # failed attempts
    return [*((before + s, a) for _, s, _, a in found["curve"] if before + s < end[0]), end]
