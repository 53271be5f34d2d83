"""Mastery by proof: what a proof says of a skill that is being learned.

Needs the extra `proof`; where it is not installed, or nothing is specified of a skill, tests alone decide.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import NamedTuple

from reckoner.curriculum.problems import Problem
from reckoner.skills.base import Choice
from reckoner.skills.interactive import InteractiveSkill
from reckoner.skills.library import Library

FAILURES = 5  # that are looked for at once


class Verdict(NamedTuple):
    """Whether a skill is proved (None: nothing is specified of it), and what can be learned from that."""

    is_proved: bool | None
    counterexamples: list[Problem]
    visits: list[
        tuple[tuple[bytes, ...], Choice]
    ]  # every history of views it can come to see, and its decision
    margin: float  # the smallest of these decisions


def can_prove() -> bool:
    """Whether the solver is installed."""
    return find_spec("z3") is not None


def judge(skill: InteractiveSkill, library: Library) -> Verdict:
    """Try to prove a skill on top of the library's."""
    from reckoner.program.proof import prove_skill
    from reckoner.program.specification import BY_NAME
    from reckoner.program.text_row import EXPRESSIONS

    if skill.name not in BY_NAME and skill.name not in EXPRESSIONS:
        return Verdict(None, [], [], float("inf"))
    # mastery asks for margins far above any rounding; `reckon prove` bounds it decision by decision
    proof = prove_skill(skill, library, most_failures=FAILURES, rounding=False)
    mistakes = [failure.mistake for failure in proof.failures if failure.mistake is not None]
    problems = list(dict.fromkeys(Problem(m.x, m.y, m.right) for m in mistakes))
    visits = [(visit.history, visit.choice) for visit in proof.visits]
    return Verdict(proof.is_proved, problems, visits, proof.margin)
