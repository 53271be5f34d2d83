"""Names beside lines, where they can be read: a figure that is shown without its page needs no legend.

Records change while figures stay code, so places are looked for, not written down: no name covers a line or
another name, and each stands nearer to its own line than to others wherever that can be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reckoner.reproduction import figures

Points = NDArray[np.float64]  # N × 2, in pixels
Box = tuple[float, float, float, float]  # left, bottom, right, top

SIZE = 9  # points
_PAD = 4.0  # pixels between a line, or its mark, and its name
_EASY = (8.0, 25.0, float("inf"))  # places that cost more are taken only when no panel has better ones
_CLEAR = 26.0  # pixels to other lines from which on nobody takes a name for theirs
_DARKER = 0.8
_FINE, _COARSE = 3.0, 10.0  # pixels between points of lines, and between places that are tried
# where a name stands, seen from its point: halves of its own width and height; the earlier, the better
_SIDES = ((1, 0), (0, 1), (0, -1), (1, 0.5), (1, -0.5), (1, 1), (1, -1), (-1, 1), (-1, -1), (-1, 0))


@dataclass(frozen=True)
class Place:
    """A point of a line in pixels, the side of it, the box of the name, and how bad it is to read there."""

    point: tuple[float, float]
    side: tuple[int, float]
    box: Box
    cost: float


def label_lines(panels: Sequence[Any], everywhere: bool = False) -> None:
    """Write each line's name beside it, once (or in every panel), in as few panels as it can be read in.

    A name that would cover a line in every panel goes to a legend below.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    page = panels[0].figure
    canvas = FigureCanvasAgg(page)
    page.draw_without_rendering()  # lays the panels out: from here on pixels are known
    sizes = _measure(page, canvas.get_renderer(), _names(panels))
    if everywhere:
        missing = [name for panel in panels for name in _place_once([panel], sizes)]
    else:
        missing = _place_once(panels, sizes)
    if missing:
        handles = [handle for handle in figures.handles_of(*panels) if handle.get_label() in missing]
        figures.put_legend_below(page, handles, 4)


def _place_once(panels: Sequence[Any], sizes: Mapping[str, tuple[float, float]]) -> list[str]:
    """Panel by panel, first the one with room for most names; what is left over had room in none."""
    left = _names(panels)
    taken: dict[Any, list[Box]] = {panel: [] for panel in panels}
    for most in _EASY:
        while left:
            plans = [(panel, _plan(panel, left, sizes, taken[panel], most)) for panel in panels]
            panel, plan = max(plans, key=lambda found: _worth(found[1]))
            if not plan:
                break
            for name, place in plan.items():
                _write(panel, name, place)
                taken[panel].append(place.box)
            left = [name for name in left if name not in plan]
    return left


def _worth(plan: Mapping[str, Place]) -> float:
    """How many names are read easily, and a little for how easily."""
    return sum(1.0 - min(0.99, place.cost / 200) for place in plan.values())


def _plan(
    panel: Any,
    names: Sequence[str],
    sizes: Mapping[str, tuple[float, float]],
    taken: Sequence[Box],
    most: float,
) -> dict[str, Place]:
    """Places for as many of the names as have one in this panel; who has the least choice goes first."""
    choices = {
        line.get_label(): sorted(_places(panel, line, sizes[line.get_label()]), key=lambda place: place.cost)
        for line in panel.get_lines()
        if line.get_label() in names
    }
    plan: dict[str, Place] = {}
    for name in sorted(
        choices, key=lambda name: choices[name][0].cost if choices[name] else 0.0, reverse=True
    ):
        for place in choices[name]:
            boxes = [*taken, *(other.box for other in plan.values())]
            if place.cost <= most and not any(_overlap(place.box, box) for box in boxes):
                plan[name] = place
                break
    return plan


def _places(panel: Any, line: Any, size: tuple[float, float]) -> Iterator[Place]:
    """All places along a line whose box is within the panel and covers no line."""
    width, height = size
    left_end, floor, right_end, ceiling = _frame(panel)
    lines = panel.get_lines()
    everything = _join(lines)
    others = _join([other for other in lines if other is not line and _is_named(other)])
    trace, pad = _trace(line), _pad(line)
    for x, y in trace[:: -round(_COARSE / _FINE)]:
        for rank, (right, up) in enumerate(_SIDES):
            left = x + right * (width / 2 + pad) - width / 2
            bottom = y + up * (height / 2 + pad) - height / 2
            box = (left, bottom, left + width, bottom + height)
            is_inside = left > left_end and box[2] < right_end and bottom > floor and box[3] < ceiling
            if is_inside and _distance(box, everything) > 1:
                crowd = max(0.0, 1 - _distance(box, others) / _CLEAR)
                away = abs(x - trace[-1][0]) / (right_end - left_end)
                yield Place((x, y), (right, up), box, 100 * crowd**2 + 20 * away + rank)


def _frame(panel: Any) -> Box:
    """Where names may be: in the panel, and in what would be a panel to its right but is empty."""
    box = panel.get_window_extent()
    others = [(other.get_window_extent(), other.get_visible()) for other in panel.figure.axes]
    row = sorted((o.x0, o.x1, shows) for o, shows in others if o.x0 > box.x1 and abs(o.y0 - box.y0) < 1)
    right = row[0][1] if row and not row[0][2] else box.x1
    return (box.x0, box.y0, right, box.y1)


def _distance(box: Box, points: Points) -> float:
    """From a box to the nearest of some points."""
    if not len(points):
        return float("inf")
    left, bottom, right, top = box
    beside = np.maximum(np.maximum(left - points[:, 0], points[:, 0] - right), 0)
    above = np.maximum(np.maximum(bottom - points[:, 1], points[:, 1] - top), 0)
    return float(np.hypot(beside, above).min())


def _overlap(a: Box, b: Box, gap: float = 2.0) -> bool:
    return a[0] < b[2] + gap and b[0] < a[2] + gap and a[1] < b[3] + gap and b[1] < a[3] + gap


def _write(panel: Any, name: str, place: Place) -> None:
    """The name in its line's colour, held at a point of it, so that it stays there in any size of the figure."""
    from matplotlib.colors import to_rgb

    line = next(line for line in panel.get_lines() if line.get_label() == name)
    right, up = place.side
    pad, points = _pad(line), 72 / panel.figure.dpi
    across, along = right * pad, up * ((place.box[3] - place.box[1]) / 2 + pad)
    colour = [
        _DARKER * part for part in to_rgb(line.get_color())
    ]  # small letters need more contrast than lines
    text = panel.annotate(
        name, panel.transData.inverted().transform(place.point), xytext=(across * points, along * points),
        textcoords="offset points", ha=("right", "center", "left")[right + 1], va="center", color=colour,
        fontsize=SIZE,
    )  # fmt: skip
    text.set_in_layout(False)  # its place was found in the layout that is


def _pad(line: Any) -> float:
    """Pixels from the points of a line to its name."""
    has_marks = line.get_marker() not in ("", "None", None)
    return _PAD + (line.get_markersize() / 2 * line.figure.dpi / 72 if has_marks else 0.0)


def _join(lines: Sequence[Any]) -> Points:
    """All points of some lines."""
    return np.concatenate([np.empty((0, 2)), *map(_trace, lines)])


def _trace(line: Any) -> Points:
    """A line as points in pixels, as dense as names have to keep away from it."""
    corners = np.asarray(line.get_transform().transform(line.get_xydata()), dtype=float)
    parts = [corners[:1]]
    for start, end in pairwise(corners):
        count = max(1, int(np.hypot(*(end - start)) / _FINE))
        parts.append(start + (end - start) * np.linspace(0, 1, count + 1)[1:, None])
    return np.concatenate(parts)


def _measure(page: Any, renderer: Any, names: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Width and height of each name, in pixels."""
    sizes = {}
    for name in names:
        text = page.text(0, 0, name, fontsize=SIZE)
        box = text.get_window_extent(renderer)
        sizes[name] = (box.width, box.height)
        text.remove()
    return sizes


def _names(panels: Sequence[Any]) -> list[str]:
    return list(dict.fromkeys(line.get_label() for p in panels for line in p.get_lines() if _is_named(line)))


def _is_named(line: Any) -> bool:
    return not str(line.get_label()).startswith("_")  # matplotlib's own names for lines without
