"""What a run of the machine gives back, and the budgets that end it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from reckoner.errors import CallLimit, MessageRefused, ReckonerError
from reckoner.machine.trace import Call
from reckoner.skills.base import Choice


@dataclass(frozen=True)
class Limits:
    """Budgets of one run; each ends in a typed error, so that even random weights always come to an end."""

    calls: int = 20_000_000  # calls per question, the remembered ones counted too
    depth: int = 100_000  # calls within calls
    memory: int = 1_000_000  # characters of one memory
    steps: int = 8  # calls per frame: no program here needs more than three
    seconds: float | None = None  # wall-clock time for all the questions asked at once
    remembered: int = 400_000_000  # bytes, roughly, that the caches may take before they are emptied


class Refusal(NamedTuple):
    """A call whose message was not accepted."""

    skill: str
    x: str
    y: str


class Result(NamedTuple):
    """How a message was answered: `answer` is None if it was refused or `error` says why there is none."""

    answer: bytes | None
    calls: int = 0
    refusal: Refusal | None = None  # the first refused call below
    error: ReckonerError | None = None
    trace: Call | None = None


class Outcome(NamedTuple):
    """A question's result as the caller sees it."""

    answer: str | None
    error: ReckonerError | None
    calls: int
    refusal: Refusal | None
    trace: Call | None = None


@dataclass
class Episode:
    """A sampled run of one frame: what was seen and chosen, and the memory it ended with."""

    views: list[bytes]
    choices: list[Choice]
    refused: list[bool]
    answer: bytes | None  # None: a sub-call failed or it did not halt in time


def make_outcome(result: Result, limits: Limits, name: str) -> Outcome:
    """A result in the caller's terms."""
    answer, calls, refusal, error, trace = result
    if error is None and calls > limits.calls:
        error = CallLimit(f"more than {limits.calls:,} calls in skill {name!r}")
    if error is None and answer is None:
        error = MessageRefused(f"skill {name!r} does not accept this message")
    text = None if answer is None or error is not None else answer.decode()
    return Outcome(text, error, calls, refusal, trace)
