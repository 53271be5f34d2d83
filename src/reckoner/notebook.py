"""An answer as HTML for a notebook: self-contained, without scripts, and everything in it escaped."""

from __future__ import annotations

from html import escape

from reckoner.machine.trace import Call, shorten
from reckoner.rewriting import Rewriting, explain

_MOST_LINES = 100  # of a longer rewriting the beginning and the end are shown
_WIDTH = 200  # characters of an expression on its line
_DEPTH = 2  # levels of calls below each line


def show(expression: str, answer: str, trace: Call | None) -> str:
    """What was asked and answered, and below it the steps: each line opens to the calls that led to it."""
    head = f"<code>{escape(shorten(expression, _WIDTH))}</code> = <b>{escape(answer)}</b>"
    if trace is None:
        return f'<div style="overflow-wrap:anywhere">{head}</div>'
    rewriting = explain(trace)
    half = _MOST_LINES // 2
    left_out = len(rewriting) - 2 * half
    if left_out > 0:
        lines = [*map(_show_line, rewriting[:half]), f"<div>… {left_out} lines …</div>"]
        lines += map(_show_line, rewriting[-half:])
    else:
        lines = [*map(_show_line, rewriting)]
    return f'<div style="overflow-wrap:anywhere">{head}{"".join(lines)}</div>'


def _show_line(line: Rewriting) -> str:
    text = f"<code>{escape(shorten(line.text, _WIDTH))}</code>"
    if not line.calls:
        return f"<div>{text}</div>"
    calls = "\n".join(call.render(_DEPTH - 1) for call in line.calls)
    return f"<details><summary>{text}</summary><pre>{escape(calls)}</pre></details>"
