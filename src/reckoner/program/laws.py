"""That signs go through products, quotients and remainders at a scale as `symbolic.LAWS` says.

Numbers are units here, whole numbers, and the powers of ten that their decimals ask for. Each operation cuts one
quotient toward zero, whose divisor is positive: x/y is xy divided by y². That such a quotient takes the dividend's
sign and is else the same, the solver shows; the rest are identities of polynomials. Of powers nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from reckoner.program.formula import Formula, at_least, both, either, equal, less
from reckoner.program.polynomial import ZERO, Polynomial, variable
from reckoner.program.solver import Solver
from reckoner.program.symbolic import Law

_x, _y, _r = variable("x"), variable("y"), variable("r")
_s, _t, _u, _v = (variable(f"10^{name}") for name in "stuv")


class Definition(NamedTuple):
    """The units of a result; r is the quotient cut toward zero, the names with 10^ depend on decimals and scale."""

    dividend: Polynomial
    divisor: Polynomial  # at least 1, because no divisor is zero
    result: Polynomial


DEFINITIONS = {
    "*": Definition(_x * _y, _t, _r),  # t: the decimals that are cut off, as many for x·y as for y·x
    "/": Definition(_x * _y * _s, _y * _y * _t, _r),
    "%": Definition(_x * _y * _s, _y * _y * _t, _x * _u - _r * _y * _v),
}


def find_broken_law(laws: Mapping[str, Law], solver: Solver) -> str | None:
    """An operator of which more is claimed than is so."""
    if not cuts_toward_zero(solver):
        return "/"
    return next((sign for sign, law in laws.items() if not _holds(sign, law)), None)


def cuts_toward_zero(solver: Solver) -> bool:
    """Whether p/t and -p/t, cut toward zero, differ in their sign alone, and nothing divided is nothing."""
    p, t, q = variable("vp"), variable("vt"), variable("vq")
    r = variable("vr")
    known = [at_least(t, 1), _is_cut(p, t, q), _is_cut(-p, t, r)]
    is_odd = solver.implies(known, {}, equal(q + r, 0))[0]
    return is_odd and solver.implies([at_least(t, 1), _is_cut(ZERO, t, q)], {}, equal(q, 0))[0]


def _is_cut(p: Polynomial, t: Polynomial, q: Polynomial) -> Formula:
    """That q is p/t cut toward zero, for a positive t."""
    rest = p - q * t
    up = both(at_least(p, 0), at_least(rest, 0), less(rest, t))
    down = both(less(p, 0), at_least(-rest, 0), less(-rest, t))
    return either(up, down)


def _holds(sign: str, law: Law) -> bool:
    if not (law.left or law.right or law.commutes or law.keeps_zero):
        return True
    if sign not in DEFINITIONS:
        return False
    swapped = {"x": _y, "y": _x}
    return (
        (not law.left or _turned(sign, "x") == law.left)
        and (not law.right or _turned(sign, "y") == law.right)
        and (not law.commutes or all(p.substitute(swapped) == p for p in DEFINITIONS[sign]))
        and (not law.keeps_zero or _is_zero(sign))
    )


def _turned(sign: str, name: str) -> int:
    """What a minus sign of one operand does to the result: 1 nothing, -1 it has it too, 0 something else."""
    dividend, divisor, result = DEFINITIONS[sign]
    turned = {name: -variable(name)}
    quotients = {factor for factor in (1, -1) if dividend.substitute(turned) == factor * dividend}
    if divisor.substitute(turned) != divisor or not quotients:
        return 0
    after = result.substitute({**turned, "r": quotients.pop() * _r})
    return 1 if after == result else -1 if after == -result else 0


def _is_zero(sign: str) -> bool:
    """Whether a left operand of zero gives zero."""
    dividend, _, result = (p.substitute({"x": ZERO}) for p in DEFINITIONS[sign])
    return dividend == ZERO and result.substitute({"r": ZERO}) == ZERO
