"""Finding the divisor that is zero: rightly, and without working anything out twice."""

from __future__ import annotations

from random import Random

import pytest

from reckoner.curriculum.oracle import evaluate
from reckoner.division import find_zero
from reckoner.grammar import divisors


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
        except ZeroDivisionError:
            return None


def first_zero(text: str) -> int | None:
    """The slow way: every divisor by itself."""
    return next((at for at, start, end in divisors(text) if Reckoner.value(text[start:end]) == "0"), None)


def random_text(rng: Random, operators: int) -> str:
    if not operators:
        return rng.choice("00123") if rng.random() < 0.8 else f"({rng.choice('012')})"
    left = rng.randrange(operators)
    text = random_text(rng, left) + rng.choice("+-*//%") + random_text(rng, operators - 1 - left)
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
