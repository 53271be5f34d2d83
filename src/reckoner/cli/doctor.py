"""`reckon doctor`: is everything there, undamaged and right? Takes seconds."""

from __future__ import annotations

import argparse
import platform
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

from reckoner import __version__
from reckoner.calculator import Calculator, Runner
from reckoner.errors import ReckonerError

_OK, _BAD = "ok  ", "BAD "
_SAMPLE = 200  # expressions compared with exact arithmetic
_SIZE = 8  # operators and brackets of one of them, at most
_DIGITS = 12  # of a number, at most
_SEED = 5  # the same sample every time


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    is_good: bool
    text: str


def parser() -> argparse.ArgumentParser:
    """The options of `reckon doctor`."""
    p = argparse.ArgumentParser(prog="reckon doctor", description="Check the installation and the weights.")
    p.add_argument("--library", metavar="DIR", help="weights to check instead of the bundled ones")
    return p


def main(arguments: list[str]) -> int:
    """Run all checks; exit code 5 if one of them finds something wrong."""
    library = parser().parse_args(arguments).library
    findings = []
    for finding in examine(library):
        findings.append(finding)
        print((_OK if finding.is_good else _BAD) + finding.text, flush=True)
    return 0 if all(finding.is_good for finding in findings) else ReckonerError.exit_code


def examine(folder: str | None) -> Iterator[Finding]:
    """All findings, in the order of what depends on what."""
    import numpy

    yield Finding(
        True, f"reckoner {__version__}, Python {platform.python_version()}, numpy {numpy.__version__}"
    )
    yield Finding("torch" not in sys.modules, "the calculator runs without PyTorch")
    from reckoner.machine import Machine
    from reckoner.machine.kernel import COMPILED, which_core
    from reckoner.skills import Library

    try:
        machine = Machine(Library.load(folder))
    except ReckonerError as error:
        yield Finding(False, error.message)
        return
    core = which_core()
    yield Finding(
        True, "the machine is compiled" if core == COMPILED else "the machine is in Python: slow but right"
    )
    names = machine.library.names
    yield Finding(True, f"library: {len(names)} skills, all files have the hashes of the manifest")
    for check in (check_basic_skills, check_expressions):
        start = time.perf_counter()
        finding = check(machine)
        yield Finding(finding.is_good, f"{finding.text} ({time.perf_counter() - start:.1f} s)")


def check_basic_skills(machine: Runner) -> Finding:
    """Every entry of every table that a basic skill has to know."""
    from reckoner.curriculum.tasks import TASKS, BasicTask

    entries = 0
    wrong = []
    for task in TASKS:
        if not isinstance(task, BasicTask):
            continue
        name, table = task.spec.name, task.table()
        if name not in machine.library:
            return Finding(False, f"basic skills: {name} is not in the library")
        entries += len(table)
        for problem, outcome in zip(table, machine.run(name, [(p.x, p.y) for p in table]), strict=True):
            if outcome.answer != problem.answer:
                wrong.append(f"{name}({problem.x},{problem.y})")
    if wrong:
        return Finding(False, f"basic skills: {len(wrong)} of {entries} entries are wrong, e.g. {wrong[0]}")
    return Finding(True, f"basic skills: all {entries} entries are right")


def check_expressions(machine: Runner) -> Finding:
    """A fixed sample of expressions, compared with exact arithmetic."""
    from reckoner.answer import Answer
    from reckoner.curriculum.expression import by_size
    from reckoner.curriculum.oracle import evaluate

    calculator = Calculator(machine=machine)
    operators = "+-*/%" if "signed-modulo" in machine.library else "+-*/"
    rng = random.Random(_SEED)
    texts = [by_size(rng, rng.randint(1, _SIZE), operators, _DIGITS) for _ in range(_SAMPLE)]
    wrong = []
    for text, found in zip(texts, calculator.many(texts), strict=True):
        try:
            exact = evaluate(text)
        except ZeroDivisionError:
            exact = "division-by-zero"
        if (found.text if isinstance(found, Answer) else found.kind) != exact:
            wrong.append(text)
    if wrong:
        return Finding(False, f"expressions: {len(wrong)} of {len(texts)} are wrong, e.g. {wrong[0]}")
    return Finding(True, f"expressions: {len(texts)} of {len(texts)} are right")
