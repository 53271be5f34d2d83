"""By how much a core is slower than that of the records: `python -m reckoner.reproduction.slowness`.

Trials of the perception ablation are begun again, and their seconds compared with the recorded ones after as many
updates. Another kind of processor rounds differently, so that it is not quite the same work: hence several, and their
median. What else runs on the machine meanwhile should be what will run beside the experiments.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median

from reckoner.baselines.standard import VARIABLE, slowness
from reckoner.evaluation.table import markdown
from reckoner.provenance import use_one_thread
from reckoner.reproduction.ablation import run_variant
from reckoner.reproduction.budget import STANDARD, Cap
from reckoner.reproduction.perception import VARIANTS
from reckoner.reproduction.records import Record, Records, RecordsError, curve
from reckoner.skills.library import BUNDLED

RECORDS = Path("results/reproduce/records/perception.jsonl")
BEGUN = (("C = 3/add-columns/0", 60), ("C = 2/M*M/0", 40), ("C = 2/divide-digits/0", 60),
         ("C = 0/expression-modulo/0", 40))  # fmt: skip


def ratio(before: Record, now: Record, update: int) -> float:
    """How many times as long as then it took to come to an update."""
    then, here = (next(p.seconds for p in curve(r) if p.update == update) for r in (before, now))
    return here / then


def begin(record: Record, updates: int) -> Record:
    """The first updates of a recorded trial once more."""
    variant = next(v for v in VARIANTS if v.name == record["variant"])
    cap = Cap(record["cap"]["seconds"], updates)
    return run_variant(variant, record["skill"], record["seed"], cap, STANDARD, BUNDLED)


def main(trials: Sequence[tuple[str, int]] = BEGUN, file: Path = RECORDS) -> None:
    """A line per trial, and what to set."""
    use_one_thread()
    known = {r["unit"]: r for r in Records(file).read()}
    missing = [name for name, _ in trials if name not in known]
    if missing:
        raise RecordsError(f"{file} has no {missing[0]!r}; run this in the project's folder")
    ratios = [ratio(known[name], begin(known[name], updates), updates) for name, updates in trials]
    found = median(ratios) * slowness()
    rows = [
        [name, updates, f"{r * slowness():.2f}"] for (name, updates), r in zip(trials, ratios, strict=True)
    ]
    print(markdown(["trial", "updates", "times the recorded seconds"], rows))
    print(f"export {VARIABLE}={found:.2g}")


if __name__ == "__main__":
    main()
