"""Terms in normal form against numbers; what rows say about whole numbers against what they say digit by digit."""

from __future__ import annotations

from fractions import Fraction
from math import prod, trunc
from random import Random
from typing import Any

import pytest

from reckoner.program import field
from reckoner.program.concrete import sample
from reckoner.program.count import larger_of
from reckoner.program.field import figures, readings
from reckoner.program.figure import Figure, fitted, minus, over, plus, rest, times, to_the
from reckoner.program.figure_answer import joined
from reckoner.program.figure_row import FigureRow
from reckoner.program.figure_state import Names, State, number
from reckoner.program.known import Known
from reckoner.program.polynomial import ONE, ZERO, Polynomial, lift, variable
from reckoner.program.row import Case, Row, Run
from reckoner.program.shown import Apart, NoTemplate, places_of, units_of
from reckoner.program.specification import BY_NAME, ROWS
from reckoner.program.template import template_of
from reckoner.program.term import (
    SIGN,
    TEN,
    Cut,
    Term,
    as_polynomial,
    as_term,
    cut,
    maximum,
    raised,
    ten_to,
)

X, Y, Z = (Figure(as_term(variable(f"a{i}")), variable(f"m{i}")) for i in (1, 2, 3))


def count(polynomial: Polynomial, values: dict[str, int]) -> int:
    """A count for numbers."""
    known = dict(values)
    for name in polynomial.variables:
        if larger_of(name):
            known[name] = max(count(each, values) for each in larger_of(name))
    return polynomial.evaluate(known)


def evaluate(term: Term, values: dict[str, int]) -> Fraction:
    """A term for numbers."""

    def base(b: object) -> Fraction:
        if isinstance(b, Cut):
            return Fraction(trunc(evaluate(b.dividend, values) / evaluate(b.divisor, values)))
        return Fraction({SIGN: -1, TEN: 10}[b]) if b in (SIGN, TEN) else Fraction(values[b])  # type: ignore[index]

    return sum(
        (n * prod(base(b) ** count(e, values) for b, e in p) for p, n in term.products.items()), Fraction(0)
    )


def some_values(rng: Random) -> dict[str, int]:
    units = {f"a{i}": rng.choice((1, 2, 7, rng.randint(1, 10**6))) for i in (1, 2, 3)}
    return units | {f"m{i}": rng.randint(0, 4) for i in (1, 2, 3)} | {"n": rng.randint(0, 4)}


FORMULAS = {
    "times": lambda x, y, z, n: times(x, y),
    "fitted": lambda x, y, z, n: fitted(times(x, y), z.places),
    "over": lambda x, y, z, n: over(x, y, z.places),
    "rest": lambda x, y, z, n: rest(x, y, z.places),
    "plus": lambda x, y, z, n: plus(minus(x, y), z),
    "power": lambda x, y, z, n: fitted(to_the(Figure(-x.units, x.places), n), maximum(x.places, z.places)),
    "inverse": lambda x, y, z, n: over(y, to_the(x, n), z.places),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_a_formula_on_terms_is_the_formula_on_numbers(name):
    """Normal forms may be rearranged as they like, but for all numbers they are worth the same."""
    rng = Random(name)
    formula: Any = FORMULAS[name]
    symbolic = formula(X, Y, Z, variable("n"))
    for _ in range(200):
        v = some_values(rng)
        concrete = formula(*(Figure(v[f"a{i}"], v[f"m{i}"]) for i in (1, 2, 3)), v["n"])
        assert (evaluate(symbolic.units, v), count(symbolic.places, v)) == concrete


def test_equal_terms_have_one_form_and_others_another():
    d, e, n = variable("m1"), variable("m2"), variable("n")
    assert maximum(d, maximum(e, n)) == maximum(maximum(n, d), e)
    assert maximum(d + n, e + n) == n + maximum(d, e)
    assert maximum(d + e, e) == d + e
    assert maximum(d, e) != maximum(d, n)
    assert cut(X.units * ten_to(d + n), ten_to(e + n)) == cut(X.units * ten_to(d), ten_to(e))
    assert cut(-X.units, Y.units) == -cut(X.units, Y.units) == cut(X.units, -Y.units)
    assert cut(X.units * ten_to(d), ten_to(e)) != X.units * ten_to(d - e)
    assert raised(-X.units, n) * raised(-X.units, n) == raised(X.units, 2 * n)
    assert raised(-X.units, n) != raised(X.units, n)
    assert raised(-X.units, n * n + n) == raised(X.units, n * n + n)
    assert as_polynomial(X.units + 1) == variable("a1") + 1
    assert as_polynomial(-X.units) is None


def test_what_is_put_in_place_of_a_quantity_is_put_in_everywhere():
    rng = Random(3)
    power = over(Y, to_the(X, variable("n")), maximum(X.places, Z.places))
    changes = {"m1": variable("m4") + 1, "n": lift(2) * variable("m5"), "a2": variable("a1") + 3}
    changed = power.units.substitute(changes)
    for _ in range(100):
        v = some_values(rng) | {"m4": rng.randint(0, 2), "m5": rng.randint(0, 2)}
        w = v | {"m1": v["m4"] + 1, "n": 2 * v["m5"], "a2": v["a1"] + 3}
        assert evaluate(changed, v) == evaluate(power.units, w)


# --- signs and points ---


def test_signs_and_points_that_can_be_are_known_to_be_possible():
    """What is known of a number allows every shape it really has."""
    rng = Random(5)
    for name, formula in FORMULAS.items():
        known = Known(nonzero=frozenset({"a1", "a2", "a3"}))
        symbolic = formula(X, Y, Z, variable("n"))
        shapes = known.shapes(symbolic)
        for _ in range(100):
            v = some_values(rng)
            concrete = Figure(int(evaluate(symbolic.units, v)), count(symbolic.places, v))
            assert field.shape_of(concrete) in shapes, (name, v)
    assert Known().signs_of(as_term(variable("a1"))) == {0, 1}
    assert Known(zero=frozenset({"a1"})).signs_of(X.units * Y.units) == {0}
    assert Known(nonzero=frozenset({"a1"})).signs_of(-X.units) == {-1}
    both = fitted(to_the(X, variable("a2")), Z.places).places
    positive = frozenset({"a2", "m1", "m3"})
    assert Known(nonzero=positive).points_of(both) == {True}
    assert Known(zero=frozenset({"a2"})).points_of(both) == {False}


def test_a_number_is_split_by_its_own_sign_and_a_power_by_whether_its_exponent_is_odd():
    """-1 to the n is not n: the exponent stays what it is (this was wrong once)."""
    names = Names()
    x, known = number(field.NEGATIVE, names, Known())
    n, known = number(field.NATURAL & field.WHOLE, names, known)
    state = State(((to_the(x, n.count),),), {"n": n}, known, ZERO, names)
    state = next(case for case, is_so in state.decide(lambda s: s.problem["n"], field.NATURAL) if is_so)
    cases = list(state.decide(lambda s: s.texts[0][0], field.NEGATIVE))  # type: ignore[arg-type,return-value]
    assert {is_negative for _, is_negative in cases} == {True, False}
    assert all(case.problem["n"] == n for case, _ in cases)
    assert all("a2" in case.known.nonzero for case, is_negative in cases if is_negative)


def test_one_divided_by_a_power_is_at_scale_0_one_divided_by_its_base():
    n = variable("a2")
    inverse, power = cut(as_term(1), X.units), cut(as_term(1), raised(X.units, n))
    assert inverse != power
    assert Known(nonzero=frozenset({"a2"})).reduced(power) == inverse
    assert Known().reduced(power) == power  # 1/m⁰ is 1
    two = cut(as_term(2), raised(X.units, n))
    assert Known(nonzero=frozenset({"a2"})).reduced(two) == two


# --- rows ---

WITH_TEMPLATE = [
    *("whole-multiply", "place-both", "widest", "fit", "whole-pair", "signed-divide", "scale-dividend"),
    *("place-scale", "decimal-subtract", "decimal-add", "extend", "marks", "strip", "level", "digits-apart"),
]


@pytest.mark.parametrize("name", WITH_TEMPLATE)
def test_a_template_says_what_its_row_says(name):
    row, rng = BY_NAME[name], Random(name)
    assert isinstance(row, Row)
    template = template_of(row)
    tried = 0
    for i in range(600):
        x, y = sample(row, rng, 1 + i % 5)
        values = row.read(x, y)
        if values is None:
            continue
        v: dict[str, int] = {d.name: values[d.name] for d in row.differences}
        for each, found in {**(figures(row.x, x) or {}), **(figures(row.y, y) or {})}.items():
            v[units_of(each)] = found.units if isinstance(found, Figure) else found.value
            v[places_of(each)] = found.places if isinstance(found, Figure) else found.length
        options = [o for o in template.options if len(template.options) == 1 or _holds(o.when, values)]
        (option,) = options
        assert "".join(_spelled(shown, v) for shown in option.shown) == row.answer(x, y)
        tried += 1
    assert tried > 20


def _holds(when, values):
    from reckoner.program.formula import evaluate as holds

    return holds(when, values)


def _spelled(shown, values):
    match shown:
        case Figure(units, places):
            return str(Figure(int(evaluate(units, values)), count(places, values)))
        case Apart(value, length):
            return ",".join(str(int(evaluate(value, values))).zfill(count(length, values)))
        case _:
            return shown


@pytest.mark.parametrize("name", ["fit", "extend", "scale-dividend", "whole-pair", "signed-divide"])
def test_a_case_that_says_something_else_has_no_template(name):
    """One case of many is off by one: then the row does not say one thing about numbers."""
    row = BY_NAME[name]
    assert isinstance(row, Row)

    def off(case: Case) -> Case:
        parts = [Run(p.value + 1, p.length) if isinstance(p, Run) else p for p in case.parts]
        return Case(tuple(parts), case.when, case.quotients)

    for i in range(len(row.cases)):
        cases = tuple(off(case) if i == j else case for j, case in enumerate(row.cases))
        changed = Row(row.name, row.says, row.x, row.y, cases, row.where, row.quotient, row.differences)
        with pytest.raises(NoTemplate):
            template_of(changed)


@pytest.mark.parametrize("row", [r for r in ROWS if isinstance(r, FigureRow)], ids=lambda row: row.name)
def test_readings_are_all_shapes_of_a_form(row):
    """Whatever the form accepts has one of the shapes of its reading, and no shape is left over."""
    rng = Random(row.name)
    for form in (row.x, row.y):
        seen: dict[str, set[field.Shape]] = {}
        for i in range(1500):
            text = sample(row, rng, 1 + i % 4)[form is row.y]
            for name, found in (figures(form, text) or {}).items():
                if isinstance(found, Figure):
                    seen.setdefault(name, set()).add(field.shape_of(found))
        for each in {f for reading in readings(form) for f in reading if isinstance(f, field.Number)}:
            assert seen[each.name] == each.shapes & row.where.get(each.name, field.ANY)


def test_a_nought_behind_a_number_with_a_point_is_one_more_decimal():
    """One of three seeds of `decimal-power` writes `3.9` right before the scale `0`, and divides by `3.90`."""
    units, places = as_term(variable("a1")), variable("m1")
    nought = Figure(as_term(0), ZERO)
    with_point, maybe = Figure(units, places + 1), Figure(units, places)
    assert joined((",", with_point, nought, ","), Known()) == (",", Figure(units * 10, places + 2), ",")
    for apart in ((maybe, nought), (with_point, ",", nought), (with_point, Figure(as_term(0), ONE))):
        assert joined(apart, Known()) == apart
