"""Continual learning: an operation with all earlier skills at hand, against the same from one-digit facts alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from reckoner.curriculum.lesson import lesson_seed
from reckoner.curriculum.problems import Problem
from reckoner.curriculum.stage import distinct
from reckoner.curriculum.tasks import BASIC, INTERACTIVE, InteractiveTask
from reckoner.evaluation.table import NOTHING, markdown, spread
from reckoner.machine import Machine
from reckoner.reproduction import figures
from reckoner.reproduction.ablation import BASE, OUTCOME, outcome
from reckoner.reproduction.budget import Budget, Cap
from reckoner.reproduction.experiment import Experiment, Setting, open_library
from reckoner.reproduction.labels import label_lines
from reckoner.reproduction.records import Point, Record, Unit
from reckoner.reproduction.trial import Measure, ablated, held_out_test, papers_test, run_trial
from reckoner.skills.interactive import InteractiveSkill
from reckoner.skills.library import Library

WITH, SCRATCH = "with the library", "from scratch"
EARLIER = 50  # problems of each earlier skill, answered before and after
# what is learned when an operation is, the last of them being the operation itself
SUBJECTS = {
    "modulo": ("M%M", "signed-modulo", "expression-modulo"),
    "powers": ("power-marks", "power-digit"),  # the newest; with exponents of one digit
}


def units(setting: Setting) -> Iterator[Unit]:
    """Subject by subject and seed by seed, with the library and from scratch in turn."""
    for subject, seconds in setting.budget.continual_caps:
        for seed in range(setting.budget.continual_seeds):
            for variant, run in ((WITH, _with_library), (SCRATCH, _from_scratch)):
                work = partial(run, subject, seconds, setting.budget, setting.library, seed)
                yield Unit(f"{variant}/{subject}/{seed}", work, seconds)


def _with_library(subject: str, seconds: float, budget: Budget, folder: Path, seed: int) -> Record:
    """The new skills in order, each frozen before the next, with restarts as in `reckon train`."""
    new = SUBJECTS[subject]
    known = known_before(new, open_library(folder))
    before = _answers(known, known.names)
    parts: list[Record] = []
    for name in new:
        test = _test(new[-1], known, budget)
        spent = sum(p["seconds"] for p in parts)
        skill, students = _learn(ablated(name), known, seed, seconds - spent, test)
        parts += students
        if skill is None:
            break
        known.append(skill)
    after = _answers(known, [name for name in known.names if name not in new])
    kept = {"answers_before": len(before), "answers_kept": _count_equal(before, after)}
    return {**_joined(subject, WITH, seed, parts, new[-1] in known), **kept}


def known_before(new: Collection[str], library: Library) -> Library:
    """All that does without the new skills."""
    known = Library()
    for old in library:
        if old.name not in new and {old.name, *known.names}.issuperset(old.spec.calls):
            known.append(old)
    return known


def _from_scratch(subject: str, seconds: float, budget: Budget, folder: Path, seed: int) -> Record:
    """The operation as the first thing to learn: it can call one-digit facts and itself."""
    facts = Library()
    for fact in open_library(folder):
        if fact.name in BASIC:
            facts.append(fact)
    task = ablated(SUBJECTS[subject][-1])
    task = replace(task, spec=replace(task.spec, calls=(*facts.names, task.spec.name)))
    skill, parts = _learn(task, facts, seed, seconds, _test(task.spec.name, facts, budget))
    return _joined(subject, SCRATCH, seed, parts, skill is not None)


def _test(name: str, library: Library, budget: Budget) -> Measure:
    """Accuracy of the operation's own skill, zero while another is learned: expressions on the paper's test set."""
    if name.startswith("expression"):
        return papers_test(name, library, name, budget.curve_problems)
    measure = held_out_test(ablated(name), library)
    return lambda skill: measure(skill) if skill.name == name else 0.0


def _learn(
    task: InteractiveTask, library: Library, seed: int, seconds: float, test: Measure
) -> tuple[InteractiveSkill | None, list[Record]]:
    """Students one after the other, as a lesson does it, until one masters the task or the time is up."""
    parts: list[Record] = []
    for number in range(BASE.restarts + 1):
        left = seconds - sum(p["seconds"] for p in parts)
        if left <= 0:
            break
        cap, student = Cap(left), lesson_seed(seed, task.spec.name, number)
        record, skill = run_trial(task, library, BASE, student, cap, test)
        parts.append(record)
        if skill is not None:
            return skill, parts
    return None, parts


def _answers(library: Library, names: Collection[str]) -> dict[tuple[str, Problem], str | None]:
    """What these skills answer to some problems of their tasks."""
    found: dict[tuple[str, Problem], str | None] = {}
    machine = Machine(library)
    for name, task in INTERACTIVE.items():
        if name in names:
            problems = distinct(task, task.stages[-1], EARLIER, Random(f"{name} kept"), None)
            outcomes = machine.run(name, [(p.x, p.y) for p in problems])
            found |= {(name, p): o.answer for p, o in zip(problems, outcomes, strict=True)}
    return found


def _count_equal(before: dict[Any, str | None], after: dict[Any, str | None]) -> int:
    return sum(after[key] == answer for key, answer in before.items())


def _joined(subject: str, variant: str, seed: int, parts: list[Record], mastered: bool) -> Record:
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
        "subject": subject,
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
    """Each operation with the library and from scratch."""
    rows = []
    for subject, variant in dict.fromkeys((r["subject"], r["variant"]) for r in records):
        runs = [r for r in records if (r["subject"], r["variant"]) == (subject, variant)]
        good = [r for r in runs if r["mastered"]]
        steps = spread([r["steps"] for r in good if "steps" in r], 0)
        kept = [(r["answers_kept"], r["answers_before"]) for r in runs if "answers_kept" in r]
        shown = f"{sum(k for k, _ in kept):,} of {sum(b for _, b in kept):,}" if kept else NOTHING
        rows.append([subject, variant, *outcome(runs), steps, sum(r.get("restarts", 0) for r in runs), shown])
    heading = ["learned", "", *OUTCOME, "calls to mastery", "restarts", "earlier answers unchanged"]
    return markdown(heading, rows)


def figure(records: Sequence[Record]) -> Any:
    """A panel per operation: test accuracy over training time."""
    subjects = list(dict.fromkeys(r["subject"] for r in records))
    page, panels = figures.make_panels(1, len(subjects), (4.2 * len(subjects) + 0.6, 3.6))
    for panel, subject in zip(panels, subjects, strict=True):
        own = [r for r in records if r["subject"] == subject]
        grid = figures.grid_to(max(r["seconds"] for r in own), is_logarithmic=False)
        for variant in dict.fromkeys(r["variant"] for r in own):
            line = figures.WITHOUT if variant == SCRATCH else figures.MODEL_LINES["ours"]
            runs = [r for r in own if r["variant"] == variant]
            figures.draw_test_accuracy(panel, runs, lambda p: p.seconds, grid, variant, line)
        panel.set_xlabel("training time (processor seconds)")
        panel.set_title(f"Learning {subject}")
        figures.show_accuracy(panel)
    panels[0].set_ylabel("test accuracy (%)")
    label_lines(panels, everywhere=True)
    return page


EXPERIMENT = Experiment(
    heading="Continual learning: a new operation with the library at hand, and from scratch",
    claim="""
**The paper claims** that with curriculum and earlier skills modulo is learned, and that from scratch "the model fails
to give any correct solutions". The test set is expressions of length 10 with the modulo operator. **Measured** for
modulo, with expressions of up to three operators and brackets (as many as the paper's of length 10 have on average;
so has our test set here: three operators, no brackets), and for the newest operation there is, powers (with exponents
of one digit).
""",
    units={"continual": units},
    table=table,
    figures={"accuracy": figure},
    remark="""
"From scratch" may call the one-digit facts and itself, sees and is taught exactly what the other is
taught (stages, learner), and has the same cap (about ten times what the other needs) and the same restarts, those
of `reckon train`; what it lacks is the library. Earlier skills are frozen, so nothing learned before can
change; the last column counts it all the same, answer by answer. A skill is mastered by problems of its own lesson:
one seed of modulo then missed one of the test expressions. **A reader may conclude** that with the library a new
operation is a matter of a minute and costs nothing that was known; **not** that it could never be learned from scratch:
two calls per level and no helper skills leave no short program to find.
""",
)
