"""What the proof of expressions with decimals rests on: laws of operations at a scale, the parser, the grammar."""

from __future__ import annotations

import itertools
from dataclasses import replace
from random import Random

import pytest

from reckoner import grammar
from reckoner.calculator import Calculator
from reckoner.curriculum import oracle
from reckoner.curriculum.tasks import INTERACTIVE
from reckoner.errors import ReckonerError
from reckoner.program import specification
from reckoner.program.concrete import ProgramSkill, find_mistakes
from reckoner.program.decision import Changed, Learned
from reckoner.program.fixed import Concrete, Fixed, read
from reckoner.program.grammar_check import check_grammar, keeps_value
from reckoner.program.laws import DEFINITIONS, cuts_toward_zero, find_broken_law
from reckoner.program.proof import Proof, prove_skill
from reckoner.program.solver import Solver
from reckoner.program.symbolic import LAWS, Law, Quantity, Symbolic
from reckoner.program.text_row import EXPRESSIONS, TextRow
from reckoner.program.value import NotAnExpression, evaluate
from reckoner.skills.base import Choice, Decider
from reckoner.skills.library import Library

NAME = "expression-decimal"
LIBRARY = Library.load()
ROW = EXPRESSIONS[NAME]
NUMBERS = [
    read(t) for t in ("0", "0.0", "0.00", "1", "-1", "7", "-10", "0.1", "-0.1", "0.25", "-3.75", "0.09")
]


def prove(row: TextRow = ROW) -> Proof:
    """The bundled skill's proof, by another row if one is given."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(EXPRESSIONS, NAME, row)
        return prove_skill(LIBRARY[NAME], LIBRARY, examples=False, rounding=False)


# --- laws ---


def test_what_is_claimed_of_operations_at_a_scale_is_so():
    """On numbers, whatever the proof of the laws says."""
    for scale, (sign, law), a, b in itertools.product((0, 1, 3), LAWS.items(), NUMBERS, NUMBERS):
        do = Concrete(scale)
        if (sign in "/%" and not b.value) or sign == "^":
            continue
        result = do.apply(sign, a, b)
        assert not law.left or do.apply(sign, do.negate(a), b) == (law.left * result.value, result.places)
        assert not law.right or do.apply(sign, a, do.negate(b)) == (law.right * result.value, result.places)
        assert not law.commutes or do.apply(sign, b, a) == result
        assert not law.keeps_zero or a.value or not result.value


@pytest.mark.parametrize("sign", DEFINITIONS)
def test_what_the_laws_are_shown_of_is_what_the_operators_do(sign):
    for scale, a, b in itertools.product((0, 2), NUMBERS, NUMBERS):
        if sign != "*" and not b.value:
            continue
        result = Concrete(scale).apply(sign, a, b)
        tens = {
            "*": {"t": a.places + b.places - result.places},
            "/": {"s": scale + b.places, "t": a.places},
            "%": {
                "s": scale + b.places, "t": a.places, "u": result.places - a.places,
                "v": result.places - scale - b.places,
            },
        }[sign]  # fmt: skip
        values = {"x": units(a), "y": units(b), **{f"10^{name}": 10**count for name, count in tens.items()}}
        dividend, divisor, found = DEFINITIONS[sign]
        quotient = oracle.divide(dividend.evaluate(values), divisor.evaluate(values))
        assert found.evaluate(values | {"r": quotient}) == units(result)


def units(number: Fixed) -> int:
    return int(number.value * 10**number.places)


@pytest.mark.parametrize(
    ("sign", "claim"),
    [
        ("%", {"right": -1}),
        ("%", {"commutes": True}),
        ("/", {"left": 1}),
        ("*", {"right": 1}),
        ("^", {"left": -1}),
        ("^", {"keeps_zero": True}),
    ],
)
def test_a_law_that_claims_too_much_is_not_taken(sign, claim):
    laws = {**LAWS, sign: replace(LAWS[sign], **claim)}
    assert find_broken_law(LAWS, Solver()) is None
    assert find_broken_law(laws, Solver()) == sign
    assert not prove(replace(ROW, laws=laws)).is_proved


def test_quotients_that_are_rounded_down_would_be_noticed(monkeypatch):
    """-1/2 would be -1, and 1/2 is 0."""
    monkeypatch.setattr("reckoner.program.laws.less", lambda a, b: specification.less(a, b + 1))
    assert not cuts_toward_zero(Solver())


@pytest.mark.parametrize("sign", ["*", "/", "%"])
def test_an_operation_that_promises_less_is_not_enough(sign):
    """`a-b*c` is worked off as `a` minus a product: that needs to know where the sign goes."""
    assert prove().is_proved
    weaker = replace(ROW, laws={**LAWS, sign: Law(LAWS[sign].name)})
    assert not prove(weaker).is_proved


def test_a_sum_whose_decimals_are_not_known_is_not_enough(monkeypatch):
    def add(self, a, b):
        return Quantity(a.value + b.value, frozenset({f"{sorted(a.places)}+{sorted(b.places)}"}))

    monkeypatch.setattr(Symbolic, "add", add)
    assert not prove().is_proved


def test_an_operation_that_is_not_specified_is_not_enough():
    assert not prove(replace(ROW, operations={})).is_proved
    assert not prove(replace(ROW, operations={"operate": "+-*/%"})).is_proved


def test_products_are_not_taken_in_another_order():
    """With all decimals that would be right, as it is with whole numbers: 0.5·0.9 is cut to 0.4, 0.9·2 is not."""
    skill = LIBRARY[NAME]
    assert isinstance(skill, Decider)
    view = skill.spec.perception.view(b"0,1*1*1").tokens
    operate = skill.spec.calls.index("operate") + 1
    first, last = Choice(operate, 2, 5, 0, 1, 2, 5), Choice(operate, 4, 7, 0, 1, 4, 7)
    program = Changed(Learned(skill), {(view,): first})
    assert prove_skill(skill, LIBRARY, program=program, examples=False).is_proved
    program = Changed(Learned(skill), {(view,): last})
    assert not prove_skill(skill, LIBRARY, program=program, examples=False).is_proved
    (mistake,) = find_mistakes(ProgramSkill(skill, program), LIBRARY, ROW, [("0", "0.5*0.9*2")])
    assert (mistake.answer, mistake.right) == ("0.9", "0.8")


@pytest.mark.parametrize(
    ("text", "then", "obligation"),
    [
        (b"0,1*(1+1)", b"0,1*1^1)", "a power stands alone"),
        (b"0,1*1*(1+1)", b"0,1*1*1+1", "a power in the rest stands alone"),
    ],
)
def test_a_power_behind_a_bracket_that_was_lost_is_not_read_as_one_of_a_product(text, then, obligation):
    """`2*(3^4)` without its first bracket is `2*3^4)`, of which nothing is specified."""
    skill = LIBRARY[NAME]
    assert isinstance(skill, Decider)
    strip, itself = (skill.spec.calls.index(name) + 1 for name in ("strip", NAME))
    first, second = (skill.spec.perception.view(memory).tokens for memory in (text, then))
    at, end = text.index(b"("), len(second) - 2
    changes = {
        (first,): Choice(strip, 0, 0, 0, 0, at, at + 1),
        (first, second): Choice(itself, 0, 1, 2, end, 0, end),
    }
    program = Changed(Learned(skill), changes)
    proof = prove_skill(skill, LIBRARY, program=program, most_failures=10**6, examples=False)
    assert obligation in {failure.obligation for failure in proof.failures}


def test_what_is_assumed_of_operate_is_what_its_row_says():
    """Its answers, and that it refuses where a demand is not met."""
    rng, row, refused = Random(9), specification.BY_NAME.get("operate"), 0
    assert row is not None
    for _ in range(2000):
        sign = rng.choice(ROW.operators)
        x = rng.choice(["0", "0.00", ROW.phrases.number(rng)])
        y = ROW.phrases.exponent(rng) if sign == "^" else rng.choice(["0.0", ROW.phrases.number(rng)])
        z, text = ROW.message(rng, f"{x}{sign}{y}")
        try:
            right = str(evaluate(text, Concrete(read(z).places))[0])
        except ArithmeticError:
            refused += 1
            assert row.read(text, z) is None
        else:
            assert row.answer(text, z) == right
    assert refused > 50


# --- what a text means ---


def test_the_parser_agrees_with_the_oracle_at_every_scale():
    rng, powers = Random(5), 0
    for i in range(3000):
        z, text = ROW.sample(rng, i % 9)
        scale = read(z).places
        try:
            right = oracle.evaluate_up_to_bracket(text, scale, 200)
        except ArithmeticError:
            assert ROW.read(z, text) is None
            continue
        value, rest = evaluate(text, Concrete(scale, 500))
        assert (str(value), rest) == right, (z, text)
        powers += "^" in text
    assert powers > 200


def test_the_sampler_asks_what_is_specified_and_nothing_else_is_right():
    rng = Random(6)
    for size, _ in itertools.product((0, 1, 2, 4, 8), range(60)):
        problem = INTERACTIVE[NAME].sampler(rng, size)
        assert ROW.holds(problem.x, problem.y, problem.answer), problem
        assert not ROW.holds(problem.x, problem.y, problem.answer + "0")
        assert not ROW.holds(problem.x, problem.y, "-" + problem.answer)


@pytest.mark.parametrize(
    ("z", "text"),
    [
        ("0", "2*3^4"),
        ("0", "2^3^4"),
        ("0", "2^3+4"),
        ("0", "-0.00"),
        ("0", "(5"),
        ("1", "2"),
        ("0.01", "2"),
        ("0", "1/0"),
    ],
)
def test_what_need_not_be_answered(z, text):
    assert ROW.read(z, text) is None
    if "^" in text:
        with pytest.raises(NotAnExpression):
            evaluate(text)


def test_no_number_is_a_negative_zero():
    assert str(read("-0.00")) == "0.00"
    for a, b, sign in itertools.product(NUMBERS, NUMBERS, "*/%"):
        if b.value or sign == "*":
            text = str(Concrete(1).apply(sign, a, b))
            assert text[0] != "-" or text.strip("-0.")
    assert str(Concrete(0).apply("*", read("-0.1"), read("0.1"))) == "0.0"
    assert ROW.answer("0", "-0.1*0.1") == "0.0"


def test_what_has_no_value_is_never_a_number():
    calculator, rng = Calculator(), Random(3)
    broken = [
        "1/0.0",
        "1%(0.5-.5)",
        "0^-1",
        "(1.5-1.5)^(2-3)",
        "2^(1.0)",
        "2^(.5+.5)",
        "5/(0.1*0.1)",
        "1/(0.00)^2",
    ]
    for text, _ in itertools.product(broken, range(4)):
        start, end = (ROW.phrases.number(rng) for _ in range(2))
        typed = f"{start}{rng.choice('+-*')}({text}){rng.choice('+-*')}{end}"
        with pytest.raises((ReckonerError, ArithmeticError)):
            calculator(typed)


# --- the grammar ---


@pytest.mark.parametrize(
    "text", ["-2^2", "2^-3^2", "-(2)^2", "--.5^2", "1-(2^3)^-.0", "3*-(4.)^2^2", "-0.0", "-.0*3"]
)
def test_a_rewritten_text_means_what_was_typed(text):
    assert keeps_value(text)


def test_a_grammar_that_raises_from_the_left_is_noticed(monkeypatch):
    """`2^3^4` as `(2^3)^4`."""
    find = grammar.bracket_powers

    def from_the_left(text):
        return find(text) if text.count("^") != 2 or "(" in text else [(0, "("), (text.rindex("^"), ")")]

    monkeypatch.setattr(grammar, "bracket_powers", from_the_left)
    assert not check_grammar().is_right


@pytest.mark.parametrize("text", ["2*3^4", "7-5^9"])
def test_a_grammar_that_leaves_powers_as_they_are_is_noticed(text, monkeypatch):
    assert keeps_value(text)
    monkeypatch.setattr(grammar, "bracket_powers", lambda text: [])
    assert not keeps_value(text)
