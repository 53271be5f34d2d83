"""The learned hierarchy: which skill calls which, how often, counted in traces of real expressions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from math import log10
from pathlib import Path
from typing import Any

from reckoner.calculator import Calculator
from reckoner.evaluation.problems import problems_by_length
from reckoner.evaluation.table import markdown
from reckoner.reproduction.budget import Budget
from reckoner.reproduction.experiment import Experiment, Setting, open_library
from reckoner.reproduction.figures import BLACK, BLUE, GREEN, GREY, ORANGE, make_panels
from reckoner.reproduction.records import Record, RecordsError, Unit

KIND = "expression-modulo"  # all operations occur
_BATCH = 25  # traces are kept for so many expressions at a time
_SWEEPS = 12  # over the rows of the picture, to bring neighbours together

Edge = tuple[str, str, float]


def units(setting: Setting) -> Iterator[Unit]:
    """One count over random expressions."""
    yield Unit("calls", partial(_count, setting.budget, setting.library))


def _count(budget: Budget, folder: Path) -> Record:
    library = open_library(folder)
    texts = problems_by_length(KIND, budget.traced_length, budget.traced, seed=1)
    calculator = Calculator(library)
    edges: Counter[tuple[str, str]] = Counter()
    calls = 0
    for start in range(0, len(texts), _BATCH):
        for result in calculator.results(texts[start : start + _BATCH], trace=True):
            trace = getattr(result, "trace", None)
            if trace is None:
                continue
            for _, call, _ in trace.walk():
                calls += 1
                edges.update((call.skill, step.call.skill) for step in call.steps)
    if not edges:
        raise RecordsError(
            "none of the expressions was answered with this library, so there are no calls to count"
        )
    order = {name: i for i, name in enumerate(library.names)}
    ranked = sorted(edges.items(), key=lambda item: (order[item[0][0]], order[item[0][1]]))
    return {
        "expressions": len(texts),
        "length": budget.traced_length,
        "calls": calls,
        "skills": list(library.names),
        "basic": [skill.name for skill in library if skill.spec.is_basic],
        "edges": [[caller, callee, count] for (caller, callee), count in ranked],
        "summary": f"{calls:,} calls in {len(texts)} expressions",
    }


def table(records: Sequence[Record]) -> str:
    """Which skill calls which, how often."""
    total, edges = records[-1]["expressions"], records[-1]["edges"]
    rows = [[caller, callee, f"{count:,}", f"{count / total:.1f}"] for caller, callee, count in edges]
    return markdown(["skill", "calls", "times", "per expression"], rows)


def figure(records: Sequence[Record]) -> Any:
    """Callers above, called below; a self-call is a number with a round arrow."""
    record = records[-1]
    edges: list[Edge] = [
        (caller, callee, count / record["expressions"]) for caller, callee, count in record["edges"]
    ]
    places = arrange(edges)
    page, (panel,) = make_panels(1, 1, (9.5, 12))
    most = max(rate for _, _, rate in edges)
    least = min(rate for _, _, rate in edges)
    for caller, callee, rate in edges:
        if caller != callee:
            share = (log10(rate) - log10(least)) / max(1e-9, log10(most) - log10(least))
            _arrow(panel, places[caller], places[callee], share)
    called = {name: sum(rate for _, callee, rate in edges if callee == name) for name in places}
    itself = {caller: rate for caller, callee, rate in edges if caller == callee}
    for name, (x, y) in places.items():
        colour = GREEN if name in record["basic"] else ORANGE if "expression" in name else BLUE
        own = f", {_rate(itself[name])} ↻" if name in itself else ""
        text = f"{name}\n{_rate(called[name])} ×{own}" if called[name] else name
        panel.text(
            x, y, text, ha="center", va="center", fontsize=8.5, linespacing=1.25, zorder=3, color=BLACK,
            bbox={"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": colour, "linewidth": 1.6},
        )  # fmt: skip
    panel.set_xlim(-0.08, 1.08)
    panel.set_ylim(-0.6, max(y for _, y in places.values()) + 0.6)
    panel.axis("off")
    panel.set_title(
        f"Who calls whom: mean calls per expression of {record['length']} characters "
        f"({record['expressions']:,} expressions)\n"
        "blue: learned from answers; green: one-digit facts; ↻: of these, by itself",
        fontsize=10,
    )
    return page


def _rate(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}" if rate >= 0.1 else f"{rate:.2f}"


def _arrow(panel: Any, start: tuple[float, float], end: tuple[float, float], share: float) -> None:
    bend = 0.0 if abs(start[1] - end[1]) <= 1 else 0.12 * (1 if end[0] >= start[0] else -1)
    from matplotlib.patches import FancyArrowPatch

    arrow = FancyArrowPatch(
        start, end, arrowstyle="-|>", mutation_scale=9, shrinkA=14, shrinkB=15, zorder=1, color=GREY,
        connectionstyle=f"arc3,rad={bend}", linewidth=0.6 + 3.2 * share, alpha=0.35 + 0.45 * share,
    )  # fmt: skip
    panel.add_patch(arrow)


def arrange(edges: Sequence[Edge]) -> dict[str, tuple[float, float]]:
    """Places: callers above what they call, facts at the bottom; a row is ordered by its neighbours."""
    below: dict[str, list[str]] = {}
    for caller, callee, _ in edges:
        below.setdefault(callee, [])
        below.setdefault(caller, [])
        if caller != callee:
            below[caller].append(callee)
    height: dict[str, int] = {}

    def climb(name: str) -> int:
        if name not in height:
            height[name] = 0
            height[name] = 1 + max((climb(callee) for callee in below[name]), default=-1)
        return height[name]

    for name in below:
        climb(name)
    above = {n: [c for c in below if n != c and n in below[c]] for n in below}
    for name in sorted(below, key=lambda n: -height[n]):  # hang what can be higher right below its callers
        if below[name] and above[name]:
            height[name] = min(height[caller] for caller in above[name]) - 1
    rows = [[n for n in below if height[n] == level] for level in range(max(height.values()) + 1)]
    x = {n: (i + 1) / (len(row) + 1) for row in rows for i, n in enumerate(row)}
    for sweep in range(_SWEEPS):
        neighbours = above if sweep % 2 == 0 else below
        for row in filter(None, reversed(rows) if sweep % 2 == 0 else rows):
            wish = {
                n: sum(x[m] for m in neighbours[n]) / len(neighbours[n]) if neighbours[n] else x[n]
                for n in row
            }
            row.sort(key=lambda n: wish[n])
            x.update(_spaced([wish[n] for n in row], row))
    return {n: (x[n], float(height[n])) for n in below}


def _spaced(wishes: Sequence[float], names: Sequence[str], gap: float = 0.2) -> dict[str, float]:
    """As near to the wishes as the width of a box allows, within [0, 1]."""
    gap = min(gap, 1 / max(1, len(names) - 1)) if len(names) > 1 else gap
    places: list[float] = []
    for wish in wishes:
        places.append(max(wish, places[-1] + gap) if places else max(0.0, wish))
    over = max(0.0, places[-1] - 1.0)
    places[-1] -= over
    for i in range(len(places) - 2, -1, -1):
        places[i] = max(0.0, min(places[i], places[i + 1] - gap))
    return dict(zip(names, places, strict=True))


EXPERIMENT = Experiment(
    heading="The learned hierarchy",
    claim="""
The paper draws its hierarchy by hand. This one is counted in the traces of real expressions.
""",
    units={"hierarchy": units},
    table=table,
    figures={"calls": figure},
    remark="""
Numbers at the arrows are calls per expression. **A reader may conclude** who asks whom, and how often, on such
expressions; **not** that the hierarchy was found by learning: the curriculum's rows say whom a skill may call.
""",
    is_table_reported=False,  # too long; the picture shows it
)
