"""Marking: the networks work out a set of problems, and every answer is compared with the exact one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reckoner.curriculum import oracle
from reckoner.errors import ReckonerError
from reckoner.evaluation.interval import interval
from reckoner.grammar import parse


@dataclass
class Score:
    """How a set of problems went: how many are right, with the exact 95 % interval of the share."""

    kind: str
    length: int | None
    right: int
    count: int
    low: float
    high: float
    seconds: float
    mistakes: list[str]


def mark(calculator: Any, kind: str, length: int | None, texts: Sequence[str]) -> Score:
    """Have the networks work out all texts and mark them."""
    started = time.monotonic()
    results = list(calculator.many(texts))
    seconds = time.monotonic() - started
    mistakes = []
    for text, result in zip(texts, results, strict=True):
        exact = oracle.evaluate(parse(text).text)
        answered = None if isinstance(result, ReckonerError) else getattr(result, "text", None)
        if answered != exact:
            mistakes.append(text)
    right = len(texts) - len(mistakes)
    return Score(kind, length, right, len(texts), *interval(right, len(texts)), seconds, mistakes)
