"""Where an expression has no value: a divisor of zero, a negative power of zero; and what its exponents are.

Every operand that can be at fault is worked out once, from the inside out. One inside another is replaced by its value
before the outer one is worked out, so no part of a text is worked out twice, however deep it is nested. The values
come from the networks; here characters are copied and looked at only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from reckoner.errors import DivisionByZero
from reckoner.operand import find_operations, is_number

WorkOut = Callable[[Sequence[str]], Sequence[str | None]]  # texts to numbers; None: there is no number


@dataclass(slots=True)
class _Operand:
    start: int
    end: int
    inside: list[_Operand] = field(default_factory=list)  # the operands directly inside it
    height: int = 0  # how many rounds have to go before it
    value: str | None = None

    def write(self, text: str) -> str | None:
        """The operand with the values of those inside it; None if one of them has no value."""
        pieces: list[str] = []
        done = self.start
        for inner in self.inside:
            if inner.value is None:
                return None
            pieces += text[done : inner.start], inner.value
            done = inner.end
        return "".join([*pieces, text[done : self.end]])


@dataclass(slots=True)
class _Operation:
    """An operator with a place where things can go wrong: a divisor, or an exponent and its base."""

    at: int
    right: _Operand
    base: _Operand | None = None  # of a power

    def find(self) -> DivisionByZero | None:
        """The error, if the values make one; its position is one in the canonical text."""
        right = self.right.value
        if right is None:
            return None
        if self.base is None:
            return DivisionByZero("division by zero", self.at) if is_zero(right) else None
        if right.startswith("-") and self.base.value is not None and is_zero(self.base.value):
            return DivisionByZero("a negative power of zero is a division by zero", self.at)
        return None


def is_zero(number: str) -> bool:
    """Whether a number is a zero, with any number of decimals."""
    return not number.strip("0.")


def find_fault(text: str, work_out: WorkOut) -> DivisionByZero | None:
    """The error of the first operator that cannot be carried out, with its position in the canonical text."""
    operations = [
        _Operation(at, _Operand(*right), base and _Operand(*base))
        for at, right, base in find_operations(text)
    ]
    pairs = [(o, operation) for operation in operations for o in (operation.base, operation.right) if o]
    owners = {id(operand): operation for operand, operation in pairs}
    faults: dict[int, DivisionByZero] = {}
    for group in _nest([operand for operand, _ in pairs]):
        _fill(text, group, work_out)
        for operand in group:
            operation = owners[id(operand)]
            if (fault := operation.find()) is not None:
                faults[operation.at] = fault
                operand.value = None  # so what is around it has no value either
    return faults[min(faults)] if faults else None


def check_exponents(text: str, work_out: WorkOut, check: Callable[[str, int], None]) -> None:
    """Have the exponents that are no plain numbers worked out, and each one checked before those around it."""
    for group in _nest(_open_exponents(text)):
        _fill(text, group, work_out)
        for operand in group:
            if operand.value is not None:
                check(operand.value, operand.start)


def _open_exponents(text: str) -> list[_Operand]:
    spans = [right for _, right, base in find_operations(text) if base is not None]
    return [_Operand(start, end) for start, end in spans if not is_number(text[start:end])]


def _fill(text: str, group: Sequence[_Operand], work_out: WorkOut) -> None:
    """Find the values of operands; a plain number is its own."""
    asked: list[tuple[_Operand, str]] = []
    for operand in group:
        written = operand.write(text)
        if written is not None and is_number(written):
            operand.value = written
        elif written is not None:
            asked.append((operand, written))
    values = work_out([written for _, written in asked]) if asked else []
    for (operand, _), value in zip(asked, values, strict=True):
        operand.value = value


def _nest(operands: list[_Operand]) -> Iterator[list[_Operand]]:
    """Rounds of operands, each knowing those inside it: first those with none inside."""
    operands = sorted(operands, key=lambda o: (o.start, -o.end))
    around: list[_Operand] = []
    for operand in operands:
        while around and around[-1].end <= operand.start:
            around.pop()
        if around:
            around[-1].inside.append(operand)
        around.append(operand)
    rounds: dict[int, list[_Operand]] = defaultdict(list)
    for operand in reversed(operands):  # those inside come after those around
        operand.height = max((inner.height + 1 for inner in operand.inside), default=0)
        rounds[operand.height].append(operand)
    for height in sorted(rounds):
        yield rounds[height][::-1]
