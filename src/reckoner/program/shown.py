"""What a template is written with: numbers and signs as they stand in an answer, and names of quantities."""

from __future__ import annotations

from typing import NamedTuple

from reckoner.program.figure import Figure
from reckoner.program.polynomial import Polynomial
from reckoner.program.term import Term, ten_to


class Apart(NamedTuple):
    """The digits of a string with commas between them."""

    value: Term
    length: Polynomial


Shown = tuple[Figure | Apart | str, ...]


class NoTemplate(Exception):
    """A row speaks of more than whole numbers."""


def units_of(name: str) -> str:
    """The name of a field's units, or of its value."""
    return f"u_{name}"


def places_of(name: str) -> str:
    """The name of the count of a field's decimals; of a string, of all its digits."""
    return f"m_{name}"


def whole_of(name: str) -> str:
    """The name of a number's whole part."""
    return f"w_{name}"


def minus_of(name: str) -> str:
    """The name of what is 1 if a number is negative, and 0 otherwise."""
    return f"t_{name}"


def ten(count: Polynomial) -> Term:
    """Ten to a count."""
    found = ten_to(count)
    assert isinstance(found, Term)
    return found
