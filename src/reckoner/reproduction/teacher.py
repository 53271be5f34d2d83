"""The teacher under reinforcement: difficulty sampling and parameter adjustment, the paper's β and ours."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from reckoner.curriculum.teacher import TeacherConfig
from reckoner.reproduction.ablation import BASE, PAPERS_CAP, Variant, ablation


def _variant(name: str, **fields: Any) -> Variant:
    return Variant(name, replace(BASE, teacher=TeacherConfig(**fields)))


_NEITHER = {"difficulty_sampling": False, "parameter_adjustment": False}

VARIANTS = (
    _variant("both"),
    _variant("difficulty sampling only", parameter_adjustment=False),
    _variant("parameter adjustment only", difficulty_sampling=False),
    _variant("neither", **_NEITHER),
    _variant("both, the paper's β", entropy_cap=PAPERS_CAP),
    _variant("difficulty sampling only, the paper's β", entropy_cap=PAPERS_CAP, parameter_adjustment=False),
    _variant("parameter adjustment only, the paper's β", entropy_cap=PAPERS_CAP, difficulty_sampling=False),
    _variant("neither, the paper's β", entropy_cap=PAPERS_CAP, **_NEITHER),
)

EXPERIMENT = ablation(
    "teacher",
    VARIANTS,
    heading="The teacher, on what matters",
    claim="""
**The paper claims** that without difficulty sampling and parameter adjustment the model "shows convergence in
suboptimal strategy", on a test set of expressions of length 10. **Measured** under reinforcement on addition,
multiplication, division and expressions of up to three operators and brackets; the accuracy on expressions is that on
such problems with up to three operators and brackets, as many as the paper's have on average (those of length 10 have
three operators, so none has brackets as well).
""",
    remark="""
β is the largest entropy coefficient that parameter adjustment may reach: 0.5 in the paper, 0.05 in ours. Without
adjustment the coefficient is constant at it. Guidance and exploration are on in all lines, so what the teacher adds
is what it adds to them; where all lines master a skill, the updates say what it saves. A run that does not master its
skill ends at the first of two caps, about ten times what the full learner needs: {budget.matters_told}.
With the paper's β an update takes about twice as long (more of the attempts differ, so less is remembered), and the cap
in seconds ends such runs after four to eight times the full learner's updates.
A run may end sooner and count as failed: who has every known and fresh problem right is asked 1,000 test problems that
nothing looked at before (of expressions with up to three operators and brackets there are 851), and in `reckon train`
one mistake there means a restart. Those are the crosses at 100 %: right on the problems without brackets that the
figure counts, wrong on two of the 851.
*Both* and *difficulty sampling only* are often the same run to the last digit (7 of 20 pairs, all five of M*M): with
our β the coefficient is at its cap nearly always, so that line is no further evidence. So are 3 of 20 pairs without
difficulty sampling, and with the paper's β 4 and 2. On quick skills (*What learns*: M-M,
multiply-columns) everybody gets there with and without difficulty sampling.
**A reader may conclude** that with our β no run with difficulty sampling stood still and some without it did;
**not** by how much, from five seeds a line, nor that either mechanism helps with the paper's β, nor that it would do
the same for the paper's learner, which has no guidance.
""",
    is_paper_tested=True,
)
