"""Continual learning: modulo with all earlier skills at hand, against the same from one-digit facts alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from reckoner.curriculum.lesson import lesson_seed
from reckoner.curriculum.problems import Problem
from reckoner.curriculum.stage import distinct
from reckoner.curriculum.student import StudentConfig
from reckoner.curriculum.tasks import BASIC, INTERACTIVE, InteractiveTask
from reckoner.evaluation.table import NOTHING, markdown, spread
from reckoner.machine import Machine
from reckoner.reproduction import figures
from reckoner.reproduction.ablation import OUTCOME, outcome
from reckoner.reproduction.baseline import CURVE_LENGTH, exercises
from reckoner.reproduction.budget import Budget
from reckoner.reproduction.experiment import Experiment, Setting, open_library
from reckoner.reproduction.records import Point, Record, Unit
from reckoner.reproduction.trial import Cap, Measure, expression_test, interactive, run_trial
from reckoner.skills.interactive import InteractiveSkill
from reckoner.skills.library import Library

WITH, SCRATCH = "with the library", "from scratch"
EARLIER = 50  # problems of each earlier skill, answered before and after
NEW = ("M%M", "signed-modulo", "expression-modulo")  # what is learned when modulo is


def units(setting: Setting) -> Iterator[Unit]:
    """With the library and from scratch, in turn."""
    for seed in range(setting.budget.continual_seeds):
        for variant, run in ((WITH, _with_library), (SCRATCH, _from_scratch)):
            work = partial(run, setting.budget, setting.library, seed)
            yield Unit(f"{variant}/{seed}", work, setting.budget.continual_seconds)


def _with_library(budget: Budget, folder: Path, seed: int) -> Record:
    """The three new skills in order, each frozen before the next, with restarts as in `reckon train`."""
    known = Library()
    for old in open_library(folder):
        if old.name not in NEW:
            known.append(old)
    before = _answers(known)
    problems = exercises(NEW[-1], CURVE_LENGTH, budget.curve_problems)
    parts: list[Record] = []
    for name in NEW:
        test = expression_test(NEW[-1], known, problems)
        skill, students = _learn(
            interactive(name), known, seed, budget, sum(p["seconds"] for p in parts), test
        )
        parts += students
        if skill is None:
            break
        known.append(skill)
    is_mastered = NEW[-1] in known
    kept = {"answers_before": len(before), "answers_kept": _count_equal(before, _answers(known))}
    return {**_joined(WITH, seed, parts, is_mastered), **kept}


def _from_scratch(budget: Budget, folder: Path, seed: int) -> Record:
    """Expressions with modulo as the first thing to learn: it can call one-digit facts and itself."""
    facts = Library()
    for fact in open_library(folder):
        if fact.name in BASIC:
            facts.append(fact)
    task = interactive(NEW[-1])
    task = replace(task, spec=replace(task.spec, calls=(*facts.names, task.spec.name)))
    test = expression_test(NEW[-1], facts, exercises(NEW[-1], CURVE_LENGTH, budget.curve_problems))
    skill, parts = _learn(task, facts, seed, budget, 0.0, test)
    return _joined(SCRATCH, seed, parts, skill is not None)


def _learn(
    task: InteractiveTask, library: Library, seed: int, budget: Budget, spent: float, test: Measure
) -> tuple[InteractiveSkill | None, list[Record]]:
    """Students one after the other, as a lesson does it, until one masters the task or the time is up."""
    parts: list[Record] = []
    for number in range(StudentConfig().restarts + 1):
        left = budget.continual_seconds - spent - sum(p["seconds"] for p in parts)
        if left <= 0:
            break
        cap, student = Cap(left, budget.ablation_updates), lesson_seed(seed, task.spec.name, number)
        record, skill = run_trial(task, library, StudentConfig(), student, cap, test)
        parts.append(record)
        if skill is not None:
            return skill, parts
    return None, parts


def _answers(library: Library) -> dict[tuple[str, Problem], str | None]:
    """What every earlier skill answers to some problems of its task."""
    found: dict[tuple[str, Problem], str | None] = {}
    machine = Machine(library)
    for name, task in INTERACTIVE.items():
        if name in library and name not in NEW:
            problems = distinct(task, task.stages[-1], EARLIER, Random(f"{name} kept"), None)
            outcomes = machine.run(name, [(p.x, p.y) for p in problems])
            found |= {(name, p): o.answer for p, o in zip(problems, outcomes, strict=True)}
    return found


def _count_equal(before: dict[Any, str | None], after: dict[Any, str | None]) -> int:
    return sum(after[key] == answer for key, answer in before.items())


def _joined(variant: str, seed: int, parts: list[Record], mastered: bool) -> Record:
    """The skills one after the other as one curve."""
    curve: list[Point] = []
    updates, seconds = 0, 0.0
    for part in parts:
        curve += [
            p._replace(update=p.update + updates, seconds=round(p.seconds + seconds, 2))
            for p in part["curve"]
        ]
        updates, seconds = updates + part["updates"], seconds + part["seconds"]
    learned = [
        {k: p[k] for k in ("skill", "mastered", "reason", "updates", "seconds", "steps")} for p in parts
    ]
    accuracy = parts[-1]["accuracy"]
    return {
        "variant": variant,
        "seed": seed,
        "mastered": mastered,
        "updates": updates,
        "seconds": round(seconds, 2),
        "steps": sum(p["steps"] for p in parts),
        "restarts": len(parts) - len({p["skill"] for p in parts}),
        "accuracy": accuracy,
        "skills": learned,
        "curve": curve,
        "summary": f"{accuracy:.1%} after {updates} updates, {seconds:.0f} s",
    }


def table(records: Sequence[Record]) -> str:
    """Modulo with the library and from scratch."""
    variants = dict.fromkeys(r["variant"] for r in records)
    rows = []
    for variant in variants:
        runs = [r for r in records if r["variant"] == variant]
        good = [r for r in runs if r["mastered"]]
        steps = spread([r["steps"] for r in good if "steps" in r], 0)
        kept = [(r["answers_kept"], r["answers_before"]) for r in runs if "answers_kept" in r]
        shown = f"{sum(k for k, _ in kept):,} of {sum(b for _, b in kept):,}" if kept else NOTHING
        rows.append([variant, *outcome(runs), steps, sum(r.get("restarts", 0) for r in runs), shown])
    heading = ["learning modulo", *OUTCOME, "calls to mastery", "restarts", "earlier answers unchanged"]
    return markdown(heading, rows)


def figure(records: Sequence[Record]) -> Any:
    """Test accuracy over training time."""
    page, (panel,) = figures.make_panels(1, 1, (6.4, 3.9))
    grid = figures.grid_to(max(r["seconds"] for r in records), is_logarithmic=False)
    for variant, line in zip(dict.fromkeys(r["variant"] for r in records), figures.LINES, strict=False):
        runs = [r for r in records if r["variant"] == variant]
        figures.draw_test_accuracy(panel, runs, lambda p: p.seconds, grid, variant, line)
    panel.set_xlabel("training time (processor seconds)")
    panel.set_ylabel("test accuracy (%)")
    panel.set_title("Learning modulo: expressions of length 10")
    figures.show_accuracy(panel)
    figures.put_legend_below(page, figures.handles_of(panel), 2)
    return page


EXPERIMENT = Experiment(
    heading="Continual learning: modulo with the library at hand, and from scratch",
    claim="""
**The paper claims** that with curriculum and earlier skills modulo is learned, and that from scratch
"the model fails to give any correct solutions". The test set is expressions of length 10 with the modulo
operator.
""",
    units={"continual": units},
    table=table,
    figures={"accuracy": figure},
    remark="""
"From scratch" may call the one-digit facts and itself, sees and is taught exactly what the other is
taught (stages, learner), and has the same cap of {budget.continual_seconds:g} s and the same restarts, those
of `reckon train`; what it lacks is the library. Earlier skills are frozen, so nothing learned before can
change; the last column counts it all the same, answer by answer.
""",
)
