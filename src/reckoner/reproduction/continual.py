"""Continual learning: modulo with all earlier skills at hand, against the same from one-digit facts alone.

The test set is the paper's: expressions of length 10 with the modulo operator.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from reckoner.curriculum.student import StudentConfig
from reckoner.curriculum.tasks import BY_NAME, BasicTask, InteractiveTask
from reckoner.evaluation.cells import exercises, expression_test
from reckoner.reproduction.budget import Budget
from reckoner.reproduction.pupil import Cap, watch
from reckoner.reproduction.records import Record, Unit
from reckoner.skills.library import Library

NEW = ("M%M", "signed-modulo", "expression-modulo")  # what is learned when modulo is
LENGTH = 10


def continual_units(budget: Budget, library: Library) -> Iterator[Unit]:
    """With the library and from scratch, by turns."""
    for seed in range(budget.seeds):
        yield Unit(f"with the library/{seed}", partial(_with_library, budget, library, seed))
        yield Unit(f"from scratch/{seed}", partial(_from_scratch, budget, library, seed))


def _with_library(budget: Budget, library: Library, seed: int) -> Record:
    """The three new skills in order, each frozen before the next; one attempt each."""
    known = Library()
    for old in library:
        if old.name not in NEW:
            known.append(old)
    problems = exercises(NEW[-1], LENGTH, budget.curve_problems)
    parts, left, mastered = [], budget.continual_seconds, True
    for name in NEW:
        task = BY_NAME[name]
        assert isinstance(task, InteractiveTask)
        cap = Cap(left, budget.ablation_updates)
        record, skill = watch(
            task, known, StudentConfig(), seed, cap, expression_test(NEW[-1], known, problems)
        )
        parts.append(record)
        left -= record["seconds"]
        if skill is None:
            mastered = False
            break
        known.append(skill)
    return _joined("with the library", seed, parts, mastered)


def _from_scratch(budget: Budget, library: Library, seed: int) -> Record:
    """Expressions with modulo as the first thing to learn: it can call one-digit facts and itself."""
    facts = Library()
    for fact in library:
        if isinstance(BY_NAME.get(fact.name), BasicTask):
            facts.append(fact)
    task = BY_NAME[NEW[-1]]
    assert isinstance(task, InteractiveTask)
    task = replace(task, spec=replace(task.spec, calls=(*facts.names, task.spec.name)))
    config = replace(StudentConfig(), patience=1_000_000, most_updates=1_000_000)
    cap = Cap(budget.continual_seconds, budget.ablation_updates)
    test = expression_test(NEW[-1], facts, exercises(NEW[-1], LENGTH, budget.curve_problems))
    record, skill = watch(task, facts, config, seed, cap, test)
    return _joined("from scratch", seed, [record], skill is not None)


def _joined(variant: str, seed: int, parts: list[Record], mastered: bool) -> Record:
    """The skills one after the other as one curve."""
    curve: list[list[float]] = []
    updates, seconds = 0, 0.0
    for part in parts:
        curve += [[u + updates, round(s + seconds, 2), a, t] for u, s, a, t in part["curve"]]
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
