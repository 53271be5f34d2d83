"""A picture of continual learning: what each operation cost on top of all that was known before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from reckoner.reproduction import figures

Costs = Mapping[str, Sequence[Sequence[Mapping[str, Any]]]]  # records of skills, by operation and training


def figure(costs: Costs) -> Any:
    """A row per operation: the median of its trainings as a bar, each training as a dot; time and attempts."""
    page, panels = figures.make_panels(1, 2, (9.6, 0.42 * len(costs) + 1.2))
    words = list(costs)
    for panel, cost, label in zip(
        panels, ("seconds", "attempts"), ("seconds of learning", "attempts, in millions"), strict=True
    ):
        scale = 1e6 if cost == "attempts" else 1
        for row, what in enumerate(words):
            totals = [sum(skill[cost] or 0 for skill in skills) / scale for skills in costs[what]]
            panel.barh(
                row, median(totals), height=0.6, color=figures.GREY if row == 0 else figures.BLUE, alpha=0.35
            )
            panel.plot(totals, [row] * len(totals), "o", color=figures.BLACK, markersize=3.5, alpha=0.7)
        panel.set_xlabel(label)
        panel.grid(axis="y", visible=False)
    labels = [f"{what} ({len(costs[what][0])} skills)" for what in words]
    panels[0].set_yticks(range(len(words)), labels)
    panels[0].set_ylim(len(words) - 0.5, -0.5)
    return page
