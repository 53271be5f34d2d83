"""Changed programs: a proof is worth something only if it fails for a program that is wrong.

One decision at a time is changed, in every way near it. Either the proof of the changed program fails (killed), or
the changed program answers rightly all problems at hand that reach the change (equivalent). A changed program that is
proved and gives a wrong answer would be a hole in the proof (missed). Where no problem reaches the change, it could not
be tried (unreached).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from random import Random
from typing import final

from reckoner.nn.config import HALT
from reckoner.program.concrete import Mistake, right_answer
from reckoner.program.decision import Changed, History
from reckoner.program.expression import ExpressionProof
from reckoner.program.paths import Paths
from reckoner.program.walk import Pair
from reckoner.skills.base import Choice, Decider
from reckoner.skills.interactive import STOP
from reckoner.skills.library import Library


@final
@dataclass
class Tally:
    """How changed programs fared."""

    decisions: int = 0
    killed: int = 0
    equivalent: int = 0
    unreached: int = 0
    missed: int = 0
    problems: int = 0  # that equivalent programs were tried on
    obligations: Counter[str] = field(default_factory=Counter)  # what killed, how often
    mistakes: list[Mistake] = field(default_factory=list)  # what was missed

    @property
    def total(self) -> int:
        return self.killed + self.equivalent + self.unreached + self.missed

    def add(self, other: Tally) -> None:
        """Count another one's programs, too."""
        for name in ("decisions", "killed", "equivalent", "unreached", "missed", "problems"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.obligations.update(other.obligations)
        self.mistakes += other.mistakes


def neighbours(choice: Choice, modules: int, gaps: int) -> Iterator[Choice]:
    """Decisions near this one: another skill, HALT, reads exchanged, one end of one span moved by one place.

    Near HALT is every call that hands on nothing, or everything and writes over it.
    """
    module, *pointers = choice
    if module == HALT:
        for other in range(1, modules + 1):
            yield Choice(other, 0, 0, 0, 0, 0, 0)
            yield Choice(other, 0, gaps - 1, 0, 0, 0, gaps - 1)
        return
    yield STOP
    for other in range(1, modules + 1):
        if other != module:
            yield Choice(other, *pointers)
    a, b, c, d, w, v = pointers
    if (a, b) != (c, d):
        yield Choice(module, c, d, a, b, w, v)
    for i in range(len(pointers)):
        for step in (-1, 1):
            moved = [*pointers]
            moved[i] += step
            starts, ends = moved[::2], moved[1::2]
            if 0 <= moved[i] < gaps and all(p <= q for p, q in zip(starts, ends, strict=True)):
                yield Choice(module, *moved)


_OPERAND = 2  # places: a number and an operator


def other_operands(choice: Choice, gaps: int) -> Iterator[Choice]:
    """Decisions that read an operand more or less, or the next ones, and write over what they read.

    In texts: with one end of one span moved, most calls are not accepted at all.
    """
    module, *pointers = choice
    *_, w, v = pointers
    for i in (0, 2) if module != HALT else ():
        start, end = pointers[i : i + 2]
        for first, last in product((-_OPERAND, 0, _OPERAND), repeat=2):
            moved = [*pointers]
            moved[i : i + 2] = start + first, end + last
            moved[4:] = w + first * (w == start), v + last * (v == end)
            is_possible = all(0 <= p <= q < gaps for p, q in zip(moved[::2], moved[1::2], strict=True))
            if is_possible and start < end and moved != pointers:
                yield Choice(module, *moved)


@final
class Mutation:
    """Changes the decisions of a skill's program: only what comes behind a change is proved again."""

    def __init__(self, paths: Paths) -> None:
        self.paths = paths
        self.skill, self.work = paths.skill, paths.work

    def changes(self, history: History) -> list[Choice]:
        """All decisions near the one that is made here."""
        gaps, choice = len(history[-1]) - 1, self.work.visits[history].choice
        found = dict.fromkeys(neighbours(choice, len(self.skill.spec.calls), gaps))
        if isinstance(self.work, ExpressionProof):
            found |= dict.fromkeys(other_operands(choice, gaps))
        return list(found)

    def judge(self, history: History, change: Choice, tally: Tally) -> None:
        """Whether the changed program is proved, and if so, whether it is right."""
        unproved = self.work.change(history, change)
        if unproved is not None:
            tally.killed += 1
            tally.obligations[unproved.obligation.split(" (")[0]] += 1
            return
        problems = self.paths.problems(history)
        if not problems:
            tally.unreached += 1
            return
        tally.problems += len(problems)
        mistake = self._try(history, change, problems)
        if mistake is None:
            tally.equivalent += 1
        else:
            tally.missed += 1
            tally.mistakes.append(mistake)

    def _try(self, history: History, change: Choice, problems: Sequence[Pair]) -> Mistake | None:
        """A problem that the changed program answers wrongly."""
        program, row = Changed(self.paths.learned, {history: change}), self.paths.row
        walks = self.paths.walker.walk(self.skill, program, problems)
        for (x, y), walk in zip(problems, walks, strict=True):
            right = right_answer(row, x, y)
            assert right is not None
            if walk.answer is None or not row.holds(x, y, walk.answer):
                return Mistake(x, y, walk.answer, right)
        return None

    def run(self, histories: Sequence[History], ways: int | None = None, seed: int = 0) -> Tally:
        """Change these decisions one by one, each in all ways near it or in so many."""
        rng, tally = Random(seed), Tally()
        for history in histories:
            changes = self.changes(history)
            if ways is not None:
                changes = rng.sample(changes, min(ways, len(changes)))
            tally.decisions += 1
            for change in changes:
                self.judge(history, change, tally)
        return tally


_kept: dict[str, Mutation] = {}  # of this process, for pieces of the same skill that follow one another


def mutate_part(folder: Path | None, name: str, part: int, parts: int) -> Tally:
    """Every change of every `parts`-th decision of a library's skill: a piece of work for a process."""
    if name not in _kept:
        library = Library.load(folder)
        skill = library[name]
        assert isinstance(skill, Decider)
        _kept.clear()
        _kept[name] = Mutation(Paths(skill, library))
    mutation = _kept[name]
    return mutation.run(mutation.paths.decisions[part::parts])
