"""Traces: the typed tree of calls that led to an answer, as text and as JSON that round-trips."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Call:
    """A skill at work: its message, the memory it started from, its steps, its answer (None: refused)."""

    skill: str
    x: str
    y: str
    memory: str
    steps: tuple[Step, ...]
    answer: str | None

    def count(self) -> int:
        """How many calls this one is, itself included."""
        return sum(1 for _ in self.walk())

    def walk(self) -> Iterator[tuple[int, Call, Step | None]]:
        """All calls with their depth and the step that made them, in the order they were made."""
        stack: list[tuple[int, Call, Step | None]] = [(0, self, None)]
        while stack:
            depth, call, step = stack.pop()
            yield depth, call, step
            stack.extend((depth + 1, s.call, s) for s in reversed(call.steps))

    def render(self, depth: int | None = None, width: int = 60, probabilities: bool = False) -> str:
        """An indented tree; calls below `depth` are counted, not shown."""
        lines = []
        for level, call, step in self.walk():
            if depth is not None and level > depth:
                continue
            hidden = call.count() - 1 if level == depth and call.steps else 0
            lines.append("  " * level + _describe(call, step, hidden, width, probabilities))
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """A JSON object: the calls in order, each with its parent's number (flat, so depth is no matter)."""
        calls: list[dict[str, Any]] = []
        stack: list[tuple[int | None, Call, Step | None]] = [(None, self, None)]
        while stack:
            parent, call, step = stack.pop()
            number = len(calls)
            entry: dict[str, Any] = {"parent": parent, "skill": call.skill, "x": call.x, "y": call.y}
            entry |= {"memory": call.memory, "answer": call.answer}
            if step is not None:
                entry |= {"read1": list(step.read1), "read2": list(step.read2), "write": list(step.write)}
                entry |= {"before": step.before, "after": step.after, "refused": step.refused}
                if step.probability is not None:
                    entry["probability"] = step.probability
            calls.append(entry)
            stack.extend((number, s.call, s) for s in reversed(call.steps))
        return {"calls": calls}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Call:
        """The inverse of `to_json`."""
        entries = data["calls"]
        steps: dict[int, list[Step]] = {}
        for number in range(len(entries) - 1, -1, -1):  # children come behind their parents
            e = entries[number]
            mine = tuple(reversed(steps.pop(number, [])))
            call = cls(e["skill"], e["x"], e["y"], e["memory"], mine, e["answer"])
            if e["parent"] is None:
                return call
            read1, read2, write = ((e[k][0], e[k][1]) for k in ("read1", "read2", "write"))
            step = Step(
                call, read1, read2, write, e["refused"], e["before"], e["after"], e.get("probability")
            )
            steps.setdefault(e["parent"], []).append(step)
        raise ValueError("a trace without a first call")


def shorten(text: str, width: int) -> str:
    """The text, its inside left out if it is longer than `width`."""
    if len(text) <= width:
        return text
    side = (width - 1) // 2
    return f"{text[:side]}…{text[-side:]}"


def _describe(call: Call, step: Step | None, hidden: int, width: int, probabilities: bool) -> str:
    message = f"{call.x} {call.y}".strip() if call.y else call.x
    answer = "refused" if call.answer is None else call.answer or "(nothing)"
    line = f"{call.skill}({shorten(message, width)}) = {shorten(answer, width)}"
    if step is not None:
        line += f"   memory {shorten(step.before, width)} -> {shorten(step.after, width)}"
        if probabilities and step.probability is not None:
            line += f"   p={step.probability:.4f}"
    if hidden:
        line += f"   [+{hidden} calls]"
    return line
