"""`reckon seeds`: what trainings with different seeds took and reached, from their run folders."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reckoner.errors import LibraryError
from reckoner.evaluation.evaluate import KINDS, cell_problems, measure
from reckoner.skills.library import Library

_COSTS = ("restarts", "updates", "episodes", "steps", "tried")


def parser() -> argparse.ArgumentParser:
    """The options of `reckon seeds`."""
    p = argparse.ArgumentParser(
        prog="reckon seeds",
        description="Compare finished trainings: time, restarts, episodes, accuracy on the same problems.",
    )
    p.add_argument(
        "runs", type=Path, nargs="+", metavar="RUN", help="folders that `reckon train --out` wrote"
    )
    p.add_argument("--count", type=int, default=500, help="test problems per kind and length (default 500)")
    p.add_argument("--lengths", type=int, nargs="+", default=[10, 50], metavar="N")
    p.add_argument("--out", type=Path, metavar="DIR", help="also write seeds.json and seeds.md there")
    return p


def examine(run: Path, lengths: Sequence[int], count: int) -> dict[str, Any]:
    """One run's record: its training, and how right its library is."""
    from reckoner.calculator import Calculator

    library = Library.load(run / "library")
    try:
        page = json.loads((run / "run.json").read_bytes())
    except (OSError, ValueError) as error:
        raise LibraryError(
            f"{run} has no readable run.json ({error}); is it the folder of a finished training?"
        ) from None
    calculator = Calculator(run / "library")
    right = asked = 0
    for kind in KINDS:
        for length in lengths:
            cell = measure(calculator, kind, length, cell_problems(kind, length, count, seed=1))
            right, asked = right + cell.right, asked + cell.count
    skills = {
        name: {k: record.get(k) for k in (*_COSTS, "seconds", "failures")}
        for name, record in library.records.items()
    }
    return {**page, "run": run.name, "right": right, "asked": asked, "skills": skills}


def table(runs: Sequence[dict[str, Any]]) -> str:
    """Totals per run, then seconds per skill."""
    lines = [
        "| run | seed | wall-clock minutes | minutes of learning | skills | restarts | updates | episodes "
        "| decisions in them | calls tried in practice | right |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for r in runs:
        totals = [sum(s[k] or 0 for s in r["skills"].values()) for k in _COSTS]
        learning = sum(s["seconds"] for s in r["skills"].values())
        lines.append(
            f"| {r['run']} | {r['seed']} | {r['seconds'] / 60:.1f} | {learning / 60:.1f} | {len(r['skills'])} | "
            + " | ".join(f"{total:,}" for total in totals)
            + f" | {r['right']:,} of {r['asked']:,} |"
        )
    lines += ["", "Seconds of learning per skill (restarts in brackets):", ""]
    lines.append("| skill | " + " | ".join(r["run"] for r in runs) + " |")
    lines.append("|---" * (len(runs) + 1) + "|")
    for name in runs[0]["skills"]:
        cells = []
        for r in runs:
            skill = r["skills"].get(name)
            restarts = f" ({skill['restarts']})" if skill and skill["restarts"] else ""
            cells.append(f"{skill['seconds']:.1f}{restarts}" if skill else "not learned")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main(argv: list[str]) -> int:
    """Run the command."""
    options = parser().parse_args(argv)
    runs = [examine(run, options.lengths, options.count) for run in options.runs]
    print(table(runs))
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "seeds.json").write_text(json.dumps(runs, indent=1) + "\n")
        (options.out / "seeds.md").write_text(table(runs) + "\n")
    return 0
