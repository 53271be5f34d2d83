"""The test problems behind Table 1 and the curves, with their answers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from reckoner.baselines.trainer import Exercise
from reckoner.curriculum import oracle
from reckoner.evaluation.problems import problems_by_length
from reckoner.grammar import parse
from reckoner.machine import Machine
from reckoner.skills.interactive import InteractiveSkill
from reckoner.skills.library import Library


def exercises(kind: str, length: int, count: int, without: Collection[str] = ()) -> list[Exercise]:
    """A cell's problems, except those that were trained on."""
    found = (text for text in problems_by_length(kind, length, count, seed=0) if text not in without)
    return [Exercise(text, oracle.evaluate(text)) for text in found]


def expression_test(
    name: str, library: Library, problems: Sequence[Exercise]
) -> Callable[[InteractiveSkill], float]:
    """A measure for students: accuracy on whole expressions; zero while another skill is being learned."""
    pairs = [(parse(p.question).text, "") for p in problems]

    def test(skill: InteractiveSkill) -> float:
        if skill.name != name:
            return 0.0
        outcomes = Machine(library).run(skill, pairs)
        return sum(o.answer == p.answer for o, p in zip(outcomes, problems, strict=True)) / len(problems)

    return test
