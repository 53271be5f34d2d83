"""30,000 strings, grammar-made and spoiled: each is answered right or refused with its place.

Hypothesis looks for odd corners but is slow at making strings; most come from the long run's generator.
"""

from __future__ import annotations

import random
from itertools import islice

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from reckoner.calculator import Calculator
from reckoner.errors import WrongAnswer
from reckoner.machine import Outcome
from reckoner.skills.library import BUNDLED, MANIFEST
from tests.fakes import FakeMachine
from tests.fuzz import SPOILERS, find_faults, make_texts

COUNT = 20_000
WITH_DECIMALS = 10_000
BY_HYPOTHESIS = 2_000
TOGETHER = 20  # strings per example of hypothesis

NUMBERS = st.from_regex("0{0,2}[0-9]{1,4}", fullmatch=True)
SIGNS = st.sampled_from(["+", "-", "*", "/", "%", " × ", "÷", " − ", "·"])
EXPRESSIONS = st.recursive(
    NUMBERS,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["(", "-(", "-", "--("]), inner).map(
            lambda parts: parts[0] + parts[1] + ")" * parts[0].count("(")
        ),
        st.tuples(inner, SIGNS, inner).map("".join),
    ),
    max_leaves=6,
)
SPOILED = st.builds(
    lambda text, at, cut, piece: text[: at % (len(text) + 1)] + piece + text[at % (len(text) + 1) + cut :],
    EXPRESSIONS,
    st.integers(0, 40),
    st.integers(0, 2),
    st.sampled_from(["", *SPOILERS]),
)
TEXTS = st.one_of(EXPRESSIONS, SPOILED, SPOILED.filter(bool))


@pytest.fixture(scope="module")
def texts() -> list[str]:
    """Strings made once; the tests below look at the same ones. The same every time, so a failure repeats."""
    made: list[str] = []

    @settings(
        max_examples=BY_HYPOTHESIS // TOGETHER,
        phases=[Phase.generate],
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.lists(TEXTS, min_size=TOGETHER, max_size=TOGETHER))
    def collect(batch):
        made.extend(batch)

    collect()
    assert len(made) >= BY_HYPOTHESIS // 2
    return made + list(islice(make_texts(random.Random(20)), COUNT))


@pytest.fixture(scope="module")
def decimal_texts() -> list[str]:
    return list(islice(make_texts(random.Random(21), decimals=0.8), WITH_DECIMALS))


def test_every_string_is_answered_or_refused(texts):
    calculator = Calculator(machine=FakeMachine())
    assert find_faults(texts, calculator.results(texts)) == []


@pytest.mark.parametrize("scale", [0, 3])
def test_every_string_with_decimals_is_answered_or_refused(decimal_texts, scale):
    calculator = Calculator(machine=FakeMachine())
    assert find_faults(decimal_texts, calculator.results(decimal_texts, scale=scale), scale) == []


@pytest.mark.skipif(not (BUNDLED / MANIFEST).exists(), reason="there are no bundled weights yet")
def test_the_networks_answer_every_string(texts):
    calculator = Calculator()
    for start in range(0, len(texts), 1_000):
        batch = texts[start : start + 1_000]
        assert find_faults(batch, calculator.results(batch)) == []


@pytest.mark.skipif(not (BUNDLED / MANIFEST).exists(), reason="there are no bundled weights yet")
@pytest.mark.parametrize("scale", [0, 3])
def test_the_networks_answer_every_string_with_decimals(decimal_texts, scale):
    calculator = Calculator()
    batch = decimal_texts[scale::4]
    assert find_faults(batch, calculator.results(batch, scale=scale), scale) == []


def test_the_strings_are_of_both_kinds(texts):
    calculator = Calculator(machine=FakeMachine())
    kinds = [getattr(result, "kind", "ok") for result in calculator.many(texts)]
    assert kinds.count("ok") > COUNT / 4
    assert kinds.count("syntax") > COUNT / 10
    assert kinds.count("division-by-zero") > 100


def test_the_strings_with_decimals_are_of_all_kinds(decimal_texts):
    found = list(Calculator(machine=FakeMachine()).many(decimal_texts, scale=3))
    kinds = [getattr(result, "kind", "ok") for result in found]
    assert kinds.count("ok") > WITH_DECIMALS / 4
    assert sum("." in getattr(result, "text", "") for result in found) > WITH_DECIMALS / 10
    assert all(kinds.count(kind) > 20 for kind in ("syntax", "division-by-zero", "exponent", "text-limit"))


def test_faults_are_found():
    machine = FakeMachine({"1+2": Outcome("4", None, 1, None)})
    results = Calculator(machine=machine).results(["1+2", "2+2", "x"])
    assert len(find_faults(["1+2", "2+2", "x"], results)) == 1
    results = Calculator(machine=FakeMachine({"1+2": WrongAnswer("a bug")})).results(["1+2"])
    assert len(find_faults(["1+2"], results)) == 2


def test_the_generator_of_the_long_run_makes_both_kinds():
    strings = list(islice(make_texts(random.Random(1)), 3_000))
    results = Calculator(machine=FakeMachine()).results(strings)
    assert find_faults(strings, results) == []
    assert len(set(strings)) > 2_500
