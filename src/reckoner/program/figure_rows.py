"""What skills have to do that compose others on whole numbers: products, quotients, remainders, powers.

As in GNU bc, with z for the scale: a number whose decimals alone count.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from reckoner.program import form
from reckoner.program.field import NATURAL, NEGATIVE, NONZERO, WHOLE
from reckoner.program.figure import (
    Figure,
    Several,
    fitted,
    minus,
    one,
    over,
    plus,
    rest,
    times,
    to_the,
    with_units,
)
from reckoner.program.figure_row import FigureRow, Worth
from reckoner.program.form import Alternative, Form, Listed, Literal
from reckoner.program.formula import both
from reckoner.program.term import cut, maximum

_X, _Y = form.number("x"), form.number("y")
_SCALED = form.numbers("y", form.DECIMAL, "z", form.NATURAL)
_DIVIDED = form.numbers("y", form.NONZERO, "z", form.NATURAL)
_INTEGER, _CANONICAL = r"(?:0|-?[1-9]\d*)", r"(?:0|[1-9]\d*)"
OPERATORS = "+-*/%^"


def _joined(pattern: str, *forms: Form | str) -> Form:
    """Forms side by side."""
    parts = [(Alternative((f,)),) if isinstance(f, str) else f.alternatives for f in forms]
    found = []
    for shapes in product(*parts):
        # each keeps the sign it has by itself
        elements = [form.with_sign(e, a) for a in shapes for e in a.elements]
        found.append(Alternative(tuple(elements), where=both(*(a.where for a in shapes))))
    return Form(pattern, tuple(found))


def _marks() -> Form:
    return Form(r"\^?" * 10, tuple(Alternative((Literal("n", "^" * n, n),)) for n in range(11)))


def _several() -> Form:
    return _joined(rf"(?:{form.DECIMAL})(,\d)*", form.number("p"), Form("", (Alternative((Listed("e"),)),)))


def _operation() -> Form:
    signs = Form("", tuple(Alternative((Literal("o", o, i),)) for i, o in enumerate(OPERATORS)))
    return _joined(rf"(?:{form.DECIMAL})[-+*/%^](?:{form.DECIMAL})", _X, signs, _Y)


def _exponent(sign: bool, scale: str) -> Form:
    integer = form.signed("n") if sign else form.canonical("n")
    pattern = rf"{_INTEGER if sign else _CANONICAL},{scale}"
    return _joined(pattern, integer, ",", form.number("z", scale))


def _always(formula: Any) -> tuple[Worth, ...]:
    return (Worth(formula),)


def _product(x: Figure, y: Figure, z: Figure) -> Figure:
    return fitted(times(x, y), maximum(x.places, y.places, z.places))


def _power(x: Figure, n: Figure, z: Figure) -> Figure:
    return fitted(to_the(x, n.count), maximum(x.places, z.places))


def _inverse(x: Figure, n: Figure, z: Figure) -> Figure:
    """One divided by the power."""
    return over(one(x), to_the(x, Figure(-n.units, n.places).count), z.places)


def _horner(x: Figure, p: Figure, e: Several) -> Figure:
    """For one digit after the other, p to the tenth times x to that digit."""
    if p.units == 0:  # a known number; then a power of x would be worked out for nothing
        x = with_units(x, 1)
    return times(to_the(p, e.power), to_the(x, e.value))


def _length(x: Figure, n: int, more: int = 0) -> int:
    """At most so many digits has a power."""
    digits = 0 if abs(x.units) < 2 else len(str(abs(x.units)))
    return n * max(digits, x.places) + more


def _operate() -> tuple[Worth, ...]:
    def at(operator: str, formula: Any, **when: Any) -> Worth:
        return Worth(lambda x, y, o, z: formula(x, y, z), {"o": OPERATORS.index(operator), **when})

    return (
        at("+", lambda x, y, z: plus(x, y)),
        at("-", lambda x, y, z: minus(x, y)),
        at("*", _product),
        at("/", lambda x, y, z: over(x, y, z.places), y=NONZERO),
        at("%", lambda x, y, z: rest(x, y, z.places), y=NONZERO),
        at("^", _power, y=WHOLE & NATURAL),
        at("^", _inverse, x=NONZERO, y=WHOLE & NEGATIVE),
    )


ROWS: tuple[FigureRow, ...] = (
    FigureRow("exact-multiply", "x · y with all decimals", _X, _Y, _always(times)),
    FigureRow(
        "multiply-fit", "x · y with no more decimals than z has", _X, _SCALED,
        _always(lambda x, y, z: fitted(times(x, y), z.places)),
    ),
    FigureRow(
        "decimal-multiply", "x · y with no more decimals than x, y or z has", _X, _SCALED, _always(_product)
    ),
    FigureRow(
        "whole-divide", "the quotient, without points and cut toward zero", _X, form.number("y", form.NONZERO),
        _always(lambda x, y: Figure(cut(x.units, y.units), x.places * 0)),
    ),
    FigureRow(
        "divide-scaled", "the quotient without points, cut toward zero, with as many decimals as z has", _X, _DIVIDED,
        _always(lambda x, y, z: Figure(cut(x.units, y.units), z.places)),
    ),
    FigureRow(
        "decimal-divide", "the quotient with as many decimals as z has", _X, _DIVIDED,
        _always(lambda x, y, z: over(x, y, z.places)),
    ),
    FigureRow(
        "take-product", "x - y · q", _X, form.numbers("y", form.DECIMAL, "q", form.DECIMAL),
        _always(lambda x, y, q: minus(x, times(y, q))),
    ),
    FigureRow(
        "decimal-modulo", "what x ÷ y leaves if the quotient has as many decimals as z has", _X, _DIVIDED,
        _always(lambda x, y, z: rest(x, y, z.places)),
    ),
    FigureRow(
        "power-marks", "x to the power of as many as there are marks", _X, _marks(),
        _always(to_the), raises=lambda x, n: _length(x, n),
    ),
    FigureRow(
        "power-digit", "x to the d", _X, form.digit("d"), _always(lambda x, d: to_the(x, d.count)),
        raises=lambda x, d: _length(x, d.units),
    ),
    FigureRow(
        "tenth-power-times", "x to the tenth, times y", _X, _Y, _always(lambda x, y: times(to_the(x, 10), y)),
        raises=lambda x, y: _length(x, 10),
    ),
    FigureRow(
        "power-step", "p to the tenth, times x to the d", _X,
        _joined(rf"(?:{form.DECIMAL}),\d", form.number("p"), ",", form.digit("d")),
        _always(lambda x, p, d: times(to_the(p, 10), to_the(x, d.count))),
        raises=lambda x, p, d: _length(p, 10, _length(x, d.units)),
    ),
    FigureRow(
        "power-digits", "for one digit after the other, p to the tenth times x to that digit", _X, _several(),
        _always(_horner), raises=lambda x, p, e: _length(x, e.value, _length(p, e.power)),
    ),
    FigureRow(
        "exact-power", "x to the n with all decimals", _X, form.canonical("n"),
        _always(lambda x, n: to_the(x, n.count)), raises=lambda x, n: _length(x, n.units),
    ),
    FigureRow(
        "power-fit", "x to the n with no more decimals than z has", _X, _exponent(False, form.NATURAL),
        _always(lambda x, n, z: fitted(to_the(x, n.count), z.places)), raises=lambda x, n, z: _length(x, n.units),
    ),
    FigureRow(
        "power-scaled", "x to the n with no more decimals than x or z has", _X, _exponent(False, form.SCALE),
        _always(_power), raises=lambda x, n, z: _length(x, n.units),
    ),
    FigureRow(
        "decimal-power", "x to the n; if n is negative, 1 divided by the power, with as many decimals as z has",
        _X, _exponent(True, form.SCALE),
        (Worth(_power, {"n": NATURAL}), Worth(_inverse, {"n": NEGATIVE, "x": NONZERO})),
        raises=lambda x, n, z: _length(x, abs(n.units), z.places),
    ),
    FigureRow(
        "operate", "x and y with the operator between them, at the scale of z", _operation(),
        form.number("z", form.SCALE), _operate(),
        raises=lambda x, y, o, z: _length(x, abs(y.units)) if OPERATORS[o] == "^" else 0,
    ),
)  # fmt: skip
