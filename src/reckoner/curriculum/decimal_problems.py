"""Problem samplers for decimals and powers: as `problems`, with the oracle's meaning of every operator.

Where a message holds more than two numbers they stand side by side with commas. A number whose decimals alone
count (the scale of a division, say) is called z.
"""

from __future__ import annotations

from random import Random

from reckoner.curriculum import oracle
from reckoner.curriculum.expression import digits, exponent, number
from reckoner.curriculum.oracle import Number
from reckoner.curriculum.problems import WIDE, Problem, Sampler

_LONGEST_POWER = 30  # characters of a power in training: the calls below one attempt are limited


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


def _read(text: str) -> Number:
    plain = oracle.read(text.lstrip("-"))
    return Number(-plain.units, plain.decimals) if text[0] == "-" else plain


def _decimals(text: str) -> int:
    return _read(text).decimals


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
    return str(_read(x).cut(max(_decimals(x), places)))


def level(rng: Random, size: int) -> Problem:
    """Both numbers with as many decimals as the one that has more."""
    x, y = signed(rng, size), signed(rng, size)
    return Problem(x, y, f"{_extended(x, _decimals(y))},{_extended(y, _decimals(x))}")


def whole_pair(rng: Random, size: int) -> Problem:
    """Both numbers without their points."""
    x, y = signed(rng, size), signed(rng, size)
    return Problem(x, y, f"{_read(x).units},{_read(y).units}")


def negate(rng: Random, size: int) -> Problem:
    """-x."""
    x = signed(rng, size) if rng.random() < 0.8 else zero(rng, size)
    return Problem(x, "", str(Number(-_read(x).units, _decimals(x))))


def whole_operation(operator: str) -> Sampler:
    """An operation on the digits of two numbers, as if there were no points."""

    def sample(rng: Random, size: int) -> Problem:
        x, y = signed(rng, size), (_nonzero if operator == "/" else signed)(rng, size)
        whole = oracle.operate(operator, Number(_read(x).units), Number(_read(y).units))
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
    x, y = _extended(x, _decimals(y)), _extended(y, _decimals(x))
    return Problem(x, y, str(oracle.operate("+", _read(x), _read(y))))


def plain_operation(operator: str) -> Sampler:
    """A sum or a difference."""

    def sample(rng: Random, size: int) -> Problem:
        x, y = _pair(rng, size)
        return Problem(x, y, str(oracle.operate(operator, _read(x), _read(y))))

    return sample


def _times(x: str, y: str) -> Number:
    """The product with all its decimals."""
    a, b = _read(x), _read(y)
    return Number(a.units * b.units, a.decimals + b.decimals)


def place_both(rng: Random, size: int) -> Problem:
    """`p`, and `x,y`: p with as many decimals as x and y together."""
    x, y = signed(rng, size), signed(rng, size)
    p = str(_times(x, y).units) if rng.random() < 0.7 else str(_read(signed(rng, size)).units)
    return Problem(p, f"{x},{y}", str(Number(int(p), _decimals(x) + _decimals(y))))


def exact_multiply(rng: Random, size: int) -> Problem:
    """The product with all its decimals."""
    x, y = signed(rng, size), signed(rng, size)
    return Problem(x, y, str(_times(x, y)))


def widest(rng: Random, size: int) -> Problem:
    """`x`, and `y,z`: z with as many decimals as any of the three has."""
    x, y, z = signed(rng, size), signed(rng, size), zero(rng, size)
    return Problem(x, f"{y},{z}", _extended(z, max(_decimals(x), _decimals(y))))


def fit(rng: Random, size: int) -> Problem:
    """x with no more decimals than z has."""
    x, z = signed(rng, size), zero(rng, size)
    if rng.random() < 0.3:  # in half of these cases nothing but zeros is left of a negative number
        zeros = "0" * rng.choice([0, _decimals(z)])
        x = f"-0.{zeros}{_string(rng, size)}{rng.choice('123456789')}"
    return Problem(x, z, str(_read(x).cut(min(_decimals(x), _decimals(z)))))


def multiply_fit(rng: Random, size: int) -> Problem:
    """`x`, and `y,z`: the product with no more decimals than z has."""
    x, y, z = signed(rng, size), signed(rng, size), zero(rng, size)
    product = _times(x, y)
    return Problem(x, f"{y},{z}", str(product.cut(min(product.decimals, _decimals(z)))))


def scaled_operation(operator: str) -> Sampler:
    """`x`, and `y,z`: an operation at the scale of z."""

    def sample(rng: Random, size: int) -> Problem:
        x, y, z = signed(rng, size), (_nonzero if operator in "/%" else signed)(rng, size), zero(rng, size)
        if rng.random() < 0.05 and y.strip("-0."):
            x = y
        return Problem(x, f"{y},{z}", str(oracle.operate(operator, _read(x), _read(y), _decimals(z))))

    return sample


def scale_dividend(rng: Random, size: int) -> Problem:
    """`x`, and `y,z`: x and y with equally many decimals, then x with as many more as z has; y; z."""
    x, y, z = signed(rng, size), signed(rng, size), zero(rng, size)
    most = max(_decimals(x), _decimals(y))
    return Problem(x, f"{y},{z}", f"{_extended(x, most + _decimals(z))},{_extended(y, most)},{z}")


def place_scale(rng: Random, size: int) -> Problem:
    """The whole number x with as many decimals as z has."""
    x, z = str(_read(signed(rng, size)).units), zero(rng, size)
    return Problem(x, z, str(Number(int(x), _decimals(z))))


def divide_scaled(rng: Random, size: int) -> Problem:
    """`x`, and `y,z`: the quotient of the digits, as if there were no points, with as many decimals as z has."""
    x, y, z = signed(rng, size), _nonzero(rng, size), zero(rng, size)
    return Problem(x, f"{y},{z}", str(Number(oracle.divide(_read(x).units, _read(y).units), _decimals(z))))


def take_product(rng: Random, size: int) -> Problem:
    """`x`, and `y,q`: x - y·q with all decimals."""
    x, y, q = signed(rng, size), signed(rng, size), signed(rng, size)
    if rng.random() < 0.3:
        x = str(_times(y, q))
    return Problem(x, f"{y},{q}", str(oracle.operate("-", _read(x), _times(y, q))))


# --- powers ---

_EASY = ("0", "1", "-1", "10", "0.1", "0.0", "-0.1", "0.01", "-10")


def _base(rng: Random, size: int) -> str:
    """A number of up to `size` characters and a sign to be raised: powers get long quickly, and take many calls."""
    while True:
        x = rng.choice(_EASY) if rng.random() < 0.4 else signed(rng, size)
        if len(x.lstrip("-")) <= max(2, size):
            return x


def _raised(x: str, n: int) -> Number:
    base = _read(x)
    return Number(base.units**n, base.decimals * n)


def digits_apart(rng: Random, size: int) -> Problem:
    """The digits of a number with commas between them."""
    x = digits(rng, rng.randint(1, size))
    return Problem(x, "", ",".join(x))


def power_marks(rng: Random, size: int) -> Problem:
    """x to the power of as many as there are marks."""
    x, count = _base(rng, 3), rng.randint(0, size)
    if len(x) * count > _LONGEST_POWER:
        x = rng.choice(["1", "-1", "2", "0.1"])
    return Problem(x, "^" * count, str(_raised(x, count)))


def power_digit(rng: Random, size: int) -> Problem:
    """x to the power of a digit."""
    x, n = _base(rng, size), rng.choice("0123456789")
    return Problem(x, n, str(_raised(x, int(n))))


def tenth_power_times(rng: Random, size: int) -> Problem:
    """x to the tenth, times y."""
    x, y = _base(rng, size), signed(rng, size)
    power = _raised(x, 10)
    return Problem(x, y, str(Number(power.units * _read(y).units, power.decimals + _decimals(y))))


def power_step(rng: Random, size: int) -> Problem:
    """`x`, and `p,d`: p to the tenth, times x to the d."""
    x, p, d = _base(rng, size), _base(rng, size), rng.choice("0123456789")
    tenth, last = _raised(p, 10), _raised(x, int(d))
    return Problem(x, f"{p},{d}", str(Number(tenth.units * last.units, tenth.decimals + last.decimals)))


def power_digits(rng: Random, size: int) -> Problem:
    """`x`, and `p` with digits behind it: for one digit after the other, p to the tenth times x to that digit."""
    while True:
        x, p = _base(rng, 3), rng.choice(["1", "1", _base(rng, 3)])
        exponents = [rng.choice("0001123456789") for _ in range(rng.randint(0, size))]
        value, longest = _read(p), 0
        for d in exponents:
            tenth, last = _raised(str(value), 10), _raised(x, int(d))
            value = Number(tenth.units * last.units, tenth.decimals + last.decimals)
            longest = max(longest, len(str(tenth)), len(str(value)))
            if longest > _LONGEST_POWER:
                break
        else:
            return Problem(x, ",".join([p, *exponents]), str(value))


def _power(rng: Random, size: int, longest: int = _LONGEST_POWER) -> tuple[str, int]:
    """A number and an exponent of up to `size` digits whose power is not long."""
    while True:
        x, n = _base(rng, 4), int(number(rng, size))
        if x.strip("-0.") in ("", "1") and n * max(_decimals(x), len(x) - 1) <= longest:
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
    return Problem(x, f"{n},{z}", str(power.cut(min(power.decimals, _decimals(z)))))


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
    return Problem(x, f"{n},{z}", str(oracle.operate("^", _read(x), Number(n), _decimals(z))))


# --- expressions ---

_OPERATORS = "+-*+-*/%"  # quotients take ten times as many calls


def operate(rng: Random, size: int) -> Problem:
    """`x+y` with any operator, and z."""
    operator = rng.choice("+-*/%^")
    if operator == "^":
        problem = decimal_power(rng, size)
        n, _, z = problem.y.partition(",")
        return Problem(f"{problem.x}^{n}", z, problem.answer)
    if operator in "+-":
        problem = plain_operation(operator)(rng, size)
        return Problem(f"{problem.x}{operator}{problem.y}", zero(rng, size), problem.answer)
    problem = scaled_operation(operator)(rng, size)
    y, _, z = problem.y.partition(",")
    return Problem(f"{problem.x}{operator}{y}", z, problem.answer)


def expressions(rng: Random, size: int) -> Problem:
    """z, and a text to work off up to its first unmatched closing bracket (which stays), or its end.

    The size is the number of operators and brackets to be worked off. Powers stand alone or in brackets.
    """
    while True:
        z = zero(rng, 2)
        text = _text(rng, rng.randint(0, size))
        try:
            value, rest = oracle.evaluate_up_to_bracket(text, _decimals(z))
        except ArithmeticError:
            continue
        if len(value) <= _LONGEST_POWER:
            return Problem(z, text, value + rest)


def _text(rng: Random, size: int) -> str:
    if rng.random() < 0.4:
        text = _by_size(rng, size) + ")"
        for _ in range(rng.choice([0, 1, 1, 2, 3])):  # what follows the bracket is not to be touched
            text += ")" if rng.random() < 0.3 else rng.choice(_OPERATORS) + _by_size(rng, rng.randint(0, 2))
        return text
    return _by_size(rng, size)


def _by_size(rng: Random, size: int) -> str:
    """Operands joined by operators, `size` operators and brackets in all."""
    if size and rng.random() < 0.1:
        return _power_text(rng, size)
    parts: list[str] = []
    while True:
        if size >= 3 and rng.random() < 0.12:
            inside = rng.randint(1, size - 2)
            parts.append(f"({_power_text(rng, inside)})")
            size -= 2 + inside
        elif size >= 2 and rng.random() < 0.4:
            inside = rng.randint(0, size - 2)
            parts.append(f"({_by_size(rng, inside)})")
            size -= 2 + inside
        else:
            parts.append(_operand(rng))
        if size == 0:
            return "".join(parts)
        parts.append(rng.choice(_OPERATORS))
        size -= 1


def _power_text(rng: Random, size: int) -> str:
    """A power whose operands are numbers or brackets: `size` operators and brackets in all."""
    size -= 1
    base, raised = _base(rng, 3), exponent(rng, 12)
    if len(base) * abs(int(raised)) > 12:
        raised = rng.choice(["0", "1", "2", "-1", "-2"])
    if size >= 2 and rng.random() < 0.7:
        used = rng.randint(0, size - 2)
        base, raised = f"({_by_size(rng, used)})", rng.choice(["0", "1", "2", "3", "-1", "-2"])
        size -= 2 + used
    if size >= 2:
        raised = f"({rng.choice(['0', '1', '2', '1+1', '3-2', '2-3'][: 6 if size > 2 else 3])})"
    return f"{base}^{raised}"


def _operand(rng: Random) -> str:
    return signed(rng, rng.choice([1, 1, 2]) if rng.random() < 0.95 else 5)
