"""One look for all figures: the colour-blind-safe palette of Okabe and Ito, and dashes that survive grey."""

from __future__ import annotations

from typing import Any

BLUE, ORANGE, GREEN, RED = "#0072B2", "#E69F00", "#009E73", "#D55E00"
PURPLE, SKY, BLACK, GREY = "#CC79A7", "#56B4E9", "#000000", "#8A8A8A"

# colour, marker, dashes: no two lines of one figure share any of them
LINES: tuple[tuple[str, str, Any], ...] = (
    (BLUE, "o", "-"),
    (RED, "s", (0, (5, 2))),
    (GREEN, "^", (0, (2, 1.4))),
    (PURPLE, "D", (0, (6, 2, 1.5, 2))),
    (ORANGE, "v", (0, (1, 1.2))),
    (BLACK, "X", (0, (8, 2, 1.5, 2, 1.5, 2))),
)
MODEL_LINES = {"ours": LINES[0], "Neural GPU": LINES[1], "LSTM": LINES[2]}

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
