"""GNU bc as a partner: the same random expressions, worked out by the program whose language this is.

It is optional: Debian's package `bc` has it. Where bc and we print the same number differently, `normal` says what is
the same. Two kinds of expressions are left out: exponents with decimals, where bc warns and goes on without them, and
powers of more than a thousand digits.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from reckoner.answer import Answer
from reckoner.curriculum import oracle
from reckoner.curriculum.expression import decimal_by_size
from reckoner.errors import DivisionByZero, ExponentError, TextLimit

_LARGEST_SCALE = 20
_MOST_DIGITS = 1_000  # of a power
_AT_ONCE = 1_000
_MARK = "="  # printed after each expression, so that one without an answer is seen
_SECONDS = 600


def find_bc() -> str | None:
    """Where bc is, if it is installed."""
    return shutil.which("bc")


def ask_bc(texts: Sequence[str], scales: Sequence[int]) -> list[str | None]:
    """What bc answers to each expression at its scale, as it prints it; None where it has no answer."""
    bc = find_bc()
    if bc is None:
        raise FileNotFoundError("bc is not installed")
    answers: list[str | None] = []
    for start in range(0, len(texts), _AT_ONCE):
        part = zip(texts[start : start + _AT_ONCE], scales[start : start + _AT_ONCE], strict=True)
        # `--` is another operator in bc
        script = "".join(f'scale={scale}\n{text.replace("--", "- -")}\n"{_MARK}"\n' for text, scale in part)
        done = subprocess.run(
            [bc, "-q"],
            input=script,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
            env=os.environ | {"BC_LINE_LENGTH": "0"},
        )
        answers += [piece.strip() or None for piece in done.stdout.split(_MARK)[:-1]]
    return answers


def normal(answer: str) -> str:
    """A number of bc's as we print it: `.5` is `0.5`, and its rare `-0` is `0`."""
    sign, digits = ("-", answer[1:]) if answer.startswith("-") else ("", answer)
    digits = "0" + digits if digits.startswith(".") else digits
    return sign + digits if digits.strip("0.") else "0"


@dataclass(frozen=True)
class Comparison:
    """How often we and bc agree."""

    count: int
    without_value: int  # divisions by zero, which both refuse
    differences: list[str]


def draw(count: int, seed: int) -> list[tuple[str, int]]:
    """Random expressions with all operators, and a scale for each; one in some ten divides by zero."""
    rng = Random(f"bc {seed}")
    drawn: list[tuple[str, int]] = []
    while len(drawn) < count:
        text = decimal_by_size(rng, rng.randint(1, 8), rng.choice([2, 4, 10]))
        scale = rng.randint(0, _LARGEST_SCALE)
        try:
            oracle.evaluate(text, scale, _MOST_DIGITS)
        except ZeroDivisionError:
            pass
        except (oracle.ExponentError, OverflowError):
            continue
        drawn.append((text, scale))
    return drawn


def compare(calculator: Any, count: int, seed: int) -> Comparison:
    """Ask both the same."""
    drawn = sorted(draw(count, seed), key=lambda pair: pair[1])
    theirs = ask_bc([text for text, _ in drawn], [scale for _, scale in drawn])
    ours: list[str | None] = []
    for scale in range(_LARGEST_SCALE + 1):
        texts = [text for text, own in drawn if own == scale]
        ours += [_value(result) for result in calculator.many(texts, scale=scale)]
    pairs = [(found, answer and normal(answer)) for found, answer in zip(ours, theirs, strict=True)]
    differences = [
        f"scale={scale}; {text}: {found}, bc {answer}"
        for (text, scale), (found, answer) in zip(drawn, pairs, strict=True)
        if found != answer
    ]
    return Comparison(count, ours.count(None), differences)


def _value(result: Any) -> str | None:
    if isinstance(result, Answer):
        return result.text
    # What bc refuses for a division by zero may have another fault as well, and we see that one first.
    has_no_value = isinstance(result, DivisionByZero | ExponentError | TextLimit)
    return None if has_no_value else str(result.kind)
