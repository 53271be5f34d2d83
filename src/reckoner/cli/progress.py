"""A progress bar on standard error, where a person can see it and no answers run through it."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from reckoner.cli.terminal import count_columns

_WIDTH = 30
_PAUSE = 0.1  # seconds between two drawings


class Progress:
    """Shows how much of a file of `size` bytes is done; only if standard error alone is a terminal."""

    def __init__(self, size: int | None) -> None:
        self.size = size
        self.is_shown = sys.stderr.isatty() and not sys.stdout.isatty()
        self.start = self.drawn = time.monotonic()
        self.has_bar = False

    def show(self, count: int, done: int) -> None:
        """Draw the state: `count` expressions, `done` bytes."""
        now = time.monotonic()
        if not self.is_shown or now - self.drawn < _PAUSE:
            return
        self.drawn = now
        speed = f"{count:,} expressions, {count / (now - self.start):,.0f} per second"
        if self.size:
            part = min(1.0, done / self.size)
            filled = round(part * _WIDTH)
            speed = f"{part:4.0%} [{'#' * filled}{'.' * (_WIDTH - filled)}] {speed}"
        line = speed[: count_columns(sys.stderr) - 1]  # a line that wraps could not be drawn over
        print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
        self.has_bar = True

    def clear(self) -> None:
        """Take the bar away, for something else to be written."""
        if self.has_bar:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self.has_bar = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()
