"""Problem samplers for powers, on those for decimals."""

from __future__ import annotations

from random import Random

from reckoner.curriculum import oracle
from reckoner.curriculum.decimal_problems import decimals_of, read, signed, zero
from reckoner.curriculum.expression import digits, number
from reckoner.curriculum.oracle import Number
from reckoner.curriculum.problems import Problem

LONGEST_POWER = 30  # characters of a power in training: the calls below one attempt are limited
_EASY = ("0", "1", "-1", "10", "0.1", "0.0", "-0.1", "0.01", "-10")


def base(rng: Random, size: int) -> str:
    """A number of up to `size` characters and a sign to be raised: powers get long quickly, and take many calls."""
    while True:
        x = rng.choice(_EASY) if rng.random() < 0.4 else signed(rng, size)
        if len(x.lstrip("-")) <= max(2, size):
            return x


def _raised(x: str, n: int) -> Number:
    value = read(x)
    return Number(value.units**n, value.decimals * n)


def digits_apart(rng: Random, size: int) -> Problem:
    """The digits of a number with commas between them."""
    x = digits(rng, rng.randint(1, size))
    return Problem(x, "", ",".join(x))


def power_marks(rng: Random, size: int) -> Problem:
    """x to the power of as many as there are marks."""
    x, count = base(rng, 3), rng.randint(0, size)
    if len(x) * count > LONGEST_POWER:
        x = rng.choice(["1", "-1", "2", "0.1"])
    return Problem(x, "^" * count, str(_raised(x, count)))


def power_digit(rng: Random, size: int) -> Problem:
    """x to the power of a digit."""
    x, n = base(rng, size), rng.choice("0123456789")
    return Problem(x, n, str(_raised(x, int(n))))


def tenth_power_times(rng: Random, size: int) -> Problem:
    """x to the tenth, times y."""
    x, y = base(rng, size), signed(rng, size)
    power = _raised(x, 10)
    return Problem(x, y, str(Number(power.units * read(y).units, power.decimals + decimals_of(y))))


def power_step(rng: Random, size: int) -> Problem:
    """`x`, and `p,d`: p to the tenth, times x to the d."""
    x, p, d = base(rng, size), base(rng, size), rng.choice("0123456789")
    tenth, last = _raised(p, 10), _raised(x, int(d))
    return Problem(x, f"{p},{d}", str(Number(tenth.units * last.units, tenth.decimals + last.decimals)))


def power_digits(rng: Random, size: int) -> Problem:
    """`x`, and `p` with digits behind it: for one digit after the other, p to the tenth times x to that digit."""
    while True:
        x, p = base(rng, 3), rng.choice(["1", "1", base(rng, 3)])
        exponents = [rng.choice("0001123456789") for _ in range(rng.randint(0, size))]
        value, longest = read(p), 0
        for d in exponents:
            tenth, last = _raised(str(value), 10), _raised(x, int(d))
            value = Number(tenth.units * last.units, tenth.decimals + last.decimals)
            longest = max(longest, len(str(tenth)), len(str(value)))
            if longest > LONGEST_POWER:
                break
        else:
            return Problem(x, ",".join([p, *exponents]), str(value))


def _power(rng: Random, size: int, longest: int = LONGEST_POWER) -> tuple[str, int]:
    """A number and an exponent of up to `size` digits whose power is not long."""
    while True:
        x, n = base(rng, 4), int(number(rng, size))
        if x.strip("-0.") in ("", "1") and n * max(decimals_of(x), len(x) - 1) <= longest:
            return x, n
        if n * len(x) <= longest:
            return x, n


def exact_power(rng: Random, size: int) -> Problem:
    """x to the power of a whole number, with all decimals."""
    x, n = _power(rng, size)
    return Problem(x, str(n), str(_raised(x, n)))


def power_fit(rng: Random, size: int) -> Problem:
    """`x`, and `n,z`: x to the n with no more decimals than z has."""
    (x, n), z = _power(rng, min(size, 2)), zero(rng, size)
    power = _raised(x, n)
    return Problem(x, f"{n},{z}", str(power.cut(min(power.decimals, decimals_of(z)))))


def scaled_power(rng: Random, size: int) -> Problem:
    """`x`, and `n,z`: x to the n at the scale of z."""
    x, n = _power(rng, min(size, 2), 12)
    if rng.random() < 0.6:  # a short exponent, and decimals of all lengths
        n, sign = rng.randint(0, 3), rng.choice(["", "-"])
        x = f"{sign}{rng.choice('012')}.{digits(rng, rng.randint(0, 2))}{rng.choice('1234')}"
    return _power_at(x, n, zero(rng, size))


def decimal_power(rng: Random, size: int) -> Problem:
    """The same, and n may be negative."""
    problem = scaled_power(rng, size)
    n, z = problem.y.split(",")
    if n == "0" or not problem.x.strip("-0.") or rng.random() < 0.5:
        return problem
    return _power_at(problem.x, -int(n), z)


def _power_at(x: str, n: int, z: str) -> Problem:
    return Problem(x, f"{n},{z}", str(oracle.operate("^", read(x), Number(n), decimals_of(z))))
