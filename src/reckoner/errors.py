"""Every failure a user can meet, as a typed exception with a sentence and an exit code."""

from __future__ import annotations


class ReckonerError(Exception):
    """Base of all errors of this package; `kind` is the word that JSON output uses."""

    kind = "error"
    exit_code = 5

    def __init__(self, message: str, position: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.position = position  # index into the text the user typed, where one is known


class ExpressionError(ReckonerError):
    """The text is not an expression; `position` says where."""

    kind = "syntax"
    exit_code = 2


class DivisionByZero(ReckonerError):
    """A divisor, or what is raised to a negative power, worked out to zero; `position` is that of the operator."""

    kind = "division-by-zero"
    exit_code = 3


class ExponentError(ReckonerError):
    """An exponent has decimals; `position` is where it begins."""

    kind = "exponent"
    exit_code = 3


class LimitError(ReckonerError):
    """A limit was reached before there was an answer."""

    kind = "limit"
    exit_code = 4


class TextLimit(LimitError):
    """The text is longer, or nested deeper, than allowed; or an exponent or the scale is too large."""

    kind = "text-limit"


class MemoryLimit(LimitError):
    """A skill's memory grew beyond the allowed length."""

    kind = "memory-limit"


class DepthLimit(LimitError):
    """Calls were nested deeper than allowed."""

    kind = "depth-limit"


class CallLimit(LimitError):
    """More calls were made than allowed."""

    kind = "call-limit"


class TimeLimit(LimitError):
    """The wall-clock time ran out."""

    kind = "time-limit"


class DidNotHalt(ReckonerError):
    """A skill used up its steps without halting."""

    kind = "did-not-halt"


class FileError(ReckonerError):
    """A file of expressions cannot be read."""

    kind = "file"
    exit_code = 2


class WrongAnswer(ReckonerError):
    """The networks' answer is not the exact one (only found out under --verify)."""

    kind = "wrong-answer"


class LibraryError(ReckonerError):
    """The weights are missing, damaged or do not fit this program."""

    kind = "library"


class UnknownSkill(ReckonerError):
    """No skill of that name is in the library."""

    kind = "unknown-skill"
    exit_code = 2


class MessageRefused(ReckonerError):
    """A skill does not accept the message it was sent."""

    kind = "refused"


def spell_seconds(seconds: float) -> str:
    """A time as sentences have it."""
    return "1 second" if seconds == 1 else f"{seconds:g} seconds"
