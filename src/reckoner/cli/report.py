"""How results are shown: answers on standard output, errors with a caret on standard error, or JSON."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from reckoner.answer import Answer, Failure, Result
from reckoner.errors import DivisionByZero, ReckonerError

_WINDOW = 72  # columns of a long expression that are shown around the caret
_UNSHOWN = "\N{REPLACEMENT CHARACTER}"  # stands for a character that a terminal cannot show


@dataclass(frozen=True, slots=True)
class Report:
    """Prints results."""

    json: bool = False
    depth: int | None = None  # with steps, to this depth
    verify: bool = False
    keeps_lines: bool = (
        False  # an error leaves an empty line among the answers, so that line n answers line n
    )

    def show(self, result: Result, where: str = "") -> None:
        """Print one result; `where` names the line it came from."""
        if self.json:
            print(self.to_json(result))
        elif isinstance(result, Failure):
            if self.keeps_lines:
                print()
            print(describe(result, where), file=sys.stderr)
        elif self.depth is not None and result.trace is not None:
            from reckoner.explain import render

            print(render(result.trace, self.depth))
        else:
            print(result.text)

    def to_json(self, result: Result) -> str:
        """One line that always parses: whatever was typed is escaped to ASCII."""
        from json import dumps

        error = result.error if isinstance(result, Failure) else None
        entry: dict[str, Any] = {
            "expression": result.expression,
            "answer": result.text if isinstance(result, Answer) else None,
            "status": error.kind if error else "ok",
            "error": _error_entry(error) if error else None,
            "calls": result.calls,
            "seconds": round(result.seconds, 6),
        }
        if self.verify:
            entry["verified"] = error is None or isinstance(error, DivisionByZero)
        if self.depth is not None:
            entry["trace"] = _trace_entry(result, self.depth)
        return dumps(entry)


def describe(failure: Failure, where: str = "") -> str:
    """The error's sentence, and the place in the expression with a caret under it."""
    error = failure.error
    message = f"reckon: {where}{error.message}"
    if error.position is None or not failure.expression:
        return message
    shown, column = excerpt(failure.expression, error.position)
    return f"{message}\n  {shown}\n  {' ' * column}^"


def excerpt(text: str, position: int, window: int = _WINDOW) -> tuple[str, int]:
    """The part of `text` around `position`, fit to be shown, and the column of that position in it."""
    start = max(0, min(position - window // 2, len(text) - window))
    part = [_showable(character) for character in text[start : start + window]]
    column = sum(_width(character) for character in part[: position - start])
    left, right = "…" * (start > 0), "…" * (start + window < len(text))
    return left + "".join(part) + right, column + len(left)


def _showable(character: str) -> str:
    return character if character.isprintable() and _width(character) else _UNSHOWN


def _width(character: str) -> int:
    """Columns a character takes on a terminal."""
    if character.isascii():
        return 1
    import unicodedata

    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _error_entry(error: ReckonerError) -> dict[str, Any]:
    return {"kind": error.kind, "message": error.message, "position": error.position}


def _trace_entry(result: Result, depth: int) -> list[dict[str, Any]] | None:
    if isinstance(result, Failure) or result.trace is None:
        return None
    from reckoner.explain import to_json

    return to_json(result.trace, depth)
