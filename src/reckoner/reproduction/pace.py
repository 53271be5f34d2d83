"""How fresh problems grow for a rival: longer ones when the shorter are known, or also when they are not.

On addition and subtraction every length comes to be known. Elsewhere both ways are tried with the first seed, and the
one with the better validation accuracy is shown and goes on to the other seeds: who of the two is helped differs.
"""

from __future__ import annotations

from collections.abc import Sequence

from reckoner.reproduction.records import Record

FRESH = "fresh problems"  # the regime in which rivals do better
KNOWN_IN_TIME = ("add", "subtract")
ANYWAY = ", longer ones anyway"  # in the names of units


def paces(regime: str, kind: str) -> tuple[bool, ...]:
    """Whether to wait until a length is known: what is tried."""
    return (True,) if regime != FRESH or kind in KNOWN_IN_TIME else (True, False)


def is_waiting_better(records: Sequence[Record], model: str, regime: str, kind: str) -> bool:
    """By validation accuracy of the first seed; waiting, as long as only that was tried."""
    found = {
        waits(r): r.get("validation", 0.0)
        for r in records
        if (r["model"], r["regime"], r["kind"], r["seed"]) == (model, regime, kind, 0)
    }
    return found.get(True, 0.0) >= found.get(False, -1.0)


def shown(records: Sequence[Record]) -> list[Record]:
    """The runs of each rival's better pace."""
    return [r for r in records if waits(r) == is_waiting_better(records, r["model"], r["regime"], r["kind"])]


def waits(record: Record) -> bool:
    """Whether a run waited; records from before both were tried do not say, and did."""
    return bool(record.get("waits", True))
