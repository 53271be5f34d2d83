"""Problems with decimals, powers and scales: by operation and length, and families that tempt to mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

from reckoner.curriculum import oracle
from reckoner.curriculum.expression import (
    decimal,
    decimal_by_length,
    decimal_exactly,
    decimal_operation,
    digits,
    number,
)
from reckoner.curriculum.problems import collect

OPERATORS = {"decimal-add": "+", "decimal-subtract": "-", "decimal-multiply": "*"}
DIVISION_SCALES = (0, 1, 5, 20, 50)
DIVISION_LENGTHS = (5, 10, 20, 50)
POWER_DIGITS = (1, 2, 5, 10)
POWER = "power, exponent 0 to 99"
NEGATIVE_POWER = "power, exponent −1 to −99"
EXPRESSION = "decimal-expression"
_SCALES = (0, 1, 5, 20)  # of problems that have no scale of their own
_MOST_DIGITS = 1_000  # of a power in an expression

Scaled = tuple[str, int]  # a text, and the scale it is asked at


class ProblemSet(NamedTuple):
    """Problems of one kind, each with its scale."""

    kind: str
    length: int | None  # characters; of powers, digits of the base; none for special families
    problems: Sequence[Scaled]


def decimal_sets(lengths: Sequence[int], count: int, seed: int) -> Iterator[ProblemSet]:
    """All sets of problems with decimals."""
    for kind, operator in OPERATORS.items():
        for length in lengths:
            yield _draw(kind, length, count, seed, _operation(length, operator))
    for scale in DIVISION_SCALES:
        for length in (n for n in lengths if n <= max(DIVISION_LENGTHS)):
            kind = f"decimal-divide, scale {scale}"
            yield _draw(kind, length, count, seed, _operation(length, "/", (scale,)))
    for length in lengths:
        yield _draw(EXPRESSION, length, count, seed, _expression(length))
    for kind, sign in ((POWER, ""), (NEGATIVE_POWER, "-")):
        for size in POWER_DIGITS:
            yield _draw(kind, size, count, seed, _power(size, sign))
    for family in SPECIAL:
        yield _draw(family, None, min(count, 200), seed, SPECIAL[family])


def _draw(
    kind: str, length: int | None, count: int, seed: int, draw: Callable[[Random], Scaled | None]
) -> ProblemSet:
    rng = Random(f"{kind} {length} {seed}")
    return ProblemSet(kind, length, collect(lambda: draw(rng), count, 100 * count))


def has_value(text: str, scale: int) -> bool:
    """Whether there is an answer, and no huge number on the way to it."""
    try:
        oracle.evaluate(text, scale, _MOST_DIGITS)
    except ArithmeticError:
        return False
    return True


def _operation(
    length: int, operator: str, scales: Sequence[int] = _SCALES
) -> Callable[[Random], Scaled | None]:
    def draw(rng: Random) -> Scaled | None:
        text, scale = decimal_operation(rng, length, operator), rng.choice(scales)
        return (text, scale) if has_value(text, scale) else None

    return draw


def _expression(length: int) -> Callable[[Random], Scaled | None]:
    def draw(rng: Random) -> Scaled | None:
        text, scale = decimal_by_length(rng, length), rng.choice(_SCALES)
        is_one = "." in text or "^" in text or scale > 0
        return (text, scale) if is_one and has_value(text, scale) else None

    return draw


def _power(size: int, sign: str) -> Callable[[Random], Scaled | None]:
    def draw(rng: Random) -> Scaled | None:
        has_point = size > 1 and rng.random() < 0.5
        base = decimal_exactly(rng, size + 1) if has_point else number(rng, size)
        base = f"-{base}" if rng.random() < 0.3 else base
        exponent = rng.randint(1 if sign else 0, 99)
        if sign and not base.strip("-0."):
            return None
        return f"{base}^{sign}{exponent}", rng.choice(_SCALES)

    return draw


# --- special families ---


def _scale(rng: Random) -> int:
    return rng.choice(_SCALES)


def _zeros_around(rng: Random) -> Scaled:
    def one() -> str:
        return (
            "0" * rng.randint(0, 5)
            + decimal(rng, 6)
            + ("0" * rng.randint(1, 5) if rng.random() < 0.7 else "")
        )

    return f"{one()}{rng.choice('+-*')}{one()}", _scale(rng)


def _bare_points(rng: Random) -> Scaled:
    def one() -> str:
        return rng.choice([f".{digits(rng, rng.randint(1, 5))}", f"{number(rng, 5)}.", decimal(rng, 5)])

    return f"{one()}{rng.choice('+-*')}{one()}", _scale(rng)


def _tiny(rng: Random) -> Scaled:
    tiny = f"0.{'0' * rng.randint(1, 40)}{rng.choice('123456789')}"
    other = decimal(rng, 4)
    text = rng.choice(
        [f"{other}+{tiny}", f"{other}-{tiny}", f"{other}*{tiny}", f"{tiny}/3", f"{tiny}-{tiny}", f"1/{tiny}"]
    )
    return text, rng.choice((0, 5, 20, 50))


def _nothing_left(rng: Random) -> Scaled:
    """All decimals are zeros, or cut off."""
    a, b = decimal(rng, 6), number(rng, 3, 1)
    text = rng.choice(
        [f"{a}-{a}", f"{a}/{a}9", f"0.{b}*0.{b}", f"{b}.5+{b}.5", f"{a}*0", f"-{a}+{a}", f"0.1^{b[0]}"]
    )
    return text, rng.choice((0, 0, 1, 3))


def _negative_bases(rng: Random) -> Scaled:
    base = decimal(rng, 4)
    base = base if base.strip("0.") else "1.5"
    exponent = rng.randint(0, 30)
    text = rng.choice(
        [
            f"(-{base})^{exponent}",
            f"-{base}^{exponent}",
            f"(0-{base})^-{exponent}",
            f"-({base})^{exponent}",
            f"3-{base}^{exponent}",
        ]
    )
    return text, _scale(rng)


def _zero_powers(rng: Random) -> Scaled:
    zero = rng.choice(["0", "0.0", "0.000", "(1-1)", "-0", "(2.5-2.5)"])
    return f"{rng.choice(['', '7-', '2*'])}{zero}^{rng.choice(['0', '1', '2', '17', '-0', '(3-3)'])}", _scale(
        rng
    )


def _towers(rng: Random) -> Scaled:
    a, b, c = rng.randint(0, 9), rng.randint(0, 3), rng.randint(0, 3)
    text = rng.choice(
        [
            f"{a}^{b}^{c}",
            f"({a}^{b})^{c}",
            f"{a}.5^{b}^{c}",
            f"2*{a}^{b}*{c}",
            f"-{a}^{b}^{c}-1",
            f"{a}^-{b}^2",
        ]
    )
    return text, _scale(rng)


def _no_value(rng: Random) -> Scaled:
    """Divisions by zero, and exponents that are none: the right answer is the error."""
    zero = rng.choice(["0", "0.00", "(1.5-1.5)", "-0.0", "(0*7)"])
    a = decimal(rng, 4)
    text = rng.choice(
        [
            f"{a}/{zero}",
            f"{a}%{zero}",
            f"{zero}^-{rng.randint(1, 9)}",
            f"{a}^1.5",
            f"1+{a}/({a}-{a})",
            f"{a}^(1.0)",
        ]
    )
    return text, _scale(rng)


def _huge(rng: Random) -> Scaled:
    """Exponents that are refused before they hurt."""
    a, n = rng.randint(10, 99), rng.randint(10_000, 10**9)
    return rng.choice([f"{a}^{n}", f"{a}.5^-{n}", f"{a}^{a}^9", f"1+{a}^({n}+1)", f"9^9^9^{a}"]), 0


SPECIAL: dict[str, Callable[[Random], Scaled]] = {
    "zeros in front and behind": _zeros_around,
    "bare points (.5 and 5.)": _bare_points,
    "0.000…1": _tiny,
    "results that lose all decimals": _nothing_left,
    "powers of negative numbers": _negative_bases,
    "powers of zero": _zero_powers,
    "powers of powers": _towers,
    "no value: the error is right": _no_value,
    "huge exponents are refused": _huge,
}
