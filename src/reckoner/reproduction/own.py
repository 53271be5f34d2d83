"""Our own ablations: practice, vote and self-imitation off one by one; the paper's perception and configuration."""

from __future__ import annotations

from reckoner.curriculum.student import StudentConfig
from reckoner.curriculum.teacher import TeacherConfig
from reckoner.reproduction.ablation import CHARACTERS, PAPERS_CAP, Variant, ablation
from reckoner.training.practice import PracticeConfig

_NO_PRACTICE = PracticeConfig(enabled=False)
_THE_PAPERS = StudentConfig(
    hidden=100,
    self_imitation=False,
    practice=_NO_PRACTICE,
    teacher=TeacherConfig(uniform_share=0.0, entropy_cap=PAPERS_CAP),
)

VARIANTS = (
    Variant("full"),
    Variant("no vote", StudentConfig(practice=PracticeConfig(vote=False))),
    Variant("no practice", StudentConfig(practice=_NO_PRACTICE)),
    Variant("no self-imitation", StudentConfig(self_imitation=False)),
    Variant("characters", perception=CHARACTERS),
    Variant("the paper's", _THE_PAPERS, CHARACTERS),
)

EXPERIMENT = ablation(
    "own",
    VARIANTS,
    heading="Our own ablations, and the paper's own configuration",
    claim="""
What is not in the paper: practice, vote and self-imitation switched off one by one; the paper's
perception (`characters`: every character its own symbol) in place of the foveal one; and the paper's own
configuration: characters, PPO alone, hidden size 100, entropy cap 0.5, difficulty sampling without a
uniform share.
""",
    remark="""
Without practice the student imitates its own successes in place of voted programs. A program found in
practice reaches the network only through self-imitation, so "no self-imitation" is PPO alone. A run ends
when the skill is mastered (all stages, held-out problems, and problems far longer than trained on) or at
its cap; so a failure here means "not in that time", not "never". A run can be right on all test problems
and still not count as mastered: it then fails on longer ones. About half of the problems of `strip` are
solved by halting at once.
""",
)
