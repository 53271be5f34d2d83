"""Traces: the typed tree of calls that led to an answer.

A long expression is a deep tree: some thousand calls within one another. So whatever walks it here does without
recursion, and that includes what Python does by itself: comparing, hashing, copying, pickling and `repr`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

Span = tuple[int, int]
_WIDTH = 100  # columns of a line where no terminal says otherwise
_SHORT = 60  # columns of a repr
_LEAST = 5  # characters of a text that are shown however narrow the line is
_NOTEBOOK_DEPTH = 2


class Sight(NamedTuple):
    """What a controller saw of its memory: a character per token, and where in the memory each token begins."""

    text: str  # d a digit, N a number, ~ the elided inside of a number, … the rest of the memory
    gaps: tuple[int, ...]  # one more than tokens: token i stands for memory[gaps[i] : gaps[i + 1]]


class Halt(NamedTuple):
    """A skill's last decision: to stop, with its memory as the answer."""

    view: Sight
    probability: float | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Step:
    """One call that a skill made, and what it did to the skill's memory."""

    call: Call
    read1: Span
    read2: Span
    write: Span
    refused: bool
    before: str
    after: str
    probability: float | None = None  # how likely the policy found this action
    view: Sight | None = None  # what it saw of the memory before

    @property
    def _own(self) -> tuple[Any, ...]:
        """All but the call."""
        spans = (self.read1, self.read2, self.write)
        return *spans, self.refused, self.before, self.after, self.probability, self.view

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Step):
            return NotImplemented
        return self._own == other._own and self.call == other.call

    def __hash__(self) -> int:
        return hash((self._own, self.call))

    def __repr__(self) -> str:
        return f"<Step {_describe(self.call, self, width=_SHORT)}>"

    def __copy__(self) -> Step:
        return self  # nothing in it can change

    def __deepcopy__(self, memo: object) -> Step:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpack_step, (_pack(self.call), self._own)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Call:
    """A skill at work: its message, the memory it started from, its steps, its answer (None: refused)."""

    skill: str
    x: str
    y: str
    memory: str
    steps: tuple[Step, ...]
    answer: str | None
    halt: Halt | None = None  # how it ended; not known of basic skills, and where steps were not recorded
    hidden: int = 0  # calls below it that were made, but not recorded

    def count(self) -> int:
        """How many calls this one is, itself included."""
        return sum(1 + call.hidden for _, call, _ in self.walk())

    def walk(self) -> Iterator[tuple[int, Call, Step | None]]:
        """All calls with their depth and the step that made them, in the order they were made."""
        stack: list[tuple[int, Call, Step | None]] = [(0, self, None)]
        while stack:
            depth, call, step = stack.pop()
            yield depth, call, step
            stack.extend((depth + 1, s.call, s) for s in reversed(call.steps))

    def render(self, depth: int | None = None, width: int = _WIDTH) -> str:
        """An indented tree with lines of about `width` columns; calls below `depth` are counted, not shown."""
        lines = []
        stack: list[tuple[int, Call, Step | None]] = [(0, self, None)]
        while stack:
            level, call, step = stack.pop()
            is_last = level == depth
            hidden = call.count() - 1 if is_last else call.hidden
            indent = "  " * level
            lines.append(indent + _describe(call, step, hidden, width - len(indent)))
            if not is_last:
                stack.extend((level + 1, s.call, s) for s in reversed(call.steps))
        return "\n".join(lines)

    def title(self, width: int = _WIDTH) -> str:
        """Message and answer on one line: `M+M(95, 7) = 102`."""
        return _describe(self, width=width)

    @property
    def _own(self) -> tuple[Any, ...]:
        """All but the steps."""
        return self.skill, self.x, self.y, self.memory, self.answer, self.halt, self.hidden

    def __eq__(self, other: object) -> bool:
        return _is_same(self, other) if isinstance(other, Call) else NotImplemented

    def __hash__(self) -> int:
        return hash((self._own, len(self.steps)))

    def __repr__(self) -> str:
        return f"<Call {self.title(_SHORT)}, {len(self.steps)} steps>"

    def _repr_html_(self) -> str:
        """The tree in a notebook."""
        from html import escape

        return f"<pre>{escape(self.render(_NOTEBOOK_DEPTH))}</pre>"

    def __copy__(self) -> Call:
        return self  # nothing in it can change

    def __deepcopy__(self, memo: object) -> Call:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpack, (_pack(self),)


def count_each(root: Call) -> dict[int, int]:
    """For each call, by its `id`: how many calls it is, itself included."""
    counts: dict[int, int] = {}
    stack = [root]
    while stack:
        call = stack[-1]
        missing = [s.call for s in call.steps if id(s.call) not in counts]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        counts[id(call)] = 1 + call.hidden + sum(counts[id(s.call)] for s in call.steps)
    return counts


def shorten(text: str, width: int) -> str:
    """The text, its inside left out if it is longer than `width`."""
    if len(text) <= width:
        return text
    side = (width - 1) // 2
    return f"{text[:side]}…{text[-side:]}"


# --- as text ---


def _describe(call: Call, step: Step | None = None, hidden: int = 0, width: int = _WIDTH) -> str:
    """One line: `add-columns(3, 450) = 048   memory 3,450 -> 048   [+3 calls]`."""
    answer = "refused" if call.answer is None else call.answer or "(nothing)"
    end = f"   [+{hidden} {'call' if hidden == 1 else 'calls'}]" if hidden else ""
    # An empty first read shows as "", so that nobody takes the second for the first.
    texts = [call.x or '""', call.y, answer]
    if step is not None:
        texts += [step.before, step.after]
    words = len(call.skill) + len("(, ) = ") + len(end) + (len("   memory  -> ") if step else 0)
    x, y, answer, *memories = _fit(texts, width - words)
    line = f"{call.skill}({x}, {y}) = {answer}" if y else f"{call.skill}({x}) = {answer}"
    if memories:
        line += f"   memory {memories[0]} -> {memories[1]}"
    return line + end


def _fit(texts: Sequence[str], room: int) -> list[str]:
    """The texts, the longest of them shortened to one length so that all fit into the room if they can."""
    longest = min(max(map(len, texts)), max(room, _LEAST))
    while longest > _LEAST and sum(min(len(text), longest) for text in texts) > room:
        longest -= 1
    return [shorten(text, longest) for text in texts]


# --- what Python does with values ---


def _is_same(first: Call, second: Call) -> bool:
    stack = [(first, second)]
    compared: set[tuple[int, int]] = set()  # frames that sent the same message share its call
    while stack:
        one, other = stack.pop()
        if one is other or (id(one), id(other)) in compared:
            continue
        compared.add((id(one), id(other)))
        if one._own != other._own or len(one.steps) != len(other.steps):
            return False
        for step, its_like in zip(one.steps, other.steps, strict=True):
            if step._own != its_like._own:
                return False
            stack.append((step.call, its_like.call))
    return True


def _pack(root: Call) -> list[tuple[Any, ...]]:
    """Each different call once, as a row of what it holds, after those it made."""
    rows: list[tuple[Any, ...]] = []
    numbers: dict[int, int] = {}
    stack = [root]
    while stack:
        call = stack[-1]
        missing = [s.call for s in call.steps if id(s.call) not in numbers]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        if id(call) not in numbers:
            numbers[id(call)] = len(rows)
            rows.append((call._own, [(numbers[id(s.call)], s._own) for s in call.steps]))
    return rows


def _unpack(rows: list[tuple[Any, ...]]) -> Call:
    """The inverse of `_pack`."""
    calls: list[Call] = []
    for (skill, x, y, memory, *end), steps in rows:
        made = tuple(Step(calls[number], *own) for number, own in steps)
        calls.append(Call(skill, x, y, memory, made, *end))
    return calls[-1]


def _unpack_step(rows: list[tuple[Any, ...]], own: tuple[Any, ...]) -> Step:
    return Step(_unpack(rows), *own)
