"""Which divisor was zero: every divisor is worked out once, from the inside out.

A divisor inside another one is replaced by its value before the outer one is worked out, so no part of a text is worked
out twice, however deep it is nested. The values come from the networks; here characters are copied only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from reckoner.grammar import divisors

WorkOut = Callable[[Sequence[str]], Sequence[str | None]]  # texts to numbers; None: there is no number


@dataclass(slots=True)
class _Divisor:
    at: int  # of its operator
    start: int
    end: int
    inside: list[_Divisor] = field(default_factory=list)  # the divisors directly inside it
    height: int = 0  # how many rounds have to go before it
    value: str | None = None

    def write(self, text: str) -> str | None:
        """The divisor with the values of those inside it; None if one of them is zero or has no value."""
        pieces: list[str] = []
        done = self.start
        for inner in self.inside:
            if inner.value is None or inner.value == "0":
                return None
            pieces += text[done : inner.start], inner.value
            done = inner.end
        return "".join([*pieces, text[done : self.end]])


def find_zero(text: str, work_out: WorkOut) -> int | None:
    """Where the first operator stands whose divisor is zero."""
    found = _nest(text)
    rounds: dict[int, list[_Divisor]] = defaultdict(list)
    for divisor in found:
        rounds[divisor.height].append(divisor)
    for height in sorted(rounds):
        ready = [(divisor, divisor.write(text)) for divisor in rounds[height]]
        asked = [(divisor, written) for divisor, written in ready if written is not None]
        values = work_out([written for _, written in asked])
        for (divisor, _), value in zip(asked, values, strict=True):
            divisor.value = value
    return next((divisor.at for divisor in found if divisor.value == "0"), None)


def _nest(text: str) -> list[_Divisor]:
    """The divisors from left to right, each knowing those inside it."""
    found = [_Divisor(*spans) for spans in divisors(text)]
    around: list[_Divisor] = []
    for divisor in found:
        while around and around[-1].end <= divisor.start:
            around.pop()
        if around:
            around[-1].inside.append(divisor)
        around.append(divisor)
    for divisor in reversed(found):  # those inside come after those around
        divisor.height = max((inner.height + 1 for inner in divisor.inside), default=0)
    return found
