"""A trace as JSON: the lines of the rewriting, and calls with what they read and wrote, saw and chose.

docs/reading-a-trace.md describes it and docs/trace.schema.json defines it. The calls stand in one flat list, each
with its number in the whole run and that of the call that made it, so that whoever reads it need not care how deep
the tree is, and so that a part of a trace has the same form as a whole one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from reckoner.machine.trace import Call, Halt, Sight, Step, count_each, shorten
from reckoner.notes import tell
from reckoner.rewriting import explain, is_frame

_SPANS = ("read1", "read2", "write")
_SHORT = 60  # characters of an ancestor's message


class Spot(NamedTuple):
    """A call and its place in the whole run."""

    call: Call
    step: Step | None  # how its caller made it
    number: int  # all calls in the order they were made, from 0
    parent: int | None
    depth: int  # calls around it
    level: int  # 0 for the first skill and its calls of itself, 1 for whom these call, and so on down
    counts: Mapping[int, int]  # of the call and those in it, by `id`: how many calls each is (`count_each`)

    @property
    def below(self) -> int:
        """How many calls are below it."""
        return self.counts[id(self.call)] - 1


def first_spot(trace: Call) -> Spot:
    """The question itself."""
    return Spot(trace, None, 0, None, 0, 0, count_each(trace))


def spots_below(spot: Spot, first: Call) -> Iterator[Spot]:
    """The calls that a call made; `first` is the first of the run."""
    number = spot.number + 1
    for step in spot.call.steps:
        level = 0 if spot.level == 0 and is_frame(first, step) else spot.level + 1
        yield Spot(step.call, step, number, spot.number, spot.depth + 1, level, spot.counts)
        number += spot.counts[id(step.call)]


def to_json(trace: Call, depth: int | None = None) -> dict[str, Any]:
    """The trace of an expression; calls on levels below `depth` are counted, not listed.

    Frames of the expression skill itself are on level 0, the skills they call on level 1, and so on down.
    """
    first = first_spot(trace)
    calls: list[dict[str, Any]] = []
    stack = [first]
    while stack:
        spot = stack.pop()
        below = list(spots_below(spot, trace))
        shown = [each for each in below if depth is None or each.level <= depth]
        hidden = spot.below - sum(1 + each.below for each in shown)
        stack.extend(reversed(shown))
        calls.append(call_to_json(spot, hidden))
    return {"total": first.below + 1, "lines": lines_to_json(first), "ancestors": [], "calls": calls}


def call_to_json(spot: Spot, hidden: int) -> dict[str, Any]:
    """One call; `hidden` of those below it are not listed."""
    call, step = spot.call, spot.step
    return {
        "number": spot.number,
        "parent": spot.parent,
        "depth": spot.depth,
        "level": spot.level,
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
        "view": _sight_to_json(step.view) if step and step.view else None,
        "halt": _halt_to_json(call.halt) if call.halt else None,
        "sentence": tell(call.skill, call.x, call.y, call.answer),
        "below": spot.below,
        "hidden": hidden,
    }


def ancestor_to_json(spot: Spot) -> dict[str, Any]:
    """A call around the listed ones, in brief."""
    return {
        "number": spot.number,
        "depth": spot.depth,
        "level": spot.level,
        "skill": spot.call.skill,
        "x": shorten(spot.call.x, _SHORT),
        "y": shorten(spot.call.y, _SHORT),
        "below": spot.below,
    }


def lines_to_json(first: Spot) -> list[dict[str, Any]]:
    """The rewriting, with the numbers of the calls of level 1 that led to each line."""
    # The calls of the lines come in the order in which they were made, and so do those of level 1.
    numbers = (spot.number for spot in spots_of_level_1(first))
    lines = explain(first.call)
    return [{"text": line.text, "calls": [next(numbers) for _ in line.calls]} for line in lines]


def spots_of_level_1(first: Spot) -> Iterator[Spot]:
    """The calls that the first skill made of others, in order."""
    stack = [first]
    while stack:
        spot = stack.pop()
        if spot.level == 1:
            yield spot
        else:
            stack.extend(reversed(list(spots_below(spot, first.call))))


def from_json(data: dict[str, Any]) -> Call:
    """The inverse of `to_json`; calls that were not listed are counted where they are missing."""
    steps: dict[int, list[Step]] = {}
    for entry in reversed(data["calls"]):  # children come after their parents
        made = tuple(reversed(steps.pop(entry["number"], [])))
        texts = (entry["skill"], entry["x"], entry["y"], entry["memory"])
        halt = entry["halt"] and Halt(_sight(entry["halt"]["view"]), entry["halt"]["probability"])
        call = Call(*texts, made, entry["answer"], halt, entry["hidden"])
        if entry["parent"] is None:
            return call
        read1, read2, write = ((entry[name][0], entry[name][1]) for name in _SPANS)
        more = (entry["refused"], entry["before"], entry["after"], entry["probability"])
        view = entry["view"] and _sight(entry["view"])
        steps.setdefault(entry["parent"], []).append(Step(call, read1, read2, write, *more, view))
    raise ValueError("a trace without a first call")


def _sight_to_json(view: Sight) -> dict[str, Any]:
    return {"text": view.text, "gaps": list(view.gaps)}


def _halt_to_json(halt: Halt) -> dict[str, Any]:
    return {"view": _sight_to_json(halt.view), "probability": halt.probability}


def _sight(data: Mapping[str, Any]) -> Sight:
    gaps: Sequence[int] = data["gaps"]
    return Sight(data["text"], tuple(gaps))
