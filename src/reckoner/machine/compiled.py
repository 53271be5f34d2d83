"""The compiled core (`c/`), told in tables what Python knows of skills and of the alphabet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, replace
from functools import cache
from typing import Any

from reckoner.alphabet import ALPHABET, BEGIN, DIGITS, END, REST, Perception
from reckoner.machine import _core
from reckoner.machine.limits import Limits
from reckoner.skills.automaton import compile_pattern
from reckoner.skills.base import Answerer, Decider, Skill


class CompiledCore(_core.Core):
    """As `core.Core`."""

    def __new__(cls) -> CompiledCore:
        return super().__new__(cls, ALPHABET.encode(), DIGITS.encode())

    def add(self, skill: Skill) -> int:
        """A new skill; returns its number."""
        spec = skill.spec
        perception = spec.perception
        return self.introduce(
            isinstance(skill, Answerer),
            *skill.layout,
            _tables(spec.accepts_x),
            _tables(spec.accepts_y),
            perception.kind == "characters",
            perception.reads_decimals,
            perception.fovea,
            -1 if perception.reach is None else perception.reach,
            _ids(perception),
            _numbers(perception),
            skill.root if isinstance(skill, Decider) else None,
        )

    def begin(self, number: int, messages: Sequence[bytes], limits: Limits) -> Any:
        """Start work on these messages to one skill."""
        seconds = -1.0 if limits.seconds is None else limits.seconds
        return self.start(
            number,
            messages,
            limits.calls,
            limits.depth,
            limits.memory,
            limits.steps,
            seconds,
            limits.megabytes * 1_000_000,
        )


def _tables(pattern: str) -> tuple[bytes, ...]:
    automaton = compile_pattern(pattern)
    assert automaton is not None  # or the specification would have been refused
    return astuple(automaton)


@cache
def _ids(perception: Perception) -> bytes:
    """The token of each character; those of begin, end and rest stand at 0, 1 and 2."""
    ids = bytearray(256)
    ids[:3] = BEGIN, END, REST
    for character in ALPHABET.encode():
        tokens = replace(perception, reach=None).view(bytes([character])).tokens
        ids[character] = tokens[1]
    return bytes(ids)


@cache
def _numbers(perception: Perception) -> tuple[bytes, ...]:
    """The tokens of a number of 0, 1, 2 … digits, up to the length from which on all look alike."""
    if perception.kind == "characters":
        perception = Perception(fovea=perception.fovea)
    most = 2 * perception.fovea + 1
    return tuple(replace(perception, reach=None).view(b"0" * n).tokens[1:-1] for n in range(most + 1))
