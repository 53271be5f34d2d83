"""What is known of the quantities of terms: which are zero, which signs and counts of decimals they can have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import final

from reckoner.program.count import larger_of
from reckoner.program.field import Shape, Shapes
from reckoner.program.figure import Figure
from reckoner.program.formula import Formula, at_least, both, either, equal, polynomials, substitute
from reckoner.program.polynomial import ONE, ZERO, Polynomial, variable
from reckoner.program.solver import Solver
from reckoner.program.term import SIGN, TEN, Base, Cut, Product, Term, as_term, product_of, put

_ORDINARY = re.compile(r"[A-Za-z]\d+")
_EITHER = frozenset({False, True})


@final
@dataclass(frozen=True)
class Known:
    """Facts about quantities, none of which is negative; of `P1`, `P2`, … it is known that they are powers of ten."""

    zero: frozenset[Base] = frozenset()
    nonzero: frozenset[Base] = frozenset()
    signs: Mapping[Polynomial, int] = field(default_factory=dict)  # of -1 to the power of these
    counts: tuple[Formula, ...] = ()
    solver: Solver = field(default_factory=Solver, compare=False)

    def shapes(self, x: Figure) -> Shapes:
        """The shapes that a number can have."""
        return frozenset(Shape(s, p) for s in self.signs_of(x.units) for p in self.points_of(x.places))

    # --- signs ---

    def signs_of(self, term: Term) -> frozenset[int]:
        """Which of -1, 0 and 1 the sign of a term can be, as far as can be seen."""
        each = [self._sign(product, n > 0) for product, n in term.products.items()]
        if not each:
            return frozenset({0})
        if len(each) == 1:
            return each[0]
        for sign in (1, -1):
            if all(signs <= {0, sign} for signs in each):
                return frozenset({sign} if any(signs == {sign} for signs in each) else {0, sign})
        return frozenset({-1, 0, 1})

    def _sign(self, product: Product, is_positive: bool) -> frozenset[int]:
        signs, amounts = {1 if is_positive else -1}, {1}
        for base, exponent in product:
            if base == SIGN:
                known = self.signs.get(exponent)
                signs = {s * k for s in signs for k in ((-1, 1) if known is None else (known,))}
            elif isinstance(base, Cut):
                found = self.signs_of(base.dividend * base.divisor)
                signs = {s * k for s in signs for k in found - {0} or {1}}
                if base in self.zero or found == {0}:
                    return frozenset({0})
                amounts |= set() if base in self.nonzero else {0}
            elif base != TEN and base not in self.nonzero:
                if base in self.zero and self.is_positive(exponent):
                    return frozenset({0})
                amounts |= {0}
        return frozenset(s * a for s in signs for a in amounts)

    def is_positive(self, count: Polynomial) -> bool:
        """Whether it is plain to see that this is at least 1."""
        has_one = any(all(v in self.nonzero or v[0] == "P" for v in monomial) for monomial in count.terms)
        return has_one and all(n > 0 for n in count.terms.values())

    def reduced(self, term: Term) -> Term:
        """With ⌊1/mⁿ⌋ as ⌊1/m⌋, where m and n are at least 1: both are 1 if m is, and 0 otherwise."""
        result = as_term(0)
        for product, n in term.products.items():
            result = result + n * product_of([(self._reduced(base), exponent) for base, exponent in product])
        return result

    def _reduced(self, base: Base) -> Base:
        if not isinstance(base, Cut) or base.divisor != as_term(1) or base.dividend.single is None:
            return base
        product, n = base.dividend.single
        if n != 1 or not all(isinstance(b, str) and b != TEN and self.is_positive(-e) for b, e in product):
            return base
        return Cut(product_of([(b, -ONE) for b, _ in product]), as_term(1))

    # --- counts ---

    def points_of(self, places: Polynomial) -> frozenset[bool]:
        """Whether a number with so many decimals has a point: yes, no, or both can be."""
        if places.is_constant or self.is_positive(places):
            return frozenset({places != ZERO})
        if places.bare is not None:
            return _EITHER
        facts, (places,) = self._spelled(places)
        return frozenset(
            has_point
            for has_point, opposite in ((True, equal(places, 0)), (False, at_least(places, 1)))
            if not self.solver.implies(facts, {}, opposite)[0]
        )

    def _spelled(self, *counts: Polynomial) -> tuple[list[Formula], list[Polynomial]]:
        """Facts that matter for some counts, and these, with names that a solver can read."""
        waiting = {n for p in counts for n in p.variables}
        waiting |= {n for fact in self.counts for p in polynomials(fact) for n in p.variables}
        names: dict[str, Polynomial] = {}
        defined: list[Formula] = list(self.counts)
        while waiting:
            name = waiting.pop()
            if name in names:
                continue
            names[name] = variable(name if _ORDINARY.fullmatch(name) else f"x{len(names)}")
            larger = larger_of(name)
            if larger:
                top = variable(name)
                defined.append(both(*(at_least(top, each) for each in larger)))
                defined.append(either(*(equal(top, each) for each in larger)))
                waiting |= {n for each in larger for n in each.variables}
            if name in self.nonzero:
                defined.append(at_least(variable(name), 1))
            if name in self.zero:
                defined.append(equal(variable(name), 0))
        return [substitute(fact, names) for fact in defined], [p.substitute(names) for p in counts]

    # --- more of it ---

    def put(self, values: Mapping[str, Polynomial]) -> Known:
        """With polynomials in place of quantities; what was known of quotients is forgotten."""
        inside = {n for fact in self.counts for p in polynomials(fact) for n in p.variables}
        changed = {n: put(variable(n), values) for n in inside}
        return replace(
            self,
            zero=frozenset(base for base in self.zero if isinstance(base, str)),
            nonzero=frozenset(base for base in self.nonzero if isinstance(base, str)),
            signs={put(parity, values): sign for parity, sign in self.signs.items()},
            counts=tuple(substitute(fact, changed) for fact in self.counts),
        )

    def know(self, *counts: Formula, zero: Base | None = None, nonzero: Base | None = None) -> Known:
        """With more facts."""
        return replace(
            self,
            counts=self.counts + counts,
            zero=self.zero | ({zero} if zero else set()),
            nonzero=self.nonzero | ({nonzero} if nonzero else set()),
        )
