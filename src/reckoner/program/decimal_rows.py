"""What skills on numbers with decimals have to do: rows, as in `specification`.

Of a number x, the whole part is called x and the digits behind the point x_decimals; both are negative if it is. Its
*units* are all its digits as one whole number.
"""

from __future__ import annotations

from reckoner.program import form
from reckoner.program.form import NATURAL, amount, decimals_of, length, power, sign
from reckoner.program.formula import Formula, at_least, both, either, equal, less
from reckoner.program.polynomial import Polynomial, variable
from reckoner.program.row import Case, Difference, Part, Quotient, Row, Run

Shown = tuple[tuple[Formula, tuple[Part, ...]], ...]  # ways in which something is written, and when

_q = variable("q")


def _units(name: str) -> Polynomial:
    """All digits of a number as one whole number, with its sign."""
    return variable(name) * power(decimals_of(name)) + variable(decimals_of(name))


def _places(name: str) -> Polynomial:
    return length(decimals_of(name))


def _ten(name: str) -> Polynomial:
    return power(decimals_of(name))


def _signs(name: str) -> Shown:
    """Whether a number of the message has a minus sign, and what stands before its digits then."""
    return (equal(sign(name), 1), ()), (equal(sign(name), -1), ("-",))


def _digits(name: str, more: str | None = None) -> Shown:
    """The digits of a number of the message, with as many zeros behind them as the difference `more` says."""
    whole, rest = Run(amount(name)), decimals_of(name)
    places, value = length(rest), amount(rest)
    if more is not None:
        places, value = places + variable(more), value * variable(f"10^{more}")
    return (equal(places, 0), (whole,)), (at_least(places, 1), (whole, ".", Run(value, places)))


def _signed(name: str, more: str | None = None) -> Shown:
    return tuple(
        (both(when, and_when), (*before, *parts))
        for when, before in _signs(name)
        for and_when, parts in _digits(name, more)
    )


def _placed(value: Polynomial, places: Polynomial, ten: Polynomial) -> tuple[Case, ...]:
    """A value in units, with so many decimals."""
    cases: list[Case] = []
    positive, negative = (at_least(value, 0), value, ()), (less(value, 0), -value, ("-",))
    for when, shown, before in (positive, negative):
        parts = (*before, Run(_q), ".", Run(shown - _q * ten, places))
        cases.append(Case((*before, Run(shown)), both(when, equal(places, 0))))
        cases.append(Case(parts, both(when, at_least(places, 1)), (Quotient("q", shown, ten),)))
    return tuple(cases)


def _level() -> tuple[Case, ...]:
    return tuple(
        Case((*x, ",", *y), both(when, and_when))
        for when, x in _signed("x", "j")
        for and_when, y in _signed("y", "k")
    )


def _whole_pair() -> tuple[Case, ...]:
    x, y = sign("x") * _units("x"), sign("y") * _units("y")
    return tuple(
        Case((*before, Run(x), ",", *between, Run(y)), both(when, and_when))
        for when, before in _signs("x")
        for and_when, between in _signs("y")
    )


def _negate() -> tuple[Case, ...]:
    units = _units("x")
    cases: list[Case] = []
    for has_point, parts in _digits("x"):
        cases.append(Case(("-", *parts), both(at_least(units, 1), has_point)))
        cases.append(Case(parts, both(either(less(units, 0), equal(units, 0)), has_point)))
    return tuple(cases)


def _fitted(value: Polynomial, places: Polynomial, ten: Polynomial, fewer: str) -> tuple[Case, ...]:
    """A value in units with so many decimals, of which the last `fewer` are cut off; no sign before a zero."""
    cut, kept, all_cut = variable(f"10^{fewer}"), places - variable(fewer), variable("f")
    cases: list[Case] = []
    for when, shown, before in (
        (at_least(value, 0), value, ()),
        (both(less(value, 0), at_least(-value, cut)), -value, ("-",)),
        (both(less(value, 0), less(-value, cut)), -value, ()),
    ):
        whole = Quotient("q", shown, ten)
        rest = Quotient("f", shown - _q * ten, cut)
        cases.append(Case((*before, Run(_q)), both(when, equal(kept, 0)), (whole,)))
        parts = (*before, Run(_q), ".", Run(all_cut, kept))
        cases.append(Case(parts, both(when, at_least(kept, 1)), (whole, rest)))
    return tuple(cases)


def _scale_dividend() -> tuple[Case, ...]:
    rest, cases = decimals_of("x"), []
    places = _places("x") + variable("j") + _places("z")
    value = amount(rest) * variable("10^j") * _ten("z")
    whole = Run(amount("x"))
    scaled = ((equal(places, 0), (whole,)), (at_least(places, 1), (whole, ".", Run(value, places))))
    for when, before in _signs("x"):
        for has_point, parts in scaled:
            for and_when, y in _signed("y", "k"):
                for so_when, z in _digits("z"):
                    condition = both(when, has_point, and_when, so_when)
                    cases.append(Case((*before, *parts, ",", *y, ",", *z), condition))
    return tuple(cases)


def _widest() -> tuple[Case, ...]:
    places = _places("z") + variable("k") + variable("l")
    value = amount(decimals_of("z")) * variable("10^k") * variable("10^l")
    whole = Run(amount("z"))
    return Case((whole,), equal(places, 0)), Case((whole, ".", Run(value, places)), at_least(places, 1))


_PAIR = (form.number("x"), form.number("y"))
_SCALED = (form.number("x"), form.numbers("y", form.DECIMAL, "z", NATURAL))
_EVEN = (Difference("j", _places("y"), _places("x")), Difference("k", _places("x"), _places("y")))
_MOST, _TEN_MOST = (
    _places("x") + variable("j"),
    _ten("x") * variable("10^j"),
)  # decimals of the one that has more
_X, _Y = _units("x") * variable("10^j"), _units("y") * variable("10^k")  # … and both in units of that


def _whole(value: Polynomial) -> tuple[Case, ...]:
    return Case((Run(value),), at_least(value, 0)), Case(("-", Run(-value)), less(value, 0))


ROWS: tuple[Row, ...] = (
    Row(
        "extend", "x with zeros behind it until it has as many decimals as y has digits",
        form.number("x"), form.digits("y"), tuple(Case(parts, when) for when, parts in _signed("x", "k")),
        differences=(Difference("k", length("y"), _places("x")),),
    ),
    Row(
        "level", "both numbers with as many decimals as the one that has more", *_PAIR, _level(), differences=_EVEN,
    ),
    Row("whole-pair", "both numbers without their points", *_PAIR, _whole_pair()),
    Row("negate", "-x", form.number("x"), form.NOTHING, _negate()),
    Row(
        "place-scale", "x with as many decimals as z has", form.signed("x"), form.number("z", NATURAL),
        _placed(variable("x"), _places("z"), _ten("z")),
    ),
    Row(
        "place-both", "p with as many decimals as x and y together", form.signed("p"),
        form.numbers("x", form.DECIMAL, "y", form.DECIMAL),
        _placed(variable("p"), _places("x") + _places("y"), _ten("x") * _ten("y")),
    ),
    Row(
        "fit", "x with no more decimals than z has", form.number("x"), form.number("z", NATURAL),
        _fitted(_units("x"), _places("x"), _ten("x"), "k"), differences=(Difference("k", _places("x"), _places("z")),),
    ),
    Row(
        "widest", "z with as many decimals as any of the three has", *_SCALED, _widest(),
        differences=(
            Difference("k", _places("y"), _places("z")), Difference("l", _places("x"), _places("z") + variable("k")),
        ),
    ),
    Row(
        "scale-dividend", "x and y with equally many decimals, x with as many more as z has, and z", *_SCALED,
        _scale_dividend(), differences=_EVEN,
    ),
    Row("whole-add", "x + y, without points", *_PAIR, _whole(_units("x") + _units("y"))),
    Row("whole-multiply", "x · y, without points", *_PAIR, _whole(_units("x") * _units("y"))),
    Row(
        "add-level", "x + y, where both have equally many decimals", *_PAIR,
        _placed(_units("x") + _units("y"), _places("x"), _ten("x")),
        both(equal(_places("x"), _places("y")), equal(_ten("x"), _ten("y"))),
    ),
    Row("decimal-add", "x + y", *_PAIR, _placed(_X + _Y, _MOST, _TEN_MOST), differences=_EVEN),
    Row("decimal-subtract", "x - y", *_PAIR, _placed(_X - _Y, _MOST, _TEN_MOST), differences=_EVEN),
)  # fmt: skip
