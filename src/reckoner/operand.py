"""What the operators of a canonical text work on: spans of characters, found without knowing what they are worth."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_OPERATOR = re.compile(r"[/%^]")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_SIGN = re.compile(r"(?:^|(?<=[-+*/%^(]))-")  # a minus sign that belongs to the number behind it

Span = tuple[int, int]


class Operation(NamedTuple):
    """A division, remainder or power: where its operator stands, and what it works on."""

    at: int
    right: Span  # the divisor or exponent, with the powers in it
    base: Span | None  # of a power


def is_number(text: str) -> bool:
    """Whether a text is a number and no more."""
    return _NUMBER.fullmatch(text) is not None


def find_operations(text: str) -> list[Operation]:
    """The divisions, remainders and powers of a canonical text, from left to right."""
    opening, closing = _match_brackets(text)
    ends: dict[int, int] = {}  # of what stands to the right of the operator at a place
    found: list[Operation] = []
    for match in reversed(list(_OPERATOR.finditer(text))):
        at, start = match.start(), match.end()
        end = closing[start] + 1 if text[start] == "(" else _number_end(text, start)
        ends[at] = ends[end] if text[end : end + 1] == "^" else end
        base = (_base_start(text, at, opening), at) if match.group() == "^" else None
        found.append(Operation(at, (start, ends[at]), base))
    return found[::-1]


def bracket_powers(text: str) -> list[tuple[int, str]]:
    """Which brackets to write, and before which places, so that every power stands alone: `2+(3^4)`, `2^(3^4)`."""
    made: list[tuple[int, str]] = []
    for operation in find_operations(text):
        if operation.base is None:
            continue
        start, end = operation.base[0], operation.right[1]
        if text[start - 1 : start] not in ("", "(") or text[end : end + 1] not in ("", ")"):
            made += (start, "("), (end, ")")
    return sorted(made)


def insert(text: str, made: Sequence[tuple[int, str]]) -> tuple[str, list[int]]:
    """The text with pieces written before places of it, and for each of its characters the place in the old one."""
    pieces: list[str] = []
    places: list[int] = []
    done = 0
    for at, piece in made:
        pieces += text[done:at], piece
        places += range(done, at)
        places += [at if piece == "(" else at - 1] * len(piece)
        done = at
    pieces.append(text[done:])
    places += range(done, len(text) + 1)
    return "".join(pieces), places


def _match_brackets(text: str) -> tuple[dict[int, int], dict[int, int]]:
    """Of each closing bracket the opening one, and the other way round."""
    opening: dict[int, int] = {}
    closing: dict[int, int] = {}
    waiting: list[int] = []
    for at, character in enumerate(text):
        if character == "(":
            waiting.append(at)
        elif character == ")":
            opening[at] = waiting.pop()
            closing[opening[at]] = at
    return opening, closing


def _number_end(text: str, start: int) -> int:
    found = _NUMBER.match(text, start)
    assert found is not None, text
    return found.end()


def _base_start(text: str, end: int, opening: dict[int, int]) -> int:
    """Where the number or bracket begins that ends there."""
    if text[end - 1] == ")":
        return opening[end - 1]
    start = end
    while start > 0 and text[start - 1] in "0123456789.":
        start -= 1
    return start - 1 if start > 0 and _SIGN.match(text, start - 1) else start


def find_quotients(text: str) -> list[tuple[int, int, int]]:
    """Of each `/`: where its dividend begins, where it stands, and where its divisor ends."""
    ends = {operation.at: operation.right[1] for operation in find_operations(text)}
    begins = [0]  # of the term that is being read, for each open bracket
    found: list[tuple[int, int, int]] = []
    for at, character in enumerate(text):
        if character == "(":
            begins.append(at + 1)
        elif character == ")":
            begins.pop()
        elif character == "+" or (character == "-" and not _SIGN.match(text, at)):
            begins[-1] = at + 1
        elif character == "/":
            found.append((begins[-1], at, ends[at]))
    return found
