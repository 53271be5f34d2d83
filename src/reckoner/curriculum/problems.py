"""Problem samplers: (x, y) messages with the exact answer, by size.

Each sampler takes a random generator and a size and returns one problem of at most that size. Problems are
split into training, validation and test ones by a hash of the message, so the sets are disjoint whatever the seed.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from random import Random
from typing import Literal, NamedTuple, TypeVar

from reckoner.curriculum import oracle
from reckoner.curriculum.expression import by_size, digits, number

Split = Literal["training", "validation", "test"]


class Problem(NamedTuple):
    """A message and its exact answer."""

    x: str
    y: str
    answer: str

    @property
    def key(self) -> bytes:
        """The message as the machine's key."""
        return f"{self.x}|{self.y}".encode()

    @property
    def split(self) -> Split:
        """Of ten problems eight are for training, one steers it, and one is looked at in the end alone.

        Messages of one character or none are all for training: there are too few to hold any back.
        """
        if len(self.x) + len(self.y) < 2:
            return "training"
        tenth = zlib.crc32(self.key) % 10
        return "test" if tenth == 0 else "validation" if tenth == 1 else "training"


Sampler = Callable[[Random, int], Problem]
Drawn = TypeVar("Drawn")


def collect(draw: Callable[[], Drawn | None], count: int, tries: int) -> list[Drawn]:
    """Up to `count` different draws out of `tries`, in the order they came; None does not count."""
    found: dict[Drawn, None] = {}
    for _ in range(tries):
        drawn = draw()
        if drawn is not None:
            found[drawn] = None
        if len(found) == count:
            break
    return list(found)


def signed(rng: Random, size: int, least: int = 0) -> str:
    """A number with a minus sign half of the time; never `-0`."""
    text = number(rng, size, least)
    return f"-{text}" if text != "0" and rng.random() < 0.5 else text


def _columns(rng: Random, size: int) -> tuple[str, str, str]:
    """Two digit strings, at least one of them not empty, and a carry or borrow."""
    longest = rng.randint(1, size)
    lengths = [longest, longest if rng.random() < 0.5 else rng.randint(0, longest)]
    rng.shuffle(lengths)
    x = digits(rng, lengths[0])
    y = x if lengths[0] == lengths[1] and rng.random() < 0.1 else digits(rng, lengths[1])
    return x, y, rng.choice("01")


def add_columns(rng: Random, size: int) -> Problem:
    """x + y + c in one digit more than the wider."""
    x, y, c = _columns(rng, size)
    total = int(x or "0") + int(y or "0") + int(c)
    return Problem(x, y + c, str(total).zfill(max(len(x), len(y)) + 1))


def subtract_columns(rng: Random, size: int) -> Problem:
    """x − y − c: the borrow out, then as many digits as the wider has."""
    x, y, c = _columns(rng, size)
    width = max(len(x), len(y))
    difference = int(x or "0") - int(y or "0") - int(c)
    return Problem(x, y + c, ("1" if difference < 0 else "0") + str(difference % 10**width).zfill(width))


def strip(rng: Random, size: int) -> Problem:
    """Digits, in one read or two, without their leading zeros; nothing stays nothing, for skills wipe spans with it."""
    if rng.random() < 0.02:
        return Problem("", "", "")
    length = rng.randint(1, size)
    zeros = rng.randint(0, length) if rng.random() < 0.6 else 0
    text = "0" * zeros + digits(rng, length - zeros)
    cut = rng.randint(0, length) if rng.random() < 0.5 else length
    return Problem(text[:cut], text[cut:], str(int(text)))


def pair(rng: Random, size: int, least: int = 0) -> tuple[str, str]:
    """Two numbers, now and then equal or neighbours."""
    x, y = number(rng, size), number(rng, size, least)
    kind = rng.random()
    if kind < 0.1 and int(x) >= least:
        y = x
    elif kind < 0.15:
        y = str(int(x) + 1)
    elif kind < 0.2 and int(x) > least:
        y = str(int(x) - 1)
    return x, y


def _ordered(rng: Random, size: int) -> tuple[str, str]:
    x, y = pair(rng, size)
    return (x, y) if int(x) >= int(y) else (y, x)


def add(rng: Random, size: int) -> Problem:
    """Sum of two numbers."""
    x, y = pair(rng, size)
    return Problem(x, y, str(int(x) + int(y)))


def less(rng: Random, size: int) -> Problem:
    """A minus sign if x < y, otherwise nothing; with leading zeros too, which remainders can have."""
    x, y = pair(rng, size)
    order = "-" if int(x) < int(y) else ""
    return Problem(_padded(rng, x, size), _padded(rng, y, size), order)


def _padded(rng: Random, text: str, size: int) -> str:
    """Now and then with leading zeros, in at most `size` digits."""
    return text.zfill(rng.randint(len(text), max(size, len(text)))) if rng.random() < 0.2 else text


def subtract_natural(rng: Random, size: int) -> Problem:
    """Difference, where it is not negative."""
    x, y = _ordered(rng, size)
    return Problem(x, y, str(int(x) - int(y)))


def subtract(rng: Random, size: int) -> Problem:
    """Signed difference of two numbers."""
    x, y = pair(rng, size)
    return Problem(x, y, str(int(x) - int(y)))


def multiply_columns(rng: Random, size: int) -> Problem:
    """x · digit + carry in one digit more than x has."""
    x = digits(rng, rng.randint(1, size))
    d, c = rng.choice("0123456789"), rng.choice("012345678")
    return Problem(x, d + c, str(int(x) * int(d) + int(c)).zfill(len(x) + 1))


def multiply_digit(rng: Random, size: int) -> Problem:
    """Number times digit."""
    x, d = number(rng, size), rng.choice("0123456789")
    return Problem(x, d, str(int(x) * int(d)))


def shift_add(rng: Random, size: int) -> Problem:
    """10x + y."""
    x, y = number(rng, size), number(rng, size)
    return Problem(x, y, str(10 * int(x) + int(y)))


def multiply_accumulate(rng: Random, size: int) -> Problem:
    """10P + x·d, where y is P followed by d."""
    x, p, d = number(rng, size), number(rng, size), rng.choice("0123456789")
    return Problem(x, p + d, str(10 * int(p) + int(x) * int(d)))


WIDE = 8  # digits of the operand that self-calls do not shorten: its views must all be met from the first stage on


def multiply(rng: Random, size: int) -> Problem:
    """Product of two numbers; the second grows with the stages."""
    y = number(rng, size)
    x = y if rng.random() < 0.05 else number(rng, max(size, WIDE))
    return Problem(x, y, str(int(x) * int(y)))


def quotient_steps(most: int, least: int = 0) -> Sampler:
    """`q,x` and y: take y from x and count it in q, while x ≥ y, at most `most` times."""

    def sample(rng: Random, size: int) -> Problem:
        y = int(number(rng, size, 1))
        times = rng.randint(least, 9)
        x = times * y + (rng.randrange(y) if rng.random() < 0.8 else rng.choice([0, y - 1]))
        q = rng.randint(0, 9 - times)
        taken = min(times, most)
        return Problem(f"{q},{x}", str(y), f"{q + taken},{x - taken * y}")

    return sample


def quotient_next(rng: Random, size: int) -> Problem:
    """One digit of a long division: x < 10y, leading zeros in x."""
    problem = quotient_steps(9)(rng, size)
    x = int(problem.x.partition(",")[2])
    y = int(problem.y)
    zeros = "0" * rng.choice([0, 0, 1, 1, 2])
    return Problem(zeros + str(x), str(y), f"{x // y},{x % y}")


def divide_digits(rng: Random, size: int) -> Problem:
    """Quotient in as many digits as x has, and remainder; the dividend grows with the stages."""
    x, y = _dividend(rng, size)
    if len(x) > size:
        x = x[:size]
    if rng.random() < 0.3:
        y = number(rng, max(size, WIDE), 1)
    return Problem(x, y, f"{str(int(x) // int(y)).zfill(len(x))},{int(x) % int(y)}")


def _dividend(rng: Random, size: int) -> tuple[str, str]:
    """Numbers whose quotient is often longer than one digit, now and then with zeros inside."""
    x, y = pair(rng, size, 1)
    if rng.random() < 0.3:
        y = number(rng, max(1, size // 2), 1)
    if rng.random() < 0.2:
        x = str(int(y) * int(digits(rng, max(1, size - len(y))) or "0") + rng.randrange(int(y)))
    return x, y


def divide(rng: Random, size: int) -> Problem:
    """Quotient of two numbers."""
    x, y = _dividend(rng, size)
    return Problem(x, y, str(int(x) // int(y)))


def modulo(rng: Random, size: int) -> Problem:
    """Remainder of two numbers."""
    x, y = _dividend(rng, size)
    return Problem(x, y, str(int(x) % int(y)))


def signed_operation(operator: str) -> Sampler:
    """An operation on two signed numbers."""
    least = 1 if operator in "/%" else 0

    def sample(rng: Random, size: int) -> Problem:
        x, y = signed(rng, size), signed(rng, size, least)
        if rng.random() < 0.1 and y.lstrip("-") != "0":
            x = rng.choice([y, y.lstrip("-")])
        return Problem(x, y, oracle.evaluate(f"{x}{operator}{y}"))

    return sample


def expressions(operators: str, longest_number: int = 8) -> Sampler:
    """Texts to work off up to their first unmatched closing bracket (which stays), or their end.

    The size is the number of operators and brackets to be worked off.
    """

    def sample(rng: Random, size: int) -> Problem:
        while True:
            text = _expression_text(rng, rng.randint(0, size), operators, longest_number)
            try:
                value, rest = oracle.evaluate_up_to_bracket(text)
            except ZeroDivisionError:
                continue
            return Problem(text, "", value + rest)

    return sample


def _expression_text(rng: Random, size: int, operators: str, longest: int) -> str:
    if rng.random() < 0.4:
        text = by_size(rng, size, operators, longest) + ")"
        for _ in range(rng.choice([0, 1, 1, 2, 3])):  # what follows the bracket is not to be touched
            if rng.random() < 0.3:
                text += ")"
            else:
                text += rng.choice(operators) + by_size(rng, rng.randint(0, 2), operators, longest)
        return text
    return by_size(rng, size, operators, longest)
