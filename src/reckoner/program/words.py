"""Spans and decisions in words. A view is given as it is spelled, one character for each of its tokens."""

from __future__ import annotations

import re

from reckoner.nn.config import HALT
from reckoner.program.text_row import OPERATIONS
from reckoner.skills.base import Choice

_RUN = re.compile("[d~]+|N")
_OPERATOR = re.compile(r"(?<=[N)])[-+*/%^]")
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
ANY = "∘"  # an operator, whichever


def mask(view: str) -> str:
    """A view of an expression, perhaps behind its scale, with its operators all alike."""
    return _OPERATOR.sub(ANY, view) if "N" in view and "," not in view.removeprefix("N,") else view


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


# --- classes of views ---

_COUNTS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
_LENGTH = re.compile(r"d\{(\d)\+\}|d\{([\d,]+)\}|(d+)~d+|(d+)")
_COMMA = re.compile(r",(?![^{]*\})")  # one between numbers, not in a list of lengths
_PLACES = ("first", "second", "third", "fourth")
_TEXT = (
    (re.compile(r"\(…"), "a bracket with more in it than a number, "),
    (re.compile(r"\(N\)"), "a number in brackets, "),
    (re.compile(r"…"), "and more, "),
    (re.compile(r"\)"), "the closing bracket, "),
    (re.compile(r"N"), "a number, "),
    (re.compile("∘"), "any operator, "),
    (re.compile(r"\[([^\]]+)\]"), None),
    (re.compile(r"[-+*/%]"), None),
)


def name_view(shape: str) -> str:
    """A class of views in words; nothing where its shape says all there is to say."""
    if shape == "nothing":
        return ""
    if "N" in shape or "…" in shape:
        return "" if "," in shape else _name_text(shape)
    numbers = _COMMA.split(shape)
    if len(numbers) > len(_PLACES) or not all(_LENGTH.fullmatch(n) or not n for n in numbers):
        return ""
    lengths = [_name_length(number) for number in numbers]
    if len(numbers) == 1:
        return lengths[0]
    if len(set(lengths)) == 1:
        return f"{'both' if len(numbers) == 2 else 'all'} numbers of {lengths[0]}"
    return ", ".join(
        f"the {place} {'is ' if length == 'nothing' else 'of '}{length}"
        for place, length in zip(_PLACES, lengths, strict=False)
    )


def _name_length(number: str) -> str:
    found = _LENGTH.fullmatch(number)
    if found is None:
        return "nothing"
    more, some, ends, exact = found.groups()
    if more:
        return f"{_digits(int(more))} or more" if more != "1" else "any length"
    if some:
        *first, last = (int(n) for n in some.split(","))
        return f"{', '.join(_COUNTS[n] for n in first)} or {_digits(last)}"
    if ends:
        return f"{_digits(2 * len(ends) + 1)} or more"
    return _digits(len(exact))


def _digits(count: int) -> str:
    return f"{_COUNTS.get(count, str(count))} digit{'s' if count > 1 else ''}"


def _name_text(shape: str) -> str:
    words, at = "", 0
    while at < len(shape):
        for pattern, word in _TEXT:
            found = pattern.match(shape, at)
            if found is not None:
                signs = found.group().strip("[]")
                words += word if word is not None else f"{' or '.join(signs)}, "
                at = found.end()
                break
        else:
            return ""
    return words.removesuffix(", ")
