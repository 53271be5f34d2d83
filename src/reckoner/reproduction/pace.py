"""How fresh problems grow for a rival, longer ones when the shorter are known or anyway; and whether its rate falls.

On addition and subtraction every length comes to be known. Elsewhere both ways are tried with the first seed, and the
one with the better validation accuracy is shown and goes on to the other seeds: who of the two is helped differs.
There, too, who learns all the time to the end (LSTM and transformer) has its rate fall to nothing at last, with every
seed; the runs with a constant rate that chose the way are then no longer shown.
"""

from __future__ import annotations

from collections.abc import Sequence

from reckoner.reproduction.records import Record

FRESH = "fresh problems"  # the regime in which rivals do better
KNOWN_IN_TIME = ("add", "subtract")
ANYWAY, COOLED = ", longer ones anyway", ", rate falling"  # in the names of units
COOLING = 0.25  # of the time spent before: how long the rate falls
WHO_COOLS = ("LSTM", "Transformer")  # the Neural GPU stands at five characters, whatever its rate


def paces(regime: str, kind: str) -> tuple[bool, ...]:
    """Whether to wait until a length is known: what is tried."""
    return (True,) if regime != FRESH or kind in KNOWN_IN_TIME else (True, False)


def is_waiting_better(records: Sequence[Record], model: str, regime: str, kind: str) -> bool:
    """By validation accuracy of the first seed; waiting, as long as only that was tried."""
    found = {
        waits(r): r.get("validation", 0.0)
        for r in records
        if (r["model"], r["regime"], r["kind"], r["seed"]) == (model, regime, kind, 0) and not is_cooled(r)
    }
    return found.get(True, 0.0) >= found.get(False, -1.0)


def cooling(model: str, regime: str, kind: str) -> float:
    """For how much of its time a rival's rate falls."""
    return COOLING if len(paces(regime, kind)) > 1 and model.startswith(WHO_COOLS) else 0.0


def shown(records: Sequence[Record]) -> list[Record]:
    """The runs of each rival's better pace, and of these the ones whose rate falls, where there are any."""
    better = [
        r for r in records if waits(r) == is_waiting_better(records, r["model"], r["regime"], r["kind"])
    ]
    cooled = {_entry(r) for r in better if is_cooled(r)}
    return [r for r in better if is_cooled(r) == (_entry(r) in cooled)]


def _entry(record: Record) -> tuple[str, str, str]:
    return record["model"], record["regime"], record["kind"]


def waits(record: Record) -> bool:
    """Whether a run waited; records from before both were tried do not say, and did."""
    return bool(record.get("waits", True))


def is_cooled(record: Record) -> bool:
    """Whether its rate fell at last; records from before that was tried do not say, and it did not."""
    return bool(record.get("rule", {}).get("cooling", 0.0))
