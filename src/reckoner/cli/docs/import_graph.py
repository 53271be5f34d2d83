"""docs/imports.svg: which part of the package imports which, layer by layer.

Imports that follow from others are left out: what A has from B, and B from C, A may have from C.
"""

from __future__ import annotations

from html import escape
from textwrap import wrap

from reckoner.cli.docs.layers import LAYERS, PACKAGE, own_imports, part_of, sources

_WIDTH, _ROW, _HEIGHT = 760, 74, 42
_TIP = (
    '<marker id="tip" orient="auto" markerWidth="8" markerHeight="8" refX="7" refY="3.5">'
    '<polygon points="0 0 8 3.5 0 7" fill="#8A8A8A"/></marker>'
)
_STYLE = (
    "text{font:13px sans-serif;text-anchor:middle;fill:#222}"
    "rect{fill:#fff;stroke:#0072B2;stroke-width:1.5}"
    "path{fill:none;stroke:#8A8A8A;stroke-width:1.2}"
)

Box = tuple[str, ...]  # a package, or all single files of a layer


def _boxes() -> list[list[Box]]:
    """Row by row."""
    rows = []
    for layer in LAYERS:
        packages: list[Box] = [(part,) for part in layer.parts if (PACKAGE / part).is_dir()]
        files = tuple(
            part for part in layer.parts if (PACKAGE / f"{part}.py").is_file() and part != "__main__"
        )
        rows.append(packages + ([files] if files else []))
    return rows


def find_edges() -> list[tuple[Box, Box]]:
    """Who imports whom, without what follows from the rest."""
    box_of = {part: box for row in _boxes() for box in row for part in box}
    edges: dict[Box, set[Box]] = {box: set() for box in box_of.values()}
    for file in sources():
        if own := box_of.get(part_of(file)):
            edges[own] |= {box_of[part] for part in own_imports(file) if box_of.get(part, own) != own}

    def reach(box: Box) -> set[Box]:
        return edges[box].union(*(reach(other) for other in edges[box]))

    return [
        (box, other)
        for box in edges
        for other in edges[box]
        if not any(other in reach(third) for third in edges[box] - {other})
    ]


def make_import_graph() -> str:
    """The picture."""
    places: dict[Box, tuple[float, float, float]] = {}  # middle, top, width
    texts: dict[Box, list[str]] = {}
    for number, row in enumerate(_boxes()):
        for place, box in enumerate(row, start=1):
            name = ", ".join("reckoner" if part == "__init__" else part for part in box)
            texts[box] = wrap(name, 36)
            width = 7.5 * max(map(len, texts[box])) + 24
            places[box] = (_WIDTH * place / (len(row) + 1), 12 + _ROW * number, width)
    shapes = [_line(places[box], places[other]) for box, other in sorted(find_edges())]
    for box, (x, y, width) in places.items():
        shapes.append(
            f'<rect x="{x - width / 2:.0f}" y="{y:.0f}" width="{width:.0f}" height="{_HEIGHT}" rx="6"/>'
        )
        for number, text in enumerate(texts[box]):
            line = y + 25 + 17 * (number - (len(texts[box]) - 1) / 2)
            shapes.append(f'<text x="{x:.0f}" y="{line:.0f}">{escape(text)}</text>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_ROW * len(LAYERS)}">'
    return "\n".join([head, f"<style>{_STYLE}</style>", f"<defs>{_TIP}</defs>", *shapes, "</svg>"]) + "\n"


def _line(start: tuple[float, float, float], end: tuple[float, float, float]) -> str:
    """Straight down to the next row; a line that skips rows swings out, past the boxes in between."""
    (x, y, width), (u, v, other) = start, end
    if v - y <= _ROW:
        path = f"M{x:.0f} {y + _HEIGHT:.0f}L{u:.0f} {v - 2:.0f}"
    else:
        x, u, y, v = x - width / 2, u - other / 2, y + _HEIGHT / 2, v + _HEIGHT / 2
        out = min(x, u) - 40 - 0.3 * (v - y)
        path = f"M{x:.0f} {y:.0f}C{out:.0f} {y:.0f} {out:.0f} {v:.0f} {u - 2:.0f} {v:.0f}"
    return f'<path d="{path}" marker-end="url(#tip)"/>'
