"""Terms: sums of products of powers, whose exponents may be unknown, in a normal form without a solver.

The exponents of a term are polynomials over quantities that are not negative, and so are counts of decimals. What is
not a sum or a product is named by what it is made of: the larger of some counts, and a quotient cut toward zero. Two
terms that are written alike are equal, whatever the quantities are; equal terms need not be written alike, but those
that skills on numbers make are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple, final

from reckoner.program.count import is_plain, larger, larger_of
from reckoner.program.polynomial import ONE, ZERO, Polynomial, lift

SIGN, TEN = "-1", "10"  # the two bases that are numbers


class Cut(NamedTuple):
    """A quotient cut toward zero."""

    dividend: Term
    divisor: Term


Base = str | Cut
Product = tuple[tuple[Base, Polynomial], ...]  # bases with their exponents, in order


@final
class Term:
    """An immutable sum of products. Exponents may be negative inside a quotient."""

    __slots__ = ("_hash", "products")

    def __init__(self, products: Mapping[Product, Fraction | int]) -> None:
        self.products = {product: Fraction(n) for product, n in products.items() if n}
        self._hash: int | None = None

    def __add__(self, other: Term | int) -> Term:
        products = dict(self.products)
        for product, n in as_term(other).products.items():
            products[product] = products.get(product, Fraction(0)) + n
        return Term(products)

    def __neg__(self) -> Term:
        return Term({product: -n for product, n in self.products.items()})

    def __sub__(self, other: Term | int) -> Term:
        return self + -as_term(other)

    def __mul__(self, other: Term | Fraction | int) -> Term:
        products: dict[Product, Fraction] = {}
        for a, n in self.products.items():
            for b, k in as_term(other).products.items():
                product, factor = _join((*a, *b))
                products[product] = products.get(product, Fraction(0)) + n * k * factor
        return Term(products)

    def __radd__(self, other: int) -> Term:
        return self + other

    def __rsub__(self, other: int) -> Term:
        return as_term(other) - self

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Term) and self.products == other.products

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self.products.items()))
        return self._hash

    @property
    def single(self) -> tuple[Product, Fraction] | None:
        """The product that this is and its factor, if it is not a sum."""
        return next(iter(self.products.items())) if len(self.products) == 1 else None

    @property
    def bare(self) -> str | None:
        """The name of the quantity that this is, if it is nothing but one."""
        if self.single is None:
            return None
        product, factor = self.single
        if factor != 1 or len(product) != 1 or product[0][1] != ONE or isinstance(product[0][0], Cut):
            return None
        return product[0][0]

    @property
    def bases(self) -> Iterator[Base]:
        """All that is multiplied in it."""
        return (base for product in self.products for base, _ in product)

    def __pow__(self, exponent: Polynomial) -> Term:
        """A sum can be raised to a number alone, a product to any exponent."""
        if self.single is not None and (self.single[1] in (1, -1) or exponent.is_constant):
            product, factor = self.single
            raised = tuple((base, power * exponent) for base, power in product)
            if exponent.is_constant:
                return Term({(): factor**exponent.constant}) * product_of(raised)
            return product_of((*raised, (SIGN, exponent)) if factor < 0 else raised)
        if not exponent.is_constant or exponent.constant < 0:
            raise ValueError(f"({self}) to the power of {exponent}")
        result = as_term(1)
        for _ in range(exponent.constant):
            result = result * self
        return result

    def substitute(self, values: Mapping[str, Polynomial | Term]) -> Term:
        """With polynomials or terms in place of quantities; only a polynomial can stand in an exponent."""
        result = as_term(0)
        for product, n in self.products.items():
            changed = Term({(): n})
            for base, exponent in product:
                changed = changed * _substitute(base, put(exponent, values), values)
            result = result + changed
        return result

    def __str__(self) -> str:
        pieces = []
        for product, n in self.products.items():
            factors = [str(n)] * (n != 1 or not product)
            factors += [f"{_spell(b)}^({e})" if e != ONE else _spell(b) for b, e in product]
            pieces.append("·".join(factors))
        return " + ".join(sorted(pieces)) or "0"

    __repr__ = __str__


def as_term(value: Term | Polynomial | Fraction | int) -> Term:
    """A number or a polynomial as a term."""
    if isinstance(value, Term):
        return value
    if isinstance(value, int | Fraction):
        return Term({(): value})
    result = Term({})
    for monomial, n in value.terms.items():
        product, factor = _join([(name, ONE) for name in monomial])
        result = result + Term({product: n * factor})
    return result


def as_polynomial(term: Term) -> Polynomial | None:
    """A term as a polynomial, to be an exponent; None if it is none, or might be negative."""
    result = ZERO
    for product, n in term.products.items():
        monomial: list[str] = []
        for base, exponent in product:
            if (
                base in (SIGN, TEN)
                or isinstance(base, Cut)
                or not exponent.is_constant
                or exponent.constant < 0
            ):
                return None
            monomial += [base] * exponent.constant
        if n.denominator != 1 or n < 0:
            return None
        result = result + Polynomial({tuple(sorted(monomial)): int(n)})
    return result


def product_of(factors: Iterable[tuple[Base, Polynomial]]) -> Term:
    product, factor = _join(factors)
    return Term({product: factor})


def _join(factors: Iterable[tuple[Base, Polynomial]]) -> tuple[Product, Fraction]:
    """A product with each base once, and the number that comes out of it."""
    exponents: dict[Base, Polynomial] = {}
    for base, exponent in factors:
        exponents[base] = exponents.get(base, ZERO) + exponent
    number = Fraction(1)
    if SIGN in exponents:
        exponents[SIGN] = _parity(exponents[SIGN])
    for base, value in ((SIGN, -1), (TEN, 10)):
        if base in exponents:
            constant = exponents[base].constant
            number *= Fraction(value) ** constant
            exponents[base] = exponents[base] - constant
    kept = sorted(((b, e) for b, e in exponents.items() if e != ZERO), key=lambda pair: _spell(pair[0]))
    return tuple(kept), number


def _parity(exponent: Polynomial) -> Polynomial:
    """What an exponent of -1 comes to: only whether it is odd counts, and n² is odd where n is."""
    terms: dict[tuple[str, ...], int] = {}
    for monomial, n in exponent.terms.items():
        once = tuple(sorted(set(monomial)))
        terms[once] = (terms.get(once, 0) + n) % 2
    return Polynomial(terms)


def _substitute(base: Base, exponent: Polynomial, values: Mapping[str, Polynomial | Term]) -> Term:
    """A power whose exponent was changed already."""
    if isinstance(base, Cut):
        return cut(base.dividend.substitute(values), base.divisor.substitute(values)) ** exponent
    return as_term(values[base]) ** exponent if base in values else product_of([(base, exponent)])


def _spell(base: Base) -> str:
    return base if isinstance(base, str) else f"[{base.dividend} / {base.divisor}]"


def put(count: Polynomial, values: Mapping[str, Polynomial | Term]) -> Polynomial:
    """A count with polynomials in place of quantities, also in those that are the larger of some."""
    changed = {name: value for name, value in values.items() if isinstance(value, Polynomial)}
    for name in count.variables:
        if larger_of(name):
            changed[name] = maximum(*(put(each, values) for each in larger_of(name)))
    return count.substitute(changed)


# --- what rows of numbers are written with: the same on numbers and on terms ---

Count = Any  # an int, or a polynomial
Units = Any  # an int, or a term


def maximum(*counts: Count) -> Count:
    """The largest of some counts."""
    return max(counts) if all(isinstance(count, int) for count in counts) else larger(*map(lift, counts))


def ten_to(count: Count) -> Units:
    """Ten to a count."""
    return 10**count if isinstance(count, int) else product_of([(TEN, count)])


def raised(base: Units, exponent: Count) -> Units:
    """A power."""
    if isinstance(base, int) and isinstance(exponent, int):
        return base**exponent
    return as_term(base) ** lift(exponent)


def cut(a: Units, b: Units) -> Units:
    """The quotient, cut toward zero."""
    if isinstance(a, int) and isinstance(b, int):
        quotient = abs(a) // abs(b)
        return quotient if (a < 0) == (b < 0) else -quotient
    a, b = as_term(a), as_term(b)
    if b.single is not None:
        a, b = a * b ** lift(-1), as_term(1)
    sign, a = split_sign(a)
    if b == as_term(1) and all(map(_is_whole, a.products.items())):
        return sign * a
    return sign * product_of([(Cut(a, b), ONE)])


def split_sign(term: Term) -> tuple[Term, Term]:
    """A term as one that is 1 or -1 times one without a sign; of a sum, without one before its first product."""
    if not term.products:
        return as_term(1), term
    product = min(term.products, key=str)
    sign = as_term(1 if term.products[product] > 0 else -1)
    if term.single is not None:
        sign = sign * product_of([pair for pair in product if pair[0] == SIGN])
    return sign, term * sign


def _is_whole(part: tuple[Product, Fraction]) -> bool:
    """Whether a product is a whole number, as it is written without a quotient."""
    product, n = part
    return n.denominator == 1 and all(is_plain(exponent) for _, exponent in product)
