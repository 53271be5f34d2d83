"""Skills without weights: scripted ones that do long addition on the machine, and random networks.

A scripted decider is a function of what a controller knows: how many decisions it has made and what it sees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from reckoner.alphabet import Perception, spell
from reckoner.nn.config import ControllerConfig, TranscriberConfig
from reckoner.nn.shapes import transcriber_shapes
from reckoner.nn.untrained import draw, random_controller
from reckoner.skills.base import Answerer, Choice, Decider, Decision, Recollection, Request, SkillSpec
from reckoner.skills.basic import BasicSkill
from reckoner.skills.interactive import InteractiveSkill
from reckoner.skills.library import Library

STOP = Choice(0, 0, 0, 0, 0, 0, 0)
Policy = Callable[[int, str], Choice]  # decisions made before, what is seen -> action


class ScriptedAnswerer(Answerer):
    """A basic skill that is a function; counts the messages it was asked."""

    def __init__(self, spec: SkillSpec, function: Callable[[str], str]) -> None:
        super().__init__(spec)
        self.function = function
        self.asked: list[str] = []

    def answer(self, memories: Sequence[bytes]) -> list[bytes]:
        self.asked += [m.decode() for m in memories]
        return [self.function(m.decode()).encode() for m in memories]

    @property
    def tensors(self) -> dict[str, Any]:
        return {}


class ScriptedDecider(Decider):
    """An interactive skill that is a function; counts its decisions and its batches."""

    def __init__(self, spec: SkillSpec, policy: Policy) -> None:
        super().__init__(spec)
        self.policy = policy
        self.batches: list[list[tuple[int, str]]] = []

    @property
    def decided(self) -> list[tuple[int, str]]:
        return [request for batch in self.batches for request in batch]

    def decide(self, requests: Sequence[Request]) -> list[Decision]:
        seen = [(past.depth, spell(self.spec.perception, view)) for past, view in requests]
        self.batches.append(seen)
        decisions = []
        for (past, _), (depth, text) in zip(requests, seen, strict=True):
            following = Recollection(past.hidden, past.depth + 1)
            decisions.append(Decision(self.policy(depth, text), 1.0, following))
        return decisions

    @property
    def tensors(self) -> dict[str, Any]:
        return {}


def call(module: int, read1: tuple[int, int], read2: tuple[int, int], write: tuple[int, int]) -> Choice:
    """An action: gaps are places in the text that is seen."""
    return Choice(module, *read1, *read2, *write)


def decider(name: str, calls: Sequence[str], policy: Policy, **fields: Any) -> ScriptedDecider:
    """A scripted skill on `{x},{y}` that accepts everything, unless fields say otherwise."""
    spec = SkillSpec(name, "{x},{y}", r"[-+*/%(),\d]*", r"[-+*/%(),\d]*", tuple(calls))
    return ScriptedDecider(replace(spec, **fields), policy)


def answerer(name: str, function: Callable[[str], str], **fields: Any) -> ScriptedAnswerer:
    """A scripted basic skill on `{x}` that accepts every string of digits, unless fields say otherwise."""
    return ScriptedAnswerer(replace(SkillSpec(name, "{x}", r"\d*"), **fields), function)


def library_of(*skills: Any) -> Library:
    library = Library()
    for skill in skills:
        library.append(skill)
    return library


# --- long addition: add-column, drop-zero, add-columns, strip, M+M ---


def _add_column(memory: str) -> str:
    x, y = memory.split(",")
    return f"{int(x or '0') + int(y[:-1] or '0') + int(y[-1]):02d}"


def _add_columns(depth: int, text: str) -> Choice:
    if "," not in text:
        return STOP
    comma, end = text.index(","), len(text)
    if comma <= 1 and end - comma <= 3:  # one column is left
        return call(1, (0, comma), (comma + 1, end), (0, end))
    if depth == 0:
        last = (max(comma + 1, end - 2), end)
        return call(1, (max(comma - 1, 0), comma), last, last)
    return call(2, (0, max(comma - 1, 0)), (comma + 1, end - 1), (0, end - 1))


def _strip(depth: int, text: str) -> Choice:
    if text == "dd" and depth < 2:
        return call(1, (0, 2), (0, 0), (0, 2))
    if len(text) > 2 and depth == 0:
        return call(2, (0, len(text) - 1), (0, 0), (0, len(text) - 1))
    return STOP


def _add(depth: int, text: str) -> Choice:
    if depth == 0:
        comma = text.index(",")
        return call(1, (0, comma), (comma + 1, len(text)), (0, len(text)))
    return call(2, (0, len(text)), (0, 0), (0, len(text))) if depth == 1 else STOP


def addition(fovea: int = 2) -> Library:
    """Scripted skills for M+M, laid out and called as in the curriculum; fresh, for they count."""
    digits, number = Perception(fovea=fovea), r"\d+"
    return library_of(
        answerer("add-column", _add_column, layout="{x},{y}", accepts_x=r"\d?", accepts_y=r"\d?[01]"),
        answerer("drop-zero", lambda m: m.removeprefix("0"), accepts_x=r"\d\d"),
        decider(
            "add-columns",
            ("add-column", "add-columns"),
            _add_columns,
            accepts_x=r"\d*",
            accepts_y=r"\d*[01]",
            perception=digits,
        ),
        decider(
            "strip",
            ("drop-zero", "strip"),
            _strip,
            layout="{x}",
            accepts_x=number,
            accepts_y="",
            perception=digits,
        ),
        decider(
            "M+M",
            ("add-columns", "strip"),
            _add,
            layout="{x},{y}0",
            accepts_x=number,
            accepts_y=number,
            perception=digits,
        ),
    )


# --- random networks ---


def random_skill(
    spec: SkillSpec, rng: np.random.Generator, hidden: int = 12, callees: Sequence[SkillSpec] = ()
) -> InteractiveSkill:
    """An interactive skill with a random network; with callees it chooses by form, otherwise among all calls."""
    config = ControllerConfig(
        spec.perception.vocabulary, len(spec.calls), hidden, embedding=6, by_form=bool(callees)
    )
    return InteractiveSkill(spec, config, random_controller(config, rng), callees)


def random_basic(spec: SkillSpec, rng: np.random.Generator, hidden: int = 6) -> BasicSkill:
    """A basic skill with a random network."""
    return BasicSkill(spec, draw(transcriber_shapes(TranscriberConfig(hidden, 4)), rng, 1.0))
