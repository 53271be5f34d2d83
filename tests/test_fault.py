"""Finding what has no value: rightly, and without working anything out twice."""

from __future__ import annotations

from random import Random

import pytest

from reckoner.curriculum.oracle import evaluate
from reckoner.fault import check_exponents, find_fault
from reckoner.grammar import parse
from reckoner.operand import find_operations


class Reckoner:
    """Exact values, and how many characters were asked for."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, texts):
        self.asked += sum(map(len, texts))
        return [self.value(text) for text in texts]

    @staticmethod
    def value(text: str) -> str | None:
        try:
            return evaluate(text)
        except ArithmeticError:
            return None


def find_zero(text: str, reckoner: Reckoner) -> int | None:
    fault = find_fault(text, reckoner)
    return None if fault is None else fault.position


def first_zero(text: str) -> int | None:
    """The slow way: every divisor, exponent and base by itself."""
    for at, right, base in find_operations(text):
        value = Reckoner.value(text[slice(*right)])
        if value is None:
            continue
        if base is None and not value.strip("0."):
            return at
        if base is not None and value[0] == "-":
            raised = Reckoner.value(text[slice(*base)])
            if raised is not None and not raised.strip("0."):
                return at
    return None


def random_text(rng: Random, size: int, operators: str = "+-*//%") -> str:
    if not size:
        return rng.choice("00123") if rng.random() < 0.8 else f"({rng.choice('012')})"
    left = rng.randrange(size)
    parts = [random_text(rng, n, operators) for n in (left, size - 1 - left)]
    text = rng.choice(operators).join(parts)
    return f"({text})" if rng.random() < 0.6 else text


def test_the_first_zero_is_found():
    rng = Random(0)
    found = []
    for _ in range(3000):
        text = random_text(rng, rng.randint(1, 8))
        found.append(find_zero(text, Reckoner()))
        assert found[-1] == first_zero(text), text
    assert sum(at is not None for at in found) > 500


@pytest.mark.parametrize("depth", [100, 200, 400])
def test_the_work_grows_with_the_text_and_not_with_its_square(depth):
    reckoner = Reckoner()
    text = "(7-1/" * depth + "0" + ")" * depth
    assert find_zero(text, reckoner) == 5 * depth - 1
    other = "(7-1/" * depth + "1" + ")" * depth + "/(1-1)"
    assert find_zero(other, reckoner) == len(other) - 6
    assert reckoner.asked < 10 * depth


def test_the_first_zero_is_found_among_powers_too():
    rng = Random(1)
    found = []
    for _ in range(3000):
        text = parse(random_text(rng, rng.randint(1, 6), "+--*/^^^")).text
        found.append(find_zero(text, Reckoner()))
        assert found[-1] == first_zero(text), text
    powers = [at for at in found if at is not None]
    assert len(powers) > 300


def test_towers_of_powers_are_worked_out_from_the_inside():
    seen: list[tuple[str, int]] = []
    text = parse("5^2^3^(1+1)+7^(3)").text
    assert text == "(5^(2^(3^(1+1))))+(7^(3))"
    check_exponents(text, Reckoner(), lambda value, at: seen.append((value, at)))
    assert seen == [("2", 9), ("3", 21), ("9", 6), ("512", 3)]


def test_an_exponent_that_is_refused_is_the_last_one_looked_at():
    class RefusedError(Exception):
        pass

    def check(value: str, at: int) -> None:
        if len(value) > 2:
            raise RefusedError(at)

    asked: list[str] = []

    def work_out(texts):
        asked.extend(texts)
        return [Reckoner.value(text) for text in texts]

    with pytest.raises(RefusedError, match="5"):
        check_exponents("9^(9^(9^(3)))", work_out, check)
    assert asked == ["(3)", "(9^3)"]
