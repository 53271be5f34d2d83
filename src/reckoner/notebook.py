"""An answer as HTML for a notebook: its steps without any script, and below them the page to watch it on.

Everything is escaped. A viewer that shows no frames, or a notebook that nobody trusts yet, still shows the steps.
"""

from __future__ import annotations

from functools import cached_property
from html import escape
from typing import Any

from reckoner.answer import Answer, Result
from reckoner.machine.trace import Call, shorten
from reckoner.notes import NOTES
from reckoner.parts import Outline, Run
from reckoner.rewriting import Rewriting, explain
from reckoner.single_file import single_file

_MOST_LINES = 100  # of a longer rewriting the beginning and the end are shown
_WIDTH = 200  # characters of an expression on its line
_DEPTH = 2  # levels of calls below each line
_MOST_CALLS = 1_000  # on the page; `reckon --html` takes more
_MOST_CHARACTERS = 300_000  # … and in all its lines: a longer rewriting has no page here
_FRAME = "width:100%;height:46rem;border:0;border-radius:12px"


def show(answer: Answer) -> str:
    """What was asked and answered, and below it the steps: each line opens to the calls that led to it."""
    head = f"<code>{escape(shorten(answer.expression, _WIDTH))}</code> = <b>{escape(answer.text)}</b>"
    if answer.scale:
        head += f" <small>(scale {answer.scale})</small>"
    if answer.trace is None:
        return f'<div style="overflow-wrap:anywhere">{head}</div>'
    rewriting = explain(answer.trace)
    half = _MOST_LINES // 2
    left_out = len(rewriting) - 2 * half
    if left_out > 0:
        lines = [*map(_show_line, rewriting[:half]), f"<div>… {left_out} lines …</div>"]
        lines += map(_show_line, rewriting[-half:])
    else:
        lines = [*map(_show_line, rewriting)]
    page = _show_page(answer) if sum(len(line.text) for line in rewriting) <= _MOST_CHARACTERS else ""
    return f'<div style="overflow-wrap:anywhere">{head}{"".join(lines)}{page}</div>'


def _show_line(line: Rewriting) -> str:
    text = f"<code>{escape(shorten(line.text, _WIDTH))}</code>"
    if not line.calls:
        return f"<div>{text}</div>"
    calls = "\n".join(call.render(_DEPTH - 1) for call in line.calls)
    return f"<details><summary>{text}</summary><pre>{escape(calls)}</pre></details>"


def _show_page(answer: Answer) -> str:
    """The page in a frame of its own, which may run its script and nothing else."""
    assert answer.trace is not None
    bundle = Run(AtHand(answer.trace), answer, answer.trace).bundle(_MOST_CALLS, _MOST_CHARACTERS)
    page = escape(single_file(bundle, "notebook"))
    title = "The calculation, step by step"
    return f'<iframe sandbox="allow-scripts" title="{title}" style="{_FRAME}" srcdoc="{page}"></iframe>'


class AtHand:
    """The skills of a trace that is here as a whole: whatever it does not show, nobody can be asked for."""

    def __init__(self, trace: Call) -> None:
        self._called: dict[str, dict[str, None]] = {}
        self._has_network: set[str] = set()
        for _, call, _ in trace.walk():
            callees = self._called.setdefault(call.skill, {})
            callees.update((step.call.skill, None) for step in call.steps)
            if call.steps or call.halt:
                self._has_network.add(call.skill)

    @cached_property
    def skills(self) -> dict[str, Any]:
        """Those that were called, and whom they called; as `skills_to_json` tells of a whole library."""
        first = next(iter(self._called))
        order = sorted(self._called, key=lambda name: len(self._reach(name)))
        return {"expression": first, "skills": [self._skill(name) for name in order]}

    def is_closed(self, call: Call) -> bool:
        """Nothing can be opened."""
        return False

    def open(self, call: Call) -> Outline:
        """Never asked for."""
        raise NotImplementedError

    def leads_to(self, skill: str, others: tuple[str, ...]) -> bool:
        """Whether a call of the skill came to one of the others."""
        return not self._reach(skill).isdisjoint(others)

    def find_cut(self, result: Result) -> None:
        """Nobody can be asked."""

    def _reach(self, skill: str) -> set[str]:
        found, stack = {skill}, [skill]
        while stack:
            new = set(self._called.get(stack.pop(), ())) - found
            found |= new
            stack.extend(new)
        return found

    def _skill(self, name: str) -> dict[str, Any]:
        kind = "interactive" if name in self._has_network else "basic"
        note = NOTES.get(name)
        return {
            "name": name,
            "kind": kind,
            "calls": list(self._called[name]),
            "summary": note.summary if note else None,
        }
