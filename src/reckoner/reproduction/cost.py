"""What a budget costs: units and minutes of one core, of each experiment, done and still to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from reckoner.evaluation.table import markdown
from reckoner.reproduction.experiment import Experiment, Setting
from reckoner.reproduction.records import Record, slowness_of


class Cost(NamedTuple):
    """Of one set of records. What is left may cost less: a training that gets there, or stands still, ends early."""

    units: int
    done: int
    spent: float  # minutes of one standard core, by the records
    most: float  # minutes that what is left may take
    likely: float  # … if it goes on as what is done went

    def plus(self, other: Cost) -> Cost:
        """Both together."""
        return Cost(
            self.units + other.units,
            self.done + other.done,
            self.spent + other.spent,
            self.most + other.most,
            self.likely + other.likely,
        )

    @property
    def left(self) -> int:
        """How many units are still to be run."""
        return self.units - self.done


def cost_of(name: str, experiment: Experiment, setting: Setting) -> Cost:
    """The cost of one set of records."""
    units = list(experiment.units[name](setting))
    found = {r["unit"]: r for r in setting.records(name).read()}
    spent = [_seconds(found[u.name]) for u in units if u.name in found]
    capped = sum(u.seconds for u in units if u.name in found)
    most = sum(u.seconds for u in units if u.name not in found)
    share = min(1.0, sum(spent) / capped) if capped else 1.0
    return Cost(len(units), len(spent), sum(spent) / 60, most / 60, share * most / 60)


def _seconds(record: Record) -> float:
    """What a unit took, or would have taken on a standard core."""
    return float(record.get("processor_seconds", 0.0)) / slowness_of(record)


def plan_table(experiments: Mapping[str, Experiment], setting: Setting) -> str:
    """All sets of records, each once, and the sum."""
    rows: list[list[object]] = []
    seen: set[str] = set()
    total = Cost(0, 0, 0.0, 0.0, 0.0)
    for label, experiment in experiments.items():
        for name in experiment.units:
            if name not in seen:
                seen.add(name)
                cost = cost_of(name, experiment, setting)
                total = total.plus(cost)
                rows.append([label, name, *_columns(cost)])
    rows.append(["all", "", *_columns(total)])
    heading = ["experiment", "records", "units", "done", "core-minutes spent", "left", "at most", "likely"]
    return markdown(heading, rows)


def _columns(cost: Cost) -> list[object]:
    return [
        cost.units,
        cost.done,
        f"{cost.spent:,.1f}",
        cost.left,
        _minutes(cost.most, cost.left),
        _minutes(cost.likely, cost.left),
    ]


def _minutes(number: float, left: int) -> str:
    """Whole minutes; what is left takes some time, however little, and is not shown as none."""
    return "<1" if left and number < 0.5 else f"{number:,.0f}"
