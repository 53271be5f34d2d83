"""`reckon reproduce`: the paper's experiments and our own ablations, one item each, from records that resume.

OUT/records/SET.jsonl     raw records, one line per finished unit
OUT/ITEM/table.md, *.svg, *.png
docs/reproduction.md      the report (item `report`)
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reckoner.reproduction.records import Record
    from reckoner.reproduction.session import Session

_STOPPED = 130
_HOMES = {"standard": Path("results/reproduce"), "smoke": Path("runs/reproduce-smoke")}
_REPORT = Path("docs/reproduction.md")


@dataclass(frozen=True)
class Item:
    """Something to be made: from which sets of records."""

    summary: str
    sets: tuple[str, ...]


ITEMS = {
    "soundness": Item("LSTM copies and reverses, Neural GPU adds binary numbers", ("soundness",)),
    "training-curve": Item("Figures: accuracy in training and on the test set", ("curriculum", "baselines")),
    "table1": Item(
        "Table 1: accuracy by operation and length, ours and both baselines", ("ours", "baselines")
    ),
    "continual": Item("Ablation: modulo with the library at hand, and from scratch", ("continual",)),
    "sampling": Item("Ablation: difficulty sampling and parameter adjustment", ("sampling",)),
    "own": Item("Ablation: practice, vote, self-imitation, perception, the paper's configuration", ("own",)),
    "hierarchy": Item("Picture: which skill calls which, how often", ("hierarchy",)),
    "report": Item("docs/reproduction.md, from the records that are there", ()),
}


def main(argv: list[str]) -> int:
    """Run the command."""
    return run(argv, "reckon reproduce", tuple(ITEMS))


def parser() -> argparse.ArgumentParser:
    """The options of `reckon reproduce`."""
    return _parser("reckon reproduce", tuple(ITEMS))


def run(argv: Sequence[str], program: str, names: Sequence[str]) -> int:
    """Make the items asked for (all, if none is named)."""
    options = _parser(program, names).parse_args(argv)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when numpy is loaded, which is later
    from reckoner.reproduction.budget import BUDGETS
    from reckoner.reproduction.session import Session

    home = options.out or _HOMES[options.budget]
    report = options.report or (_REPORT if home == _HOMES["standard"] else home / "reproduction.md")
    session = Session(BUDGETS[options.budget], home, report, tuple(options.library), tuple(options.runs))
    wanted = [name for name in names if name in options.items or not options.items or "all" in options.items]
    try:
        for name in wanted:
            if not options.from_records:
                measure(session, name, options.workers)
            write(session, name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "reckoner":
            raise
        from reckoner.reproduction.records import RecordsError

        raise RecordsError(
            f"`{program}` needs {error.name}, which is not installed: pip install 'reckoner[train,plots]'"
        ) from None
    except BrokenProcessPool:
        from reckoner.reproduction.records import RecordsError

        raise RecordsError(
            "a worker process was killed (out of memory?); finished units are kept, the same command goes on"
        ) from None
    except KeyboardInterrupt:
        print(
            f"\nstopped; finished units are in {home}/records, the same command goes on from there",
            file=sys.stderr,
        )
        return _STOPPED
    return 0


def _parser(program: str, names: Sequence[str]) -> argparse.ArgumentParser:
    def item(name: str) -> str:
        if name not in (*names, "all"):
            known = ", ".join(names)
            raise argparse.ArgumentTypeError(f"there is no experiment {name!r}; there are {known} and all")
        return name

    items = "\n".join(f"  {name:16}{ITEMS[name].summary}" for name in names)
    p = argparse.ArgumentParser(
        prog=program,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Make the experiments again: raw records, a table and a figure each. A run that was\n"
        "interrupted goes on where it was; what is recorded is not measured again.",
        epilog=f"items:\n{items}",
    )
    p.add_argument("items", nargs="*", metavar="ITEM", type=item, help="what to make (default: all)")
    p.add_argument("--budget", choices=("smoke", "standard"), default="standard",
                   help="smoke: minutes, for tests; standard: what the report shows (default)")  # fmt: skip
    p.add_argument("--out", type=Path, metavar="DIR", help="where records, tables and figures go")
    p.add_argument("--library", type=Path, action="append", default=[], metavar="DIR",
                   help="a library to measure (may be repeated; default: the trainings' or the bundled)")  # fmt: skip
    p.add_argument("--runs", type=Path, action="append", default=[], metavar="DIR",
                   help="a finished `reckon train` folder (may be repeated; default: one is trained)")  # fmt: skip
    p.add_argument("--workers", type=int, choices=range(1, 65), metavar="N", default=2,
                   help="units run side by side, one core each (default 2)")  # fmt: skip
    p.add_argument("--from-records", action="store_true", help="only make tables and figures again")
    p.add_argument("--report", type=Path, metavar="FILE", help="where the report goes")
    return p


def measure(session: Session, name: str, workers: int) -> None:
    """Run what is missing of an item's records."""
    from reckoner.reproduction.records import run_units

    if not ITEMS[name].sets:
        return
    from reckoner.reproduction.sets import make_units

    for part in ITEMS[name].sets:
        records = session.records(part)
        run_units(make_units(part, session), records, session.budget.name, workers)


def write(session: Session, name: str) -> None:
    """Tables and figures of an item, from its records."""
    from reckoner.reproduction import presentation

    def read(part: str) -> list[Record]:
        return session.records(part).read()

    if name == "report":
        from reckoner.reproduction.report import write_report

        write_report(read, session.home, session.report, session.budget)
    else:
        presentation.present(name, read, session.home / name)
    print(f"{name}: {session.report if name == 'report' else session.home / name}")
