"""`reckon eval`: how often the networks are right, by kind of problem and length, with exact intervals."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from reckoner.curriculum import oracle
from reckoner.errors import ReckonerError
from reckoner.evaluation.interval import interval

LENGTHS = (5, 10, 20, 50, 100)
OPERATORS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}
KINDS = (*OPERATORS, "expression", "expression-modulo")


def _digits(rng: Random, length: int) -> str:
    """A number of exactly so many digits, without leading zeros."""
    first = rng.choice("0123456789" if length == 1 else "123456789")
    return first + "".join(rng.choice("0123456789") for _ in range(length - 1))


def single_operation(rng: Random, operator: str, length: int) -> str:
    """`a+b` of exactly so many characters."""
    left = rng.randint(1, length - 2)
    return _digits(rng, left) + operator + _digits(rng, length - 1 - left)


def mixed_expression(rng: Random, operators: str, length: int) -> str:
    """An expression of exactly so many characters, about three operators and some brackets per ten of them."""
    count = max(1, min(round(0.3 * length + rng.uniform(-0.5, 0.5)), (length - 1) // 2))
    spare = length - 2 * count - 1
    pairs = sum(rng.random() < 0.4 for _ in range(min(count, spare // 2)))
    sizes = [1] * (count + 1)
    for _ in range(spare - 2 * pairs):
        sizes[rng.randrange(len(sizes))] += 1
    parts = [_digits(rng, size) for size in sizes]
    spans: list[tuple[int, int]] = []
    while len(spans) < pairs:
        i = rng.randrange(count)
        j = rng.randint(i + 1, min(count, i + 1 + rng.choice([0, 0, 1, 2, count])))
        # brackets may nest but not cross
        if all(j < a or b < i or (a <= i and j <= b) or (i <= a and b <= j) for a, b in spans):
            spans.append((i, j))
    for i, j in spans:
        parts[i] = "(" + parts[i]
        parts[j] += ")"
    text = parts[0]
    for part in parts[1:]:
        text += rng.choice(operators) + part
    return text


def cell_problems(kind: str, length: int, count: int, seed: int) -> list[str]:
    """`count` different expressions of one cell of the table; those without a value are left out."""
    rng = Random(f"{kind} {length} {seed}")
    operator = OPERATORS.get(kind)
    found: dict[str, None] = {}
    for _ in range(50 * count):
        if operator is not None:
            text = single_operation(rng, operator, length)
        else:
            text = mixed_expression(rng, "+-*/%" if kind == "expression-modulo" else "+-*/", length)
            if kind == "expression-modulo" and "%" not in text:
                continue
        if text in found:
            continue
        try:
            oracle.evaluate(text)
        except ZeroDivisionError:
            continue
        found[text] = None
        if len(found) == count:
            break
    return list(found)


def _carries(rng: Random, _: int) -> str:
    n = rng.randint(1, 60)
    return rng.choice(
        [f"{'9' * n}+1", f"1{'0' * n}-1", f"{'9' * n}*{'9' * rng.randint(1, n)}", f"{'9' * n}+{'9' * n}"]
    )


def _equal(rng: Random, _: int) -> str:
    a = _digits(rng, rng.randint(1, 40))
    return f"{a}{rng.choice('+-*')}{a}" if a == "0" else f"{a}{rng.choice('+-*/%')}{a}"


def _zeros(rng: Random, _: int) -> str:
    a = _digits(rng, rng.randint(1, 30))
    return rng.choice(
        [f"0+{a}", f"{a}-0", f"0*{a}", f"{a}*0", f"0-{a}", f"({a}-{a})*{a}", f"0/{a}1", f"{a}+0*{a}"]
    )


def _inner_zeros(rng: Random, _: int) -> str:
    b = rng.randint(1, 10 ** rng.randint(1, 8))
    quotient = int("".join(rng.choice("0001") for _ in range(rng.randint(2, 20))) + "7")
    return f"{b * quotient + rng.randrange(b)}/{b}"


def _sparse(rng: Random, _: int) -> str:
    def one() -> str:
        return rng.choice("12") + "".join(rng.choice("00000012") for _ in range(rng.randint(0, 30)))

    return f"{one()}{rng.choice('+-*/%')}{one()}"


def _padded(rng: Random, _: int) -> str:
    a, b = (f"{'0' * rng.randint(1, 9)}{rng.randint(0, 99)}" for _ in range(2))
    return f"{a}{rng.choice('+-*')}{b}"


def _deep(rng: Random, _: int) -> str:
    text = str(rng.randint(1, 99))
    for _ in range(20):
        side, op = rng.randint(1, 99), rng.choice("+-*")
        text = f"({text}{op}{side})" if rng.random() < 0.5 else f"({side}{op}{text})"
    return text


def _chain(rng: Random, _: int) -> str:
    text = str(rng.randint(0, 999))
    for _ in range(50):
        operator = rng.choice("+-*/%")
        text += operator + str(rng.randint(1 if operator in "/%" else 0, 999))
    return text


def _unary(rng: Random, _: int) -> str:
    a, b, c = (rng.randint(0, 99) for _ in range(3))
    return rng.choice(
        [f"-({a}-{b})*{c}", f"{a}--{b}", f"{a}*-{b + 1}", f"-{a}-({b}--{c})", f"--{a}+{b}", f"-({a}-{a})"]
    )


SPECIAL: dict[str, Callable[[Random, int], str]] = {
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
    found = dict.fromkeys(SPECIAL[name](rng, i) for i in range(3 * count))
    return list(found)[:count]


@dataclass
class Cell:
    """The result of one cell."""

    kind: str
    length: int | None
    right: int
    count: int
    low: float
    high: float
    seconds: float
    mistakes: list[str]


def measure(calculator: Any, kind: str, length: int | None, texts: Sequence[str]) -> Cell:
    """Have the networks work out all texts and mark them."""
    from reckoner.grammar import parse

    started = time.monotonic()
    results = list(calculator.many(texts))
    seconds = time.monotonic() - started
    mistakes = []
    for text, result in zip(texts, results, strict=True):
        exact = oracle.evaluate(parse(text).text)
        answered = None if isinstance(result, ReckonerError) else getattr(result, "text", None)
        if answered != exact:
            mistakes.append(text)
    right = len(texts) - len(mistakes)
    return Cell(kind, length, right, len(texts), *interval(right, len(texts)), seconds, mistakes)


def table(cells: Sequence[Cell]) -> str:
    """The results as Markdown."""
    by_place = {(c.kind, c.length): c for c in cells}
    lengths = sorted({c.length for c in cells if c.length is not None})
    lines = ["| right, of 1,000 unless stated | " + " | ".join(f"length {n}" for n in lengths) + " |"]
    lines.append("|---" * (len(lengths) + 1) + "|")
    for kind in dict.fromkeys(c.kind for c in cells if c.length is not None):
        row = [by_place.get((kind, n)) for n in lengths]
        lines.append(f"| {kind} | " + " | ".join(_share(c) for c in row) + " |")
    lines += ["", "| special problems | right | 95 % interval |", "|---|---|---|"]
    for c in cells:
        if c.length is None:
            lines.append(f"| {c.kind} | {c.right} of {c.count} | {c.low:.2%} to {c.high:.2%} |")
    return "\n".join(lines)


def _share(cell: Cell | None) -> str:
    if cell is None:
        return ""
    of = "" if cell.count == 1000 else f" of {cell.count}"
    return f"{cell.right / cell.count:.1%}{of} (≥ {cell.low:.2%})"


def parser() -> argparse.ArgumentParser:
    """The options of `reckon eval`."""
    p = argparse.ArgumentParser(
        prog="reckon eval",
        description="Measure how often the networks are right, at lengths nobody trained on. Percentages come with "
        "the lower end of the exact 95 % interval.",
    )
    p.add_argument("--library", metavar="DIR", help="other weights than the bundled ones")
    p.add_argument("--count", type=int, default=1000, help="problems per cell (default 1,000)")
    p.add_argument("--lengths", type=int, nargs="+", default=list(LENGTHS), metavar="N")
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--out", type=Path, metavar="DIR", help="also write eval.json and eval.md there")
    return p


def main(argv: list[str]) -> int:
    """Run the command."""
    options = parser().parse_args(argv)
    from reckoner.calculator import Calculator

    calculator = Calculator(options.library)
    cells = []
    plan: list[tuple[str, int | None]] = [(kind, n) for kind in KINDS for n in options.lengths]
    plan += [(name, None) for name in SPECIAL]
    for kind, length in plan:
        if length is None:
            texts = special_problems(kind, min(200, options.count), options.seed)
        else:
            texts = cell_problems(kind, length, options.count, options.seed)
        cell = measure(calculator, kind, length, texts)
        cells.append(cell)
        where = kind if length is None else f"{kind}, length {length}"
        print(f"{where}: {cell.right} of {cell.count} in {cell.seconds:.1f} s", file=sys.stderr, flush=True)
    print(table(cells))
    show_mistakes(calculator, [m for c in cells for m in c.mistakes][:5])
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        record = {"seed": options.seed, "cells": [asdict(c) for c in cells]}
        (options.out / "eval.json").write_text(json.dumps(record, indent=1) + "\n")
        (options.out / "eval.md").write_text(table(cells) + "\n")
    return 0 if not any(c.mistakes for c in cells) else 5


def show_mistakes(calculator: Any, texts: Sequence[str]) -> None:
    """Print mistakes with their steps."""
    for text in texts:
        print(f"\nwrong: {text}")
        try:
            answer = calculator(text, trace=True)
            print(answer.trace.render(depth=2))
        except ReckonerError as error:
            print(f"  {error.message}")
