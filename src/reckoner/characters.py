"""What to say about a character that no expression contains."""

from __future__ import annotations

from typing import NoReturn

from reckoner.errors import ExpressionError

# Characters people do type, with the sentence that helps.
_KNOWN = {
    ".": "a decimal point has a digit before it or behind it",
    ",": "decimals stand behind a point, and digits are written without separators",
    "٫": "decimals stand behind a point",
    ";": "one expression stands on one line",
    "'": "digits are written without separators",
    "_": "digits are written without separators",
    "=": "only the expression is written, without '='",
    "[": "only round brackets are accepted",
    "]": "only round brackets are accepted",
    "{": "only round brackets are accepted",
    "}": "only round brackets are accepted",
    "\0": "a NUL character is not part of an expression",
    "\t": "tabs are not accepted, only plain spaces",
    "\n": "an expression stands on one line",
    "\r": "an expression stands on one line",
    "\ufeff": "a byte-order mark is not part of an expression",
}


def refuse(character: str, at: int) -> NoReturn:
    """Raise the ExpressionError for a character that cannot be part of an expression."""
    raise ExpressionError(_KNOWN.get(character) or _describe(character), at)


def _describe(character: str) -> str:
    import unicodedata  # only bad input pays for loading the tables

    category = unicodedata.category(character)
    code = f"U+{ord(character):04X}"
    if category == "Cs":
        return f"this is not valid text ({code}, half a surrogate pair or a byte that is not UTF-8)"
    if category == "Cc":
        return f"a control character ({code}) is not part of an expression"
    if category in ("Nd", "Nl", "No"):
        return f"{_show(character, code)} is not one of the digits 0 to 9"
    if category[0] == "L":
        return f"{_show(character, code)} is a letter, only numbers and operators are calculated"
    if category[0] == "Z":
        return f"only plain spaces are accepted, this is {code}"
    return f"{_show(character, code)} is not part of an expression"


def _show(character: str, code: str) -> str:
    """The character itself where a terminal can show it alone, otherwise its code."""
    if not character.isprintable():
        return code
    return f"'{character}'" if character.isascii() else f"'{character}' ({code})"
