"""How small a calculator still masters everything, and how sure it is: the whole curriculum by hidden size."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from reckoner.baselines.standard import slowness
from reckoner.curriculum.plan import Plan
from reckoner.curriculum.prover import can_prove
from reckoner.curriculum.student import StudentConfig
from reckoner.engine import Engine
from reckoner.evaluation.table import NOTHING, markdown, spread
from reckoner.reproduction import figures
from reckoner.reproduction.experiment import Experiment, Setting
from reckoner.reproduction.records import Record, Unit
from reckoner.reproduction.training import train_whole


def units(setting: Setting) -> Iterator[Unit]:
    """One training per size and seed."""
    for seed in range(setting.budget.hidden_seeds):
        for size in setting.budget.hidden_sizes:
            if seed and size in setting.budget.hidden_once:
                continue
            run = partial(_train, size, seed, setting)
            yield Unit(f"{size}/{seed}", run, setting.budget.hidden_seconds, is_driven=True)


def _train(size: int, seed: int, setting: Setting, engine: Engine) -> Record:
    budget = setting.budget
    # as `reckon train`, but without counterexamples of proofs: how sure it is by itself is what is asked here
    config = replace(StudentConfig(), hidden=size, prove=False)
    folder = setting.home / "trainings" / f"hidden-{size}-{seed}"
    deadline = time.time() + slowness() * budget.hidden_seconds / engine.room
    found = train_whole(Plan(budget.curriculum, folder, seed, engine.room, deadline, config=config), engine)
    proofs = _prove(folder / "library") if found["mastered"] and can_prove() else {}
    return {
        **found,
        **proofs,
        "summary": f"{found['skills']} of {found['tasks']} skills, {found['reason'] or 'all'}",
    }


def _prove(folder: Any) -> dict[str, int]:
    from reckoner.program.proof import prove_library
    from reckoner.skills.library import Library

    proofs = list(prove_library(Library.load(folder)))
    return {"proved": sum(p.is_proved for p in proofs), "proofs_asked": len(proofs)}


def table(records: Sequence[Record]) -> str:
    """A line per size; where its seeds differ, smallest and largest."""
    rows = []
    for size in sorted({r["hidden"] for r in records}):
        runs = [r for r in records if r["hidden"] == size]
        good = sum(r["mastered"] for r in runs)
        margins = [r["margin"] for r in runs if r["margin"] is not None]
        proved = [r["proved"] for r in runs if r["proofs_asked"]]
        tasks = max(r["tasks"] for r in runs)
        rows.append([
            size,
            f"{good} of {len(runs)}",
            f"{max(r['parameters'] for r in runs):,}",
            _ends(margins, 2),
            _ends([r["restarts"] for r in runs], 0),
            spread([r["learning_seconds"] / 60 for r in runs], 1),
            f"{_ends(proved, 0)} of {tasks}" if proved else NOTHING,
        ])  # fmt: skip
    heading = ["hidden size", "seeds that master all", "parameters in all", "smallest margin", "restarts",
               "minutes of learning", "skills proved"]  # fmt: skip
    return markdown(heading, rows)


def _ends(values: Sequence[float], digits: int) -> str:
    """From the smallest to the largest, or what is the same for all."""
    if not values:
        return NOTHING
    return "–".join(dict.fromkeys(f"{end:.{digits}f}" for end in (min(values), max(values))))


def figure(records: Sequence[Record]) -> Any:
    """Minutes of learning over the number of parameters, a dot per seed; each size is written at its highest dot."""
    page, (panel,) = figures.make_panels(1, 1, (6.0, 3.6))
    for r in records:
        colour, marker = (figures.COLOURS["ours"], "o") if r["mastered"] else (figures.COLOURS["failed"], "x")
        panel.plot(r["parameters"], r["learning_seconds"] / 60, marker, color=colour)
        if r["learning_seconds"] == max(o["learning_seconds"] for o in records if o["hidden"] == r["hidden"]):
            note = str(r["hidden"]) if r["mastered"] else f"{r['hidden']}: {r['skills']} of {r['tasks']}"
            panel.annotate(note, (r["parameters"], r["learning_seconds"] / 60), xytext=(5, 4),
                           textcoords="offset points", color=colour, fontsize=9)  # fmt: skip
    panel.set_xscale("log")
    panel.set_ylim(0, 1.1 * max(r["learning_seconds"] for r in records) / 60)
    panel.set_xlabel("parameters of all skills together")
    panel.set_ylabel("minutes of learning")
    crosses = "" if all(r["mastered"] for r in records) else "; cross: not all mastered"
    panel.set_title(f"How small can it be? (by hidden size, a dot per seed{crosses})", fontsize=10)
    return page


EXPERIMENT = Experiment(
    "Hidden size: how small a calculator masters everything",
    """
The paper's networks have 100 hidden units, ours 64. **Measured:** the whole curriculum from nothing with 8 to 200,
as `reckon train` does it with its restarts; the margin is by how much (in log-probability) the least sure of all
decisions met beats its next best.
""",
    {"hidden-size": units},
    table,
    {"minutes": figure},
    """
A training is given up when one skill is not learned by five students, or its time is up; then the skills above it are
not tried, and the parameters are those of what was learned. Proofs were asked for when all was over: nothing in these
trainings learned from a counterexample. A skill that is not proved was not found wrong: in the training that was
looked at, the proof named decisions whose margin does not exceed the error of float arithmetic. Basic skills (48
units) are the same in all lines. At its end a lesson repeats its decisions until the least sure one beats its next
best by 1.0, or gives that up: a margin of about 1 is that rule's, and only a smaller one tells of the size. An
earlier training with 200 units was given up at M%M, for a limit that was too low ([the
journal](journal.md#2026-11-19-the-way-that-goes-further-was-the-students-own)); all lines are of later code.
**A reader may conclude** that a calculator with an eighth of the parameters can master everything; **not** which size
is best: few seeds are behind a line.
""",
)
