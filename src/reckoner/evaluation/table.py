"""Tables as Markdown, and shares as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

NOTHING = "–"


def markdown(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; all columns but the first are right-aligned."""
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def percent(share: float) -> str:
    """At most one decimal, and never 100 or 0 for what is not exactly that."""
    text = f"{100 * share:.1f}"
    if (text == "100.0" and share < 1) or (text == "0.0" and share > 0):
        text = f"{100 * share:.2f}"
    return f"{text.removesuffix('.0')} %"
