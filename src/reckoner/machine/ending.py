"""What a core says to the machine: what it needs, and how questions ended."""

from __future__ import annotations

from typing import NamedTuple

# What ends a question; the numbers are those of `c/types.h`.
ANSWERED, REFUSED, CALLS, DEPTH, LENGTH, GROWTH, STEPS, TIME, BYTES = range(9)


class Need(NamedTuple):
    """What a core must be told before it can go on."""

    decisions: list[tuple[int, int, bytes]]  # skill, history, view
    answers: list[tuple[int, bytes]]  # basic skill, message


class Ending(NamedTuple):
    """How a question ended: an answer, or a limit and what the error tells about it."""

    status: int
    answer: bytes | None  # with STEPS: the memory that was left
    calls: int
    refusal: tuple[int, bytes, bytes] | None  # the first refused call: skill (-1: nobody) and message
    skill: int  # where it ended
