"""Expressions from files and pipes: line by line, as they come, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from reckoner.errors import FileError

_CHUNK = 1 << 16
_MARK = b"\xef\xbb\xbf"  # a byte-order mark: some editors begin a file with it
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")  # … those of UTF-16


class ByteStream(Protocol):
    """What binary files, pipes and io.BytesIO have in common."""

    def read1(self, size: int, /) -> bytes: ...


def read_batches(stream: ByteStream, size: int, max_length: int) -> Iterator[tuple[list[str], int]]:
    """Batches of at most `size` lines, each with the number of bytes read so far.

    A batch is what one read gives: lines of a big file come by the thousand, while a program that writes one
    line and waits for its answer gets it. Of a line longer than `max_length` characters only the beginning is
    kept, enough to be refused for its length. A byte-order mark at the start is skipped.
    """
    enough = 4 * (max_length + 1)  # no character takes more than four bytes
    rest = b""
    total = 0
    is_start = True
    while chunk := stream.read1(_CHUNK):
        if not total and chunk.startswith(_WIDE_MARKS):
            raise FileError("this text is encoded as UTF-16; save it as UTF-8")
        total += len(chunk)
        *lines, last = chunk.split(b"\n")
        if lines:
            lines[0] = rest + lines[0]
            rest = last
        else:
            rest += last
        rest = rest[:enough]
        if is_start and lines:
            lines[0] = lines[0].removeprefix(_MARK)
            is_start = False
        texts = [_decode(line, max_length) for line in lines]
        for start in range(0, len(texts), size):
            yield texts[start : start + size], total
    if is_start:
        rest = rest.removeprefix(_MARK)
    if rest:
        yield [_decode(rest, max_length)], total


def _decode(line: bytes, max_length: int) -> str:
    # A byte that is not UTF-8 becomes a lone surrogate, which the grammar refuses with its place.
    return line.removesuffix(b"\r").decode("utf-8", "surrogateescape")[: max_length + 1]
