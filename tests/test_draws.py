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
    "add-columns": "95bfe354",
    "add-columns, ablations": "ee9c2c2c",
    "strip": "ebc77fda",
    "strip, ablations": "77942563",
    "M+M": "37ccd88e",
    "M+M, ablations": "4561d366",
    "subtract-columns": "4f4daafe",
    "subtract-columns, ablations": "497dd543",
    "less": "a2071fe6",
    "less, ablations": "c4f36f2e",
    "M-M-natural": "50542a49",
    "M-M-natural, ablations": "22760481",
    "M-M": "1deea2f3",
    "M-M, ablations": "c574228f",
    "multiply-columns": "11026fe7",
    "multiply-columns, ablations": "9d40dc88",
    "M*S": "5617e122",
    "M*S, ablations": "cbafae17",
    "shift-add": "918e3d78",
    "shift-add, ablations": "43bd4b33",
    "multiply-accumulate": "302f9caf",
    "multiply-accumulate, ablations": "32e0aa65",
    "M*M": "0e77a450",
    "M*M, ablations": "31dba7cd",
    "quotient-take": "f32cfcab",
    "quotient-take, ablations": "76100269",
    "quotient-step": "7d8706ba",
    "quotient-step, ablations": "bbda6fbc",
    "quotient-twice": "b5863a8b",
    "quotient-twice, ablations": "82677dc7",
    "quotient-four": "796bce88",
    "quotient-four, ablations": "9ddeed60",
    "quotient-eight": "6cb16bde",
    "quotient-eight, ablations": "f434d62e",
    "quotient-digit": "8396a21d",
    "quotient-digit, ablations": "e77be44c",
    "quotient-next": "465e3339",
    "quotient-next, ablations": "a9f1ad18",
    "divide-digits": "e5e99b8e",
    "divide-digits, ablations": "84cf57dc",
    "M/M": "7cd014c4",
    "M/M, ablations": "394be2e8",
    "signed-add": "17e8d41f",
    "signed-add, ablations": "f1d2f050",
    "signed-subtract": "828e7ef1",
    "signed-subtract, ablations": "15d67483",
    "signed-multiply": "4f10f3ca",
    "signed-multiply, ablations": "f42b70af",
    "signed-divide": "b7ae4b46",
    "signed-divide, ablations": "985c05d6",
    "expression": "f6981d95",
    "expression, ablations": "4c9e9c6e",
    "M%M": "e7d9974f",
    "M%M, ablations": "7b89f94b",
    "signed-modulo": "0e75fef3",
    "signed-modulo, ablations": "d6c33675",
    "expression-modulo": "f3fce137",
    "expression-modulo, ablations": "5ec89207",
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
    "S+S, baselines": "5577915c",
    "M+M, 2 digits, baselines": "34f3792d",
    "M+M, 5 digits, baselines": "3d5be4e4",
    "S-S, baselines": "33db76c4",
    "M-M, 2 digits, baselines": "36186a0b",
    "M-M, 5 digits, baselines": "78324ba2",
    "S*S, baselines": "a525a4c3",
    "M*M, 2 digits, baselines": "5b99945e",
    "M*M, 5 digits, baselines": "c8598639",
    "M/M, 2 digits, baselines": "bccf6fe1",
    "M/M, 5 digits, baselines": "076b414e",
    "expressions, 10 characters, baselines": "3a807f85",
}


def test_no_draw_has_changed():
    found = draws()
    assert {name: found.get(name) for name in PINNED} == PINNED
