"""Analogies: what is right at one view, tried at others; who stands still without them, and who with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reckoner.curriculum.student import LEARNERS
from reckoner.reproduction.ablation import BASE, Variant, ablation
from reckoner.reproduction.budget import Budget, Cap

_SHIPPED = LEARNERS["reinforcement"]
VARIANTS = (
    Variant("with analogies", _SHIPPED),
    Variant("not more often in need", replace(_SHIPPED, desperation=1)),
    Variant("without", BASE),
)


def _caps(budget: Budget) -> tuple[Sequence[tuple[str, Cap]], int]:
    return budget.analogy_caps, budget.analogy_seeds


EXPERIMENT = ablation(
    "analogies",
    VARIANTS,
    heading="Analogies: what was right elsewhere",
    claim="""
Ours, not the paper's: a student's own right attempts, with pointers counted from the nearest end of a number, are tried
at other views, too (docs/learning.md). **Measured:** seven skills that see where numbers end, with analogies, without,
and without trying them eight times as often when nothing gets better.
""",
    remark="""
A run that does not master its skill ends after 350 updates (`reckon train` gives a student up that has stood still for
250) or 200 s. All other ablations of single skills are of the learner without analogies, as is the line *without* here.
The line *full* of *What learns* is the same learner as *without* but for sums that are taken in another order since: 5
of 5 there, 3 of 5 here on addition's columns. An update with analogies has some 1,000 to 9,000 attempts more, so
seconds tell their cost better than updates. **A reader may conclude** what they cost where nobody stands still;
**not**, from so few runs, how often they save one (*Ten seeds* is the test for that), nor what each of their three ways
(as they are, one part changed, another end) is worth.
""",
    caps=_caps,
)
