"""Types of command-line arguments that say what is wrong with a value."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def whole_number(least: int, most: int | None = None) -> Callable[[str], int]:
    """A whole number within bounds."""

    def convert(argument: str) -> int:
        try:
            number = int(argument)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{argument!r} is not a whole number") from None
        if number < least:
            raise argparse.ArgumentTypeError(f"{number} is less than {least}")
        if most is not None and number > most:
            raise argparse.ArgumentTypeError(f"{number} is more than {most}")
        return number

    return convert


def positive(argument: str) -> float:
    """A number above zero, not infinite."""
    try:
        number = float(argument)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{argument!r} is not a number") from None
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{argument} is not above zero, or without end")
    return number
