"""A trace as JSON: the lines of the rewriting, and every call with what it read and wrote.

docs/reading-a-trace.md describes it and docs/trace.schema.json defines it. The calls stand in one flat list,
each with the number of the call that made it, so that whoever reads it need not care how deep the tree is.
"""

from __future__ import annotations

from typing import Any

from reckoner.machine.trace import Call, Step
from reckoner.rewriting import explain, is_frame

_SPANS = ("read1", "read2", "write")


def to_json(trace: Call, depth: int | None = None) -> dict[str, Any]:
    """The trace of an expression; calls on levels below `depth` are counted, not listed.

    Frames of the expression skill itself are on level 0, the skills they call on level 1, and so on down.
    """
    calls: list[dict[str, Any]] = []
    stack: list[tuple[int | None, int, Call, Step | None]] = [(None, 0, trace, None)]
    while stack:
        parent, level, call, step = stack.pop()
        levels = [0 if level == 0 and is_frame(trace, s) else level + 1 for s in call.steps]
        below = list(zip(levels, call.steps, strict=True))
        shown = [(its_level, s) for its_level, s in below if depth is None or its_level <= depth]
        hidden = sum(s.call.count() for its_level, s in below if depth is not None and its_level > depth)
        stack.extend((len(calls), its_level, s.call, s) for its_level, s in reversed(shown))
        calls.append(_entry(parent, level, call, step, hidden))
    numbers = iter([number for number, entry in enumerate(calls) if entry["level"] == 1])
    # The calls of the lines come in the order in which they were made, and so do those of level 1.
    lines = [
        {"text": line.text, "calls": [next(numbers) for _ in line.calls] if depth != 0 else []}
        for line in explain(trace)
    ]
    return {"lines": lines, "calls": calls}


def from_json(data: dict[str, Any]) -> Call:
    """The inverse of `to_json`; a call whose steps were not listed has none."""
    steps: dict[int, list[Step]] = {}
    for number in range(len(data["calls"]) - 1, -1, -1):  # children come after their parents
        entry = data["calls"][number]
        made = tuple(reversed(steps.pop(number, [])))
        call = Call(entry["skill"], entry["x"], entry["y"], entry["memory"], made, entry["answer"])
        if entry["parent"] is None:
            return call
        read1, read2, write = ((entry[name][0], entry[name][1]) for name in _SPANS)
        more = (entry["refused"], entry["before"], entry["after"], entry["probability"])
        steps.setdefault(entry["parent"], []).append(Step(call, read1, read2, write, *more))
    raise ValueError("a trace without a first call")


def _entry(parent: int | None, level: int, call: Call, step: Step | None, hidden: int) -> dict[str, Any]:
    return {
        "parent": parent,
        "level": level,
        "skill": call.skill,
        "x": call.x,
        "y": call.y,
        "memory": call.memory,
        "answer": call.answer,
        **{name: list(getattr(step, name)) if step else None for name in _SPANS},
        "before": step.before if step else None,
        "after": step.after if step else None,
        "refused": step.refused if step else False,
        "probability": step.probability if step else None,
        "hidden": hidden,
    }
