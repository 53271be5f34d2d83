"""How results are shown: answers on standard output, errors with a caret on standard error, or JSON."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reckoner.answer import Answer, Failure, Result
from reckoner.cli.terminal import count_columns
from reckoner.errors import DivisionByZero, ReckonerError

if TYPE_CHECKING:
    from reckoner.machine.trace import Call

_BLANK = "blank"  # the status of a line without an expression
_SETTING = "scale"  # … and of one that sets the scale
_UNSHOWN = "\N{REPLACEMENT CHARACTER}"  # stands for a character that a terminal cannot show


@dataclass(frozen=True, slots=True)
class Report:
    """Prints results."""

    json: bool = False
    trace: bool = False
    depth: int | None = None  # levels of calls to show; None: one level as text, all of them as JSON
    verify: bool = False
    # Whether an error leaves an empty line among the answers, so that line n answers line n.
    keeps_lines: bool = False

    def show(self, result: Result, where: str = "") -> None:
        """Print one result; `where` names the line it came from."""
        if self.json:
            print(self.to_json(result))
            return
        if self.trace and result.trace is not None:
            self._show_steps(result.trace)
        elif isinstance(result, Answer):
            print(result.text)
        elif self.keeps_lines:
            print()
        if isinstance(result, Failure):
            print(describe(result, where), file=sys.stderr)

    def _show_steps(self, trace: Call) -> None:
        """Print the steps of an answer, or those up to where there was none."""
        from reckoner.rewriting import render

        steps = render(trace, 1 if self.depth is None else self.depth, count_columns(sys.stdout))
        print(steps, flush=True)  # where both streams end up in one place, steps come before the error

    def show_blank(self) -> None:
        """A line without an expression is answered by one."""
        print(_write_json("", None, _BLANK, None) if self.json else "")

    def show_setting(self, line: str) -> None:
        """So is a line that sets the scale."""
        if self.json:
            print(_write_json(line, None, _SETTING, None))
        elif self.keeps_lines:
            print()

    def show_error(self, error: ReckonerError) -> None:
        """Print an error that belongs to no expression, as JSON."""
        print(_write_json(None, None, error.kind, error))

    def to_json(self, result: Result) -> str:
        """One line that always parses: whatever was typed is escaped to ASCII."""
        error = result.error if isinstance(result, Failure) else None
        answer = result.text if isinstance(result, Answer) else None
        more: dict[str, Any] = {}
        if self.verify:
            more["verified"] = error is None or isinstance(error, DivisionByZero)
        if self.trace:
            more["trace"] = _trace_entry(result, self.depth)
        status = error.kind if error else "ok"
        return _write_json(result.expression, answer, status, error, result.calls, result.seconds, **more)


def describe(failure: Failure, where: str = "") -> str:
    """The error's sentence, and the place in the expression with a caret under it."""
    error = failure.error
    message = f"reckon: {where}{error.message}"
    if error.position is None or not failure.expression:
        return message
    window = count_columns(sys.stderr) - len("  ……")
    shown, column = excerpt(failure.expression, error.position, window)
    return f"{message}\n  {shown}\n  {' ' * column}^"


def excerpt(text: str, position: int, window: int) -> tuple[str, int]:
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


def _write_json(
    expression: str | None,
    answer: str | None,
    status: str,
    error: ReckonerError | None,
    calls: int = 0,
    seconds: float = 0.0,
    **more: Any,
) -> str:
    from json import dumps

    fault = error and {"kind": error.kind, "message": error.message, "position": error.position}
    entry = {"expression": expression, "answer": answer, "status": status, "error": fault}
    return dumps(entry | {"calls": calls, "seconds": round(seconds, 6)} | more)


def _trace_entry(result: Result, depth: int | None) -> dict[str, Any] | None:
    if result.trace is None:
        return None
    from reckoner.trace_json import to_json

    return to_json(result.trace, depth)
