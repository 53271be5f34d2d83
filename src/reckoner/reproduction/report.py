"""`docs/reproduction.md`: what the paper claims, what was measured, where they differ and what was chosen."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from reckoner.evaluation.table import NOTHING, markdown
from reckoner.reproduction.cost import cost_of
from reckoner.reproduction.experiment import EXPERIMENTS, Experiment, Setting, load
from reckoner.reproduction.main_table import main_table
from reckoner.reproduction.open_questions import OPEN_QUESTIONS
from reckoner.reproduction.records import Record, RecordsError, slowness_of, write_result

INTRODUCTION = """# The paper, reproduced

*Made by `reckon reproduce report` from the records in `{records}`; do not edit by hand.*

{warning}The paper is *Neural Arithmetic Expression Calculator* (Chen, Dong, Qiu and Chen, 2018). Its code and appendix
were never published, so everything below is a new implementation. Each section gives the paper's claim (or what is
asked), then what we measured, then why the two differ and what a reader may conclude and may not.
Budget: `{budget}`. Environment: {versions}; the commits are at the [end](#where-the-records-come-from).

Every run used one core; "seconds" are processor seconds without the time spent on tests (in *Ten seeds* and *Hidden
size* wall-clock, beside other work). Machines of different days differ by up to a factor of two in speed; updates and
attempts do not.{slow}
Make any section again with `reckon reproduce ITEM`; figures and tables alone with `--from-records`.
"""

WARNING = """**A test of the machinery, with seconds of training: its numbers mean nothing, and the sentences below are
about the standard budget.**

"""
AT_A_GLANCE = """## All systems at a glance

*Reckoner*: trained libraries, 1,000 problems per cell each. *The paper's* lines are as printed there. *The paper's
configuration* learns the top skill of each operation here, on our skills below it. *Fixed* rivals are trained on the
paper's 1,000 problems per task, *fresh* ones on new problems in every batch; they are asked the same problems as
Reckoner, of the two largest lengths 200. A cell is the mean of its seeds, or lowest–highest where they are more than 5
points apart; a dash was not measured.

"""
# Commits that records name and the repository does not have: its history was rewritten when that work landed.
REWRITTEN = ("019bbe61", "c96a3fe1")


def write_report(setting: Setting, file: Path) -> None:
    """Write the report from whatever records there are; a section without records says so."""
    experiments = {name: load(name) for name in EXPERIMENTS}
    sets = dict.fromkeys(part for experiment in experiments.values() for part in experiment.units)
    records = {name: setting.records(name).read() for name in sets}
    if not any(records.values()):
        raise RecordsError(
            f"there are no records in {setting.home}; make some first: reckon reproduce table1"
        )
    everything = [r for found in records.values() for r in found]
    warning = "" if setting.budget.name == "standard" else WARNING
    folder = (setting.home / "records").as_posix()
    sections = [
        INTRODUCTION.format(
            budget=setting.budget.name,
            versions=_versions(everything),
            slow=_slow(everything),
            records=folder,
            warning=warning,
        )
    ]
    sections.append(AT_A_GLANCE + main_table(setting, is_brief=False))
    for name, experiment in experiments.items():
        sections.append(
            f"## {experiment.heading}\n\n{experiment.claim.strip().format(budget=setting.budget)}\n"
        )
        sections.append(_measured(experiment, setting, setting.home / name, file))
        sections.append(experiment.remark.format(budget=setting.budget))
    choices = markdown(["open in the paper", "chosen here"], OPEN_QUESTIONS, is_text=True)
    sections.append(
        f"## What the paper leaves open, and what we chose\n\nIn brackets is what the paper does say.\n\n{choices}"
    )
    sections.append(f"## What it cost\n\n{_costs(records)}")
    sections.append(f"## Where the records come from\n\n{_commits(everything)}")
    write_result(file, "\n".join(section.strip("\n") + "\n" for section in sections if section))


def _measured(experiment: Experiment, setting: Setting, home: Path, file: Path) -> str:
    """The experiment's table and pictures."""
    records = experiment.read(setting)
    if not experiment.is_measured(setting):
        return f"*Not measured: there are no records yet; make them with: reckon reproduce {home.name}.*\n"
    table = experiment.table(*records) if experiment.is_table_reported else ""
    left = sum(cost_of(name, experiment, setting).left for name in experiment.units)
    if left:
        table += f"\n*Not all of it is measured: {left} units are left (`reckon reproduce {home.name}` goes on).*\n"
    where = os.path.relpath(home, file.parent)
    pictures = "\n\n".join(f"![{home.name}: {name}]({where}/{name}.svg)" for name in experiment.figures)
    return f"{table}\n{pictures}\n"


def _versions(records: Sequence[Record]) -> str:
    """Of Python and what the results depend on."""
    versions: dict[str, str] = next(
        (r["environment"].get("versions", {}) for r in records if "environment" in r), {}
    )
    return ", ".join(f"{name} {number}" for name, number in versions.items())


def _commits(records: Sequence[Record]) -> str:
    """By which code the records were made."""
    names = [str(r["environment"].get("commit")) for r in records if "environment" in r]
    unclean = sum(name.endswith("-dirty") for name in names)
    shown = sorted({name[:8] + "+" * name.endswith("-dirty") for name in names})
    told = f"Each record names its commit. {len(names)} records are of these: {', '.join(shown)}."
    if unclean:
        told += f" A + says that there were changes not committed yet, mostly of records and texts ({unclean} records)."
    gone = [name for name in shown if name in REWRITTEN]
    if gone:
        told += f" {' and '.join(gone)} are no longer in the repository, whose history was rewritten."
    return told


def _slow(records: Sequence[Record]) -> str:
    """Of records from a much slower core: how many, and what was done about it."""
    factors = [slowness_of(r) for r in records if slowness_of(r) != 1]
    if not factors:
        return ""
    told = " or ".join(f"{factor:g}" for factor in sorted(set(factors)))
    return (
        f" {len(factors)} of the {len(records)} records come from a core {told} times as slow as the others "
        "(`python -m reckoner.reproduction.slowness`): budgets lasted as many times longer there, and their seconds "
        "are shown divided by that."
    )


def _costs(records: dict[str, list[Record]]) -> str:
    """What it cost, and how many runs did not master what they were to learn."""
    rows = []
    for name, found in records.items():
        minutes = sum(float(r.get("processor_seconds", 0.0)) for r in found) / 60
        judged = [r["mastered"] for r in found if "mastered" in r]
        failures = f"{judged.count(False)} of {len(judged)}" if judged else NOTHING
        if found:
            rows.append([name, len(found), f"{minutes:.1f}", failures])
    return markdown(["records", "units", "processor minutes", "failures"], rows)
