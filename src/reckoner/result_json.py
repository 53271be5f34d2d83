"""Results and errors as JSON: the fields that `reckon --json` prints, the scale, and an error's exit code."""

from __future__ import annotations

from typing import Any

from reckoner.answer import Answer, Result
from reckoner.errors import ReckonerError


def result_to_json(result: Result) -> dict[str, Any]:
    """A result: the answer, or why there is none."""
    more = {"scale": result.scale, "calls": result.calls, "seconds": round(result.seconds, 6)}
    if isinstance(result, Answer):
        entry = {"expression": result.expression, "answer": result.text, "status": "ok", "error": None}
        return entry | more
    return error_to_json(result.error, result.expression) | more


def error_to_json(error: ReckonerError, expression: str | None = None) -> dict[str, Any]:
    """An error: its kind, a sentence, its place and the exit code of the command line."""
    fault = {
        "kind": error.kind,
        "message": error.message,
        "position": error.position,
        "exit_code": error.exit_code,
    }
    return {"expression": expression, "answer": None, "status": error.kind, "error": fault}
