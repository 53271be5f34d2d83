"""Figures, made from records alone: plotting never trains again. Each function returns one figure."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from reckoner.evaluation.interval import sample_steps
from reckoner.reproduction.figure_style import GREY, LINES, MODEL_LINES, STYLE
from reckoner.reproduction.paper import LENGTHS, MODELS, TABLE1, TITLES
from reckoner.reproduction.records import Record, need, write_result
from reckoner.reproduction.tables import collect_cells

_GRID = 200  # points at which bands are drawn
_CROWDED = 20  # tasks: thinner lines


def save(make: Callable[[], Figure], stem: Path) -> None:
    """Write a figure as SVG and PNG; the same records give the same SVG."""
    with mpl.rc_context(STYLE):  # type: ignore[arg-type]
        figure = make()
        for kind, metadata in (("svg", {"Date": None}), ("png", {})):
            data = io.BytesIO()
            figure.savefig(data, format=kind, metadata=metadata)
            write_result(stem.with_suffix(f".{kind}"), data.getvalue())


def table1(ours: Sequence[Record], baselines: Sequence[Record]) -> Figure:
    """Accuracy by length, a panel per operation; hollow marks are the paper's numbers."""
    cells = collect_cells(need(ours, "table1"), baselines)
    figure = Figure(figsize=(10, 6.2))
    panels = figure.subplots(2, 3, sharey=True).flatten()
    for panel, (kind, title) in zip(panels, TITLES.items(), strict=True):
        for model in MODELS:
            colour, marker, dashes = MODEL_LINES[model]
            points = _shares(cells, model, kind)
            if points:
                panel.plot(
                    *zip(*points, strict=True),
                    color=colour,
                    marker=marker,
                    linestyle=dashes,
                    label=f"{_name(model)}, measured",
                )
            if kind in TABLE1:
                panel.plot(
                    LENGTHS, TABLE1[kind][model], color=colour, marker=marker, linestyle=":", linewidth=0.9,
                    markerfacecolor="white", markersize=7, zorder=1.5, label=f"{_name(model)}, paper",
                )  # fmt: skip
        panel.set_title(title)
        panel.set_xscale("log")
        panel.set_xticks([5, 10, 20, 50, 100], ["5", "10", "20", "50", "100"])
        panel.minorticks_off()
        panel.set_xlim(4.4, 114)
        panel.set_ylim(-4, 106)
    for panel in panels[::3]:
        panel.set_ylabel("accuracy (%)")
    for panel in panels[3:]:
        panel.set_xlabel("characters of the expression")
    _legend_below(figure, panels[0], 3)
    return figure


def _shares(cells: Any, model: str, kind: str) -> list[tuple[int, float]]:
    points = []
    for (m, k, length), runs in sorted(cells.items()):
        counted = [(right, count) for right, count in runs if count]
        if (m, k) == (model, kind) and counted:
            points.append((length, 100 * sum(r / c for r, c in counted) / len(counted)))
    return points


def _name(model: str) -> str:
    return model[0].upper() + model[1:]


def _legend_below(figure: Figure, panel: Any, columns: int) -> None:
    handles, labels = panel.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=columns)


def training(baselines: Sequence[Record], curriculum: Sequence[Record], place: int, ylabel: str) -> Figure:
    """A panel per model: accuracy over training time, seed by seed; vertical lines are task switches.

    `place` is the position of the figure in a curve's points: 2 accuracy in training, 3 on the test set.
    """
    records = need([*curriculum, *baselines], "training-curve")
    models = [m for m in MODELS if any(r["model"] == m for r in records)]
    figure = Figure(figsize=(8.5, 2.2 * len(models) + 0.6))
    panels = figure.subplots(len(models), 1, squeeze=False)[:, 0]
    for panel, model in zip(panels, models, strict=True):
        runs = [r for r in records if r["model"] == model]
        for end in _switches(runs[0]):
            panel.axvline(end, color=GREY, linewidth=0.6, alpha=0.6, zorder=0)
        colour = MODEL_LINES[model][0]
        width = 0.7 if len(runs[0]["tasks"]) > _CROWDED else 1.3
        for number, run in enumerate(runs):
            points = [(p[1], 100 * p[place]) for p in run["curve"] if p[place] is not None]
            if points:
                panel.plot(
                    *zip(*points, strict=True), color=colour, drawstyle="steps-post", linewidth=width,
                    alpha=1 if number == 0 else 0.45, linestyle=LINES[number % len(LINES)][2],
                    label=f"seed {run['seed']}",
                )  # fmt: skip
        seeds = "1 seed" if len(runs) == 1 else f"{len(runs)} seeds"
        panel.set_title(f"{_name(model)}: {len(runs[0]['tasks'])} tasks, {seeds}", loc="left")
        panel.set_ylim(-4, 106)
        panel.set_xlim(left=0)
        panel.set_ylabel("accuracy (%)")
        panel.grid(axis="x", visible=False)
    panels[-1].set_xlabel("training time (processor seconds); grey lines: task switches of the first seed")
    figure.suptitle(ylabel, fontsize=11)
    return figure


def _switches(run: Record) -> list[float]:
    return [task["seconds"] for task in run["tasks"]][:-1]


def ablation(records: Sequence[Record], experiment: str) -> Figure:
    """A panel per skill: mean test accuracy over updates, smallest and largest as a band."""
    need(records, experiment)
    skills = list(dict.fromkeys(r["skill"] for r in records))
    variants = list(dict.fromkeys(r["variant"] for r in records))
    figure = Figure(figsize=(3.5 * len(skills) + 0.5, 3.9))
    panels = figure.subplots(1, len(skills), sharey=True, squeeze=False)[0]
    for panel, skill in zip(panels, skills, strict=True):
        runs = [r for r in records if r["skill"] == skill]
        end = max(r["updates"] for r in runs)
        grid = [end ** (i / (_GRID - 1)) for i in range(_GRID)]
        for variant, line in zip(variants, LINES, strict=False):
            _band(panel, [r for r in runs if r["variant"] == variant], 0, grid, variant, line)
        panel.set_title(skill)
        panel.set_xscale("log")
        panel.xaxis.set_major_formatter("{x:g}")
        panel.set_xlabel("updates")
        panel.set_ylim(-4, 106)
    panels[0].set_ylabel("test accuracy (%)")
    _legend_below(figure, panels[0], min(3, len(variants)) if len(variants) != 4 else 4)
    return figure


def _band(
    panel: Any,
    runs: Sequence[Record],
    axis: int,
    grid: Sequence[float],
    label: str,
    line: tuple[str, str, Any],
) -> None:
    """Mean and range of runs; a run that has ended keeps its last accuracy."""
    if not runs:
        return
    curves = [sample_steps([(p[axis], 100 * p[3]) for p in r["curve"]], grid) for r in runs]
    columns = list(zip(*curves, strict=True))
    colour, marker, dashes = line
    panel.fill_between(
        grid, [min(c) for c in columns], [max(c) for c in columns], color=colour, alpha=0.13, linewidth=0
    )
    panel.plot(
        grid, [sum(c) / len(c) for c in columns], color=colour, linestyle=dashes, marker=marker,
        markevery=(8 * [known[0] for known in LINES].index(colour), 48), label=label,
    )  # fmt: skip


def continual(records: Sequence[Record]) -> Figure:
    """Test accuracy over training time, with the library and from scratch."""
    need(records, "continual")
    figure = Figure(figsize=(6.4, 3.9))
    panel = figure.subplots()
    end = max(r["seconds"] for r in records)
    grid = [end * i / (_GRID - 1) for i in range(_GRID)]
    for variant, line in zip(dict.fromkeys(r["variant"] for r in records), LINES, strict=False):
        _band(panel, [r for r in records if r["variant"] == variant], 1, grid, variant, line)
    panel.set_xlabel("training time (processor seconds)")
    panel.set_ylabel("test accuracy (%)")
    panel.set_title("Learning modulo: expressions of length 10")
    panel.set_ylim(-4, 106)
    _legend_below(figure, panel, 2)
    return figure


def soundness(records: Sequence[Record]) -> Figure:
    """Accuracy by length for each baseline's own tasks; a dotted line is the longest length trained on."""
    need(records, "soundness")
    models = list(dict.fromkeys(r["model"] for r in records))
    lines = dict(zip(dict.fromkeys(r["task"] for r in records), LINES, strict=False))
    figure = Figure(figsize=(8.5, 3.9))
    panels = figure.subplots(1, len(models), sharey=True, squeeze=False)[0]
    for panel, model in zip(panels, models, strict=True):
        own = [r for r in records if r["model"] == model]
        for task in dict.fromkeys(r["task"] for r in own):
            colour, marker, dashes = lines[task]
            runs = [r for r in own if r["task"] == task]
            lengths = [c["length"] for c in runs[0]["cells"]]
            shares = [[100 * c["right"] / c["count"] for c in r["cells"]] for r in runs]
            columns = list(zip(*shares, strict=True))
            panel.fill_between(
                lengths,
                [min(c) for c in columns],
                [max(c) for c in columns],
                color=colour,
                alpha=0.13,
                linewidth=0,
            )
            mean = [sum(c) / len(c) for c in columns]
            panel.plot(lengths, mean, color=colour, marker=marker, linestyle=dashes, label=task)
            panel.axvline(runs[0]["trained_to"], color=colour, linewidth=1, linestyle=":", zorder=1)
        panel.set_title(model)
        unit = "characters" if model == "LSTM" else "bits of each number"
        panel.set_xlabel(f"{unit} (dotted line: longest trained on)")
        panel.set_ylim(-4, 106)
        panel.xaxis.set_major_locator(MaxNLocator(integer=True))
    panels[0].set_ylabel("accuracy (%)")
    handles = [handle for panel in panels for handle in panel.get_legend_handles_labels()[0]]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
    return figure
