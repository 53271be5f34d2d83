"""What every skill has to do: one row per skill.

A row gives the form of the two reads, a condition on them (`where`), and the answer by cases, over the values
and lengths of the numbers read. Everything else is derived from it: the formulas of the proof (as assumption
about a callee, and as goal of the skill itself), a concrete oracle (`Row.answer`), and the check of any answer
(`Row.holds`), to which the curriculum's samplers are held by tests.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from reckoner.program import decimal_rows, figure_rows, form
from reckoner.program.form import Digit, amount, length, power, sign
from reckoner.program.formula import TRUE, Formula, at_least, both, either, equal, less
from reckoner.program.polynomial import ONE, ZERO, Polynomial, lift, variable
from reckoner.program.row import Case, Difference, Part, Quotient, Row, Run, Specified, Spread


def _always(*parts: Part) -> tuple[Case, ...]:
    return (Case(parts),)


def _signed(value: Polynomial) -> tuple[Case, ...]:
    """A number with a minus sign if it is negative."""
    return (Case((Run(value),), at_least(value, 0)), Case(("-", Run(-value)), less(value, 0)))


@dataclass(frozen=True)
class _Names:
    """Short names for the table below."""

    x: Polynomial = field(default=variable("x"))
    y: Polynomial = field(default=variable("y"))
    c: Polynomial = field(default=variable("c"))
    d: Polynomial = field(default=variable("d"))
    p: Polynomial = field(default=variable("p"))
    q: Polynomial = field(default=variable("q"))


_ = _Names()
_X, _Y = length("x"), length("y")
_CARRY = Digit("c", 0, 1)
_WIDER = ((at_least(_X, _Y), "x"), (less(_X, _Y), "y"))  # which of two numbers has more digits


def _sum_cases() -> tuple[Case, ...]:
    return tuple(Case((Run(_.x + _.y + _.c, length(w) + 1),), when) for when, w in _WIDER)


def _difference_cases(widths: tuple[tuple[Formula, Polynomial, Polynomial], ...]) -> tuple[Case, ...]:
    """The borrow out, then the difference, with ten to the width added if it would be negative."""
    difference = _.x - _.y - _.c
    cases = []
    for when, width, ten in widths:
        cases.append(Case((Run(ZERO, ONE), Run(difference, width)), both(when, at_least(difference, 0))))
        cases.append(Case((Run(ONE, ONE), Run(difference + ten, width)), both(when, less(difference, 0))))
    return tuple(cases)


def _quotient_steps(name: str, most: int, least: int = 0) -> Row:
    """Take y from x and count it in q, while x ≥ y, at most `most` times."""
    cases = []
    for times in range(least, most + 1):
        rest = _.x - times * _.y
        when = both(at_least(rest, 0), TRUE if times == most else less(rest, _.y))
        last = Run(rest, kept="x" if times == 0 else None)
        cases.append(Case((Run(_.q + times, ONE), ",", last), when))
    return Row(
        name,
        f"q,x and y: take y from x and count it in q, while it goes, at most {most} times",
        form.counted("q", "x"),
        form.positive("y"),
        tuple(cases),
        both(less(_.x, (10 - _.q) * _.y), at_least(_.x, least * _.y)),
    )


def _string_rows() -> tuple[Row, ...]:
    """What decimals are made with: strings of digits, of which one is as long as another."""
    some, none, tens = at_least(_X + _Y, 1), equal(_X + _Y, 0), variable("10^k")
    k = variable("k")
    return (
        Row("point", "a point before a digit", form.digit("x"), form.NOTHING, _always(".", Run(_.x, ONE))),
        Row("comma", "a comma before a digit", form.digit("x"), form.NOTHING, _always(",", Run(_.x, ONE))),
        Row(
            "marks", "as many ^ as the digit says", form.digit("x"), form.NOTHING,
            tuple(Case(("^",) * n, equal(_.x, n)) for n in range(10)),
        ),
        Row(
            "digits-apart", "the digits of x with commas between them", form.some_digits("x"), form.NOTHING,
            _always(Spread(_.x, _X)),
        ),
        Row(
            "pad", "x with zeros behind it until it is as long as y", form.digits("x"), form.digits("y"),
            (Case((Run(_.x * tens, _X + k),), some), Case((), none)),
            differences=(Difference("k", _Y, _X),),
        ),
        Row(
            "cut", "as many digits from the front of x as y has", form.digits("x"), form.digits("y"),
            (
                Case((Run(_N, _X - k),), both(at_least(_X, 1), at_least(_Y, 1))),
                Case((), either(equal(_X, 0), equal(_Y, 0))),
            ),
            quotient=Quotient("n", _.x, tens), differences=(Difference("k", _X, _Y),),
        ),
        Row(
            "place", "y with a point before as many of its digits as x has, and zeros in front where it has too few",
            form.digits("x"), form.digits("y"),
            (
                Case((Run(_N, _Y + k - _X), ".", Run(_.y - _N * power("x"), _X)), at_least(_X, 1)),
                Case((Run(_.y, _Y + k),), equal(_X, 0)),
            ),
            quotient=Quotient("n", _.y, power("x")), differences=(Difference("k", _X + 1, _Y),),
        ),
    )  # fmt: skip


_DIVIDE = Quotient("n", _.x, _.y)
_N = variable("n")
_DIVIDE_SIGNED = Quotient("n", amount("x"), amount("y"))

_ROWS: tuple[Row, ...] = (
    Row(
        "add-column", "x + y + c in two digits", form.maybe_digit("x"),
        form.maybe_digit_and("y", _CARRY, r"\d?[01]"), _always(Run(_.x + _.y + _.c, lift(2))),
    ),
    Row(
        "subtract-column", "x - y - c: the borrow and a digit", form.maybe_digit("x"),
        form.maybe_digit_and("y", _CARRY, r"\d?[01]"), _difference_cases(((TRUE, ONE, lift(10)),)),
    ),
    Row(
        "multiply-column", "x · d + c in two digits", form.digit("x"), form.two_digits("d", "c", r"\d[0-8]", 8),
        _always(Run(_.x * _.d + _.c, lift(2))),
    ),
    Row("next-digit", "the digit after x", form.digit("x", "[0-8]", 0, 8), form.NOTHING, _always(Run(_.x + 1, ONE))),
    Row(
        "drop-zero", "two digits without a leading zero", form.two_digits("x", "d", r"\d\d"), form.NOTHING,
        (Case((Run(_.d, ONE),), equal(_.x, 0)), Case((Run(_.x, ONE), Run(_.d, ONE)), at_least(_.x, 1))),
    ),
    Row(
        "borrow-sign", "a minus sign for 1, nothing for 0", form.digit("x", "[01]", 0, 1), form.NOTHING,
        (Case((), equal(_.x, 0)), Case(("-",), equal(_.x, 1))),
    ),
    Row(
        "add-columns", "x + y + c in one digit more than the wider has", form.digits("x"),
        form.digits_and("y", _CARRY, r"\d*[01]"), _sum_cases(), at_least(_X + _Y, 1),
    ),
    Row(
        "strip", "the digits of x and y without leading zeros; nothing stays nothing",
        form.digits("x"), form.digits("y"),
        (Case((Run(_.x * power("y") + _.y),), at_least(_X + _Y, 1)), Case((), equal(_X + _Y, 0))),
    ),
    Row("M+M", "x + y", form.some_digits("x"), form.some_digits("y"), _always(Run(_.x + _.y))),
    Row(
        "subtract-columns", "x - y - c: the borrow, then as many digits as the wider has", form.digits("x"),
        form.digits_and("y", _CARRY, r"\d*[01]"),
        _difference_cases(tuple((when, length(w), power(w)) for when, w in _WIDER)), at_least(_X + _Y, 1),
    ),
    Row(
        "less", "a minus sign if x < y, otherwise nothing", form.some_digits("x"), form.some_digits("y"),
        (Case(("-",), less(_.x, _.y)), Case((), at_least(_.x, _.y))),
    ),
    Row(
        "M-M-natural", "x - y, where it is not negative", form.some_digits("x"), form.some_digits("y"),
        _always(Run(_.x - _.y)), at_least(_.x, _.y),
    ),
    Row("M-M", "x - y", form.some_digits("x"), form.some_digits("y"), _signed(_.x - _.y)),
    Row(
        "multiply-columns", "x · d + c in one digit more than x has", form.some_digits("x"),
        form.two_digits("d", "c", r"\d[0-8]", 8), _always(Run(_.x * _.d + _.c, _X + 1)),
    ),
    Row("M*S", "x · d", form.some_digits("x"), form.digit("d"), _always(Run(_.x * _.d))),
    Row("shift-add", "10x + y", form.canonical("x"), form.canonical("y"), _always(Run(10 * _.x + _.y))),
    Row(
        "multiply-accumulate", "10p + x · d, where the second read is p followed by d", form.canonical("x"),
        form.accumulated("p", "d"), _always(Run(10 * _.p + _.x * _.d)),
    ),
    Row("M*M", "x · y", form.canonical("x"), form.canonical("y"), _always(Run(_.x * _.y))),
    _quotient_steps("quotient-take", 1, 1),
    _quotient_steps("quotient-step", 1),
    _quotient_steps("quotient-twice", 2),
    _quotient_steps("quotient-four", 4),
    _quotient_steps("quotient-eight", 8),
    _quotient_steps("quotient-digit", 9),
    Row(
        "quotient-next", "the quotient, which is a digit, and the remainder", form.some_digits("x"), form.positive("y"),
        _always(Run(_N, ONE), ",", Run(_.x - _N * _.y)), less(_.x, 10 * _.y), _DIVIDE,
    ),
    Row(
        "divide-digits", "the quotient in as many digits as x has, and the remainder", form.canonical("x"),
        form.positive("y"), _always(Run(_N, _X), ",", Run(_.x - _N * _.y)), quotient=_DIVIDE,
    ),
    Row("M/M", "the quotient", form.canonical("x"), form.positive("y"), _always(Run(_N)), quotient=_DIVIDE),
    Row("signed-add", "x + y", form.signed("x"), form.signed("y"), _signed(_.x + _.y)),
    Row("signed-subtract", "x - y", form.signed("x"), form.signed("y"), _signed(_.x - _.y)),
    Row("signed-multiply", "x · y", form.signed("x"), form.signed("y"), _signed(_.x * _.y)),
    Row(
        "signed-divide", "the quotient, cut toward zero", form.signed("x"), form.signed_nonzero("y"),
        _signed(sign("x") * sign("y") * _N), quotient=_DIVIDE_SIGNED,
    ),
    Row(
        "M%M", "the remainder", form.canonical("x"), form.positive("y"), _always(Run(_.x - _N * _.y)), quotient=_DIVIDE,
    ),
    Row(
        "signed-modulo", "the remainder, with the sign of x", form.signed("x"), form.signed_nonzero("y"),
        _signed(sign("x") * (amount("x") - _N * amount("y"))), quotient=_DIVIDE_SIGNED,
    ),
    *_string_rows(),
)  # fmt: skip

ROWS: tuple[Specified, ...] = (*_ROWS, *decimal_rows.ROWS, *figure_rows.ROWS)
BY_NAME: dict[str, Specified] = {row.name: row for row in ROWS}
