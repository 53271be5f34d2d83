"""Changed programs: a proof is worth something only if it fails for a program that is wrong.

One decision at a time is changed, in several ways. Either the proof of the changed program fails (killed), or the
changed program gives no wrong answer on many problems that reach the change (equivalent); a changed program that is
proved and gives a wrong answer would be a hole in the proof (missed).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import final

from reckoner.program.concrete import Mistake
from reckoner.program.decision import Changed, Learned
from reckoner.program.proof import EXPRESSIONS, Visit, prove_skill
from reckoner.program.replay import replay
from reckoner.program.specification import BY_NAME
from reckoner.skills.base import Choice, Decider
from reckoner.skills.interactive import STOP
from reckoner.skills.library import Library


@final
@dataclass
class Tally:
    """How changed programs fared."""

    killed: int = 0
    equivalent: int = 0
    missed: int = 0

    @property
    def total(self) -> int:
        return self.killed + self.equivalent + self.missed


def neighbours(choice: Choice, modules: int, gaps: int) -> Iterator[Choice]:
    """Decisions near this one: another skill, HALT, one end of one span moved by one place."""
    module, *pointers = choice
    for other in range(modules + 1):
        if other != module:
            yield Choice(other, *pointers) if other else STOP
    if module == 0:
        return
    for i in range(len(pointers)):
        for step in (-1, 1):
            moved = [*pointers]
            moved[i] += step
            starts, ends = moved[::2], moved[1::2]
            if 0 <= moved[i] < gaps and all(a <= b for a, b in zip(starts, ends, strict=True)):
                yield Choice(module, *moved)


def mutate(
    skill: Decider,
    library: Library,
    visits: Sequence[Visit],
    per_decision: int | None = None,
    decisions: int | None = None,
    problems: int = 400,
    seed: int = 0,
) -> tuple[Tally, list[Mistake]]:
    """Change decisions of a program one by one; how many changed programs were killed, and what was missed."""
    rng, tally, missed = Random(seed), Tally(), []
    chosen = list(visits) if decisions is None else rng.sample(list(visits), min(decisions, len(visits)))
    learned = Learned(skill)
    learned.choose([visit.history for visit in visits])
    row, operators = BY_NAME.get(skill.name), EXPRESSIONS.get(skill.name, "")
    for visit in chosen:
        gaps = len(visit.history[-1]) - 1
        changes = list(neighbours(visit.choice, len(skill.spec.calls), gaps))
        if per_decision is not None:
            changes = rng.sample(changes, min(per_decision, len(changes)))
        for change in changes:
            program = Changed(learned, {visit.history: change})
            # all paths that do not come to the changed decision are as they were
            proof = prove_skill(skill, library, program=program, examples=False, focus=visit.history)
            if not proof.is_proved:
                tally.killed += 1
                continue
            found = replay(skill, library, row, operators, problems, program=program).mistakes
            if found:
                tally.missed += 1
                missed.append(found[0])
            else:
                tally.equivalent += 1
    return tally, missed
