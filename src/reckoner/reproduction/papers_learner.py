"""The paper's configuration given its chance: every character visible, PPO and the teacher, operation by operation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

from reckoner.curriculum import oracle
from reckoner.curriculum.expression import OPERATORS, by_length, by_size
from reckoner.curriculum.problems import Problem, Sampler
from reckoner.curriculum.student import LEARNERS
from reckoner.curriculum.tasks import InteractiveTask
from reckoner.evaluation.problems import problems_by_length
from reckoner.evaluation.table import markdown, percent
from reckoner.grammar import parse
from reckoner.machine import Limits, Machine
from reckoner.reproduction import figures
from reckoner.reproduction.ablation import BASE, Variant
from reckoner.reproduction.budget import UNLIMITED, Budget, Cap
from reckoner.reproduction.experiment import Experiment, Setting, open_library
from reckoner.reproduction.labels import label_lines
from reckoner.reproduction.records import Record, Unit
from reckoner.reproduction.table1 import PAPER, TITLES
from reckoner.reproduction.trial import run_trial
from reckoner.skills.interactive import InteractiveSkill
from reckoner.skills.library import Library

# which skill is learned for each row of Table 1, each on the frozen skills below it, so that one failure does not
# hide the others
SKILLS = {
    "add": "M+M",
    "subtract": "M-M",
    "multiply": "M*M",
    "divide": "M/M",
    "expression": "expression-modulo",
}
FEW = 5  # characters, up to which all lengths are drawn alike
STAGES = tuple(range(3, 12))  # characters: from two digits and a sign to somewhat more than the paper's 10
_PAPER = LEARNERS["paper"]
# a tenth of the printed β, as our own learner has it
_CALM = replace(_PAPER, teacher=replace(_PAPER.teacher, entropy_cap=0.05))
# nobody can make all decisions clear where no two problems look alike, nor wait until no rare one is wrong: no margin
# is asked for, and stages follow each other by the paper's rule
_SEEING = replace(BASE, characters=True, margin=0.0, trusts_training=True)
ALONE = "the paper's perception, every problem remembered alone"
VARIANTS = (
    Variant("the paper's configuration, as printed", _PAPER),
    # where it tells what the printed β does; the next line has it everywhere
    Variant("the paper's configuration with β = 0.05", _CALM, skills=("M+M",)),
    Variant("the paper's configuration with β = 0.05 and choices by form", replace(_CALM, by_form=True)),
    Variant("the paper's perception, our learner", _SEEING, skills=("M+M", "M-M", "M*M", "M/M")),
    # of expressions a few may stay wrong on the way: waiting for them would take most of the time
    Variant(
        "the paper's perception, our learner", replace(_SEEING, enough=0.99), skills=("expression-modulo",)
    ),
    Variant(ALONE, replace(_SEEING, compares_forms=False), skills=("M-M",)),
)
# ours is blue as everywhere, the paper's black and grey, and none has the colour of a rival
_LINES: dict[str, tuple[str, str, Any]] = {  # a short name, colour and dashes
    VARIANTS[0].name: ("paper, as printed", figures.BLACK, figures.DASH_DOT),
    VARIANTS[1].name: ("β = 0.05", figures.DARK, figures.DOTTED),
    VARIANTS[2].name: ("paper, β = 0.05, by form", figures.GREY, figures.DASHED),
    VARIANTS[3].name: ("our learner", figures.COLOURS["ours"], figures.SOLID),
    ALONE: ("ours, problems alone", figures.SKY, figures.DOTTED),
}
_OPERATORS = "+-*/%"
_OPERATION = re.compile(r"[\d)][-+*/%]")  # as against a sign
_PATIENT = Limits(calls=200_000, steps=2, seconds=60.0)


def units(setting: Setting) -> Iterator[Unit]:
    """Seed by seed and variant by variant, so that an interrupted run has a whole column of the table."""
    budget = setting.budget
    for seed in range(budget.papers_seeds):
        for variant in VARIANTS:
            # the paper's configuration gets its chance; a part of ours switched off, ten times what ours needs
            seconds = budget.alone_seconds if variant.name == ALONE else budget.papers_seconds
            for kind, skill in list(SKILLS.items())[: budget.papers_kinds]:
                if variant.skills and skill not in variant.skills:
                    continue
                run = partial(_measure, variant, kind, seed, seconds, budget, setting.library)
                yield Unit(f"{variant.name}/{kind}/{seed}", run, seconds)


def _measure(variant: Variant, kind: str, seed: int, seconds: float, budget: Budget, folder: Path) -> Record:
    task = taught(kind, variant.task(SKILLS[kind], None), budget)
    library = open_library(folder).below(task.spec)
    config = replace(variant.student, patience=UNLIMITED, most_updates=UNLIMITED)
    latest: list[InteractiveSkill] = []

    def test(skill: InteractiveSkill) -> float:
        latest[:] = [skill]
        return _accuracy(skill, library, kind, budget.lengths[1], budget.curve_problems // 10)

    record, _ = run_trial(task, library, config, seed, Cap(seconds), test)
    cells = {n: _accuracy(latest[0], library, kind, n, budget.cell_problems) for n in budget.lengths[:3]}
    reached = ", ".join(f"{100 * share:.0f} % at {length}" for length, share in cells.items())
    return {
        "variant": variant.name,
        "kind": kind,
        **record,
        "cells": {str(length): round(share, 4) for length, share in cells.items()},
        "summary": f"{'all' if record['mastered'] else 'length'} {record['stage']}: {reached}",
    }


def taught(kind: str, task: InteractiveTask, budget: Budget) -> InteractiveTask:
    """The task with stages by length: with every character visible each length is something new.

    What is longer than anything seen does not decide.
    """
    sampler = _short_expression if kind == "expression" else _shorter(task.sampler)
    return replace(task, sampler=sampler, stages=STAGES[: budget.papers_stages], longer=STAGES[0])


def _shorter(sampler: Sampler) -> Sampler:
    """The problems of an operation that have at most so many characters, its sign between the numbers included."""

    def sample(rng: Random, length: int) -> Problem:
        while True:
            problem = sampler(rng, length - 2)
            if len(problem.x) + 1 + len(problem.y) <= length:
                return problem

    return sample


def _short_expression(rng: Random, length: int) -> Problem:
    """An expression of at most so many characters: half of them as in the test set, half with signs and few operators.

    Of the former half are as long as can be, or nearly, once there are many shorter ones: those are known by then.
    Brackets are in pairs: who sees all of them need not be taught to work up to one that is not. Each has something to
    work out: most different texts of three characters are numbers, and PPO alone then learns to halt, and nothing else.
    """
    while True:
        if rng.random() < 0.5:
            size = rng.randint(3, length)
            if length > FEW and rng.random() < 0.5:
                size = rng.randint(length - 1, length)
            text = by_length(rng, size, _OPERATORS)
        else:
            text = by_size(rng, rng.randint(1, length // 2), _OPERATORS, longest=5)
        if len(text) <= length and _OPERATION.search(text):
            try:
                return Problem(text, "", oracle.evaluate(text))
            except ZeroDivisionError:
                continue


def _accuracy(skill: InteractiveSkill, library: Library, kind: str, length: int, count: int) -> float:
    """Share of the cell's problems that the skill alone answers right."""
    texts = problems_by_length(kind, length, count, seed=0)
    outcomes = Machine(library, _PATIENT).run(skill, [to_message(kind, text) for text in texts])
    right = sum(o.answer == oracle.evaluate(t) for o, t in zip(outcomes, texts, strict=True))
    return right / len(texts)


def to_message(kind: str, text: str) -> tuple[str, str]:
    """A problem as it is put to the skill."""
    if kind not in OPERATORS:
        return parse(text).text, ""
    x, _, y = text.partition(OPERATORS[kind])
    return x, y


def table(records: Sequence[Record]) -> str:
    """Per operation and variant: length reached, accuracy by length (mean over seeds), the paper's beside it."""
    rows = []
    for kind in SKILLS:
        paper = " / ".join(f"{share} %" for share in PAPER[kind]["ours"])
        for variant in dict.fromkeys(v.name for v in VARIANTS):
            runs = [r for r in records if r["kind"] == kind and r["variant"] == variant]
            if runs:
                stages = ", ".join("all" if r["mastered"] else f"at {r['stage']}" for r in runs)
                lengths = list(runs[0]["cells"])
                shares = " / ".join(percent(mean(r["cells"][n] for r in runs)) for n in lengths)
                minutes = ", ".join(f"{r['seconds'] / 60:.1f}" for r in runs)
                rows.append([TITLES[kind], variant, stages, shares, paper, minutes])
    return markdown(
        [
            "operation",
            "configuration",
            "length learned",
            "right at 5 / 10 / 20",
            "the paper's",
            "core-minutes",
        ],
        rows,
    )


def figure(records: Sequence[Record]) -> Any:
    """A panel per operation: accuracy at length 10 over time."""
    kinds = [kind for kind in SKILLS if any(r["kind"] == kind for r in records)]
    rows = -(-len(kinds) // 3)
    page, panels = figures.make_panels(rows, min(3, len(kinds)), (10.5, 3 * rows))
    for panel, kind in zip(panels, kinds, strict=False):
        runs = [r for r in records if r["kind"] == kind]
        grid = figures.grid_to(max(r["seconds"] for r in runs), is_logarithmic=True)
        for variant, (name, colour, dashes) in _LINES.items():
            own = [r for r in runs if r["variant"] == variant]
            line = (colour, "", dashes)
            figures.draw_test_accuracy(panel, own, lambda p: p.seconds, grid, name, line)
        panel.set_title(TITLES[kind])
        figures.show_cost(panel, "seconds")
        figures.show_accuracy(panel)
    for panel in panels[len(kinds) :]:
        panel.set_visible(False)
    for panel in panels[::3]:
        panel.set_ylabel("right at length 10 (%)")
    label_lines(panels[: len(kinds)])
    return page


EXPERIMENT = Experiment(
    "The paper's configuration, as printed",
    """
The paper's own model sees every character, has PPO and the curriculum teacher, and nothing else. Here it learns each
operation on our frozen skills below it, length by length from 3 to 11 characters; then the same with a tenth of the
printed β (the largest entropy coefficient), and with choices by form on top of that; then our learner with the paper's
perception, and the same without comparing problems that differ in digits only.
""",
    {"papers-learner": units},
    table,
    {"accuracy": figure},
    """
Values the paper does not give (learning rate, batch size, at most two calls) are those of our learner, and so is that a
quarter of the attempts is drawn evenly over what problems look like at first. All go on to
the next length when the training problems are right, which is the paper's rule (ours, on expressions, when 99 of a
hundred are; in its last stage fresh problems that are wrong join the others); at the last length validation and
fresh problems must be right, too. Each run has a cap of {budget.papers_seconds:g} s of processor time (the last line
of subtraction {budget.alone_seconds:g} s, more than ten times what comparing forms needs there); the length at which
it stood then is in the table. A run whose very last test, on problems that nothing looked at before, finds a mistake
ends there and counts as standing at 11. With every character visible each length is new to the network, so what is
longer than the training problems is not expected to be right. Where the entropy is summed over all parts of a choice,
as it is here, β = 0.5 can outweigh a reward between −1 and 1; the paper does not say how its entropy is taken, so β =
0.05 may be a fairer picture of what it describes. Our learner remembers attempts at problems that differ in digits
only together: a prior that the paper's has not. Our test expressions of lengths 10 and 20 have 3.8 and 8.3 operators
and brackets on average, the paper's about three per ten characters, so its line is for easier problems there. These
test problems were drawn without regard to the split: of the 1,000 of length 5, 59, 46, 58, 63 and 105 (+ − × ÷ and
expressions) are among the problems that every run began with; of those of lengths 10 and 20 none is.
**A reader may conclude** that the paper's way of learning works for what its lines show, on helper skills like
ours, and what ours adds to it; **not** what its printed values did in its own code and with its own curriculum,
which are lost.
""",
)
