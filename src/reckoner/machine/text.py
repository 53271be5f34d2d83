"""Reads and writes for a whole group: its memories are equally long, so all are cut at the same places."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reckoner.skills.base import BAR

Span = tuple[int, int]
Table = NDArray[np.uint8]
_MANY = 48  # from here on it pays to cut them as one table of characters


def read_all(memories: Sequence[bytes], read1: Span, read2: Span) -> list[bytes]:
    """The message `x|y` that is read from each memory."""
    (a, b), (c, d) = read1, read2
    if len(memories) < _MANY:
        return [m[a:b] + BAR + m[c:d] for m in memories]
    table = _table(memories)
    bar = np.full((len(memories), 1), ord(BAR), np.uint8)
    return _rows(table[:, a:b], bar, table[:, c:d])


def write_all(memories: Sequence[bytes], answers: Sequence[bytes], write: Span) -> list[bytes]:
    """Each memory with its answer in place of what was there."""
    w, v = write
    if len(memories) < _MANY or len(set(map(len, answers))) > 1:
        return [m[:w] + answer + m[v:] for m, answer in zip(memories, answers, strict=True)]
    table = _table(memories)
    return _rows(table[:, :w], _table(answers), table[:, v:])


def _table(texts: Sequence[bytes]) -> Table:
    return np.frombuffer(b"".join(texts), np.uint8).reshape(len(texts), len(texts[0]))


def _rows(*columns: Table) -> list[bytes]:
    table = np.concatenate(columns, axis=1)
    rows, width = table.shape
    # no memory holds the zero byte, which numpy would cut off at the end
    return table.view(f"S{width}")[:, 0].tolist() if width else [b""] * rows
