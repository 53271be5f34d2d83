"""Choices by form: which spans of a view a called skill may accept, judged without looking at any digit.

A pattern such as `\\d[0-8]` says something about digits and something about form. With all digits alike it becomes
`00`, and a span of a view becomes a text (or a few) in which every digit is a zero. A read is offered to a policy only
if the callee may accept a text of that form. Chosen here, not by the paper: it keeps a student from trying calls that
could only be refused, and tells it nothing about which accepted call is right.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from reckoner.alphabet import Perception, spell
from reckoner.skills.automaton import compile_pattern

Masks = NDArray[np.bool_]  # modules, two reads, gaps, gaps

_DIGIT = re.compile(r"\{[0-9,]*\}|\\d|[0-9]")  # and how often something is repeated, which is no digit
_MANY = "0000000"  # the elided middle of a number is a long one
_NUMBERS = ("0", "00", _MANY)  # what a number may be where it is one symbol
_FORMLESS = re.compile(r"\[\^|\(\?(?!:)|\\[^d\W]")  # what says more about digits than which may stand where
_MOST = 60  # digits that are counted one by one
_COUNTS = re.compile(r"\{([0-9]*),?([0-9]*)\}")
_RESTS = ("0", ")", "+0", "+0)", ")+0", "0)", "0)+0", "(0)", "(0)+0", ",0")  # how a text may go on


def form_of(pattern: str) -> str:
    """The pattern with all digits alike."""
    return _DIGIT.sub(lambda found: found.group() if found.group()[0] == "{" else "0", pattern)


@cache
def _matcher(pattern: str) -> re.Pattern[str]:
    return re.compile(form_of(pattern))


@cache
def _zeros(pattern: str) -> tuple[str, ...]:
    """Digits as many as a pattern may count, if it does count them."""
    counts = [int(n) for pair in _COUNTS.findall(pattern) for n in pair if n]
    single = 0 if re.search(r"[*+]", pattern) else form_of(pattern).count("0")
    return tuple("0" * n for n in range(1, 1 + min(sum(counts) + single, _MOST)))


@cache
def _options(pattern: str, signed: bool, decimals: bool) -> dict[str, tuple[str, ...]]:
    """The texts that each symbol may stand for."""
    numbers = dict.fromkeys((*_NUMBERS, *_zeros(pattern)))
    if decimals:
        numbers |= dict.fromkeys(f"{n}.{m}" for n in ("0", _MANY) for m in ("0", _MANY))
    if signed:
        numbers |= dict.fromkeys(f"-{n}" for n in [*numbers])
    elided = (_MANY, *(_zeros(pattern) if "{" in pattern else ()))
    return {"d": ("0",), "~": elided, "N": tuple(numbers), "…": _RESTS}


@cache
def may_accept(pattern: str, seen: str, signed: bool, decimals: bool = False) -> bool:
    """Whether a pattern accepts a text that looks like this (`d` a digit, `N` a number, `~` and `…` what is elided).

    `signed` and `decimals`: what belongs to a number that is one symbol.
    """
    if _FORMLESS.search(pattern):
        return True  # nothing is known without looking
    options = _options(pattern, signed, decimals)
    parts = [options.get(c, (c,)) for c in seen]
    automaton = compile_pattern(form_of(pattern))
    if automaton is not None:
        return automaton.accepts_some(parts)
    fits = _matcher(pattern).fullmatch
    return any(fits("".join(reading)) for reading in itertools.product(*parts))


class Forms:
    """What a policy with these callees may choose from, view by view."""

    def __init__(
        self, perception: Perception, accepts: Sequence[tuple[str, str]] | None, modules: int
    ) -> None:
        self.perception = perception
        self.accepts = accepts  # per callee the patterns of both reads; None: everything may be tried
        self.modules = modules
        self._masks: dict[bytes, Masks] = {}

    def masks(self, view: bytes) -> Masks:
        """Per module (HALT first, which reads nothing) and read: the spans from gap to gap that may be chosen."""
        form = self.perception.form(view)
        found = self._masks.get(form)
        if found is None:
            found = self._masks[form] = self._make(form)
        return found

    def _make(self, view: bytes) -> Masks:
        gaps = len(view) - 1
        masks = np.zeros((1 + self.modules, 2, gaps, gaps), np.bool_)
        masks[0, :, 0, 0] = True
        spans = [(a, b) for a in range(gaps) for b in range(a, gaps)]
        if self.accepts is None:
            for a, b in spans:
                masks[1:, :, a, b] = True
            return masks
        text = spell(self.perception, view)
        if self.perception.kind == "characters":
            text = re.sub("[0-9]", "d", text)
        signed = self.perception.reach is not None and self.perception.fovea == 0
        for module, patterns in enumerate(self.accepts, start=1):
            for read, pattern in enumerate(patterns):
                for a, b in spans:
                    # nothing is nothing wherever it is read
                    if (a < b or a == 0) and may_accept(
                        pattern, text[a:b], signed, self.perception.reads_decimals
                    ):
                        masks[module, read, a, b] = True
        return masks

    def is_callable(self, view: bytes) -> NDArray[np.bool_]:
        """Which modules may be chosen: HALT, and callees for whom there is something to read."""
        return open_modules(self.masks(view)[None])[0]


def open_modules(masks: Masks) -> Masks:
    """Of masks (N, M, 2, G, G): the modules (N, M) for both of whose reads there is something."""
    found: Masks = np.logical_and.reduce(masks.any(axis=(3, 4)), axis=2)
    return found
