"""What ablations share: the same student with one thing changed, on a few skills, several seeds each.

Every variant is a configuration of the student (and, for perception, of the task), never a second script.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from reckoner.alphabet import Perception
from reckoner.curriculum.student import StudentConfig
from reckoner.curriculum.tasks import InteractiveTask
from reckoner.evaluation.table import markdown, percent, spread, whole
from reckoner.reproduction import figures
from reckoner.reproduction.budget import UNLIMITED, Budget, Cap
from reckoner.reproduction.experiment import Experiment, Setting, open_library
from reckoner.reproduction.records import Record, Unit
from reckoner.reproduction.trial import ablated, papers_test, run_trial
from reckoner.training.rollout import RolloutConfig

CHARACTERS = Perception(kind="characters")  # the paper's: every character its own symbol
PAPERS_CAP = 0.5  # of the entropy coefficient: its β
# Whoever is compared carries nothing over to other views; what that is worth has lines of its own in *learning*.
BASE = StudentConfig(rollout=RolloutConfig(analogous=0))
_ABREAST = 4  # panels of a figure
OUTCOME = ("mastered", "test accuracy", "updates to mastery", "seconds to mastery")


@dataclass(frozen=True)
class Variant:
    """One line of an ablation."""

    name: str
    student: StudentConfig = BASE
    perception: Perception | None = None  # in place of the skill's own
    fovea: int | None = None  # of the skill's own perception, in place of what it is
    skills: tuple[str, ...] | None = None  # on which it is measured; None: on all

    def task(self, name: str, stages: int | None) -> InteractiveTask:
        """The task as this variant sees it."""
        task = ablated(name, stages)
        perception = self.perception or task.spec.perception
        if self.fovea is not None:
            perception = replace(perception, fovea=self.fovea)
        spec = replace(task.spec, perception=perception)
        return replace(task, spec=spec)


Caps = Callable[[Budget], tuple[Sequence[tuple[str, Cap]], int]]  # by skill, and how many seeds


def what_matters(budget: Budget) -> tuple[Sequence[tuple[str, Cap]], int]:
    """Addition, multiplication, division and expressions."""
    return budget.matters_caps, budget.matters_seeds


def ablation(
    name: str,
    variants: Sequence[Variant],
    heading: str,
    claim: str,
    remark: str,
    caps: Caps = what_matters,
    is_paper_tested: bool = False,
) -> Experiment:
    """Compare variants on some skills of the budget; if asked, expressions on the paper's test set."""
    units = {name: partial(variant_units, variants, caps, is_paper_tested)}
    return Experiment(heading, claim, units, table, {"runs": figure}, remark)


def variant_units(
    variants: Sequence[Variant], caps: Caps, is_paper_tested: bool, setting: Setting
) -> Iterator[Unit]:
    """Skill by skill and seed by seed, so that an interrupted run has all of something."""
    skills, seeds = caps(setting.budget)
    for skill, cap in skills:
        for seed in range(seeds):
            for variant in variants:
                if variant.skills is not None and skill not in variant.skills:
                    continue
                run = partial(
                    run_variant,
                    variant,
                    skill,
                    seed,
                    cap,
                    setting.budget,
                    setting.library,
                    is_paper_tested,
                )
                yield Unit(f"{variant.name}/{skill}/{seed}", run, cap.seconds)


def run_variant(
    variant: Variant,
    skill: str,
    seed: int,
    cap: Cap,
    budget: Budget,
    library: Path,
    is_paper_tested: bool = False,
) -> Record:
    """One student of a variant, on a test set that is the same for all."""
    task = variant.task(skill, budget.stages)
    config = replace(variant.student, patience=UNLIMITED, most_updates=UNLIMITED)
    below = open_library(library).below(task.spec)
    test = None
    if is_paper_tested and skill.startswith("expression"):
        test = papers_test(skill, below, "expression", budget.curve_problems)
    record, _ = run_trial(task, below, config, seed, cap, test)
    result = "mastered" if record["mastered"] else "not mastered"
    summary = f"{result}, {record['accuracy']:.1%} after {record['updates']} updates"
    return {"variant": variant.name, **record, "summary": summary}


def table(records: Sequence[Record]) -> str:
    """Per skill and variant: how many runs mastered it, final accuracy, updates and seconds to mastery."""
    rows = []
    for skill in dict.fromkeys(r["skill"] for r in records):
        of_skill = [r for r in records if r["skill"] == skill]
        for variant in dict.fromkeys(r["variant"] for r in of_skill):
            runs = [r for r in of_skill if r["variant"] == variant]
            rows.append([skill, variant, *outcome(runs)])
    return markdown(["skill", "variant", *OUTCOME], rows)


def outcome(runs: Sequence[Record]) -> list[str]:
    """The columns of OUTCOME; costs are of the runs that got there."""
    good = [r for r in runs if r["mastered"]]
    accuracies = [r["accuracy"] for r in runs]
    accuracy = percent(sum(accuracies) / len(runs))
    if min(accuracies) < max(accuracies):
        accuracy += f" ({whole(min(accuracies))}–{whole(max(accuracies))})"
    costs = spread([r["updates"] for r in good], 0), spread([r["seconds"] for r in good], 1)
    return [f"{len(good)} of {len(runs)}", accuracy, *costs]


def figure(records: Sequence[Record], cost: str = "updates") -> Any:
    """A panel per skill, a row per variant: what each run cost that mastered the skill, and what the others came to."""
    skills = list(dict.fromkeys(r["skill"] for r in records))
    variants = list(dict.fromkeys(r["variant"] for r in records))
    # of many panels one row would be too wide to read; then lines stand closer, so that it is not too high either
    rows = 1 if len(skills) <= _ABREAST else 2
    columns = -(-len(skills) // rows)
    height = (0.31 if rows == 1 else 0.24) * len(variants) + 0.8
    page, panels = figures.make_panels(rows, columns, (2.9 * columns + 2.2, rows * height + 0.5))
    for panel, skill in zip(panels, skills, strict=False):
        own = [r for r in records if r["skill"] == skill]
        for row, variant in enumerate(variants):
            figures.draw_outcomes(panel, row, [r for r in own if r["variant"] == variant], cost)
        panel.set_title(skill)
        figures.show_cost(panel, cost, [r[cost] for r in own])
    for panel in panels[: len(skills) - columns]:
        panel.set_xlabel("")
    for panel in panels[len(skills) :]:
        panel.set_visible(False)
    panels[0].set_yticks(range(len(variants)), variants)
    panels[0].set_ylim(len(variants) - 0.5, -0.5)
    figures.explain_outcomes(page)
    return page
