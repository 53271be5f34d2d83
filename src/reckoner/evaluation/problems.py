"""The problems that networks are tested on: by operation and length, and families that tempt to mistakes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from reckoner.curriculum import oracle
from reckoner.curriculum.expression import OPERATORS, exactly, of_kind
from reckoner.curriculum.problems import collect

LENGTHS = (5, 10, 20, 50, 100)
KINDS = (*OPERATORS, "expression", "expression-modulo")


def problems_by_length(kind: str, length: int, count: int, seed: int) -> list[str]:
    """`count` different expressions of one kind, each of exactly so many characters and with a value."""
    rng = Random(f"{kind} {length} {seed}")

    def draw() -> str | None:
        text = of_kind(rng, kind, length)
        return text if text is not None and has_value(text) else None

    return collect(draw, count, 50 * count)


def has_value(text: str) -> bool:
    """Whether nothing is divided by zero."""
    try:
        oracle.evaluate(text)
    except ZeroDivisionError:
        return False
    return True


def _carries(rng: Random) -> str:
    n = rng.randint(1, 60)
    return rng.choice(
        [f"{'9' * n}+1", f"1{'0' * n}-1", f"{'9' * n}*{'9' * rng.randint(1, n)}", f"{'9' * n}+{'9' * n}"]
    )


def _equal(rng: Random) -> str:
    a = exactly(rng, rng.randint(1, 40))
    return f"{a}{rng.choice('+-*')}{a}" if a == "0" else f"{a}{rng.choice('+-*/%')}{a}"


def _zeros(rng: Random) -> str:
    a = exactly(rng, rng.randint(1, 30))
    return rng.choice(
        [f"0+{a}", f"{a}-0", f"0*{a}", f"{a}*0", f"0-{a}", f"({a}-{a})*{a}", f"0/{a}1", f"{a}+0*{a}"]
    )


def _inner_zeros(rng: Random) -> str:
    b = rng.randint(1, 10 ** rng.randint(1, 8))
    quotient = int("".join(rng.choice("0001") for _ in range(rng.randint(2, 20))) + "7")
    return f"{b * quotient + rng.randrange(b)}/{b}"


def _sparse(rng: Random) -> str:
    def one() -> str:
        return rng.choice("12") + "".join(rng.choice("00000012") for _ in range(rng.randint(0, 30)))

    return f"{one()}{rng.choice('+-*/%')}{one()}"


def _padded(rng: Random) -> str:
    a, b = (f"{'0' * rng.randint(1, 9)}{rng.randint(0, 99)}" for _ in range(2))
    return f"{a}{rng.choice('+-*')}{b}"


def _deep(rng: Random) -> str:
    text = str(rng.randint(1, 99))
    for _ in range(20):
        side, op = rng.randint(1, 99), rng.choice("+-*")
        text = f"({text}{op}{side})" if rng.random() < 0.5 else f"({side}{op}{text})"
    return text


def _chain(rng: Random) -> str:
    text = str(rng.randint(0, 999))
    for _ in range(50):
        operator = rng.choice("+-*/%")
        text += operator + str(rng.randint(1 if operator in "/%" else 0, 999))
    return text


def _unary(rng: Random) -> str:
    a, b, c = (rng.randint(0, 99) for _ in range(3))
    return rng.choice(
        [f"-({a}-{b})*{c}", f"{a}--{b}", f"{a}*-{b + 1}", f"-{a}-({b}--{c})", f"--{a}+{b}", f"-({a}-{a})"]
    )


SPECIAL: dict[str, Callable[[Random], str]] = {
    "carry chains": _carries,
    "equal operands": _equal,
    "zeros and results of zero": _zeros,
    "quotients with inner zeros": _inner_zeros,
    "sparse numbers": _sparse,
    "leading zeros": _padded,
    "unary minus": _unary,
    "20 levels of brackets": _deep,
    "chains of 50 operators": _chain,
}


def special_problems(name: str, count: int, seed: int) -> list[str]:
    """Different problems of one special family."""
    rng = Random(f"{name} {seed}")
    return collect(lambda: SPECIAL[name](rng), count, 3 * count)
