"""What the machine has to reach, beside what was measured. Rates are per second; the rest is better if it is less."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

Row = dict[str, Any]


class Goal(NamedTuple):
    """A line of the table."""

    what: str
    find: Callable[[Row], float]  # the figure among all results
    must: float
    aim: float
    is_rate: bool = False


def _rate(what: str) -> Callable[[Row], float]:
    return lambda results: next(row["now"] for row in results["ratios"] if row["what"] == what)


def _process(what: str, figure: str) -> Callable[[Row], float]:
    return lambda results: next(
        row[figure] for row in results["large"] + results["files"] if row["what"].startswith(what)
    )


_ADDITIONS = "ten-digit additions"
GOALS = (
    Goal(
        f"{_ADDITIONS} in batches of 1,000",
        _rate(f"{_ADDITIONS} in batches of 1,000"),
        100_000,
        300_000,
        True,
    ),
    Goal(f"{_ADDITIONS} one by one", _rate(f"{_ADDITIONS} one by one"), 8_000, 20_000, True),
    Goal(
        "expressions of length 10, one by one",
        _rate("expressions of length 10 one by one"),
        6_000,
        15_000,
        True,
    ),
    Goal("300 × 300 digits, s", _process("300 ×", "seconds"), 0.3, 0.1),
    Goal("1,000 × 1,000 digits, s", _process("1,000 ×", "seconds"), 5, 1),
    Goal("1,000 × 1,000 digits, MB", _process("1,000 ×", "megabytes"), 300, 300),
    Goal("2,000 / 1,000 digits, s", _process("2,000 /", "seconds"), 10, 3),
    Goal("2,000 / 1,000 digits, MB", _process("2,000 /", "megabytes"), 300, 300),
    Goal("20,000 digits + 1, s", _process("20,000 digits", "seconds"), 1, 0.2),
    Goal("20,000 digits + 1, MB", _process("20,000 digits", "megabytes"), 200, 200),
    Goal("chain of additions, 100,000 characters, s", _process("a chain", "seconds"), 5, 1),
    Goal("chain of additions, 100,000 characters, MB", _process("a chain", "megabytes"), 300, 300),
    Goal(
        "first question, times a bare import of numpy", lambda r: float(r["start"]["times_numpy"]), 1.5, 1.0
    ),
    Goal("200,000 lines of a file, s", _process("200,000 lines", "seconds"), 30, 10),
    Goal("200,000 lines of a file, MB", _process("200,000 lines", "megabytes"), 300, 300),
    Goal(
        "time per call, 1,000 digits against 100, worst operation",
        lambda r: max(float(row["times"]) for row in r["steadiness"]),
        1.2,
        1.2,
    ),
)


def compare_with_goals(results: Row) -> list[Row]:
    """Each goal with what was measured; a quick look has other sizes, and no goals."""
    rows = []
    for goal in GOALS if not results["quick"] else ():
        measured = goal.find(results)
        must, aim = (
            (measured >= goal.must, measured >= goal.aim)
            if goal.is_rate
            else (
                measured <= goal.must,
                measured <= goal.aim,
            )
        )
        verdict = "aim reached" if aim else "reached" if must else "**missed**"
        row = {"what": goal.what, "measured": round(measured) if goal.is_rate else round(measured, 2)}
        rows.append({**row, "must": goal.must, "aim": goal.aim, "verdict": verdict})
    return rows
