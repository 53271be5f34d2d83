"""`reckon seeds`: what trainings with different seeds took and reached, from their run folders."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from reckoner.cli.evaluate import problem_sets
from reckoner.cli.results import save_results
from reckoner.curriculum.decimal_tasks import FIRST
from reckoner.errors import LibraryError
from reckoner.evaluation.marking import mark
from reckoner.evaluation.table import NOTHING, markdown, spread
from reckoner.provenance import provenance
from reckoner.skills.library import Library

_WORDS = {"^": "powers", "expressions": "expressions with all of it"}
_COSTS = ("restarts", "updates", "attempts", "steps", "tried")


def parser() -> argparse.ArgumentParser:
    """The options of `reckon seeds`."""
    p = argparse.ArgumentParser(
        prog="reckon seeds",
        description="Compare finished trainings: time, restarts, attempts, accuracy on the same problems.",
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
    right: dict[str, list[int]] = {}
    for kind, length, pairs in problem_sets(lengths, count, 1, calculator.knows_decimals):
        score = mark(calculator, kind, length, [text for text, _ in pairs], [scale for _, scale in pairs])
        before = right.get(kind, [0, 0])
        right[kind] = [before[0] + score.right, before[1] + score.count]
    skills = {
        name: {k: record.get(k) for k in (*_COSTS, "seconds", "failures", "margin", "proved")}
        for name, record in library.records.items()
    }
    return {**page, "run": run.name, "right": right, "skills": skills}


def knowing_decimals(runs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those that learned decimals and powers to the end."""
    return [r for r in runs if all(name in r["skills"] for names in FIRST.values() for name in names)]


def tables(runs: Sequence[dict[str, Any]]) -> str:
    """Totals per run, then seconds per skill."""
    totals = []
    for r in runs:
        costs = [f"{sum(s[k] or 0 for s in r['skills'].values()):,}" for k in _COSTS]
        learning = sum(s["seconds"] for s in r["skills"].values())
        minutes = [f"{r['seconds'] / 60:.1f}", f"{learning / 60:.1f}"]
        right = _of(*(sum(column) for column in zip(*r["right"].values(), strict=True)))
        totals.append([r["run"], r["seed"], *minutes, len(r["skills"]), *costs, right])
    head = ["run", "seed", "wall-clock minutes", "minutes of learning", "skills", "restarts", "updates", "attempts",
            "calls in them", "calls tried outside", "right"]  # fmt: skip
    by_skill = [[name, *(_seconds(r["skills"].get(name)) for r in runs)] for name in runs[0]["skills"]]
    return (
        markdown(head, totals)
        + "\nRight answers, all lengths together:\n\n"
        + markdown(["problems", *(r["run"] for r in runs)], _right(runs))
        + "\nSeconds of learning per skill (restarts in brackets):\n\n"
        + markdown(["skill", *(r["run"] for r in runs)], by_skill)
        + "".join(f"\n{r['run']}, skill by skill:\n\n" + _skill_by_skill(r) for r in runs)
        + (_operations(know) if (know := knowing_decimals(runs)) else "")
    )


def by_operation(runs: Sequence[dict[str, Any]]) -> dict[str, list[list[dict[str, Any]]]]:
    """Per operation with decimals, and before them for all that was known: its skills, run by run."""
    new = {name for names in FIRST.values() for name in names}
    groups = {"whole numbers, all that was known before": [n for n in runs[0]["skills"] if n not in new]}
    groups |= {_WORDS.get(what, f"{what} with decimals"): list(names) for what, names in FIRST.items()}
    return {what: [[r["skills"][n] for n in names] for r in runs] for what, names in groups.items()}


def _operations(runs: Sequence[dict[str, Any]]) -> str:
    """What decimals and powers cost, operation by operation, beside all that was known before."""
    groups = by_operation(runs)
    _, *new = groups.values()
    groups["all that is new"] = [[s for skills in each for s in skills] for each in zip(*new, strict=True)]
    rows = []
    for what, per_run in groups.items():
        costs = [spread([sum(s[k] or 0 for s in skills) for skills in per_run], 0)
                 for k in ("attempts", "updates", "seconds")]  # fmt: skip
        restarts = sum(s["restarts"] or 0 for skills in per_run for s in skills)
        rows.append([what, len(per_run[0]), *costs, restarts])
    head = ["learned", "skills", "attempts", "updates", "seconds of learning", "restarts of all seeds"]
    return (
        "\nWhat each operation cost on top of what was known, median of the seeds (smallest–largest):\n\n"
        + markdown(head, rows)
    )


def _skill_by_skill(run: dict[str, Any]) -> str:
    """What each interactive skill cost, and how sure it is."""
    rows = []
    for name, skill in run["skills"].items():
        if skill["attempts"] is not None:
            counts = [f"{skill[k]:,}" for k in ("attempts", "updates", "steps", "tried", "restarts")]
            proved = {True: "yes", False: "no", None: NOTHING}[skill["proved"]]
            rows.append([name, *counts, f"{skill['seconds']:.1f}", f"{skill['margin']:.2f}", proved])
    head = ["skill", "attempts", "updates", "calls in them", "calls tried outside", "restarts", "seconds",
            "smallest margin", "proved"]  # fmt: skip
    return markdown(head, rows)


def _right(runs: Sequence[dict[str, Any]]) -> list[list[str]]:
    kinds = dict.fromkeys(kind for r in runs for kind in r["right"])
    return [[k, *(_of(*r["right"][k]) if k in r["right"] else NOTHING for r in runs)] for k in kinds]


def _of(right: int, asked: int) -> str:
    return f"{right:,} of {asked:,}"


def _seconds(skill: dict[str, Any] | None) -> str:
    if skill is None:
        return "not learned"
    return f"{skill['seconds']:.1f}" + (f" ({skill['restarts']})" if skill["restarts"] else "")


def draw(runs: Sequence[dict[str, Any]], stem: Path) -> None:
    """A picture of what each operation with decimals cost; nothing where none was learned, or nothing can draw."""
    known = knowing_decimals(runs)
    if not known or find_spec("matplotlib") is None:
        return
    from reckoner.reproduction.figures import save
    from reckoner.reproduction.operations import figure

    save(lambda: figure(by_operation(known)), stem)


def main(argv: list[str]) -> int:
    """Run the command."""
    options = parser().parse_args(argv)
    runs = [examine(run, options.lengths, options.count) for run in options.runs]
    text = tables(runs)
    print(text)
    if options.out:
        save_results(options.out, "seeds", {"provenance": provenance(), "runs": runs}, text)
        draw(runs, options.out / "operations")
    return 0
