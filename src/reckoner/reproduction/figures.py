"""The look of all figures, and what several of them draw. Figures are made from records: plotting never trains.

matplotlib is imported when a figure is drawn, so records and tables are made without it.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from reckoner.reproduction.records import Point, Record, curve, write_result

# the colour-blind-safe palette of Okabe and Ito
BLUE, ORANGE, GREEN, RED = "#0072B2", "#E69F00", "#009E73", "#D55E00"
PURPLE, BLACK, GREY, SKY = "#CC79A7", "#000000", "#8A8A8A", "#56B4E9"
WINE, DARK = (
    "#882255",
    "#444444",
)  # beside them: a red that no model has, and a grey dark enough for small letters

# one colour per model, in every figure
COLOURS = {
    "ours": BLUE,
    "ours, without": WINE,  # with something taken from it
    "Neural GPU": RED,
    "LSTM": GREEN,
    "Transformer": PURPLE,
    "MaskablePPO": ORANGE,
    "failed": DARK,  # whoever it was
}
Line = tuple[str, str, Any]  # colour, marker, dashes
SOLID, DASHED, DOTTED = "-", (0, (5, 2)), (0, (2, 1.4))
DASH_DOT = (0, (6, 2, 1.5, 2))
MODEL_LINES: dict[str, Line] = {
    "ours": (COLOURS["ours"], "o", SOLID),
    "Neural GPU": (COLOURS["Neural GPU"], "s", DASHED),
    "LSTM": (COLOURS["LSTM"], "^", DOTTED),
}
WITHOUT: Line = (COLOURS["ours, without"], "s", DASHED)

STYLE: dict[str, Any] = {
    "figure.dpi": 110,
    "savefig.dpi": 160,
    "savefig.bbox": "tight",
    "figure.constrained_layout.use": True,
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same everywhere
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.labelsize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "svg.fonttype": "none",  # text stays text: searchable, and small files
    "svg.hashsalt": "reckoner",  # equal records give equal files
}
_GRID = 200  # points at which bands are drawn


def save(draw: Callable[[], Any], stem: Path) -> None:
    """Write a figure as SVG and PNG; the same records give the same SVG."""
    import matplotlib as mpl

    with mpl.rc_context(STYLE):  # type: ignore[arg-type]
        figure = draw()
        for kind, metadata in (("svg", {"Date": None}), ("png", {})):
            data = io.BytesIO()
            figure.savefig(data, format=kind, metadata=metadata)
            write_result(stem.with_suffix(f".{kind}"), data.getvalue())


def make_panels(
    rows: int, columns: int, size: tuple[float, float], sharey: bool = True
) -> tuple[Any, list[Any]]:
    """A figure and its panels, row by row."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=size)
    return figure, list(figure.subplots(rows, columns, sharey=sharey, squeeze=False).flatten())


def title(model: str) -> str:
    """A model's name at the start of a line."""
    return model[0].upper() + model[1:]


def show_accuracy(panel: Any) -> None:
    """From 0 to 100 %, with room for the lines at both ends."""
    panel.set_ylim(-4, 106)


def show_lengths(panel: Any) -> None:
    """The lengths of the test problems, each twice the one before or so."""
    panel.set_xscale("log")
    panel.set_xticks([5, 10, 20, 50, 100], ["5", "10", "20", "50", "100"])
    panel.minorticks_off()
    panel.set_xlim(4.4, 114)
    panel.set_xlabel("characters of the expression")


def show_cost(panel: Any, cost: str, values: Sequence[float] = ()) -> None:
    """Updates, or seconds of one core, on a logarithmic axis: several ticks on a narrow panel, none on another."""
    from matplotlib.ticker import FixedLocator, NullLocator

    low = max(1.0, min(values, default=1.0))
    high = max(2 * low, max(values, default=1000.0))
    ratio = high / low
    steps = (1, 2, 3, 5) if ratio < 8 else (1, 2, 5) if ratio < 40 else (1, 3) if ratio < 200 else (1,)
    panel.set_xscale("log")
    panel.xaxis.set_major_locator(FixedLocator([s * 10**n for n in range(5) for s in steps]))
    panel.xaxis.set_minor_locator(NullLocator())
    panel.xaxis.set_major_formatter("{x:g}")
    panel.set_xlabel("seconds of one core" if cost == "seconds" else cost)
    if values:
        panel.set_xlim(low / 1.3, high * (high / low) ** 0.28 * 1.3)  # room for the accuracies on the right


def draw_outcomes(panel: Any, row: int, runs: Sequence[Record], cost: str) -> None:
    """A row of runs: a dot where one mastered its skill, a cross where it ended, and what the crosses got right."""
    for r in runs:
        colour, marker = (COLOURS["ours"], "o") if r["mastered"] else (COLOURS["failed"], "x")
        panel.plot(max(1, r[cost]), row, marker=marker, color=colour, linestyle="none", alpha=0.8)
    failed = [r for r in runs if not r["mastered"]]
    if failed:
        accuracy = 100 * sum(r["accuracy"] for r in failed) / len(failed)
        last = max(1, *(r[cost] for r in failed))
        # above the last cross where a dot is to its right, which would seem to be what it is about
        is_beside = all(r[cost] <= last for r in runs)
        many = f"{len(failed)} runs: " if len(failed) > 1 else ""  # crosses at a cap hide each other
        panel.annotate(
            f"{many}{accuracy:.0f} %", (last, row), xytext=(6, 0) if is_beside else (0, 4), textcoords="offset points",
            color=COLOURS["failed"], ha="left" if is_beside else "center", va="center" if is_beside else "bottom",
            fontsize=8, annotation_clip=False,
        )  # fmt: skip


def explain_outcomes(figure: Any) -> None:
    """What dots and crosses are, below the panels: marks have no ends to write it at."""
    from matplotlib.lines import Line2D

    dot = Line2D(
        [], [], marker="o", color=COLOURS["ours"], linestyle="none", label="a run that mastered the skill"
    )
    cross = Line2D(
        [], [], marker="x", color=COLOURS["failed"], linestyle="none",
        label="a run that did not, where it ended; beside it what such runs then got right",
    )  # fmt: skip
    put_legend_below(figure, [dot, cross], 2)


def put_legend_below(figure: Any, handles: Sequence[Any], columns: int) -> None:
    """One legend for all panels."""
    figure.legend(handles=handles, loc="outside lower center", ncols=columns, handlelength=3)


def handles_of(*panels: Any) -> list[Any]:
    """The lines of some panels that have a name, one of each."""
    named: dict[str, Any] = {}
    for panel in panels:
        for handle, name in zip(*panel.get_legend_handles_labels(), strict=True):
            named.setdefault(name, handle)
    return list(named.values())


def grid_to(end: float, is_logarithmic: bool) -> list[float]:
    """Where bands are drawn: from 1 (or 0) to the end."""
    steps = [i / (_GRID - 1) for i in range(_GRID)]
    return [end**step for step in steps] if is_logarithmic else [end * step for step in steps]


def draw_band(
    panel: Any, x: Sequence[float], columns: Sequence[Sequence[float]], line: Line, **options: Any
) -> None:
    """Mean of several runs as a line, smallest and largest as a band."""
    colour, marker, dashes = line
    low, high = [min(c) for c in columns], [max(c) for c in columns]
    panel.fill_between(x, low, high, color=colour, alpha=0.13, linewidth=0)
    mean = [sum(c) / len(c) for c in columns]
    panel.plot(x, mean, color=colour, linestyle=dashes, marker=marker, **options)


def draw_test_accuracy(
    panel: Any,
    runs: Sequence[Record],
    over: Callable[[Point], float],
    grid: Sequence[float],
    name: str,
    line: Line,
) -> None:
    """Test accuracy of several runs, between tests the last one; one that has ended keeps its last accuracy."""
    tested = [[(over(p), 100 * p.test) for p in curve(r) if p.test is not None] for r in runs]
    curves = [read_steps(points, grid) for points in tested if points]
    if curves:
        draw_band(panel, grid, list(zip(*curves, strict=True)), (line[0], "", line[2]), label=name)


def read_steps(points: Sequence[tuple[float, float]], grid: Sequence[float]) -> list[float]:
    """A curve that holds each value until the next point, read off at a grid; 0 before its start."""
    values, place, current = [], 0, 0.0
    for x in grid:
        while place < len(points) and points[place][0] <= x:
            current = points[place][1]
            place += 1
        values.append(current)
    return values
