"""How wide a line may be."""

from __future__ import annotations

import os
from typing import TextIO

_OTHERWISE = 100  # columns where nobody looks, so that files and pipes get the same text everywhere
_LEAST = 20


def count_columns(stream: TextIO) -> int:
    """The width of the terminal that a stream writes to, or a fixed one if it is none."""
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        columns = 0
    return max(columns, _LEAST) if columns else _OTHERWISE
