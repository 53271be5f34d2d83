"""`reckon remember`: write down what the networks decide, so that the next start need not ask them again."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

from reckoner.calculator import Calculator
from reckoner.curriculum.expression import by_length
from reckoner.curriculum.tasks import TASKS, BasicTask, InteractiveTask
from reckoner.machine import Machine
from reckoner.skills.library import BUNDLED, Library
from reckoner.skills.recall import (
    FILE,
    begin_to_remember,
    count_decisions,
    find_differences,
    read_decisions,
    recall,
    write_decisions,
)

_SEED = 1
_ROUND = 1_000  # problems
_ROUNDS = 60  # per skill, at most
_LONGEST = 40  # characters of an expression
_FEW = 5  # new decisions in a round, before the next skill has its turn


def parser() -> argparse.ArgumentParser:
    """The options of `reckon remember`."""
    p = argparse.ArgumentParser(
        prog="reckon remember",
        description="Ask the networks the problems they were trained on and others like them, and write down every "
        f"decision they take: {FILE}, beside their weights. A question that needs no other decision is then "
        "answered without loading them. The file is bound to the weights: others ignore it.",
    )
    p.add_argument(
        "--library", type=Path, default=BUNDLED, metavar="DIR", help="other weights than the bundled ones"
    )
    p.add_argument("--check", action="store_true", help="only compare the file with the networks")
    return p


def main(argv: list[str]) -> int:
    """Make the file, or compare every entry with what the networks say."""
    options = parser().parse_args(argv)
    folder: Path = options.library
    if options.check:
        return _check(folder)
    start = time.perf_counter()
    library = begin_to_remember(folder)
    ask_around(library)
    write_decisions(library, folder)
    seconds = time.perf_counter() - start
    print(f"{count_decisions(library):,} decisions and answers in {folder / FILE} ({seconds:.0f} s)")
    return 0


def ask_around(library: Library, rounds: int = _ROUNDS) -> None:
    """Ask every skill of the curriculum, and then the calculator, until they decide next to nothing new."""
    machine = Machine(library)
    for task in TASKS:
        if task.spec.name not in library:
            continue
        if isinstance(task, BasicTask):
            machine.run(task.spec.name, [(p.x, p.y) for p in task.table()])
        else:
            _ask(machine, partial(_ask_skill, machine, task), rounds)
    # what people type may divide by zero, which nobody trains on
    _ask(machine, partial(_ask_calculator, Calculator(machine=machine)), rounds)


def _ask(machine: Machine, ask: Callable[[Random], None], rounds: int) -> None:
    rng = Random(_SEED)
    for _ in range(rounds):
        before = machine.evaluations
        ask(rng)
        if machine.evaluations - before < _FEW:
            return


def _ask_skill(machine: Machine, task: InteractiveTask, rng: Random) -> None:
    sizes = (*task.stages, task.longer)
    problems = [task.sampler(rng, rng.choice(sizes)) for _ in range(_ROUND)]
    machine.run(task.spec.name, [(p.x, p.y) for p in problems])


def _ask_calculator(calculator: Calculator, rng: Random) -> None:
    operators = "+-*/%" if "signed-modulo" in calculator.library else "+-*/"
    calculator.results([by_length(rng, rng.randint(3, _LONGEST), operators) for _ in range(_ROUND)])


def _check(folder: Path) -> int:
    from reckoner.skills.library import read_manifest

    if read_decisions(folder, read_manifest(folder)) is None:
        print(f"{folder / FILE} is not there, damaged, or of other weights; `reckon remember` makes it again")
        return 5
    library = recall(folder)
    differences = list(find_differences(library))
    print(*differences[:20], sep="\n", end="\n" if differences else "")
    print(f"{count_decisions(library):,} entries, {len(differences)} of them not what the networks say")
    return 5 if differences else 0
