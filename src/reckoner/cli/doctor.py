"""`reckon doctor`: is everything there, undamaged and right? Takes seconds."""

from __future__ import annotations

import argparse
import platform
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reckoner import __version__
from reckoner.calculator import Calculator, Runner
from reckoner.errors import DivisionByZero, ReckonerError

_OK, _BAD = "ok  ", "BAD "
_SAMPLE = 200  # expressions compared with exact arithmetic
_SIZE = 8  # operators and brackets of one of them, at most
_DIGITS = 12  # of a number, at most
_SCALES = (0, 1, 5, 20)
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
    yield check_decisions(folder)
    for check in (check_basic_skills, check_expressions, check_decimals):
        start = time.perf_counter()
        finding = check(machine)
        yield Finding(finding.is_good, f"{finding.text} ({time.perf_counter() - start:.1f} s)")


def check_decisions(folder: str | None) -> Finding:
    """What is remembered of the networks, compared with what they say."""
    from reckoner.skills.library import BUNDLED, read_manifest
    from reckoner.skills.recall import FILE, count_decisions, find_differences, read_decisions, recall

    path = Path(folder) if folder is not None else BUNDLED
    if not (path / FILE).exists():
        return Finding(
            True, "no decisions are remembered: the first question takes longer (`reckon remember`)"
        )
    if read_decisions(path, read_manifest(path)) is None:
        return Finding(
            False, f"{FILE} is damaged or of other weights, and ignored; `reckon remember` makes it again"
        )
    try:
        library = recall(path)
        different = next(find_differences(library), None)
    except ReckonerError as error:
        different = error.message
    if different is not None:
        return Finding(
            False, f"{FILE} is not what the networks say ({different}); `reckon remember` makes it again"
        )
    return Finding(True, f"remembered: all {count_decisions(library):,} decisions are what the networks say")


def check_basic_skills(machine: Runner) -> Finding:
    """Every entry of every table that a basic skill has to know."""
    from reckoner.curriculum.tasks import CURRICULA, TASKS, BasicTask

    entries = 0
    wrong = []
    for task in TASKS:
        if not isinstance(task, BasicTask):
            continue
        name, table = task.spec.name, task.table()
        if name not in machine.library:
            if task not in CURRICULA["full"]:  # learned on top of a library: it may do without
                continue
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
    from reckoner.curriculum.expression import by_size

    operators = "+-*/%" if "signed-modulo" in machine.library else "+-*/"
    rng = random.Random(_SEED)
    texts = [by_size(rng, rng.randint(1, _SIZE), operators, _DIGITS) for _ in range(_SAMPLE)]
    return _compare("expressions", Calculator(machine=machine), {0: texts})


def check_decimals(machine: Runner) -> Finding:
    """The same with decimals and powers, at several scales."""
    from reckoner.curriculum.expression import decimal_by_size

    calculator = Calculator(machine=machine)
    if not calculator.knows_decimals:
        return Finding(True, "decimals: this library has not learned them")
    rng = random.Random(_SEED)
    return _compare(
        "decimals",
        calculator,
        {
            scale: [decimal_by_size(rng, rng.randint(1, 4), 6, largest=4) for _ in range(50)]
            for scale in _SCALES
        },
    )


def _compare(what: str, calculator: Calculator, texts_by_scale: dict[int, list[str]]) -> Finding:
    from reckoner.answer import Answer
    from reckoner.curriculum.oracle import ExponentError, evaluate, shown

    count, wrong = 0, []
    for scale, texts in texts_by_scale.items():
        for text, found in zip(texts, calculator.many(texts, scale=scale), strict=True):
            try:
                exact = shown(evaluate(text, scale))
            except ZeroDivisionError:
                exact = DivisionByZero.kind
            except (ExponentError, OverflowError):
                continue
            count += 1
            if (found.text if isinstance(found, Answer) else found.kind) != exact:
                wrong.append(text)
    if wrong:
        return Finding(False, f"{what}: {len(wrong)} of {count} are wrong, e.g. {wrong[0]}")
    return Finding(True, f"{what}: {count} of {count} are right")
