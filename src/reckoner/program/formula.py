"""Statements about integers: comparisons of polynomials, joined by and, or, not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, final

from reckoner.program.polynomial import Polynomial, lift


@final
@dataclass(frozen=True)
class Atom:
    """A polynomial is at least zero, or zero."""

    polynomial: Polynomial
    relation: Literal[">=", "="]


@final
@dataclass(frozen=True)
class All:
    """All of these hold."""

    parts: tuple[Formula, ...]


@final
@dataclass(frozen=True)
class Some:
    """At least one of these holds."""

    parts: tuple[Formula, ...]


@final
@dataclass(frozen=True)
class Not:
    """This does not hold."""

    part: Formula


Formula = Atom | All | Some | Not
TRUE, FALSE = All(()), Some(())
Side = Polynomial | int


def at_least(a: Side, b: Side) -> Formula:
    """a ≥ b."""
    return _fold(Atom(lift(a) - b, ">="))


def less(a: Side, b: Side) -> Formula:
    """a < b."""
    return at_least(b, lift(a) + 1)


def equal(a: Side, b: Side) -> Formula:
    """a = b."""
    return _fold(Atom(lift(a) - b, "="))


def both(*parts: Formula) -> Formula:
    """All of these, with what is plainly true left out."""
    kept = tuple(part for part in parts if part != TRUE)
    if FALSE in kept:
        return FALSE
    return kept[0] if len(kept) == 1 else All(kept)


def either(*parts: Formula) -> Formula:
    """One of these, with what is plainly false left out."""
    kept = tuple(part for part in parts if part != FALSE)
    if TRUE in kept:
        return TRUE
    return kept[0] if len(kept) == 1 else Some(kept)


def _fold(atom: Atom) -> Formula:
    """A comparison of numbers is decided here."""
    if not atom.polynomial.is_constant:
        return atom
    n = atom.polynomial.constant
    return TRUE if (n >= 0 if atom.relation == ">=" else n == 0) else FALSE


def substitute(formula: Formula, values: Mapping[str, Polynomial]) -> Formula:
    """With polynomials in place of variables."""
    match formula:
        case Atom(polynomial, relation):
            changed = polynomial.substitute(values)
            return formula if changed is polynomial else _fold(Atom(changed, relation))
        case All(parts):
            return both(*(substitute(part, values) for part in parts))
        case Some(parts):
            return either(*(substitute(part, values) for part in parts))
        case Not(part):
            inner = substitute(part, values)
            return FALSE if inner == TRUE else TRUE if inner == FALSE else Not(inner)


def evaluate(formula: Formula, values: Mapping[str, int]) -> bool:
    """Whether it holds for these values."""
    match formula:
        case Atom(polynomial, relation):
            n = polynomial.evaluate(values)
            return n >= 0 if relation == ">=" else n == 0
        case All(parts):
            return all(evaluate(part, values) for part in parts)
        case Some(parts):
            return any(evaluate(part, values) for part in parts)
        case Not(part):
            return not evaluate(part, values)


def polynomials(formula: Formula) -> Iterator[Polynomial]:
    """All polynomials in it."""
    match formula:
        case Atom(polynomial, _):
            yield polynomial
        case All(parts) | Some(parts):
            for part in parts:
                yield from polynomials(part)
        case Not(part):
            yield from polynomials(part)


def spell(formula: Formula) -> str:
    """The formula as a person writes it."""
    match formula:
        case Atom(polynomial, relation):
            return f"{polynomial} {'≥' if relation == '>=' else '='} 0"
        case All(parts):
            return " and ".join(_nested(part) for part in parts) or "true"
        case Some(parts):
            return " or ".join(_nested(part) for part in parts) or "false"
        case Not(part):
            return f"not {_nested(part)}"


def _nested(formula: Formula) -> str:
    text = spell(formula)
    return text if isinstance(formula, Atom | Not) else f"({text})"
