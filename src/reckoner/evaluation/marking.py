"""Marking: the networks work out a set of problems, and every answer is compared with the exact one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reckoner.answer import Answer
from reckoner.curriculum import oracle
from reckoner.errors import DivisionByZero, ExponentError, ReckonerError, TextLimit
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
    mistakes: list[tuple[str, int]]  # texts and their scales


def mark(
    calculator: Any, kind: str, length: int | None, texts: Sequence[str], scales: Sequence[int] | None = None
) -> Score:
    """Have the networks work out all texts, each at its scale, and mark them."""
    scales = scales or [0] * len(texts)
    started = time.monotonic()
    answered: dict[int, str] = {}
    for scale in sorted(set(scales)):
        rows = [row for row, own in enumerate(scales) if own == scale]
        at_scale = {"scale": scale} if scale else {}
        found = calculator.many([texts[row] for row in rows], **at_scale)
        answered |= {row: _name(result) for row, result in zip(rows, found, strict=True)}
    seconds = time.monotonic() - started
    mistakes = [
        (text, scale)
        for row, (text, scale) in enumerate(zip(texts, scales, strict=True))
        if answered[row] != expect(text, scale)
    ]
    right = len(texts) - len(mistakes)
    return Score(kind, length, right, len(texts), *interval(right, len(texts)), seconds, mistakes)


def expect(text: str, scale: int = 0) -> str:
    """The exact answer as it is printed; or the kind of the error that is right."""
    try:
        return oracle.shown(oracle.evaluate(parse(text).text, scale))
    except ReckonerError as error:
        return error.kind
    except ZeroDivisionError:
        return DivisionByZero.kind
    except oracle.ExponentError:
        return ExponentError.kind
    except OverflowError:
        return TextLimit.kind


def _name(result: Answer | ReckonerError) -> str:
    return result.kind if isinstance(result, ReckonerError) else result.text
