"""Tables as Markdown, and shares as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

NOTHING = "–"


def markdown(head: Sequence[str], rows: Iterable[Sequence[object]], is_text: bool = False) -> str:
    """A table; all columns but the first are right-aligned, unless all is text."""
    rule = "|---" + ("|---" if is_text else "|---:") * (len(head) - 1) + "|"
    lines = ["| " + " | ".join(head) + " |", rule]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def whole(share: float) -> str:
    """Whole per cents, and never 100 or 0 for what is not exactly that."""
    if 0.99 < share < 1:
        return f"{int(1000 * share) / 10:g}"
    return "<1" if 0 < share < 0.01 else f"{100 * share:.0f}"


def percent(share: float) -> str:
    """At most one decimal, and never 100 or 0 for what is not exactly that."""
    text = f"{100 * share:.1f}"
    if (text == "100.0" and share < 1) or (text == "0.0" and share > 0):
        text = f"{100 * share:.2f}"
    return f"{text.removesuffix('.0')} %"


def spread(values: Sequence[float], digits: int) -> str:
    """Median of several runs, with smallest and largest."""
    if not values:
        return NOTHING
    middle = f"{median(values):.{digits}f}"
    return middle if len(values) == 1 else f"{middle} ({min(values):.{digits}f}–{max(values):.{digits}f})"
