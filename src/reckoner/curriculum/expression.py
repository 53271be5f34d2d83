"""Random numbers and expressions: the one place where they are made.

By size (operators and brackets) for what is trained on, by length (characters) for what is tested.
"""

from __future__ import annotations

from random import Random


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
    brackets: list[tuple[int, int]] = []
    while len(brackets) < pairs:
        i = rng.randrange(count)
        j = rng.randint(i + 1, min(count, i + 1 + rng.choice([0, 0, 1, 2, count])))
        # they may nest but not cross
        if all(j < a or b < i or (a <= i and j <= b) or (i <= a and b <= j) for a, b in brackets):
            brackets.append((i, j))
    for i, j in brackets:
        parts[i] = "(" + parts[i]
        parts[j] += ")"
    text = parts[0]
    for part in parts[1:]:
        text += rng.choice(operators) + part
    return text
