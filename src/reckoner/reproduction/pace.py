"""In which way a rival learns from fresh problems: when longer ones come, and whether its rate falls at last.

On addition and subtraction every length comes to be known, and there is one way. Elsewhere longer problems come when
the shorter are known, or anyway: both are tried with the first seed, and then the better one with a falling rate. The
way with the best validation accuracy is shown and goes on to the other seeds: who is helped by what differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from reckoner.reproduction.records import Record

FRESH = "fresh problems"  # the regime in which rivals do better
KNOWN_IN_TIME = ("add", "subtract")
COOLING = 0.25  # of the time spent before: how long the rate falls
COOLED_MODELS = ("LSTM", "Transformer")  # those that get better until their time is up


class Way(NamedTuple):
    """Whether longer problems wait until the shorter are known, and for how much of the time the rate falls."""

    waits: bool = True
    cooling: float = 0.0

    def __str__(self) -> str:
        """As names of units have it."""
        return ("" if self.waits else ", longer ones anyway") + (", rate falling" if self.cooling else "")


def first_ways(regime: str, kind: str) -> list[Way]:
    """What is tried before anything else."""
    return [Way()] if regime != FRESH or kind in KNOWN_IN_TIME else [Way(), Way(waits=False)]


def is_to_cool(model: str, regime: str, kind: str) -> bool:
    """Whether a falling rate is tried, too."""
    return len(first_ways(regime, kind)) > 1 and model.startswith(COOLED_MODELS)


def best_way(records: Sequence[Record], model: str, regime: str, kind: str) -> Way:
    """By validation accuracy of the first seed; the first one, as long as nothing was tried."""
    runs = [r for r in records if (*_entry(r), r["seed"]) == (model, regime, kind, 0)]
    best = max(runs, key=lambda r: (r.get("validation", 0.0), way_of(r).waits), default=None)
    return Way() if best is None else way_of(best)


def shown(records: Sequence[Record]) -> list[Record]:
    """The runs of each rival's best way."""
    best = {entry: best_way(records, *entry) for entry in map(_entry, records)}
    return [r for r in records if way_of(r) == best[_entry(r)]]


def way_of(record: Record) -> Way:
    """Of a run; records from before a way was tried do not speak of it."""
    return Way(bool(record.get("waits", True)), record.get("rule", {}).get("cooling", 0.0))


def _entry(record: Record) -> tuple[str, str, str]:
    return record["model"], record["regime"], record["kind"]
