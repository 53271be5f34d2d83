"""Continual learning: modulo with all earlier skills at hand, against the same from one-digit facts alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from reckoner.curriculum.student import StudentConfig
from reckoner.curriculum.tasks import BASIC
from reckoner.evaluation.table import markdown
from reckoner.reproduction import figures
from reckoner.reproduction.ablation import OUTCOME, outcome
from reckoner.reproduction.baseline import CURVE_LENGTH, exercises
from reckoner.reproduction.budget import Budget
from reckoner.reproduction.experiment import Experiment, Setting, open_library
from reckoner.reproduction.records import Point, Record, Unit
from reckoner.reproduction.trial import NO_PATIENCE, Cap, expression_test, interactive, run_trial
from reckoner.skills.library import Library

NEW = ("M%M", "signed-modulo", "expression-modulo")  # what is learned when modulo is


def units(setting: Setting) -> Iterator[Unit]:
    """With the library and from scratch, in turn."""
    for seed in range(setting.budget.seeds):
        for variant, run in (("with the library", _with_library), ("from scratch", _from_scratch)):
            yield Unit(f"{variant}/{seed}", partial(run, setting.budget, setting.library, seed))


def _with_library(budget: Budget, folder: Path, seed: int) -> Record:
    """The three new skills in order, each frozen before the next; one attempt each."""
    known = Library()
    for old in open_library(folder):
        if old.name not in NEW:
            known.append(old)
    problems = exercises(NEW[-1], CURVE_LENGTH, budget.curve_problems)
    parts, left, mastered = [], budget.continual_seconds, True
    for name in NEW:
        cap, test = Cap(left, budget.ablation_updates), expression_test(NEW[-1], known, problems)
        record, skill = run_trial(interactive(name), known, StudentConfig(), seed, cap, test)
        parts.append(record)
        left -= record["seconds"]
        if skill is None:
            mastered = False
            break
        known.append(skill)
    return _joined("with the library", seed, parts, mastered)


def _from_scratch(budget: Budget, folder: Path, seed: int) -> Record:
    """Expressions with modulo as the first thing to learn: it can call one-digit facts and itself."""
    facts = Library()
    for fact in open_library(folder):
        if fact.name in BASIC:
            facts.append(fact)
    task = interactive(NEW[-1])
    task = replace(task, spec=replace(task.spec, calls=(*facts.names, task.spec.name)))
    config = replace(StudentConfig(), patience=NO_PATIENCE, most_updates=NO_PATIENCE)
    cap = Cap(budget.continual_seconds, budget.ablation_updates)
    test = expression_test(NEW[-1], facts, exercises(NEW[-1], CURVE_LENGTH, budget.curve_problems))
    record, skill = run_trial(task, facts, config, seed, cap, test)
    return _joined("from scratch", seed, [record], skill is not None)


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
    learned = [{k: p[k] for k in ("skill", "mastered", "reason", "updates", "seconds")} for p in parts]
    accuracy = parts[-1]["accuracy"]
    return {
        "variant": variant,
        "seed": seed,
        "mastered": mastered,
        "updates": updates,
        "seconds": round(seconds, 2),
        "accuracy": accuracy,
        "skills": learned,
        "curve": curve,
        "summary": f"{accuracy:.1%} after {updates} updates, {seconds:.0f} s",
    }


def table(records: Sequence[Record]) -> str:
    """Modulo with the library and from scratch."""
    variants = dict.fromkeys(r["variant"] for r in records)
    rows = [[v, *outcome([r for r in records if r["variant"] == v])] for v in variants]
    return markdown(["learning modulo", *OUTCOME], rows)


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
taught (stages, learner), and has the same cap; what it lacks is the library. Each run is a single
attempt of at most {budget.continual_seconds:g} s; `reckon train` would restart a student that stands still.
""",
)
