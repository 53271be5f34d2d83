"""The oracle means what GNU bc means, with decimals, powers and scales."""

import pytest

from reckoner.curriculum import oracle
from reckoner.evaluation.bc import ask_bc, draw, find_bc, normal


@pytest.mark.parametrize(
    ("text", "scale", "value"),
    [
        ("1.5+2.25", 0, "3.75"),
        ("1.50-1.5", 0, "0.00"),
        ("0.5*0.5", 0, "0.2"),
        ("0.5*0.5", 2, "0.25"),
        ("7/2", 0, "3"),
        ("7/2", 2, "3.50"),
        ("-1/3", 3, "-0.333"),
        ("-1/3", 0, "0"),
        ("7.5%2", 0, "1.5"),
        ("10%0.3", 4, "0.00001"),
        ("2^3^2", 0, "512"),
        ("-2^2", 0, "4"),
        ("3-2^2", 0, "-1"),
        ("-(3)^2", 0, "9"),
        ("2^-2^2", 0, "16"),
        ("2^-1", 3, "0.500"),
        ("(-0.1)^3", 0, "0.0"),
        ("1.55^2", 0, "2.40"),
        ("0^0", 5, "1"),
        ("0.0^-0", 5, "1"),
        (".5+5.", 0, "5.5"),
    ],
)
def test_value(text: str, scale: int, value: str) -> None:
    assert oracle.evaluate(text, scale) == value


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("1/0.00", ZeroDivisionError),
        ("1%0", ZeroDivisionError),
        ("0^-1", ZeroDivisionError),
        ("2^0.5", oracle.ExponentError),
        ("2^2.0", oracle.ExponentError),
        ("9^9^9", OverflowError),
    ],
)
def test_no_value(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        oracle.evaluate(text)


def test_up_to_bracket() -> None:
    assert oracle.evaluate_up_to_bracket("1/4)*2.5", 2) == ("0.25", ")*2.5")


@pytest.mark.skipif(find_bc() is None, reason="bc is not installed")
def test_same_as_bc() -> None:
    drawn = draw(1_000, seed=0)
    answers = ask_bc([text for text, _ in drawn], [scale for _, scale in drawn])
    found = [value_or_none(text, scale) for text, scale in drawn]
    assert [answer and normal(answer) for answer in answers] == found
    assert found.count(None) < 500


def value_or_none(text: str, scale: int) -> str | None:
    try:
        return oracle.shown(oracle.evaluate(text, scale))
    except ZeroDivisionError:
        return None
