"""Concrete problems, and the paths they take through a program: frame by frame on the machine, and made to measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from reckoner.errors import ReckonerError
from reckoner.machine import Limits, Machine
from reckoner.nn.config import HALT
from reckoner.program.concrete import ProgramSkill, right_answer, sample
from reckoner.program.decision import History, Program
from reckoner.program.exploration import MOST_STEPS
from reckoner.program.phrase import Phrases
from reckoner.program.row import Specified
from reckoner.program.text import Filler, Tail, TextState
from reckoner.program.value import Room
from reckoner.skills.base import Decider, Skill
from reckoner.skills.library import Library

_LIMITS = Limits(calls=200_000, depth=2_000, memory=20_000)

Pair = tuple[str, str]


class Walk(NamedTuple):
    """What a skill saw in its own frame, and its answer; None if a call was refused or did not end."""

    history: History
    answer: str | None


class Walker:
    """Runs a skill's own frame by a program; calls go to the machine, which remembers what it knows."""

    def __init__(self, library: Library) -> None:
        self.machine = Machine(library, _LIMITS)

    def walk(self, skill: Decider, program: Program, problems: Sequence[Pair]) -> list[Walk]:
        """The path of each problem, all of them step by step side by side."""
        itself = ProgramSkill(skill, program)
        view = skill.spec.perception.view
        memories = [skill.lay_out(x.encode(), y.encode()) for x, y in problems]
        histories: list[History] = [()] * len(problems)
        walks: list[Walk | None] = [None] * len(problems)
        active = list(range(len(problems)))
        for _ in range(MOST_STEPS + 1):
            views = {i: view(memories[i]) for i in active}
            for i in active:
                histories[i] = (*histories[i], views[i].tokens)
            calls: dict[Skill, list[tuple[int, Pair, int, int]]] = {}
            for i, chosen in zip(active, program.choose([histories[i] for i in active]), strict=True):
                module, *pointers = chosen.choice
                if module == HALT:
                    walks[i] = Walk(histories[i], memories[i].decode())
                    continue
                a, b, c, d, w, v = (views[i].gaps[p] for p in pointers)
                name = skill.spec.calls[module - 1]
                callee: Skill = itself if name == skill.name else self.machine.library[name]
                x, y = memories[i][a:b], memories[i][c:d]
                start = (read.encode() for read in problems[i])
                is_too_long = callee is itself and callee.measure(x, y) >= skill.measure(*start)
                if a > b or c > d or w > v or is_too_long:
                    walks[i] = Walk(histories[i], None)
                else:
                    calls.setdefault(callee, []).append((i, (x.decode(), y.decode()), w, v))
            for callee, asked in calls.items():
                answers = self._ask(callee, [pair for _, pair, _, _ in asked])
                for (i, _, w, v), answer in zip(asked, answers, strict=True):
                    if answer is None:
                        walks[i] = Walk(histories[i], None)
                    else:
                        memories[i] = memories[i][:w] + answer.encode() + memories[i][v:]
            active = [i for i in active if walks[i] is None]
            if not active:
                break
        return [walk or Walk(histories[i], None) for i, walk in enumerate(walks)]

    def _ask(self, callee: Skill, pairs: Sequence[Pair]) -> list[str | None]:
        try:
            outcomes = self.machine.run(callee, pairs)
        except ReckonerError:
            return [None] * len(pairs)
        return [None if o.error is not None or o.refusal is not None else o.answer for o in outcomes]


# --- problems made to take a path ---


def problems_on_numbers(row: Specified, rng: Random, count: int) -> list[Pair]:
    """Different problems of a row's domain, of all sizes."""
    found: dict[Pair, None] = {}
    for i in range(count):
        problem = sample(row, rng, i * row.longest // count + 1)
        if row.read(*problem) is not None:
            found[problem] = None
    return list(found)


def problems_on_texts(state: TextState, rng: Random, count: int) -> Iterator[Pair]:
    """Texts that have a value and begin as a path of the proof did."""
    for _ in range(20 * count):
        problem = state.row.message(rng, fill(state, rng))
        if right_answer(state.row, *problem) is not None:
            yield problem
            count -= 1
            if count == 0:
                return


def fill(state: TextState, rng: Random) -> str:
    """A text that begins as the problem of this state does, with numbers and the rest of it made up."""
    phrases, text = state.row.phrases, ""
    for item in state.shown:
        if isinstance(item, Filler):
            text += _go_on(phrases, *item, rng, text)
        else:
            text += phrases.say(rng, item, text)
    if state.tail.kind == "rest":
        return text + rng.choice(["", "+1", ")", "*2)", "-3", "/4+5"])
    rooms = tuple(level.room for level in state.problem.levels)
    text += _go_on(phrases, state.tail, rooms, rng, text)
    return text + rng.choice(["", "", ")", ")+1", ")*2)"]) if not state.problem.is_stopped else text


def _go_on(phrases: Phrases, tail: Tail, rooms: Sequence[Room], rng: Random, before: str) -> str:
    """A text that a tail can stand for, up to where the brackets of these rooms are closed."""
    *outer, room = rooms
    text = ""
    if tail.kind == "operand":
        text += phrases.raised(rng) if before.endswith("^") else phrases.operand(rng, 1)
    if tail.kind in ("operand", "open"):
        text += phrases.following(rng, room, tail.least_signs, 1)
    for room in reversed(outer):
        text += ")" + phrases.following(rng, room, 0, 1)
    return text


def sort_by_path(walks: Mapping[Pair, Walk]) -> dict[History, list[Pair]]:
    """The problems that come to each sequence of views, be it on their way or at their end."""
    found: dict[History, list[Pair]] = {}
    for problem, walk in walks.items():
        for depth in range(1, len(walk.history) + 1):
            found.setdefault(walk.history[:depth], []).append(problem)
    return found
