"""Counts of decimals: polynomials that are not negative, and the larger of some, named by what it is made of."""

from __future__ import annotations

from collections.abc import Iterator

from reckoner.program.polynomial import Polynomial, variable

_larger: dict[str, frozenset[Polynomial]] = {}  # what a name stands for; it says so itself


def larger_of(name: str) -> frozenset[Polynomial]:
    """The counts of which the quantity with this name is the largest; none for other names."""
    return _larger.get(name, frozenset())


def larger(*counts: Polynomial) -> Polynomial:
    found = {each for count in counts for each in _spread(count)}
    tops = [c for c in found if not any(c != other and is_plain(other - c) for other in found)]
    if len(tops) == 1:
        return tops[0]
    monomials = {monomial for count in tops for monomial in count.terms}
    common = Polynomial({m: min(count.terms.get(m, 0) for count in tops) for m in monomials})
    rest = frozenset(count - common for count in tops)
    name = f"max({'; '.join(sorted(map(str, rest)))})"
    _larger[name] = rest
    return common + variable(name)


def _spread(count: Polynomial) -> Iterator[Polynomial]:
    """The counts that one stands for in a maximum: max(max(a, b) + c, d) = max(a + c, b + c, d)."""
    for monomial, n in count.terms.items():
        if n == 1 and len(monomial) == 1 and monomial[0] in _larger:
            rest = count - variable(monomial[0])
            for each in _larger[monomial[0]]:
                yield from _spread(rest + each)
            return
    yield count


def is_plain(count: Polynomial) -> bool:
    """Whether it cannot be negative, as all its terms cannot."""
    return all(n > 0 for n in count.terms.values())
