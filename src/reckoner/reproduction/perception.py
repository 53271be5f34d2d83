"""Perception: how many digits are seen at each end of a number, and the paper's every character."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from reckoner.curriculum.tasks import INTERACTIVE
from reckoner.reproduction import ablation
from reckoner.reproduction.ablation import BASE, CHARACTERS, Variant
from reckoner.reproduction.records import Record

VARIANTS = (
    *(Variant(f"C = {digits}", fovea=digits) for digits in range(4)),
    # with thousands of views nobody waits until every decision is clear: that would outlast any cap
    Variant("characters", replace(BASE, margin=0.0), perception=CHARACTERS),
)


LONGER = re.compile(r"(\d+ of \d+) longer problems wrong")  # as a student says it that is given up for that


def table(records: Sequence[Record]) -> str:
    """As of any ablation; the C of the curriculum's own row is marked. Below it, what knowing all lengths was worth."""
    marked = ablation.table([{**r, "variant": _marked(r["skill"], r["variant"])} for r in records])
    return marked + _fall_beyond(records)


def _fall_beyond(records: Sequence[Record]) -> str:
    """The runs that learned all lengths they were trained on, and were wrong on longer problems."""
    fallen = [
        f"{r['variant']} on {r['skill']}, seed {r['seed']}: {found[1]}"
        for r in records
        if (found := LONGER.search(r.get("reason", ""))) and r["accuracy"] == 1
    ]
    if not fallen:
        return ""
    return f"\nRight on every test problem and not mastered, for longer problems are wrong: {'; '.join(fallen)}.\n"


def _marked(skill: str, variant: str) -> str:
    is_own = variant == f"C = {INTERACTIVE[skill].spec.perception.fovea}"
    return f"{variant} (as trained)" if is_own else variant


_COMPARED = ablation.ablation(
    "perception",
    VARIANTS,
    heading="Perception: what a controller sees",
    claim="""
The paper's controllers see every character. Ours see C digits at each end of a number, and of longer numbers only
that there is more between (foveal perception). How much of what is learned hangs on that choice?
""",
    remark="""
Test problems are of the lengths trained on; a skill is mastered when it is right on problems three times longer, too.
"As trained" is the C that the curriculum's row gives the skill. With C = 0 a number is one token, so a skill that
has to take a number apart cannot point inside it: that it fails is no surprise. With more digits visible there are
more views to learn. Of characters no margin between decisions is asked. A run that does not master its skill ends at
the first of two caps, about ten times what the full learner needs: {budget.matters_told} (the ten runs of
add-columns with C = 1 and 2 had the seconds alone).
An update with characters takes many times as long, since hardly two problems look alike: their caps in seconds came
after one to three times the updates that foveal views need. The first twelve runs with characters were made on a core
that was taken for three times as slow as the others'; measured were 2.5 to 3.7, by what else was running, so that some
of them had a fifth less than their cap.
**A reader may conclude** how much perception has to do with the time that learning takes here; **not** that characters
could not be learned from with another network or more time: in *The paper's configuration* the same learner masters
+ − × ÷ up to 11 characters with every character visible, M*M in 111 and 302 s.
""",
)
EXPERIMENT = replace(_COMPARED, table=table, figures={"runs": partial(ablation.figure, cost="seconds")})
