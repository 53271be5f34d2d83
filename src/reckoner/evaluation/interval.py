"""The exact interval of a share."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, lgamma, log


def interval(right: int, count: int, confidence: float = 0.95) -> tuple[float, float]:
    """Exact binomial (Clopper-Pearson) interval of a share."""
    if count == 0:
        return 0.0, 1.0
    tail = (1 - confidence) / 2
    low = 0.0 if right == 0 else _solve(lambda p: 1 - _at_most(right - 1, count, p), tail)
    high = 1.0 if right == count else _solve(lambda p: 1 - _at_most(right, count, p), 1 - tail)
    return low, high


def _at_most(successes: int, count: int, p: float) -> float:
    """P(X ≤ successes) of a binomial variable."""
    if p <= 0:
        return 1.0
    if p >= 1:
        return 1.0 if successes >= count else 0.0
    logs = (
        lgamma(count + 1) - lgamma(k + 1) - lgamma(count - k + 1) + k * log(p) + (count - k) * log(1 - p)
        for k in range(successes + 1)
    )
    return min(1.0, sum(exp(value) for value in logs))


def _solve(rising: Callable[[float], float], goal: float) -> float:
    """Where a function that rises on [0, 1] reaches the goal."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < goal else (low, middle)
    return (low + high) / 2
