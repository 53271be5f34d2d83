"""Spans and decisions in words. A view is given as it is spelled, one character for each of its tokens."""

from __future__ import annotations

import re

from reckoner.nn.config import HALT
from reckoner.program.expression import OPERATIONS
from reckoner.skills.base import Choice

_RUN = re.compile("[d~]+|N")
_OPERATOR = re.compile(r"(?<=[N)])[-+*/%]")
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
ANY = "∘"  # an operator, whichever


def mask(view: str) -> str:
    """A view with its operators all alike."""
    return _OPERATOR.sub(ANY, view) if "N" in view and "," not in view else view


def span(view: str, start: int, end: int) -> str:
    """What stands between two gaps of a view."""
    if start == end:
        return "nothing"
    runs = [found.span() for found in _RUN.finditer(view)]
    if (start, end) == (0, len(view)) and (len(runs) > 1 or "…" in view):
        return "everything"
    for number, (a, b) in enumerate(runs):
        if a <= start and end <= b:
            name = "the number" if len(runs) == 1 else f"the {_ORDINALS[min(number, 4)]} number"
            return _part(name, start - a, b - end, end - start, view[start:end])
    if (start, end) == (0, len(view) - 1) and view[-1] == "d" and view[-2] in "d~":
        return "everything without the last digit"
    if end == len(view) and view[start - 1] == "(":
        return "everything behind the bracket"
    return f"`{mask(view)[start:end]}`"


def _part(name: str, cut_left: int, cut_right: int, length: int, text: str) -> str:
    """Digits of one number, of which some at either end are cut off."""
    if (cut_left, cut_right) == (0, 0):
        return name
    if cut_right == 0 and length <= 2 and "~" not in text:
        return f"the last {'digit' if length == 1 else 'two digits'} of {name}"
    if cut_left == 0 and cut_right <= 2:
        return f"{name} without its last {'digit' if cut_right == 1 else 'two digits'}"
    if cut_left == 0 and length <= 2 and "~" not in text:
        return f"the first {'digit' if length == 1 else 'two digits'} of {name}"
    if cut_right == 0 and cut_left <= 2:
        return f"{name} without its first {'digit' if cut_left == 1 else 'two digits'}"
    return f"`{text}` in {name}"


def decision(view: str, choice: Choice, calls: tuple[str, ...]) -> str:
    """A decision in words."""
    module, a, b, c, d, w, v = choice
    if module == HALT:
        return "halt"
    name = calls[module - 1]
    between = view[min(b, d) : max(a, c)]
    if name in OPERATIONS and OPERATIONS[name] in between and len(_OPERATOR.findall("N" + between)) == 1:
        name = "the operation"
    reads = [span(view, a, b)] + ([span(view, c, d)] if c != d else [])
    place = f"in place of {span(view, w, v)}" if w != v else _where(view, w)
    return f"{name} ({'; '.join(reads)}) {place}"


def _where(view: str, at: int) -> str:
    if at == 0:
        return "put at the start"
    if at == len(view):
        return "put at the end"
    return f"put before `{mask(view)[at:]}`"
