"""Seeds of the shipped training, from nothing to the end, each asked the same problems: ten known ones, ten new ones.

The learner was changed after some of the first ten had needed a restart, so they do not test that change; others do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from reckoner.calculator import Calculator
from reckoner.curriculum.plan import Plan
from reckoner.curriculum.prover import can_prove
from reckoner.curriculum.student import StudentConfig
from reckoner.engine import Engine
from reckoner.evaluation.interval import interval
from reckoner.evaluation.marking import mark
from reckoner.evaluation.problems import problems_by_length
from reckoner.evaluation.table import NOTHING, markdown
from reckoner.reproduction import figures
from reckoner.reproduction.experiment import Experiment, Setting
from reckoner.reproduction.records import Record, Unit
from reckoner.reproduction.training import train_whole
from reckoner.skills.library import Library

_KINDS = ("expression", "expression-modulo")
KNOWN = 10  # seeds below it are those that the learner was improved with


def units(setting: Setting) -> Iterator[Unit]:
    """One training per seed."""
    for seed in range(setting.budget.whole_seeds):
        run = partial(_train, seed, setting)
        yield Unit(f"seed{seed}", run, setting.budget.training_seconds, is_driven=True)


def _train(seed: int, setting: Setting, engine: Engine) -> Record:
    """As `reckon train --seed N`: where the solver is installed, mastered means proved."""
    budget, folder = setting.budget, setting.home / "trainings" / f"seed{seed}"
    config = replace(StudentConfig(), prove=can_prove())
    plan = Plan(budget.curriculum, folder, seed, engine.room, config=config)
    found = train_whole(plan, engine)
    found |= {"workers": engine.room, "right": 0, "asked": 0, "mistakes": []}
    if found["mastered"]:
        found |= _ask(Library.load(folder / "library"), setting)
    restarts = f"{found['restarts']} restarts"
    return {
        **found,
        "summary": f"{found['skills']} skills, {restarts}, {found['right']} of {found['asked']} right",
    }


def _ask(library: Library, setting: Setting) -> Record:
    """The same problems for every seed, of all lengths."""
    if "expression-modulo" not in library:
        return {}
    calculator, right, asked = Calculator(library), 0, 0
    mistakes: list[str] = []
    for kind in _KINDS:
        for length in setting.budget.lengths:
            texts = problems_by_length(kind, length, setting.budget.cell_problems, seed=2)
            score = mark(calculator, kind, length, texts)
            right, asked = right + score.right, asked + score.count
            mistakes += [str(mistake) for mistake in score.mistakes]
    return {"right": right, "asked": asked, "mistakes": mistakes[:10]}


def table(records: Sequence[Record]) -> str:
    """A line per seed, and why students were given up."""
    rows = []
    for r in records:
        proved = f"{r['proved']} of {r['proofs_asked']}" if r["proofs_asked"] else NOTHING
        right = f"{r['right']:,} of {r['asked']:,}" if r["asked"] else NOTHING
        rows.append([r["seed"], f"{r['skills']} of {r['tasks']}", f"{r['wall_clock'] / 60:.1f}",
                     f"{r['learning_seconds'] / 60:.1f}", r["restarts"], f"{r['updates']:,}", f"{r['attempts']:,}",
                     f"{r['steps']:,}", right, proved])  # fmt: skip
    heading = ["seed", "skills", "wall-clock minutes", "minutes of learning", "restarts", "updates", "attempts",
               "calls in them", "right", "proved"]  # fmt: skip
    said = "".join(
        _tell(name, group)
        for name, group in (
            (
                f"Seeds below {KNOWN}, some of which the learner was improved with",
                _group(records, is_known=True),
            ),
            ("New seeds, asked once", _group(records, is_known=False)),
        )
        if group
    )
    reasons = Counter(reason for r in records for reason in r["failures"])
    listed = "".join(f"* {reason} ({count} ×)\n" for reason, count in reasons.most_common())
    why = f"\nWhy students were given up:\n\n{listed}" if listed else ""
    return f"{markdown(heading, rows)}\n{said}{why}"


def _group(records: Sequence[Record], is_known: bool) -> list[Record]:
    return [r for r in records if (r["seed"] < KNOWN) == is_known]


def _tell(name: str, records: Sequence[Record]) -> str:
    """How many got there, and how many of them at the first try."""
    good = sum(r["mastered"] and r["right"] == r["asked"] for r in records)
    straight = sum(r["mastered"] and not r["restarts"] for r in records)
    low, high = interval(good, len(records))
    return (
        f"* {name}: {good} of {len(records)} master everything without a mistake afterwards (95 % interval of the "
        f"share {100 * low:.0f} to {100 * high:.0f} %), {straight} of {len(records)} without a restart.\n"
    )


def figure(records: Sequence[Record]) -> Any:
    """Minutes of learning per seed; restarts are written at the bars."""
    page, (panel,) = figures.make_panels(1, 1, (6.4, 3.2))
    for place, r in enumerate(records):
        minutes = r["learning_seconds"] / 60
        panel.bar(place, minutes, color=figures.COLOURS["ours"] if r["mastered"] else figures.GREY)
        note = f"{r['restarts']} restart{'s' if r['restarts'] != 1 else ''}" if r["restarts"] else ""
        panel.annotate(
            note, (place, minutes), xytext=(0, 3), textcoords="offset points", ha="center", fontsize=8
        )
    panel.set_xticks(range(len(records)), [str(r["seed"]) for r in records])
    known = len(_group(records, is_known=True))
    if 0 < known < len(records):
        panel.axvline(known - 0.5, color=figures.DARK, linewidth=1, linestyle=":")
        panel.annotate(
            "new seeds", (known - 0.4, 1), xycoords=("data", "axes fraction"), va="top", fontsize=9
        )
    panel.set_xlabel("seed")
    panel.set_ylabel("minutes of learning")
    total = sum(r["restarts"] for r in records)
    told = f"{total} restart{'s' if total > 1 else ''}" if total else "no restart"
    panel.set_title(f"{len(records)} trainings from nothing to the end: {told}", fontsize=10)
    panel.grid(axis="x", visible=False)
    return page


EXPERIMENT = Experiment(
    "Ten seeds from nothing to the end, and ten new ones",
    """
Three seeds may be luck. **Measured:** twenty trainings as `reckon train` does them; afterwards each is asked the same
problems, expressions with and without modulo of 5 to 100 characters.
""",
    {"ten-seeds": units},
    table,
    {"minutes": figure},
    """
Wall-clock time is that of the machine on which the command ran, with whatever else it had to do; minutes of
learning are the times of all lessons added up. **The goal was ten of ten without a restart.** Until 18 November six
of the first ten had one each: five column skills that had learned to begin at the front, and one divide-digits. The
learner was changed after that (*Analogies*; of lessons on expressions
[the journal](journal.md#2026-11-18-why-expressions-were-restarted) tells), and the same ten were trained again: so the
first ten show that the cause is gone, and the new ones whether that holds elsewhere.
**A reader may conclude** from the new seeds how often `reckon train` gets there by itself, within their interval;
**not** that every seed will.
""",
)
