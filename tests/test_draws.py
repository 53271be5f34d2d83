"""The same seed gives the same problems: committed weights and records rest on these draws.

Who changes a sampler on purpose trains its skill again and writes the new fingerprint here.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from random import Random

from reckoner.baselines import tasks as baselines
from reckoner.curriculum.stage import distinct
from reckoner.curriculum.tasks import INTERACTIVE
from reckoner.evaluation.problems import KINDS, LENGTHS, SPECIAL, problems_by_length, special_problems
from reckoner.reproduction.trial import held_out_problems


def fingerprint(problems: Iterable[object]) -> str:
    return f"{zlib.crc32(repr(list(problems)).encode()):08x}"


def draws() -> dict[str, str]:
    """A fingerprint of every set of problems, by what it is for."""
    found = {}
    for name, task in INTERACTIVE.items():
        rng = Random(f"pin {name}")
        drawn = [task.sampler(rng, size) for size in (*task.stages, task.longer) for _ in range(30)]
        drawn += distinct(task, task.stages[-1], 40, rng, "training")
        drawn += distinct(task, task.stages[0], 40, rng, "validation")
        found[name] = fingerprint([*drawn, rng.random()])
        found[f"{name}, ablations"] = fingerprint(held_out_problems(task))
    for kind in KINDS:
        found[f"{kind}, by length"] = fingerprint(problems_by_length(kind, n, 50, seed=0) for n in LENGTHS)
    for family in SPECIAL:
        found[family] = fingerprint(special_problems(family, 50, seed=0))
    for lesson in baselines.TASKS:
        found[f"{lesson.name}, baselines"] = fingerprint(map(tuple, baselines.training_set(lesson, 60)))
    return found


PINNED = {
    "add-columns": "89e88b5e",
    "add-columns, ablations": "557ed240",
    "strip": "00b11026",
    "strip, ablations": "7750299d",
    "M+M": "d477f161",
    "M+M, ablations": "5b3ec175",
    "subtract-columns": "5507cd5b",
    "subtract-columns, ablations": "e56c275b",
    "less": "5d03b9c6",
    "less, ablations": "2563f2a1",
    "M-M-natural": "ad0f15ad",
    "M-M-natural, ablations": "88b4be27",
    "M-M": "d5ecbe49",
    "M-M, ablations": "b7d17094",
    "multiply-columns": "9757f554",
    "multiply-columns, ablations": "88412731",
    "M*S": "d30f8be4",
    "M*S, ablations": "67393abf",
    "shift-add": "3cf5b5f0",
    "shift-add, ablations": "02216b3c",
    "multiply-accumulate": "ea40c592",
    "multiply-accumulate, ablations": "fde2a76c",
    "M*M": "4398285f",
    "M*M, ablations": "326372ef",
    "quotient-take": "ec2b32e4",
    "quotient-take, ablations": "2911d542",
    "quotient-step": "5ab9672b",
    "quotient-step, ablations": "29c03e84",
    "quotient-twice": "da72f256",
    "quotient-twice, ablations": "84cf42c2",
    "quotient-four": "d6364031",
    "quotient-four, ablations": "55e56347",
    "quotient-eight": "17abe99e",
    "quotient-eight, ablations": "638fa5c5",
    "quotient-digit": "878b12fe",
    "quotient-digit, ablations": "ecd4a7a6",
    "quotient-next": "93734198",
    "quotient-next, ablations": "6de4cb8d",
    "divide-digits": "e26f8558",
    "divide-digits, ablations": "c8253781",
    "M/M": "4ffed39f",
    "M/M, ablations": "6515555c",
    "signed-add": "cba7f245",
    "signed-add, ablations": "47582e0b",
    "signed-subtract": "6b2c460d",
    "signed-subtract, ablations": "4a6eb083",
    "signed-multiply": "0ecb3377",
    "signed-multiply, ablations": "924b0034",
    "signed-divide": "17c782e0",
    "signed-divide, ablations": "97f896f9",
    "expression": "7e52bf10",
    "expression, ablations": "865360e0",
    "M%M": "13e0d0b7",
    "M%M, ablations": "9f323cfb",
    "signed-modulo": "8e7194aa",
    "signed-modulo, ablations": "5f97bddf",
    "expression-modulo": "fec4d6f6",
    "expression-modulo, ablations": "9e760420",
    "add, by length": "08d39479",
    "subtract, by length": "7aebed12",
    "multiply, by length": "1f12cd6a",
    "divide, by length": "9db02792",
    "expression, by length": "6323767b",
    "expression-modulo, by length": "b59e86a6",
    "carry chains": "80742622",
    "equal operands": "aebc6075",
    "zeros and results of zero": "36a6ab06",
    "quotients with inner zeros": "2b8f5e42",
    "sparse numbers": "089c8c67",
    "leading zeros": "62219672",
    "unary minus": "43110ffb",
    "20 levels of brackets": "bc63bc65",
    "chains of 50 operators": "d955f3c2",
    "S+S, baselines": "17bc61a5",
    "M+M, 2 digits, baselines": "4f27e56e",
    "M+M, 5 digits, baselines": "07a4f15b",
    "S-S, baselines": "f6aa563b",
    "M-M, 2 digits, baselines": "7f4e1ee9",
    "M-M, 5 digits, baselines": "43f147f0",
    "S*S, baselines": "924a7509",
    "M*M, 2 digits, baselines": "95615558",
    "M*M, 5 digits, baselines": "b4e0383e",
    "M/M, 2 digits, baselines": "a173fb91",
    "M/M, 5 digits, baselines": "aa9cd62f",
    "expressions, 10 characters, baselines": "ad2e57dc",
}


def test_no_draw_has_changed():
    found = draws()
    assert {name: found.get(name) for name in PINNED} == PINNED
