"""Problem samplers for decimals: as `problems`, with the oracle's meaning of every operator.

Where a message holds more than two numbers they stand side by side with commas. A number whose decimals alone
count (the scale of a division, say) is called z.
"""

from __future__ import annotations

from random import Random

from reckoner.curriculum import oracle
from reckoner.curriculum.expression import digits, number
from reckoner.curriculum.oracle import Number
from reckoner.curriculum.problems import WIDE, Problem, Sampler


def _string(rng: Random, size: int) -> str:
    """Digits, none included."""
    return digits(rng, rng.randint(0, size))


def natural(rng: Random, size: int) -> str:
    """A number of up to `size` digits, most of them with up to `size` decimals."""
    whole = "0" if rng.random() < 0.3 else number(rng, size)
    return whole if rng.random() < 0.35 else f"{whole}.{digits(rng, rng.randint(1, size))}"


def signed(rng: Random, size: int) -> str:
    """As `natural`, with a minus sign in four cases of ten; never one before a zero."""
    text = natural(rng, size)
    return f"-{text}" if text.strip("0.") and rng.random() < 0.4 else text


def _nonzero(rng: Random, size: int) -> str:
    while True:
        text = signed(rng, size)
        if text.strip("-0."):
            return text


def zero(rng: Random, size: int) -> str:
    """A scale: zero with so many decimals."""
    places = rng.choice([0, rng.randint(0, size)])
    return "0." + "0" * places if places else "0"


def read(text: str) -> Number:
    """The number that a text stands for, with its sign."""
    plain = oracle.read(text.lstrip("-"))
    return Number(-plain.units, plain.decimals) if text[0] == "-" else plain


def decimals_of(text: str) -> int:
    """How many there are."""
    return read(text).decimals


def pad(rng: Random, size: int) -> Problem:
    """x with zeros behind it until it is as long as y, which counts and grows with the stages."""
    x, y = _string(rng, max(size, WIDE)), _string(rng, size)
    return Problem(x, y, x.ljust(len(y), "0"))


def cut(rng: Random, size: int) -> Problem:
    """As many digits from the front of x as y has, which counts and grows with the stages."""
    x, y = _string(rng, max(size, WIDE)), _string(rng, size)
    return Problem(x, y, x[: len(y)])


def place(rng: Random, size: int) -> Problem:
    """y with a point before as many of its digits as x has, and zeros in front where it has too few.

    x counts and grows with the stages.
    """
    x, y = _string(rng, size), _string(rng, max(size, WIDE) if rng.random() < 0.7 else 2)
    y = y if rng.random() < 0.4 else y.lstrip("0")
    return Problem(x, y, _placed(x, y))


def _placed(x: str, y: str) -> str:
    whole = y.zfill(len(x) + 1)
    return f"{whole[: -len(x)]}.{whole[-len(x) :]}" if x else whole


def extend(rng: Random, size: int) -> Problem:
    """x with zeros behind it until it has as many decimals as y has digits."""
    x, y = signed(rng, size), _string(rng, size)
    return Problem(x, y, _extended(x, len(y)))


def _extended(x: str, places: int) -> str:
    return str(read(x).cut(max(decimals_of(x), places)))


def level(rng: Random, size: int) -> Problem:
    """Both numbers with as many decimals as the one that has more."""
    x, y = signed(rng, size), signed(rng, size)
    return Problem(x, y, f"{_extended(x, decimals_of(y))},{_extended(y, decimals_of(x))}")


def whole_pair(rng: Random, size: int) -> Problem:
    """Both numbers without their points."""
    x, y = signed(rng, size), signed(rng, size)
    return Problem(x, y, f"{read(x).units},{read(y).units}")


def negate(rng: Random, size: int) -> Problem:
    """-x."""
    x = signed(rng, size) if rng.random() < 0.8 else zero(rng, size)
    return Problem(x, "", str(Number(-read(x).units, decimals_of(x))))


def whole_operation(operator: str) -> Sampler:
    """An operation on the digits of two numbers, as if there were no points."""

    def sample(rng: Random, size: int) -> Problem:
        x, y = signed(rng, size), (_nonzero if operator == "/" else signed)(rng, size)
        whole = oracle.operate(operator, Number(read(x).units), Number(read(y).units))
        return Problem(x, y, str(whole))

    return sample


def _pair(rng: Random, size: int) -> tuple[str, str]:
    """Two numbers, now and then equal but for their sign."""
    x, y = signed(rng, size), signed(rng, size)
    if rng.random() < 0.1 and y.strip("-0."):
        x = rng.choice([y, y.lstrip("-"), "-" + y.lstrip("-")])
    return x, y


def add_level(rng: Random, size: int) -> Problem:
    """The sum of two numbers with equally many decimals."""
    x, y = _pair(rng, size)
    x, y = _extended(x, decimals_of(y)), _extended(y, decimals_of(x))
    return Problem(x, y, str(oracle.operate("+", read(x), read(y))))


def plain_operation(operator: str) -> Sampler:
    """A sum or a difference."""

    def sample(rng: Random, size: int) -> Problem:
        x, y = _pair(rng, size)
        return Problem(x, y, str(oracle.operate(operator, read(x), read(y))))

    return sample


def _times(x: str, y: str) -> Number:
    """The product with all its decimals."""
    a, b = read(x), read(y)
    return Number(a.units * b.units, a.decimals + b.decimals)


def place_both(rng: Random, size: int) -> Problem:
    """`p`, and `x,y`: p with as many decimals as x and y together."""
    x, y = signed(rng, size), signed(rng, size)
    p = str(_times(x, y).units) if rng.random() < 0.7 else str(read(signed(rng, size)).units)
    return Problem(p, f"{x},{y}", str(Number(int(p), decimals_of(x) + decimals_of(y))))


def exact_multiply(rng: Random, size: int) -> Problem:
    """The product with all its decimals."""
    x, y = signed(rng, size), signed(rng, size)
    return Problem(x, y, str(_times(x, y)))


def widest(rng: Random, size: int) -> Problem:
    """`x`, and `y,z`: z with as many decimals as any of the three has."""
    x, y, z = signed(rng, size), signed(rng, size), zero(rng, size)
    return Problem(x, f"{y},{z}", _extended(z, max(decimals_of(x), decimals_of(y))))


def fit(rng: Random, size: int) -> Problem:
    """x with no more decimals than z has."""
    x, z = signed(rng, size), zero(rng, size)
    if rng.random() < 0.3:  # in half of these cases nothing but zeros is left of a negative number
        zeros = "0" * rng.choice([0, decimals_of(z)])
        x = f"-0.{zeros}{_string(rng, size)}{rng.choice('123456789')}"
    return Problem(x, z, str(read(x).cut(min(decimals_of(x), decimals_of(z)))))


def multiply_fit(rng: Random, size: int) -> Problem:
    """`x`, and `y,z`: the product with no more decimals than z has."""
    x, y, z = signed(rng, size), signed(rng, size), zero(rng, size)
    product = _times(x, y)
    return Problem(x, f"{y},{z}", str(product.cut(min(product.decimals, decimals_of(z)))))


def scaled_operation(operator: str) -> Sampler:
    """`x`, and `y,z`: an operation at the scale of z."""

    def sample(rng: Random, size: int) -> Problem:
        x, y, z = signed(rng, size), (_nonzero if operator in "/%" else signed)(rng, size), zero(rng, size)
        if rng.random() < 0.05 and y.strip("-0."):
            x = y
        return Problem(x, f"{y},{z}", str(oracle.operate(operator, read(x), read(y), decimals_of(z))))

    return sample


def scale_dividend(rng: Random, size: int) -> Problem:
    """`x`, and `y,z`: x and y with equally many decimals, then x with as many more as z has; y; z."""
    x, y, z = signed(rng, size), signed(rng, size), zero(rng, size)
    most = max(decimals_of(x), decimals_of(y))
    return Problem(x, f"{y},{z}", f"{_extended(x, most + decimals_of(z))},{_extended(y, most)},{z}")


def place_scale(rng: Random, size: int) -> Problem:
    """The whole number x with as many decimals as z has."""
    x, z = str(read(signed(rng, size)).units), zero(rng, size)
    return Problem(x, z, str(Number(int(x), decimals_of(z))))


def divide_scaled(rng: Random, size: int) -> Problem:
    """`x`, and `y,z`: the quotient of the digits, as if there were no points, with as many decimals as z has."""
    x, y, z = signed(rng, size), _nonzero(rng, size), zero(rng, size)
    return Problem(x, f"{y},{z}", str(Number(oracle.divide(read(x).units, read(y).units), decimals_of(z))))


def take_product(rng: Random, size: int) -> Problem:
    """`x`, and `y,q`: x - y·q with all decimals."""
    x, y, q = signed(rng, size), signed(rng, size), signed(rng, size)
    if rng.random() < 0.3:
        x = str(_times(y, q))
    return Problem(x, f"{y},{q}", str(oracle.operate("-", read(x), _times(y, q))))
