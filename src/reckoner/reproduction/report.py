"""`docs/reproduction.md`: what the paper claims, what was measured, where they differ and what was chosen."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from reckoner.reproduction import report_text as text
from reckoner.reproduction.budget import Budget
from reckoner.reproduction.presentation import TEST, TRAINING, Reader, make_table
from reckoner.reproduction.records import Record, RecordsError, write_result

_SETS = {
    "table1": ("ours", "baselines"),
    "training-curve": ("curriculum", "baselines"),
    "continual": ("continual",),
    "sampling": ("sampling",),
    "own": ("own",),
    "soundness": ("soundness",),
    "hierarchy": ("hierarchy",),
}
_FIGURES = {"training-curve": (TRAINING, TEST), "hierarchy": ("calls",)}


def write_report(read: Reader, home: Path, file: Path, budget: Budget) -> None:
    """Write the report from whatever records there are; a section without records says so."""
    if not any(read(part) for parts in _SETS.values() for part in parts):
        raise RecordsError(f"there are no records in {home}; make some first: reckon reproduce table1")
    sections = [text.TITLE, text.INTRODUCTION.format(budget=budget.name, machine=_machine(read))]
    for item, heading in text.HEADINGS.items():
        sections.append(f"## {heading}\n\n{text.CLAIMS[item]}\n")
        sections.append(_measured(item, read, home, file))
        if item in text.REMARKS:
            sections.append(text.REMARKS[item].format(budget=budget))
    sections += [text.OPEN_QUESTIONS, _costs(read)]
    write_result(file, "\n".join(section.strip("\n") + "\n" for section in sections))


def _measured(item: str, read: Reader, home: Path, file: Path) -> str:
    """The item's table and pictures."""
    try:
        table = make_table(item, read)
    except RecordsError as error:
        return f"*Not measured: {error.message}.*\n"
    if item == "hierarchy":
        table = ""  # too long here; the picture shows it
    where = os.path.relpath(home / item, file.parent)
    names = _FIGURES.get(item, ("accuracy",))
    pictures = "\n\n".join(f"![{item}: {name}]({where}/{name}.svg)" for name in names)
    return f"{table}\n{pictures}\n"


def _machine(read: Reader) -> str:
    """Versions, and the commits that the records come from."""
    records = [r for parts in _SETS.values() for part in parts for r in read(part)]
    environments = [r["environment"] for r in records if "environment" in r]
    versions = environments[0].get("versions", {}) if environments else {}
    commits = sorted({str(e.get("commit"))[:8] for e in environments})
    named = ", ".join(f"{name} {number}" for name, number in versions.items())
    return f"{named}; commits {', '.join(commits)}"


def _costs(read: Reader) -> str:
    """What it cost, and how often it failed, counted from the records."""
    lines = [
        "## What it cost",
        "",
        "| records | units | processor minutes | failures |",
        "|---|---:|---:|---:|",
    ]
    for part in dict.fromkeys(part for parts in _SETS.values() for part in parts):
        records = read(part)
        if records:
            minutes = sum(float(r.get("processor_seconds", 0.0)) for r in records) / 60
            lines.append(f"| {part} | {len(records)} | {minutes:.1f} | {_failures(records)} |")
    return "\n".join(lines) + "\n"


def _failures(records: Sequence[Record]) -> str:
    """Runs that did not master what they were to learn."""
    if not any("mastered" in r for r in records):
        return "–"
    return f"{sum(not r['mastered'] for r in records)} of {len(records)}"
