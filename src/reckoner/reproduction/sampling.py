"""Difficulty sampling and parameter adjustment: both, one each, none."""

from __future__ import annotations

from reckoner.curriculum.student import StudentConfig
from reckoner.curriculum.teacher import TeacherConfig
from reckoner.reproduction.ablation import PAPERS_CAP, Variant, ablation

VARIANTS = (
    Variant("both"),
    Variant("difficulty sampling only", StudentConfig(teacher=TeacherConfig(parameter_adjustment=False))),
    Variant("parameter adjustment only", StudentConfig(teacher=TeacherConfig(difficulty_sampling=False))),
    Variant(
        "neither", StudentConfig(teacher=TeacherConfig(difficulty_sampling=False, parameter_adjustment=False))
    ),
    # with our low cap the entropy coefficient reaches it at the second wrong attempt; with the paper's it does not
    Variant("both, cap 0.5", StudentConfig(teacher=TeacherConfig(entropy_cap=PAPERS_CAP))),
    Variant(
        "neither, cap 0.5",
        StudentConfig(
            teacher=TeacherConfig(
                difficulty_sampling=False, parameter_adjustment=False, entropy_cap=PAPERS_CAP
            )
        ),
    ),
)

EXPERIMENT = ablation(
    "sampling",
    VARIANTS,
    heading="Difficulty sampling and parameter adjustment",
    claim="""
**The paper claims** that without difficulty sampling and parameter adjustment the model "shows
convergence in suboptimal strategy". It tests on expressions of length 10; we test on test problems
of each of three quick skills, at the longest length trained on, because four variants of the lesson on
expressions with several seeds each do not fit the budget.
""",
    remark="""
Without parameter adjustment the entropy coefficient is constant at its cap (0.05 here, 0.5 in the
paper). With adjustment it is 0.01 times the difficulty of the hardest problem that looks alike (a moving share
of wrong attempts, at most 64), so that our cap is reached while one attempt in thirteen is wrong. The lines with
the paper's cap show what the mechanism does where it has more room. Guidance and exploration are on in all lines.
""",
)
