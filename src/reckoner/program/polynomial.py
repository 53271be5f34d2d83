"""Polynomials with integer coefficients over named quantities: values, digits, lengths and powers of ten."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import final

Monomial = tuple[str, ...]  # its variables, sorted; () is the constant


@final
class Polynomial:
    """An immutable sum of monomials, in normal form: two are equal as functions if their terms are equal."""

    __slots__ = ("_hash", "terms")

    def __init__(self, terms: Mapping[Monomial, int]) -> None:
        self.terms = {monomial: n for monomial, n in terms.items() if n}
        self._hash: int | None = None

    def __add__(self, other: Polynomial | int) -> Polynomial:
        terms = dict(self.terms)
        for monomial, n in lift(other).terms.items():
            terms[monomial] = terms.get(monomial, 0) + n
        return Polynomial(terms)

    def __neg__(self) -> Polynomial:
        return Polynomial({monomial: -n for monomial, n in self.terms.items()})

    def __sub__(self, other: Polynomial | int) -> Polynomial:
        return self + -lift(other)

    def __mul__(self, other: Polynomial | int) -> Polynomial:
        terms: dict[Monomial, int] = {}
        for a, n in self.terms.items():
            for b, k in lift(other).terms.items():
                monomial = tuple(sorted(a + b)) if a and b else a or b
                terms[monomial] = terms.get(monomial, 0) + n * k
        return Polynomial(terms)

    def __radd__(self, other: int) -> Polynomial:
        return self + other

    def __rsub__(self, other: int) -> Polynomial:
        return lift(other) - self

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polynomial) and self.terms == other.terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.terms.items()))
        return self._hash

    @property
    def constant(self) -> int:
        """The part without variables."""
        return self.terms.get((), 0)

    @property
    def is_constant(self) -> bool:
        return not self.terms or self.terms.keys() == {()}

    @property
    def variables(self) -> set[str]:
        return {name for monomial in self.terms for name in monomial}

    @property
    def bare(self) -> str | None:
        """The name of the variable that this is, if it is nothing but one."""
        if len(self.terms) == 1:
            ((monomial, n),) = self.terms.items()
            if n == 1 and len(monomial) == 1:
                return monomial[0]
        return None

    def substitute(self, values: Mapping[str, Polynomial]) -> Polynomial:
        """With polynomials in place of variables."""
        if not any(name in values for monomial in self.terms for name in monomial):
            return self
        result: dict[Monomial, int] = {}
        for monomial, n in self.terms.items():
            product = Polynomial({tuple(v for v in monomial if v not in values): n})
            for name in monomial:
                if name in values:
                    product = product * values[name]
            for m, k in product.terms.items():
                result[m] = result.get(m, 0) + k
        return Polynomial(result)

    def evaluate(self, values: Mapping[str, int]) -> int:
        """The number it is for these values."""
        total = 0
        for monomial, n in self.terms.items():
            for name in monomial:
                n *= values[name]
            total += n
        return total

    def __str__(self) -> str:
        if not self.terms:
            return "0"
        pieces = []
        for monomial, n in sorted(self.terms.items(), key=lambda term: (-len(term[0]), term[0])):
            factors = list(monomial)
            if abs(n) != 1 or not factors:
                factors.insert(0, str(abs(n)))
            pieces += ["-" if n < 0 else "+", "·".join(factors)]
        text = " ".join(pieces)
        return text[2:] if text[0] == "+" else "-" + text[2:]

    __repr__ = __str__


def lift(value: Polynomial | int) -> Polynomial:
    """A number as a polynomial."""
    return value if isinstance(value, Polynomial) else Polynomial({(): value})


def variable(name: str) -> Polynomial:
    """A polynomial that is one variable."""
    return Polynomial({(name,): 1})


def total(parts: Iterable[Polynomial]) -> Polynomial:
    """Their sum."""
    result = ZERO
    for part in parts:
        result = result + part
    return result


ZERO = lift(0)
ONE = lift(1)
