"""The curriculum: in order, all lengths or all tasks at once, without helper skills, from one-digit facts alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from reckoner.curriculum.tasks import BASIC, InteractiveTask
from reckoner.reproduction import ablation
from reckoner.reproduction.budget import UNLIMITED, Budget, Cap
from reckoner.reproduction.experiment import Experiment, Setting, open_library
from reckoner.reproduction.records import Record, Unit
from reckoner.reproduction.together import learn_together
from reckoner.reproduction.trial import ablated, papers_test, run_trial

# Without helpers a skill may call the operations on whole numbers that come before it, and the facts.
OPERATIONS = {
    "M*M": ("M+M", "M-M"),
    "M/M": ("M+M", "M-M", "M*M"),
    "expression-modulo": ("M+M", "M-M", "M*M", "M/M", "M%M"),
}
IN_ORDER, AT_ONCE, HELPLESS, SCRATCH, TOGETHER = (
    "in order",
    "all lengths at once",
    "without helper skills",
    "from scratch",
    "all tasks at once",
)


_UNHURRIED = replace(ablation.BASE, patience=UNLIMITED, most_updates=UNLIMITED)


def variants_of(skill: str) -> list[str]:
    """Addition has no operation before it: without helpers it is from scratch."""
    return [IN_ORDER, AT_ONCE, *([HELPLESS] if skill in OPERATIONS else []), SCRATCH]


def changed(variant: str, task: InteractiveTask, library: Collection[str]) -> InteractiveTask:
    """The task as a variant teaches it, on what is in the library."""
    name, spec = task.spec.name, task.spec
    facts = tuple(fact for fact in BASIC if fact in library)
    if variant == AT_ONCE:
        return replace(task, stages=task.stages[-1:])
    if variant == HELPLESS:
        spec = replace(spec, calls=(*facts, *OPERATIONS[name], name))
    elif variant == SCRATCH:
        spec = replace(spec, calls=(*facts, name))
    return replace(task, spec=spec)


def units(setting: Setting) -> Iterator[Unit]:
    """Skill by skill and seed by seed."""
    budget = setting.budget
    for skill, cap in budget.order_caps:
        for seed in range(budget.matters_seeds):
            for variant in variants_of(skill):
                run = partial(_measure, variant, skill, seed, cap, budget, setting.library)
                yield Unit(f"{variant}/{skill}/{seed}", run, cap.seconds)
    for skill, seconds in budget.together_caps:
        for seed in range(budget.matters_seeds):
            run = partial(_measure_together, skill, seed, seconds, budget, setting.library)
            yield Unit(f"{TOGETHER}/{skill}/{seed}", run, seconds)


def _measure(variant: str, skill: str, seed: int, cap: Cap, budget: Budget, folder: Path) -> Record:
    whole = open_library(folder)
    task = changed(variant, ablated(skill, budget.stages), whole.names)
    library = whole.below(task.spec)
    test = None
    if skill.startswith("expression"):
        test = papers_test(skill, library, "expression", budget.curve_problems)
    record, _ = run_trial(task, library, _UNHURRIED, seed, cap, test)
    return _told(variant, record)


def _measure_together(skill: str, seed: int, seconds: float, budget: Budget, folder: Path) -> Record:
    facts = [fact for fact in open_library(folder) if fact.name in BASIC]
    record = learn_together(skill, facts, _UNHURRIED, seed, Cap(seconds), budget.together_turn)
    return _told(TOGETHER, record)


def _told(variant: str, record: Record) -> Record:
    result = "mastered" if record["mastered"] else "not mastered"
    return {"variant": variant, **record, "summary": f"{result}, {record['accuracy']:.1%}"}


EXPERIMENT = Experiment(
    "The curriculum: order, lengths, helpers",
    """
**The paper claims** that the curriculum is what makes learning possible: without it "the model fails to give any
correct solutions". **Measured** on addition, multiplication, division and expressions of up to three operators: in
order (the skill on top of its frozen helpers, lengths growing); all lengths at once; without the helper skills (it
may call the operations on whole numbers that come before it, the one-digit facts and itself); from scratch
(one-digit facts and itself); and, for addition and multiplication, all tasks at once: the skill and all its helpers
take turns of {budget.together_turn:g} s, each on the others as they are when its turn begins, from random weights on.
""",
    {"curriculum-order": units},
    ablation.table,
    {"runs": ablation.figure},
    """
The seconds are those of the last skill alone: in order, the helpers were learned before (results/seeds.md has their
times); all tasks at once has the seconds and updates of all of them, and a cap of ten times what they need in order.
Other runs end at the first of two caps, about ten times what learning in order needs: {budget.order_told}.
The accuracy on expressions is that on problems of length 10 with up to three operators and brackets, as many as the
paper's have on average (none has brackets). A skill may make two calls per level, so without helpers some programs do
not exist at all; long multiplication by repeated addition, say, would need a call of itself with a number one less,
which is not shorter.
**A reader may conclude** that the helpers carry much of the algorithm, and what teaching them in order saves; **not**
that other helpers, or more calls per level, would not do as well.
""",
)
