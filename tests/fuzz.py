"""Fuzzing: strings made by the grammar and strings spoiled on purpose, judged by an independent reference.

`python -m tests.fuzz --count 1000000` tries a million with the bundled networks; the tests try 20,000.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from reckoner.answer import Answer, Failure, Result
from reckoner.calculator import Calculator
from reckoner.cli.report import Report, describe
from reckoner.curriculum.expression import by_size, decimal_by_size
from tests.reference import judge

SIGNS = "+-*/%×÷−·"
# What people and programs put into expressions by mistake.
SPOILERS = [
    *"()+-*/%×÷−·  0123456789..,=x^^[;",
    "\0",
    "\t",
    "\n",
    "\ufeff",
    "\ud800",
    "\udcff",
    "٣",
    "２",
    "²",
    "½",
]
SPOILERS += ["\u202e", "\u200b", "\x1b[31m", "e9", "**", "//", "--", "()", "1 2", "é", "e\u0301", "😀"]


def make_expression(rng: random.Random, operators: int, signs: str = SIGNS, decimals: float = 0.0) -> str:
    """A string of the grammar with about so many operators and brackets, written as people may write it."""
    if rng.random() < decimals:
        text = decimal_by_size(rng, operators, 5, signs + "^^", 6)
        text = re.sub(r"(?<!\d)0\.", lambda found: rng.choice((found.group(), ".")), text)
        text = re.sub(r"(?<![\d.])\d+(?![\d.])", lambda n: n.group() + rng.choice(("", "", "", ".")), text)
    else:
        text = by_size(rng, operators, signs, 7)
    text = re.sub(r"\d+", lambda n: rng.choice(("", "", "", "", "", "0", "00")) + n.group(), text)
    text = re.sub(r"\(", lambda _: rng.choice(("(", "(", "(", "-(", "(--")), text)
    return re.sub(r"(?<=[\d)])[^\d().]", lambda s: s.group().center(rng.choice((1, 1, 1, 1, 3))), text)


def spoil(rng: random.Random, text: str) -> str:
    """The text with a few characters put in, taken out, doubled or swapped."""
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice((0, 0, 1, 1, 3)))
        middle = rng.choice(("", text[start:end] * 2, rng.choice(SPOILERS), rng.choice(SPOILERS)))
        text = text[:start] + middle + text[end:]
    return text


def make_texts(rng: random.Random, signs: str = SIGNS, decimals: float = 0.0) -> Iterator[str]:
    """Endless strings, two of three from the grammar; that share of them with decimals and powers."""
    while True:
        text = make_expression(rng, rng.choice((0, 1, 1, 2, 2, 3, 4, 6, 8)), signs, decimals)
        text = text if rng.random() < 0.67 else spoil(rng, text)
        if is_soon_done(text):
            yield text


def is_soon_done(text: str) -> bool:
    """Whether there is no huge power in it."""
    try:
        judge(text)
    except OverflowError:
        return False
    return True


def find_faults(texts: Sequence[str], results: Iterable[Result], scale: int = 0) -> list[str]:
    """One sentence for each result that is wrong or cannot be shown."""
    faults = []
    report = Report(json=True)
    for text, result in zip(texts, results, strict=True):
        found = result.text if isinstance(result, Answer) else result.error.kind
        try:
            expected = judge(text, scale)
        except OverflowError:
            continue
        if found != expected if isinstance(expected, str) else found not in expected:
            faults.append(f"{text!r}: expected {expected}, found {found}")
        entry = json.loads(report.to_json(result))
        if entry["expression"] != text or entry["status"] != ("ok" if isinstance(result, Answer) else found):
            faults.append(f"{text!r}: JSON says {entry}")
        if isinstance(result, Failure):
            position = result.error.position
            if position is None or not 0 <= position <= len(text):
                faults.append(f"{text!r}: no place for {found}")
            describe(result).encode(errors="backslashreplace")
    return faults


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch", type=int, default=1_000)
    parser.add_argument("--library", metavar="DIR")
    parser.add_argument("--scale", type=int, default=0)
    parser.add_argument(
        "--decimals", type=float, default=0.5, help="share of strings with decimals and powers"
    )
    options = parser.parse_args(arguments)
    calculator = Calculator(options.library)
    texts = islice(make_texts(random.Random(options.seed), decimals=options.decimals), options.count)
    done = wrong = 0
    start = time.monotonic()
    while batch := list(islice(texts, options.batch)):
        faults = find_faults(batch, calculator.results(batch, scale=options.scale), options.scale)
        print(*faults, sep="\n", end="\n" if faults else "")
        done += len(batch)
        wrong += len(faults)
        print(
            f"\r{done:,} strings, {wrong:,} faults, {time.monotonic() - start:.0f} s", end="", file=sys.stderr
        )
    print(file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
