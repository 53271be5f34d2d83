"""Paths of a proof and paths of concrete runs: neither may have what the other has not."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from random import Random
from typing import final

from reckoner.program.concrete import Mistake, ProgramSkill, find_mistakes, sample, sample_text
from reckoner.program.decision import History, Learned, Program, Recorded
from reckoner.program.specification import Row
from reckoner.skills.base import Decider
from reckoner.skills.library import Library


@final
@dataclass(frozen=True)
class Replay:
    """What concrete problems showed."""

    problems: int
    met: frozenset[History]
    mistakes: tuple[Mistake, ...]

    def unknown(self, paths: Collection[History]) -> frozenset[History]:
        """What was met and is not among the paths of the proof."""
        return self.met - frozenset(paths)

    def unmet(self, paths: Collection[History]) -> frozenset[History]:
        """Paths of the proof that no problem took."""
        return frozenset(paths) - self.met


def replay(
    skill: Decider,
    library: Library,
    row: Row | None,
    operators: str,
    count: int,
    longest: int = 7,
    program: Program | None = None,
    seed: int = 0,
) -> Replay:
    """Run a skill (or a program in its place) on random problems of all sizes, and note every path."""
    rng = Random(seed)
    recorded = Recorded(program or Learned(skill))
    problems = []
    for i in range(count):
        size = i * longest // count + 1
        if row is None:
            problems.append((sample_text(rng, operators, size), ""))
        else:
            problems.append(sample(row, rng, size))
    problems = list(dict.fromkeys(problems))
    mistakes = find_mistakes(ProgramSkill(skill, recorded), library, row, problems)
    return Replay(len(problems), frozenset(recorded.met), tuple(mistakes))
