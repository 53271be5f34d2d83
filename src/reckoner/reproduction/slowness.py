"""By how much a core is slower than that of the records: `python -m reckoner.reproduction.slowness`.

Rivals begin their training on additions again; compared is how many examples they see in the same time as they did in
the records. What else runs on the machine meanwhile should be what will run beside the experiments.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median

from reckoner.baselines.standard import VARIABLE, slowness
from reckoner.errors import ReckonerError
from reckoner.evaluation.table import markdown
from reckoner.provenance import use_one_thread
from reckoner.reproduction.budget import STANDARD
from reckoner.reproduction.contenders import Choice
from reckoner.reproduction.pace import FRESH
from reckoner.reproduction.records import Record, Records, RecordsError
from reckoner.reproduction.rivals import measure

RECORDS = Path("results/reproduce/records/rivals.jsonl")
MODELS = ("LSTM", "Neural GPU", "Transformer, places")
SECONDS = 15.0


def examples_by(record: Record, seconds: float) -> float:
    """Examples seen after so long, by the looks before and after."""
    before = max((look for look in record["looks"] if look[0] <= seconds), default=(0.0, 0, 0.0))
    after = min((look for look in record["looks"] if look[0] > seconds), default=None)
    if after is None:
        return float(before[1])
    share = (seconds - before[0]) / (after[0] - before[0])
    return float(before[1]) + share * (after[1] - before[1])


def begin(record: Record) -> Record:
    """The first seconds of a recorded training once more."""
    choice = Choice(**record["choice"])
    return measure(
        record["model"], record["regime"], record["kind"], record["seed"], choice, STANDARD, SECONDS
    )


def main(file: Path = RECORDS) -> None:
    """A line per rival, and what to set."""
    use_one_thread()
    names = [f"{model}/{FRESH}/add/1" for model in MODELS]
    known = {r["unit"]: r for r in Records(file).read()}
    missing = [name for name in names if name not in known]
    if missing:
        raise RecordsError(f"{file} has no {missing[0]!r}; run this in the project's folder")
    ratios = {}
    for name in names:
        now = begin(known[name])
        # the core may be called slow already: then its seconds are longer
        ratios[name] = slowness() * examples_by(known[name], now["seconds"]) / now["examples"]
    rows = [[name, f"{ratio:.2f}"] for name, ratio in ratios.items()]
    print(markdown(["training", "times slower than recorded"], rows))
    print(f"export {VARIABLE}={median(ratios.values()):.2g}")


if __name__ == "__main__":
    try:
        main()
    except ReckonerError as error:
        sys.exit(f"slowness: {error.message}")
