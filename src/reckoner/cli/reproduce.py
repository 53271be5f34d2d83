"""`reckon reproduce`: the paper's experiments and our own ablations, from records that resume.

OUT/records/SET.jsonl     raw records, one line per finished unit
OUT/ITEM/table.md, *.svg, *.png
docs/reproduction.md      the report (item `report`), and the main table of README.md
"""

from __future__ import annotations

import argparse
from pathlib import Path

from reckoner.baselines.standard import slowness
from reckoner.cli.ending import run_resumable
from reckoner.provenance import use_one_thread

_HOMES = {"standard": Path("results/reproduce"), "smoke": Path("runs/reproduce-smoke")}
_REPORT = Path("docs/reproduction.md")
_README = Path("README.md")


def _list_items() -> dict[str, str]:
    """All that can be made, with a line on each."""
    from reckoner.reproduction.experiment import EXPERIMENTS

    return {
        **EXPERIMENTS,
        "report": "docs/reproduction.md and README's main table, from the records that are there",
    }


def parser() -> argparse.ArgumentParser:
    """The options of `reckon reproduce`."""
    items = _list_items()
    width = max(map(len, items)) + 2

    def item(name: str) -> str:
        if name not in (*items, "all"):
            known = ", ".join(items)
            raise argparse.ArgumentTypeError(f"there is no experiment {name!r}; there are {known} and all")
        return name

    p = argparse.ArgumentParser(
        prog="reckon reproduce",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Make the experiments again: raw records, a table and a figure each. A run that was\n"
        "interrupted goes on where it was; what is recorded is not measured again.",
        epilog="items:\n" + "\n".join(f"  {name:{width}}{summary}" for name, summary in items.items()),
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
    p.add_argument("--ray", metavar="ADDRESS",
                   help="run units on a Ray cluster, HOST:PORT or auto (docs/cluster.md)")  # fmt: skip
    p.add_argument("--only", metavar="TEXT", default="",
                   help="measure only units whose names contain TEXT, for example full/M-M")  # fmt: skip
    p.add_argument("--from-records", action="store_true", help="only make tables and figures again")
    p.add_argument("--plan", action="store_true",
                   help="measure nothing: print units and minutes of one core, done and left")  # fmt: skip
    p.add_argument("--report", type=Path, metavar="FILE", help="where the report goes")
    return p


def main(argv: list[str]) -> int:
    """Run the command."""
    use_one_thread()
    options = parser().parse_args(argv)
    return run_resumable(lambda: _reproduce(options))


def _reproduce(options: argparse.Namespace) -> int:
    """Make the items asked for (all, if none is named)."""
    from reckoner.cli.engine import choose_engine
    from reckoner.reproduction.budget import BUDGETS
    from reckoner.reproduction.experiment import Setting, load
    from reckoner.reproduction.main_table import put_main_table
    from reckoner.reproduction.report import write_report

    slowness()  # if it is set to nonsense, better said now than by every unit
    home = options.out or _HOMES[options.budget]
    setting = Setting(BUDGETS[options.budget], home, tuple(options.library), tuple(options.runs))
    is_all = not options.items or "all" in options.items
    wanted = [name for name in _list_items() if is_all or name in options.items]
    experiments = {name: load(name) for name in wanted if name != "report"}
    if options.plan:
        from reckoner.reproduction.cost import plan_table

        print(plan_table(experiments, setting), end="")
        return 0
    with choose_engine(options.ray, options.workers) as engine:
        for name, experiment in sorted(experiments.items(), key=lambda item: not item[1].is_first):
            if not options.from_records:
                if experiment.missing:
                    lacking = ", ".join(experiment.missing)
                    print(
                        f"{name}: skipped, because {lacking} is not installed: pip install 'neural-reckoner[gym]'"
                    )
                    continue
                experiment.measure(setting, engine, options.only)
            if (is_all or options.only) and not experiment.is_measured(setting):
                print(f"{name}: there are no records yet; make them with: reckon reproduce {name}")
                continue
            experiment.write(setting, home / name)
            print(f"{name}: {home / name}")
    if "report" in wanted:
        file = options.report or (_REPORT if home == _HOMES["standard"] else home / "reproduction.md")
        write_report(setting, file)
        if file == _REPORT:
            put_main_table(setting, _README)
        print(f"report: {file}")
    return 0
