"""The budgets of a question, and the error that each of them ends in: one sentence each, for every machine."""

from __future__ import annotations

from dataclasses import dataclass

from reckoner.errors import CallLimit, DepthLimit, DidNotHalt, MemoryLimit, TimeLimit, spell_seconds


@dataclass(frozen=True)
class Limits:
    """Budgets of one question; each ends in a typed error, so that even random weights come to an end."""

    calls: int = 1_000_000_000  # calls of skills, the remembered ones counted too
    depth: int = 100_000  # calls within calls
    memory: int = 1_000_000  # characters of one memory
    steps: int = 8  # calls per frame: no program here needs more than three
    seconds: float | None = 60.0  # wall-clock time; None: no limit
    megabytes: int = 1_000  # of the computer's memory that a question may hold, roughly
    remembered: int = 100_000_000  # … and that decisions and basic answers may take, before they are dropped

    def too_many_calls(self, skill: str) -> CallLimit:
        """More calls than allowed; the skill is the one that was asked."""
        return CallLimit(f"more than {self.calls:,} calls in skill {skill!r}; --max-calls allows more")

    def too_deep(self, skill: str) -> DepthLimit:
        """A call of this skill would be nested too deep."""
        return DepthLimit(
            f"calls are nested deeper than {self.depth:,}, last in skill {skill!r}; --max-depth allows more"
        )

    def too_long(self, skill: str) -> MemoryLimit:
        """The skill's memory would be too long from the start."""
        return MemoryLimit(
            f"a memory of {skill!r} would exceed {self.memory:,} characters; --max-characters allows more"
        )

    def grew(self, skill: str) -> MemoryLimit:
        """An answer made the skill's memory too long."""
        return MemoryLimit(
            f"a memory of {skill!r} grew beyond {self.memory:,} characters; --max-characters allows more"
        )

    def did_not_halt(self, skill: str, memory: bytes) -> DidNotHalt:
        """The skill made more calls than a frame may."""
        from reckoner.machine.trace import shorten

        seen = shorten(memory.decode(), 60)
        return DidNotHalt(f"skill {skill!r} did not halt in {self.steps} steps; its memory is {seen!r}")

    def too_late(self, skill: str) -> TimeLimit:
        """The time is up."""
        assert self.seconds is not None
        return TimeLimit(
            f"no answer within {spell_seconds(self.seconds)}, last in skill {skill!r}; --timeout allows more"
        )

    def too_big(self, skill: str) -> MemoryLimit:
        """More of the computer's memory than allowed, or than there is."""
        return MemoryLimit(
            f"no answer within {self.megabytes:,} MB, last in skill {skill!r}; --max-megabytes allows more"
        )
