"""What a row of the curriculum is, and what rows have in common: perceptions, and how stages grow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from reckoner.alphabet import Perception
from reckoner.curriculum.problems import Problem, Sampler
from reckoner.skills.base import SkillSpec

WHOLE = Perception(fovea=0)  # numbers are one symbol and cannot be cut in two
ENDS = Perception(fovea=1)  # the first and the last digit of a number can be pointed at
DIGITS = Perception(fovea=2)
# expressions: up to the third number or the first bracket (with what is in it, if just a number)
READING = Perception(fovea=0, reach=3)


@final
@dataclass(frozen=True)
class BasicTask:
    """A table of single-digit facts, all of which are to be known."""

    spec: SkillSpec
    table: Callable[[], list[Problem]]


@final
@dataclass(frozen=True)
class InteractiveTask:
    """A skill to be learned from answers."""

    spec: SkillSpec
    sampler: Sampler
    stages: tuple[int, ...]  # sizes; self-calls of a stage go to the snapshot that mastered the one before
    # size of the problems that test what nobody trained on: at least three times the longest stage
    longer: int
    problems: int = 1000  # training problems per stage: the paper's number
    calls: int = 30_000  # that no problem of any stage comes near: whatever takes more is nonsense


LONG_WAY = (
    100_000  # calls, where division, powers and expressions are worked out: students find longer ways, too
)
Task = BasicTask | InteractiveTask


def basic(
    name: str, layout: str, x: str, y: str, table: Callable[[], list[Problem]], sees: Perception | None = None
) -> BasicTask:
    """A row of single-digit facts."""
    return BasicTask(SkillSpec(name, layout, x, y, perception=sees or Perception()), table)


def interactive(
    name: str,
    layout: str,
    accepts: tuple[str, str],
    calls: str,
    sees: Perception,
    sampler: Sampler,
    stages: tuple[int, ...],
    longer: int,
    problems_per_stage: int = 1000,
    calls_at_most: int = 30_000,
) -> InteractiveTask:
    """A row of a skill that calls others; `calls` are their names, with spaces between them."""
    spec = SkillSpec(name, layout, *accepts, tuple(calls.split()), sees)
    return InteractiveTask(spec, sampler, stages, longer, problems_per_stage, calls_at_most)


BY_ONE = (1, 2, 3, 4, 5, 6, 10)  # lengths go up by one until the views stop changing, then one longer
AT_ENDS = (1, 2, 3, 4, 8)
TWICE = (1, 2, 3, 4, 16)  # long enough for a skill that calls itself twice per digit to run out of calls
AS_WHOLE = (1, 4, 8)
WORK = (0, 1, 2, 3, 4, 5, 6, 8)
