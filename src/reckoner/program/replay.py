"""Paths of a proof and paths of concrete runs: neither may have what the other has not."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from random import Random
from typing import final

from reckoner.program.concrete import Mistake, ProgramSkill, find_mistakes, sample
from reckoner.program.decision import History, Learned, Recorded
from reckoner.program.paths import Paths
from reckoner.program.row import Specified
from reckoner.program.text_row import TextRow
from reckoner.skills.base import Decider
from reckoner.skills.library import Library

_AT_ONCE = 5_000  # problems


@final
@dataclass(frozen=True)
class Replay:
    """What concrete problems showed: the paths of every frame of a skill, be it asked by others or by itself."""

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
    row: Specified | TextRow,
    count: int,
    seed: int = 0,
) -> Replay:
    """Run a skill on random problems of all sizes, and note every path."""
    rng = Random(seed)
    recorded = Recorded(Learned(skill))
    problems = []
    for i in range(count):
        size = i * (7 if isinstance(row, TextRow) else row.longest) // count + 1
        problems.append(row.sample(rng, size) if isinstance(row, TextRow) else sample(row, rng, size))
    problems = list(dict.fromkeys(problems))
    mistakes = find_mistakes(ProgramSkill(skill, recorded), library, row, problems)
    return Replay(len(problems), frozenset(recorded.met), tuple(mistakes))


def replay_expressions(
    library: Library, row: TextRow, count: int, longest: int = 9, seed: int = 0
) -> dict[str, Replay]:
    """Run an expression skill on different random texts; the paths of every skill below it, too."""
    recorded: dict[str, Recorded] = {}
    watched = Library()
    for skill in library:
        if isinstance(skill, Decider):
            recorded[skill.name] = Recorded(Learned(skill))
            watched.append(ProgramSkill(skill, recorded[skill.name]))
        else:
            watched.append(skill)
    rng, made, tries = Random(seed), dict[tuple[str, str], None](), 0
    while len(made) < count and tries < 20 * count:
        made[row.sample(rng, 1 + tries % longest)] = None
        tries += 1
    problems, mistakes = list(made), []
    for start in range(0, len(problems), _AT_ONCE):
        mistakes += find_mistakes(watched[row.name], watched, row, problems[start : start + _AT_ONCE])
    found = tuple(mistakes)
    return {
        n: Replay(len(problems), frozenset(r.met), found if n == row.name else ())
        for n, r in recorded.items()
    }


@final
@dataclass(frozen=True)
class Cover:
    """Problems made to take each path of a proof."""

    paths: int
    problems: int
    untaken: tuple[History, ...]  # paths for which no problem was found
    mistakes: tuple[Mistake, ...]


def take_every_path(paths: Paths, library: Library) -> Cover:
    """Make problems for each path, and run them on the machine."""
    problems: dict[tuple[str, str], None] = {}
    untaken = []
    for history in paths.all:
        found = paths.problems(history)
        problems.update(dict.fromkeys(found))
        if not found:
            untaken.append(history)
    mistakes = find_mistakes(paths.skill, library, paths.row, list(problems))
    return Cover(len(paths.all), len(problems), tuple(untaken), tuple(mistakes))
