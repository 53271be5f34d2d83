"""Analogies: what was right at one view, told so that it can be tried at others.

Pointers are counted from the nearest end of a number, so that "the last digit" is the same at every view. What is kept
are the student's own right attempts, those of earlier stages included; a program that was right in many ways (views
before and after its first call, stages) is tried more often. They are suggestions: rewards say what they are worth
elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from reckoner.alphabet import Perception, spell
from reckoner.training.policy import OWN
from reckoner.training.world import STOP, pack, unpack_one

MOST = 2000  # programs that go on to the next stage
TRIES = 8  # at finding a program that fits a view
_SIGN = re.compile(r"[^dN~?0-9]")  # the rest, which is not seen, belongs to no number

# A module, and of each pointer which number it is in, how far from an end of that, and whether from the last end: 19
# numbers; of halting none.
Step = tuple[int, ...]
Numbers = tuple[tuple[int, int], ...]
Way = tuple[bytes, int, bytes, int]  # a first view, the action there, the last view and the action there


class Suggestion(NamedTuple):
    """A program at a view: what to do first, and how to end."""

    first: int  # action, or OWN: nothing is known that could be done
    ending: Step | None


NOTHING = Suggestion(OWN, None)


class Analogies:
    """Programs, and in how many ways each was right."""

    def __init__(self, perception: Perception) -> None:
        self.perception = perception
        self.programs: Counter[tuple[Step, Step]] = Counter()
        self._known: set[Way] = set()
        self._seen: dict[bytes, Numbers] = {}
        self._pointed: dict[tuple[Step, Numbers], int | None] = {}
        self._listed: list[tuple[Step, Step]] = []  # as long as the programs stay what they are
        self._below = np.zeros(0, np.int64)

    def remember(self, ways: Iterable[Way]) -> None:
        """Keep what was right."""
        fresh = sorted(set(ways) - self._known)
        if not fresh:
            return
        self._known.update(fresh)
        for view, first, last, second in fresh:
            # a pointer in the middle is as near to one end as to the other
            told = {(self._tell(view, first, side), self._tell(last, second, side)) for side in (False, True)}
            self.programs.update(sorted(told))
        self._listed = []

    def close(self) -> None:
        """A stage is over: what was right most often is kept, and may be right at the same views again."""
        self.programs = Counter(dict(self.programs.most_common(MOST)))
        for memory in (self._known, self._seen, self._pointed, self._listed):
            memory.clear()

    def draw(self, view: bytes, count: int, rng: np.random.Generator) -> list[Suggestion]:
        """What may be done at a view, each by in how many ways it was right; often nothing where little fits."""
        if not self._listed:
            self._listed, self._below = list(self.programs), np.cumsum(list(self.programs.values()))
        if not self._listed:
            return [NOTHING] * count
        drawn = rng.integers(self._below[-1], size=(count, TRIES))
        places = np.searchsorted(self._below, drawn, side="right").tolist()
        return [self._fitting(row, view) for row in places]

    def _fitting(self, places: Sequence[int], view: bytes) -> Suggestion:
        """The first of these programs that can be begun at a view."""
        for place in places:
            first, ending = self._listed[place]
            action = self.point(first, view)
            if action is not None:
                return Suggestion(action, ending)
        return NOTHING

    def point(self, step: Step, view: bytes) -> int | None:
        """The action that a step is at a view, if there is one."""
        key = step, self._numbers(view)
        if key not in self._pointed:
            self._pointed[key] = _point(*key)
        return self._pointed[key]

    def _tell(self, view: bytes, action: int, prefers_last: bool) -> Step:
        """An action at a view as a step, with pointers in the middle of a number counted from the end preferred."""
        if action == STOP:
            return ()
        numbers = self._numbers(view)
        module, *gaps = unpack_one(action)
        told = [module]
        for gap in gaps:
            number = next(n for n, (_, end) in enumerate(numbers) if gap <= end)
            start, end = numbers[number]
            before, behind = gap - start, end - gap
            is_last = behind < before or (behind == before and prefers_last)
            told += [number, behind if is_last else before, is_last]
        return tuple(told)

    def _numbers(self, view: bytes) -> Numbers:
        """First and last gap of each number, or of the nothing between two signs."""
        found = self._seen.get(view)
        if found is None:
            text = spell(self.perception, view)
            signs = [sign.start() for sign in _SIGN.finditer(text)]
            ends = zip([0, *(sign + 1 for sign in signs)], [*signs, len(text)], strict=True)
            found = self._seen[view] = tuple(ends)
        return found

    def to_json(self) -> list[Any]:
        """As a checkpoint has it."""
        return [[*program, times] for program, times in self.programs.items()]

    def from_json(self, entries: Iterable[Any]) -> None:
        """What a checkpoint has."""
        self.programs = Counter({(tuple(first), tuple(ending)): times for first, ending, times in entries})


def _point(step: Step, numbers: Numbers) -> int | None:
    if not step:
        return STOP
    gaps = []
    for number, distance, is_last in zip(step[1::3], step[2::3], step[3::3], strict=True):
        if number >= len(numbers):
            return None
        start, end = numbers[number]
        if distance > end - start:
            return None
        gaps.append(end - distance if is_last else start + distance)
    if any(start > end for start, end in zip(gaps[::2], gaps[1::2], strict=True)):
        return None
    (action,) = pack(np.array([[step[0], *gaps]], np.int64)).tolist()
    return action
