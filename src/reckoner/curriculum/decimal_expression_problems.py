"""Problem samplers for one operation of any kind, and for whole expressions with decimals and powers."""

from __future__ import annotations

from random import Random

from reckoner.curriculum import oracle
from reckoner.curriculum.decimal_problems import decimals_of, plain_operation, scaled_operation, signed, zero
from reckoner.curriculum.expression import exponent
from reckoner.curriculum.power_problems import LONGEST_POWER, base, decimal_power
from reckoner.curriculum.problems import Problem

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
            value, rest = oracle.evaluate_up_to_bracket(text, decimals_of(z))
        except ArithmeticError:
            continue
        if len(value) <= LONGEST_POWER:
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
    x, raised = base(rng, 3), exponent(rng, 12)
    if len(x) * abs(int(raised)) > 12:
        raised = rng.choice(["0", "1", "2", "-1", "-2"])
    if size >= 2 and rng.random() < 0.7:
        used = rng.randint(0, size - 2)
        x, raised = f"({_by_size(rng, used)})", rng.choice(["0", "1", "2", "3", "-1", "-2"])
        size -= 2 + used
    if size >= 2:
        raised = f"({rng.choice(['0', '1', '2', '1+1', '3-2', '2-3'][: 6 if size > 2 else 3])})"
    return f"{x}^{raised}"


def _operand(rng: Random) -> str:
    return signed(rng, rng.choice([1, 1, 2]) if rng.random() < 0.95 else 5)
