"""The grammar: what is accepted, what the networks get to read, and where errors point."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reckoner.curriculum.oracle import evaluate
from reckoner.errors import ExpressionError, ReckonerError, TextLimit
from reckoner.grammar import TextLimits, parse
from reckoner.operand import find_operations
from tests.reference import reference_value

CANONICAL = {
    "1+2": "1+2",
    " 12 * ( 3 + 45 ) ": "12*(3+45)",
    "2×3÷4−5·6": "2*3/4-5*6",
    "-7/2": "-7/2",
    "-(2+3)": "0-(2+3)",
    "(-5)": "(-5)",
    "3--5": "3--5",
    "3 - - 5": "3--5",
    "2*-4": "2*-4",
    "--5": "0--5",
    "---5": "0-(0--5)",
    "3--(2+1)": "3-(0-(2+1))",
    "3---5": "3-(0--5)",
    "2*--4": "2*(0--4)",
    "2*-(4)": "2*(0-(4))",
    "(--(1))": "(0-(0-(1)))",
    "-0": "(0-0)",
    "3--0": "3-(0-0)",
    "--00": "0-(0-00)",
    "-05": "-05",
    "007": "007",
    "1.5+.5": "1.5+0.5",
    "5.": "5",
    "-.5": "-0.5",
    "-5.*2": "-5*2",
    "00.50": "00.50",
    "-0.00": "(0-0.00)",
    "3--.0": "3-(0-0.0)",
    "2^3": "2^3",
    "-2^2": "-2^2",
    "-2^2+1": "(-2^2)+1",
    "-(3)^2": "(0-(3))^2",
    "--2^2": "(0--2)^2",
    "-0^0": "(0-0)^0",
    "--0^0": "(0-(0-0))^0",
    "3--2^2": "3-(-2^2)",
    "2^-1": "2^-1",
    "2^-(1)": "2^(0-(1))",
    "2^-(3)^2": "2^((0-(3))^2)",
    "2^3^4": "2^(3^4)",
    "2^3^4^5": "2^(3^(4^5))",
    "1-2*3 ^ 4": "1-2*(3^4)",
    "(2^3)*4": "(2^3)*4",
    "(2^3*4)": "((2^3)*4)",
    "(1+2)^(3-1)/4": "((1+2)^(3-1))/4",
    "007^02": "007^02",
    "1+007^02": "1+(007^02)",
}


@pytest.mark.parametrize(("typed", "canonical"), CANONICAL.items())
def test_canonical_form(typed, canonical):
    assert parse(typed).text == canonical


REFUSED = [
    ("", 0, "no expression"),
    ("   ", 0, "no expression"),
    ("2+*3", 2, "between '+' and '*'"),
    ("2**3", 2, "powers"),
    ("2//3", 2, "quotient"),
    ("+3", 0, "before '+'"),
    ("2++3", 2, "plus sign"),
    ("(+3)", 1, "before '+'"),
    ("1+", 2, "after '+'"),
    ("1+  ", 2, "after '+'"),
    ("-", 1, "after '-'"),
    ("(1+2", 0, "never closed"),
    ("((1+2)", 0, "never closed"),
    ("1+(2", 2, "never closed"),
    ("1)", 1, "closes nothing"),
    (")", 0, "closes nothing"),
    ("()", 1, "nothing between"),
    ("(1+)", 3, "between '+' and ')'"),
    ("1 2", 2, "operator is missing"),
    ("2(3)", 1, "operator is missing"),
    ("(2)(3)", 3, "operator is missing"),
    ("(2)3", 3, "operator is missing"),
    ("1+٣", 2, "digits 0 to 9"),
    ("１+1", 0, "digits 0 to 9"),
    ("2²", 1, "digits 0 to 9"),
    ("1+x", 2, "letter"),
    (".", 0, "digit before it or behind"),
    ("1+.", 2, "digit before it or behind"),
    ("1.5.2", 3, "one decimal point"),
    ("1..5", 2, "one decimal point"),
    ("1.5 .2", 4, "operator is missing"),
    ("2^", 2, "after '^'"),
    ("^2", 0, "before '^'"),
    ("2^^3", 2, "between '^' and '^'"),
    ("2^0.5+*3", 6, "between '+' and '*'"),
    ("1;2", 1, "one line"),
    ("1,5", 1, "behind a point"),
    ("1\0", 1, "NUL"),
    ("1+\ud800", 2, "surrogate"),
    ("\ufeff1", 0, "byte-order mark"),
    ("1\t+2", 1, "tabs"),
    ("1\n+2", 1, "one line"),
    ("1\x1b", 1, "control character"),
    ("1\u00a0+2", 1, "plain spaces"),
    ("[1]", 0, "round brackets"),
    ("1+2=", 3, "without '='"),
    ("1\u202e2", 1, "U+202E"),
    ("😀", 0, "not part of an expression"),
]


@pytest.mark.parametrize(("text", "position", "words"), REFUSED)
def test_errors_say_where_and_what(text, position, words):
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    assert caught.value.position == position
    assert words in caught.value.message
    assert caught.value.exit_code == 2


BIG = TextLimits(length=10**8)


@pytest.mark.parametrize("limits", [TextLimits(), BIG], ids=["default", "any length"])
@pytest.mark.parametrize(
    "text",
    ["(" * 10**6, "-" * 10**6 + "5", "1+" + "-" * 10**6, "2*(-" * 10**6, "(" * 10**6 + "1" + ")" * 10**6],
    ids=["brackets", "minuses", "minuses behind", "both", "balanced"],
)
def test_nesting_is_refused_at_once(text, limits):
    """Where the limit is passed, or even before, by the length; what follows is not looked at."""
    with pytest.raises(TextLimit) as caught:
        parse(text, limits)
    assert caught.value.position is not None
    assert caught.value.position <= 10**5
    assert caught.value.exit_code == 4


def test_length_is_refused():
    with pytest.raises(TextLimit, match="100,000"):
        parse("7" * 10**7)


def test_limits_are_exact():
    limits = TextLimits(length=9, depth=2)
    assert parse("((12+34))", limits).text == "((12+34))"
    with pytest.raises(TextLimit):
        parse("((12+345))", limits)
    with pytest.raises(TextLimit) as caught:
        parse("(((1)))", limits)
    assert caught.value.position == 2
    assert parse("----5", limits).text == "0-(0-(0--5))"
    with pytest.raises(TextLimit):
        parse("-----5", limits)
    assert parse("1-" * 3 + "(1)", TextLimits(depth=1)).text == "1-1-1-(1)"


@pytest.mark.parametrize(
    ("text", "option"),
    [("1" * 99, "length"), ("(((1)))", "nesting"), ("-----5", "nesting"), ("1^1^1^1", "nesting"),
     ("2^12345", "exponent-digits")],
)  # fmt: skip
def test_a_limit_names_the_option_that_allows_more(text, option):
    with pytest.raises(TextLimit, match=f"--max-{option} allows more"):
        parse(text, TextLimits(length=20, depth=2 if "^" not in text else 1))


def test_depth_counts_brackets_that_are_open_and_not_those_that_were():
    text = "+".join(["(--(1))"] * 5_000)
    assert parse(text, TextLimits(depth=4)).text.count("(") == 3 * 5_000


def test_a_thousand_levels_are_accepted():
    text = "(" * 1_000 + "7" + ")" * 1_000
    assert parse(text).text == text


def test_places_lead_back_to_what_was_typed():
    typed = " 3 − −( 20+01 )"
    parsed = parse(typed)
    assert parsed.text == "3-(0-(20+01))"
    for position, character in enumerate(parsed.text):
        typed_character = typed[parsed.places[position]]
        if character in "12+":  # the zero of `0-` stands where its minus was typed
            assert typed_character == character
    assert parsed.places[len(parsed.text)] == len(typed)
    assert typed[parsed.places[1]] == "−"


def test_padded_numbers_are_listed_and_replaced():
    parsed = parse("007*(10-000)+00120")
    assert parsed.padded_numbers == ["007", "000", "00120"]
    stripped = parsed.with_numbers(["7", "0", "120"])
    assert stripped.text == "7*(10-0)+120"
    assert stripped.padded == ()
    assert len(stripped.places) == len(stripped.text) + 1
    assert [parsed.source[place] for place in stripped.places[:-1]] == list(stripped.text)


@pytest.mark.parametrize("numbers", [["", "1"], ["12345", "1"]], ids=["shorter", "longer"])
def test_places_stay_in_step_whatever_a_network_answers(numbers):
    stripped = parse("007+01").with_numbers(numbers)
    assert len(stripped.places) == len(stripped.text) + 1
    assert all(0 <= place <= 6 for place in stripped.places)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1+2", []),
        ("8/25", [(1, "25")]),
        ("8/-25+1", [(1, "-25")]),
        ("8%(5-(5))*2", [(1, "(5-(5))")]),
        ("5/(4/0)%3", [(1, "(4/0)"), (4, "0"), (7, "3")]),
        ("(((7/(1))))", [(4, "(1)")]),
    ],
)
def test_divisors(text, found):
    assert [(at, text[slice(*right)]) for at, right, _ in find_operations(text)] == found


# --- properties ---

SPACE = st.sampled_from(["", "", "", " ", "  "])
NUMBERS = st.sampled_from(["0", "00", "1", "7", "10", "007", "42", "999", "120"])
EXPRESSIONS = st.recursive(
    NUMBERS,
    lambda inner: st.one_of(
        st.builds("({})".format, inner),
        st.builds("-{}".format, inner),
        st.builds("− {}".format, inner),
        st.builds("{}{}{}{}{}".format, inner, SPACE, st.sampled_from("+-*/%×÷−·"), SPACE, inner),
    ),
    max_leaves=8,
)

# What the expression skill never gets to see: a minus where it knows none, or the number `-0`.
UNKNOWN = re.compile(r"^--|\(--|[-+*/%]-\(|[-+*/%]--|(?<![0-9)])-0+(?![0-9])")


@given(EXPRESSIONS)
def test_expressions_keep_their_value(text):
    parsed = parse(text)
    assert re.fullmatch("[-+*/%()0-9]+", parsed.text)
    assert not UNKNOWN.search(parsed.text)
    try:
        exact = reference_value(text)
    except ZeroDivisionError:
        with pytest.raises(ZeroDivisionError):
            evaluate(parsed.text)
        return
    assert evaluate(parsed.text) == str(exact)


@given(st.text(alphabet="0123()+-*/% ×−", max_size=12))
def test_accepts_exactly_the_expressions(text):
    try:
        is_expression = reference_value(text) is not None
    except ZeroDivisionError:
        is_expression = True
    try:
        parsed = parse(text)
    except ExpressionError as error:
        assert not is_expression
        assert error.position is not None
        assert 0 <= error.position <= len(text)
    else:
        assert is_expression
        assert len(parsed.places) == len(parsed.text) + 1
        assert list(parsed.places) == sorted(parsed.places)


@given(st.text(max_size=20))
def test_any_text_is_accepted_or_refused(text):
    try:
        parse(text)
    except ExpressionError as error:
        assert error.position is not None
        assert 0 <= error.position <= len(text)


# --- exponents ---


@pytest.mark.parametrize(
    ("text", "position", "kind"),
    [
        ("2^0.5", 2, "exponent"),
        ("2^-2.0", 3, "exponent"),
        ("1+(3)^.5", 6, "exponent"),
        ("2^3^1.5", 4, "exponent"),
        ("2^10000", 2, "text-limit"),
        ("2^-12345", 3, "text-limit"),
    ],
)
def test_exponents_that_can_be_seen_to_be_none(text, position, kind):
    with pytest.raises(ReckonerError) as caught:
        parse(text)
    assert (caught.value.kind, caught.value.position) == (kind, position)
    assert parse(text + "^0").text  # there it is no exponent, but raised to one


def test_how_long_an_exponent_may_be():
    assert parse("2^9999").text == parse("2^9999.").text == "2^9999"
    assert parse("2^0000000001").text == "2^0000000001"
    assert parse("2^12345", TextLimits(exponent=5)).text == "2^12345"


def test_a_tower_of_powers_is_nested():
    assert parse("1" + "^1" * 50, TextLimits(depth=50)).text.endswith(")" * 49)
    with pytest.raises(TextLimit) as caught:
        parse("1" + "^1" * 52, TextLimits(depth=50))
    assert caught.value.position == 2 * 51


def test_brackets_that_are_made_know_their_places():
    parsed = parse("1 + 02 ^ -3 ^ 4 / 5")
    assert parsed.text == "1+(02^(-3^4))/5"
    assert [parsed.source[at : at + 1] for at in parsed.places] == [*"1+002^--3^444/5", ""]
    stripped = parsed.with_numbers(["2"])
    assert stripped.text == "1+(2^(-3^4))/5"
    assert [stripped.source[at : at + 1] for at in stripped.places] == [*"1+02^--3^444/5", ""]
