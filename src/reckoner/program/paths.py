"""The paths of a proof, and concrete problems for each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import final

from reckoner.program.decision import History, Learned
from reckoner.program.expression import ExpressionProof
from reckoner.program.proof import Visit, begin_proof
from reckoner.program.row import Specified
from reckoner.program.text_row import TextRow
from reckoner.program.walk import Pair, Walker, problems_on_numbers, problems_on_texts, sort_by_path
from reckoner.skills.base import Decider
from reckoner.skills.interactive import InteractiveSkill
from reckoner.skills.library import Library

_PER_PATH = 12
_ON_NUMBERS = 6_000  # problems among which those that take a path are looked for


@final
class Paths:
    """A skill's proof, with all it knows on each path, and problems that take them."""

    def __init__(self, skill: Decider, library: Library, most_failures: int = 1) -> None:
        self.skill = skill
        self.learned = Learned(skill)
        self.work = begin_proof(skill, self.learned, most_failures=most_failures)
        self.work.run()
        self.walker = Walker(library)
        self._problems: Mapping[History, Sequence[Pair]] | None = None

    @property
    def row(self) -> Specified | TextRow:
        """What the skill has to do."""
        return self.work.row

    @property
    def visits(self) -> list[Visit]:
        """All decisions."""
        return [Visit(history, chosen.choice, chosen.margin) for history, chosen in self.work.visits.items()]

    @property
    def all(self) -> list[History]:
        """Every sequence of views that the proof came to."""
        return list(self.work.visits)

    @property
    def decisions(self) -> list[History]:
        """Those on which the network decides: behind its last call a frame halts by itself."""
        calls = self.skill.config.calls if isinstance(self.skill, InteractiveSkill) else None
        return [history for history in self.work.visits if calls is None or len(history) <= calls]

    def problems(self, history: History) -> Sequence[Pair]:
        """Problems that come along here, of all sizes."""
        if isinstance(self.work, ExpressionProof):
            return self._on_texts(self.work, history)
        if self._problems is None:
            self._problems = self._on_numbers(self.work.row)
        return self._problems.get(history, ())[:_PER_PATH]

    def _on_numbers(self, row: Specified) -> dict[History, list[Pair]]:
        problems = problems_on_numbers(row, Random(0), _ON_NUMBERS)
        walks = self.walker.walk(self.skill, self.learned, problems)
        found = sort_by_path(dict(zip(problems, walks, strict=True)))
        rng = Random(1)
        return {history: rng.sample(some, len(some)) for history, some in found.items()}

    def _on_texts(self, work: ExpressionProof, history: History) -> list[Pair]:
        rng, found = Random(0), []
        for state in work.cases[history]:
            problems = list(dict.fromkeys(problems_on_texts(state, rng, _PER_PATH)))
            walks = self.walker.walk(self.skill, self.learned, problems)
            found += [p for p, w in zip(problems, walks, strict=True) if w.history[: len(history)] == history]
        return found
