"""What a machine gives back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from reckoner.errors import MessageRefused, ReckonerError

if TYPE_CHECKING:
    from reckoner.machine.trace import Call


class Refusal(NamedTuple):
    """A call whose message was not accepted."""

    skill: str
    x: str
    y: str


class Reply(NamedTuple):
    """How one message was answered: `answer` is None if it was refused or `error` says why there is none."""

    answer: bytes | None
    calls: int = 0
    refusal: Refusal | None = None  # the first refused call below
    error: ReckonerError | None = None
    trace: Call | None = None


class Outcome(NamedTuple):
    """A reply in the caller's terms: without an answer there is always an error."""

    answer: str | None
    error: ReckonerError | None
    calls: int
    refusal: Refusal | None
    trace: Call | None = None


def make_outcome(reply: Reply, skill: str) -> Outcome:
    """The outcome of a message to this skill."""
    answer, calls, refusal, error, trace = reply
    if answer is not None:
        return Outcome(answer.decode(), error, calls, refusal, trace)
    return Outcome(
        None, error or MessageRefused(f"skill {skill!r} does not accept this message"), calls, refusal, trace
    )
