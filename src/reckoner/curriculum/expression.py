"""Random numbers and expressions: the one place where they are made.

By size (operators and brackets) for what is trained on, by length (characters) for what is tested.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

OPERATORS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}  # of kinds with a single one


def digits(rng: Random, length: int) -> str:
    """A digit string; now and then one made for carries and zeros."""
    kind = rng.random()
    if kind < 0.12:
        return "9" * length
    if kind < 0.2:
        return "0" * length
    if kind < 0.3:
        return "".join(rng.choice("0009") for _ in range(length))
    return "".join(rng.choice("0123456789") for _ in range(length))


def number(rng: Random, size: int, least: int = 0) -> str:
    """A number without leading zeros of 1 to `size` digits, at least `least` (0 or 1)."""
    length = rng.randint(1, size)
    text = digits(rng, length)
    if length == 1:
        return text if text != "0" or least == 0 else rng.choice("123456789")
    return text if text[0] != "0" else rng.choice("123456789") + text[1:]


def exactly(rng: Random, length: int) -> str:
    """A number of exactly so many digits, all equally likely, without leading zeros."""
    first = rng.choice("0123456789" if length == 1 else "123456789")
    return first + "".join(rng.choice("0123456789") for _ in range(length - 1))


def operation(rng: Random, length: int, operator: str) -> str:
    """`a+b` of exactly so many characters."""
    left = rng.randint(1, length - 2)
    return exactly(rng, left) + operator + exactly(rng, length - 1 - left)


def by_size(rng: Random, size: int, operators: str, longest: int) -> str:
    """Operands of up to `longest` digits joined by operators, `size` operators and brackets in all."""
    parts: list[str] = []
    while True:
        if size >= 2 and rng.random() < 0.4:
            inside = rng.randint(0, size - 2)
            parts.append(f"({by_size(rng, inside, operators, longest)})")
            size -= 2 + inside
        else:
            # most are short: faster
            operand = number(rng, longest if rng.random() < 0.1 else min(longest, 3))
            parts.append(f"-{operand}" if operand != "0" and rng.random() < 0.3 else operand)
        if size == 0:
            return "".join(parts)
        parts.append(rng.choice(operators))
        size -= 1


def by_length(rng: Random, length: int, operators: str) -> str:
    """An expression of exactly so many characters, about three operators and some brackets per ten of them."""
    count = max(1, min(round(0.3 * length + rng.uniform(-0.5, 0.5)), (length - 1) // 2))
    spare = length - 2 * count - 1
    pairs = sum(rng.random() < 0.4 for _ in range(min(count, spare // 2)))
    sizes = [1] * (count + 1)
    for _ in range(spare - 2 * pairs):
        sizes[rng.randrange(len(sizes))] += 1
    parts = [exactly(rng, size) for size in sizes]
    brackets = _draw_brackets(rng, count, pairs)
    return _join(parts, brackets, [rng.choice(operators) for _ in range(count)])


def of_kind(rng: Random, kind: str, length: int) -> str | None:
    """An expression of one kind and of exactly so many characters; None if what was drawn is not of that kind."""
    if kind in OPERATORS:
        return operation(rng, length, OPERATORS[kind])
    is_modulo = kind == "expression-modulo"
    text = by_length(rng, length, "+-*/%" if is_modulo else "+-*/")
    return text if not is_modulo or "%" in text else None


def decimal(rng: Random, size: int, places: int | None = None) -> str:
    """A number without a sign of up to `size` digits and up to `places` decimals (as many as there are digits)."""
    places = rng.randint(0, size if places is None else places)
    whole = number(rng, max(1, rng.randint(0, size) - places)) if rng.random() < 0.7 else "0"
    if not places:
        return whole
    kind = rng.random()
    if kind < 0.15:  # 0.0007
        fraction = digits(rng, 1).zfill(places)
    elif kind < 0.3:  # 2.5000
        fraction = digits(rng, 1).ljust(places, "0")
    else:
        fraction = digits(rng, places)
    return f"{whole}.{fraction}"


def exponent(rng: Random, largest: int = 99) -> str:
    """A whole number to raise to: mostly small, now and then negative."""
    text = str(rng.randint(0, 9) if rng.random() < 0.8 else rng.randint(0, largest))
    return f"-{text}" if text != "0" and rng.random() < 0.2 else text


def decimal_by_size(
    rng: Random, size: int, longest: int, operators: str = "+-*/%^", largest: int = 12
) -> str:
    """As `by_size`, with decimals and powers: exponents of up to `largest` in place of operands after `^`.

    Not every one has a value: there may be divisions by zero, and powers of powers that are too large.
    """
    parts: list[str] = []
    operator = ""
    while True:
        if operator == "^" and rng.random() < 0.9:
            parts.append(exponent(rng, largest))
        elif size >= 2 and rng.random() < 0.4:
            inside = rng.randint(0, size - 2)
            parts.append(f"({decimal_by_size(rng, inside, longest, operators, largest)})")
            size -= 2 + inside
        else:
            operand = decimal(rng, longest if rng.random() < 0.1 else min(longest, 3))
            is_negative = operand.strip("0.") and rng.random() < 0.3
            parts.append(f"-{operand}" if is_negative else operand)
        if size == 0:
            return "".join(parts)
        operator = rng.choice(operators)
        parts.append(operator)
        size -= 1


def decimal_exactly(rng: Random, length: int) -> str:
    """A number of exactly so many characters, mostly with a point among them."""
    if length < 3 or rng.random() < 0.1:
        return exactly(rng, length)
    places = rng.randint(1, length - 2)
    whole = exactly(rng, length - 1 - places)
    return f"{whole}.{''.join(rng.choice('0123456789') for _ in range(places))}"


def decimal_operation(rng: Random, length: int, operator: str) -> str:
    """`a+b` of exactly so many characters, with decimals on at least one side."""
    while True:
        left = rng.randint(1, length - 2)
        text = decimal_exactly(rng, left) + operator + decimal_exactly(rng, length - 1 - left)
        if "." in text:
            return text


def decimal_by_length(rng: Random, length: int, operators: str = "+-*/%^") -> str:
    """As `by_length`, with decimals and powers, and about two operators per ten characters.

    A number is raised to a digit, a bracket to 3 at most, some to less than nothing. Not every one has a value.
    """
    count = max(1, min(round(0.2 * length + rng.uniform(-0.5, 0.5)), (length - 1) // 2))
    signs = [rng.choice(operators) for _ in range(count)]
    spare = length - 2 * count - 1
    pairs = sum(rng.random() < 0.4 for _ in range(min(count, spare // 2)))
    brackets = _draw_brackets(rng, count, pairs)
    opened, closed = {i for i, _ in brackets}, {j for _, j in brackets}
    raised = {i + 1 for i, sign in enumerate(signs) if sign == "^"} - opened
    sizes = [1] * (count + 1)
    others = [i for i in range(count + 1) if i not in raised]
    spare -= 2 * pairs
    for i in sorted(raised):
        if spare > 0 and rng.random() < 0.2:  # room for a minus sign
            sizes[i] += 1
            spare -= 1
    for _ in range(spare):
        sizes[rng.choice(others)] += 1
    parts = []
    for i, size in enumerate(sizes):
        if i not in raised:
            parts.append(decimal_exactly(rng, size))
        else:
            power = rng.choice("0123" if i - 1 in closed else "0123456789")
            parts.append("-" + max(power, "1") if size == 2 else power)
    return _join(parts, brackets, signs)


def _draw_brackets(rng: Random, count: int, pairs: int) -> list[tuple[int, int]]:
    """So many pairs of brackets around operands, of which there is one more than operators."""
    brackets: list[tuple[int, int]] = []
    while len(brackets) < pairs:
        i = rng.randrange(count)
        j = rng.randint(i + 1, min(count, i + 1 + rng.choice([0, 0, 1, 2, count])))
        # they may nest but not cross
        if all(j < a or b < i or (a <= i and j <= b) or (i <= a and b <= j) for a, b in brackets):
            brackets.append((i, j))
    return brackets


def _join(parts: list[str], brackets: list[tuple[int, int]], signs: Iterable[str]) -> str:
    for i, j in brackets:
        parts[i] = "(" + parts[i]
        parts[j] += ")"
    return parts[0] + "".join(sign + part for sign, part in zip(signs, parts[1:], strict=True))
