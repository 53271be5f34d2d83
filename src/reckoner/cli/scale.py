"""Lines such as `scale = 5`: after how many decimals the quotients that follow are cut."""

from __future__ import annotations

import re

from reckoner.errors import ExpressionError
from reckoner.grammar import TextLimits

_SETTING = re.compile(r"\s*scale\s*=\s*(.*?)\s*", re.IGNORECASE | re.DOTALL)
_DIGITS = re.compile("[0-9]{1,18}")


def is_setting(line: str) -> bool:
    """Whether a line sets the scale, or tries to."""
    return _SETTING.fullmatch(line) is not None


def read_setting(line: str, limits: TextLimits) -> int:
    """The scale that a line sets; an ExpressionError with its place if it is none."""
    found = _SETTING.fullmatch(line)
    assert found is not None
    return read_scale(found.group(1), limits, found.start(1))


def read_scale(text: str, limits: TextLimits, at: int | None = None) -> int:
    """A number of decimals."""
    if not _DIGITS.fullmatch(text) or int(text) > limits.scale:
        raise ExpressionError(f"a scale is a whole number from 0 to {limits.scale:,}", at)
    return int(text)
