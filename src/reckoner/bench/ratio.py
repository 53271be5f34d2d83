"""Three machines on the same questions in one process: as defined, as it was, as it is. Ratios outlast computers.

All times are of the processor, not of the clock: whatever else the computer does then matters little.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any

import numpy as np

from reckoner.bench.calculator import make_addition, make_expression
from reckoner.calculator import Calculator
from reckoner.curriculum import oracle
from reckoner.machine import Limits, Machine, Outcome
from reckoner.machine.definition import Definition, Networks
from reckoner.machine.outcome import make_outcome
from reckoner.skills import InteractiveSkill, Library

Row = dict[str, Any]
Answer = Callable[[Sequence[str]], Sequence[Any]]


class Defined:
    """The definition as a calculator's machine; decisions are remembered, or networks would be all that is measured."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.evaluations = 0
        self.limits = Limits(seconds=None)
        self._callees = Machine(library).callees
        self._networks = Networks(remember=True)

    def run(self, skill: str, pairs: Sequence[tuple[str, str]], /, trace: bool = False) -> list[Outcome]:
        """Each message by itself."""
        outcomes = []
        for x, y in pairs:
            definition = Definition(self._callees, self.limits, self._networks, trace)
            outcomes.append(
                make_outcome(definition.answer(self.library[skill], x.encode(), y.encode()), skill)
            )
        return outcomes


def measure_ratios(library: Library, reference: Any | None, quick: bool) -> list[Row]:
    """Questions per second of each machine, warm."""
    calculators: dict[str, Any] = {"now": Calculator(machine=Machine(library, Limits(seconds=None)))}
    if reference is not None:
        before = reference.calculator.Calculator(limits=reference.machine.Limits(calls=10**9))
        calculators = {"before": before, **calculators}
    calculators = {"definition": Calculator(machine=Defined(library)), **calculators}
    tasks: list[tuple[str, Callable[[Random], str], int, float]] = [
        ("ten-digit additions in batches of 1,000", make_addition, 1000, 0.05),
        ("ten-digit additions one by one", make_addition, 1, 0.1),
        ("expressions of length 10 in batches of 1,000", make_expression, 1000, 0.05),
        ("expressions of length 10 one by one", make_expression, 1, 0.1),
        ("100 × 100 digits", lambda rng: f"{_number(rng, 100)}*{_number(rng, 100)}", 1, 1.0),
    ]
    if not quick:
        tasks.append(("300 × 300 digits", lambda rng: f"{_number(rng, 300)}*{_number(rng, 300)}", 1, 1.0))
    rows = []
    for what, make, batch, share in tasks:
        row: Row = {"what": what}
        for name, calculator in calculators.items():
            if name == "definition" and "300" in what:
                continue
            row[name] = round(_rate(calculator, make, batch, 0.5 if quick else 3.0, share), 2)
        rows.append(row)
    return rows


def _number(rng: Random, digits: int) -> str:
    return str(rng.randrange(10 ** (digits - 1), 10**digits))


def _rate(calculator: Any, make: Callable[[Random], str], batch: int, budget: float, share: float) -> float:
    """Questions per second, the best of several rounds; every answer is marked, for wrong ones are worth nothing."""
    rng, best, spent = Random(batch), 0.0, 0.0
    warm = max(1, round(1000 * share)) if share < 1 else 1
    calculator.results([make(rng) for _ in range(warm)])
    while True:
        questions = [make(rng) for _ in range(batch if batch > 1 else warm)]
        start = time.process_time()
        if batch > 1:
            results = calculator.results(questions)
        else:
            results = [calculator.results([question])[0] for question in questions]
        seconds = time.process_time() - start
        for question, result in zip(questions, results, strict=True):
            if getattr(result, "text", None) != oracle.evaluate(question):
                raise RuntimeError(f"the calculator did not answer {question!r} rightly: {result}")
        best, spent = max(best, len(questions) / seconds), spent + seconds
        if spent > budget:
            return best


def measure_sampling(library: Library, reference: Any | None, quick: bool) -> list[Row]:
    """Attempts per second that a student makes, the networks included: the bundled skill drawing its own decisions.

    Before, the machine did that; now it is the learner's roll-out (which needs PyTorch to be imported).
    """
    rows = []
    for name, make in (
        ("M-M", lambda rng: f"{_number(rng, 5)}|{_number(rng, 4)}"),
        (
            next(n for n in reversed(library.names) if n.startswith("expression")),
            lambda rng: make_expression(rng, 9) + "|",
        ),
    ):
        rng = Random(name)
        problems = [make(rng).encode() for _ in range(200)]
        row: Row = {"what": name}
        if reference is not None:
            old = reference.skills.Library.load()
            if name in old:
                machine = reference.machine.Machine(
                    old, reference.machine.Limits(calls=30_000, memory=300, steps=2)
                )
                draw = np.random.default_rng(0)
                row["before"] = _attempts_per_second(
                    partial(machine.sample, old[name], problems * 10, draw, 3), 2000, quick
                )
        row["now"] = _attempts_per_second(_rollout(library, name, problems), 8000, quick)
        rows.append(row)
    return rows


def _rollout(library: Library, name: str, problems: Sequence[bytes]) -> Callable[[], object]:
    """8,000 own attempts at the problems, as in training but with nothing to learn from."""
    from reckoner.training.experience import Experience, ExperienceConfig
    from reckoner.training.policy import Policy
    from reckoner.training.rollout import OWN_WAY, attempt
    from reckoner.training.world import World

    skill = library[name]
    assert isinstance(skill, InteractiveSkill)
    world = World(Machine(library, Limits(calls=30_000, memory=300, steps=2)), skill)
    start = np.array([world.enter(skill.lay_out(*p.split(b"|"))) for p in problems] * 40)
    kind, draw = np.full(len(start), OWN_WAY), np.random.default_rng(0)
    experience = Experience(ExperienceConfig())

    def run() -> object:
        policy = Policy(skill.config, skill.tensors, skill.forms, world.views)
        return attempt(world, policy, experience, np.arange(len(start)), start, kind, draw)

    return run


def _attempts_per_second(run: Callable[[], object], attempts: int, quick: bool) -> int:
    best = 0.0
    for _ in range(3 if quick else 10):
        start = time.process_time()
        run()
        best = max(best, attempts / (time.process_time() - start))
    return round(best)
