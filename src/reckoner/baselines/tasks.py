"""What the baselines are taught: the curriculum's operations as text, and tasks that show they are sound.

The problems come from the samplers and the split of the curriculum; a baseline has no skills to call, so the
helper skills between one-digit and many-digit operations are of no use to it and left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from reckoner.baselines.trainer import Exercise
from reckoner.curriculum import oracle, problems
from reckoner.curriculum.expression import by_size, digits
from reckoner.curriculum.problems import Problem

Maker = Callable[[Random], Problem]
Family = Callable[[Random, int], Exercise]  # exercises by length


@dataclass(frozen=True)
class TextTask:
    """One task of the sequence; `operation` names the column of Table 1 that it teaches."""

    name: str
    operation: str
    make: Maker


def _operation(name: str, operation: str, sign: str, sampler: problems.Sampler, size: int) -> TextTask:
    def make(rng: Random) -> Problem:
        x, y, answer = sampler(rng, size)
        return Problem(f"{x}{sign}{y}", "", answer)

    return TextTask(name, operation, make)


def _expression(longest: int) -> Maker:
    """Whole expressions of up to so many characters."""

    def make(rng: Random) -> Problem:
        while True:
            text = by_size(rng, rng.randint(1, 5), "+-*/", 3)
            if len(text) <= longest:
                try:
                    return Problem(text, "", oracle.evaluate(text))
                except ZeroDivisionError:
                    continue

    return make


TASKS = (
    _operation("S+S", "add", "+", problems.add, 1),
    _operation("M+M, 2 digits", "add", "+", problems.add, 2),
    _operation("M+M, 5 digits", "add", "+", problems.add, 5),
    _operation("S-S", "subtract", "-", problems.subtract, 1),
    _operation("M-M, 2 digits", "subtract", "-", problems.subtract, 2),
    _operation("M-M, 5 digits", "subtract", "-", problems.subtract, 5),
    _operation("S*S", "multiply", "*", problems.multiply, 1),
    _operation("M*M, 2 digits", "multiply", "*", problems.multiply, 2),
    _operation("M*M, 5 digits", "multiply", "*", problems.multiply, 5),
    _operation("M/M, 2 digits", "divide", "/", problems.divide, 2),
    _operation("M/M, 5 digits", "divide", "/", problems.divide, 5),
    TextTask("expressions, 10 characters", "expression", _expression(10)),
)


def training_set(task: TextTask, count: int) -> list[Exercise]:
    """Up to `count` different problems on the training side of the split; the same ones for every seed."""
    rng = Random(f"baseline {task.name}")

    def draw() -> Exercise | None:
        problem = task.make(rng)
        return None if problem.split != "training" else Exercise(problem.x, problem.answer)

    return problems.collect(draw, count, 5 * count)


# --- tasks that show a baseline is sound before it is compared ---


def copy(rng: Random, length: int) -> Exercise:
    """The text itself."""
    text = digits(rng, length)
    return Exercise(text, text)


def reverse(rng: Random, length: int) -> Exercise:
    """The text backwards."""
    text = digits(rng, length)
    return Exercise(text, text[::-1])


def binary_addition(rng: Random, bits: int) -> Exercise:
    """Sum of two binary numbers of so many bits, in one bit more."""
    x, y = rng.getrandbits(bits), rng.getrandbits(bits)
    return Exercise(f"{x:0{bits}b}+{y:0{bits}b}", f"{x + y:0{bits + 1}b}")


def aligned_addition(rng: Random, bits: int) -> Exercise:
    """The same with both bits of a place in one symbol, x + 2y, as in Price, Zaremba and Sutskever (2016)."""
    x, y = rng.getrandbits(bits), rng.getrandbits(bits)
    pairs = (str(2 * (y >> i & 1) + (x >> i & 1)) for i in range(bits - 1, -1, -1))
    return Exercise("0" + "".join(pairs), f"{x + y:0{bits + 1}b}")


FAMILIES: dict[str, Family] = {
    "copy": copy,
    "reverse": reverse,
    "binary addition": binary_addition,
    "aligned binary addition": aligned_addition,
}
