"""What an experiment is, and the list of them.

An experiment is one file of this folder, named like it (`training-curve` is `training_curve.py`), with an
`EXPERIMENT`: which units are measured, their table and figures, the paper's claim and what to remark. To add one,
write its file and its line below; records, resuming, workers, figures and the report come with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from reckoner.engine import Engine
from reckoner.reproduction.budget import Budget
from reckoner.reproduction.records import Record, Records, RecordsError, Unit, run_units, write_result
from reckoner.reproduction.shelf import Shelf
from reckoner.skills.library import BUNDLED, Library

# in the order of the report
EXPERIMENTS = {
    "soundness": "LSTM copies and reverses, Neural GPU adds binary numbers",
    "table1": "Table 1: accuracy by operation and length, ours and the paper's, and both rivals",
    "rivals": "LSTM, Neural GPU and a small transformer until they stop getting better, fresh problems too",
    "training-curve": "Figures: accuracy in training and on the test set",
    "continual": "Ablation: modulo and powers with the library at hand, and from scratch",
    "learning": "Ablation: what learns: PPO, guidance, exploration, choices by form, the teacher, search",
    "perception": "Ablation: how many digits are seen at each end of a number; characters",
    "analogies": "Ablation: own right attempts tried at other views: with them, without, and not more often in need",
    "teacher": "Ablation: difficulty sampling, parameter adjustment and β, on what matters",
    "curriculum-order": "Ablation: all lengths at once, without helper skills, from scratch",
    "hidden-size": "How small a calculator masters everything, and how sure it is",
    "ten-seeds": "Ten seeds of the shipped training from nothing to the end, and ten new ones",
    "papers-learner": "The paper's configuration, as printed, and its perception with our learner",
    "peer": "A peer's PPO (sb3-contrib's MaskablePPO) in our Gymnasium environments",
    "hierarchy": "Picture: which skill calls which, how often",
}


@dataclass(frozen=True)
class Setting:
    """What one run of the command is given: plain data, since units of work travel to other processes."""

    budget: Budget
    home: Path
    folders: tuple[Path, ...] = ()  # of libraries; none: those of the trainings, or else the bundled one
    runs: tuple[Path, ...] = ()  # folders of finished trainings

    @property
    def libraries(self) -> dict[str, Shelf]:
        """The folders of all libraries to be measured, by label."""
        folders = self.folders or self._trained()
        if folders:
            return {label(folder): Shelf(folder) for folder in folders}
        bundled = open_library(BUNDLED)
        return {f"seed{bundled.records[bundled.names[0]]['seed']}": Shelf(BUNDLED)}

    @property
    def library(self) -> Shelf:
        """The first of them."""
        return next(iter(self.libraries.values()))

    def _trained(self) -> list[Path]:
        """Libraries of the trainings, if these were whole ones."""
        if self.budget.curriculum != "whole":
            return []
        runs = self.runs or sorted((self.home / "runs").glob("*/"))
        return [run / "library" for run in runs if (run / "library").exists()]

    def records(self, name: str) -> Records:
        """A set of records; those of another budget are refused, because the two would mix."""
        records = Records(self.home / "records" / f"{name}.jsonl")
        others = {str(r.get("budget")) for r in records.read()} - {self.budget.name}
        if others:
            raise RecordsError(
                f"{records.file} holds records of budget {min(others)!r}; "
                f"choose another folder with --out for budget {self.budget.name!r}"
            )
        return records


def label(folder: Path) -> str:
    """A folder's name that says which run it is: `runs/seed-1/library` is `seed-1`."""
    parts = folder.resolve().parts
    return parts[-2] if parts[-1] == "library" and len(parts) > 1 else parts[-1]


@cache
def open_library(folder: Path) -> Library:
    """A library; each process reads it once."""
    return Library.load(folder)


@dataclass(frozen=True)
class Experiment:
    """All that is particular to one experiment; `table` and `figures` are given its sets of records in order."""

    heading: str  # of its section in the report
    claim: str  # the paper's, or what is measured
    units: Mapping[str, Callable[[Setting], Iterable[Unit]]]  # by the name of the set that records them
    table: Callable[..., str]
    figures: Mapping[str, Callable[..., Any]]  # by file name
    remark: str = ""  # may name fields of the budget
    is_first: bool = False  # others measure what it trains
    is_table_reported: bool = True
    beside: tuple[str, ...] = ()  # sets of records of other experiments, which are shown beside
    needs: tuple[str, ...] = ()  # modules that not every installation has

    @property
    def missing(self) -> list[str]:
        """Which of those are not installed: then nothing can be measured."""
        return [module for module in self.needs if find_spec(module) is None]

    def measure(self, setting: Setting, engine: Engine, only: str = "") -> None:
        """Run the units that are not recorded yet; if asked, only those with a text in their names.

        Units that depend on others are listed again when these are recorded.
        """
        for name, make in self.units.items():
            records, ran = setting.records(name), set[str]()
            while True:
                done = {r["unit"] for r in records.read()}
                ready = [u for u in make(setting) if u.name in done or done.issuperset(u.after)]
                todo = {u.name for u in ready if u.name not in done and only in u.name}
                if todo <= ran:
                    break
                run_units(ready, records, setting.budget.name, engine, only)
                ran |= todo

    def read(self, setting: Setting) -> list[list[Record]]:
        """Its sets of records in the order of their units, and those that are shown beside."""
        beside = [setting.records(name).read() for name in self.beside]
        return [*(self._in_order(name, setting) for name in self.units), *beside]

    def _in_order(self, name: str, setting: Setting) -> list[Record]:
        """Units that came later may stand between older ones; records of units that are no more come last."""
        places = {unit.name: place for place, unit in enumerate(self.units[name](setting))}
        return sorted(setting.records(name).read(), key=lambda r: places.get(r["unit"], len(places)))

    def is_measured(self, setting: Setting) -> bool:
        """Whether each of its own sets has a record: less makes no table."""
        return all(setting.records(name).read() for name in self.units)

    def write(self, setting: Setting, folder: Path) -> None:
        """Write table and figures."""
        from reckoner.reproduction.figures import save

        records = self.read(setting)
        if not self.is_measured(setting):
            raise RecordsError(
                f"there are no records of {folder.name!r} yet; make them with: reckon reproduce {folder.name}"
            )
        write_result(folder / "table.md", self.table(*records))
        for name, draw in self.figures.items():
            save(lambda draw=draw: draw(*records), folder / name)  # type: ignore[misc]


def load(name: str) -> Experiment:
    """The experiment of that name; what it needs is imported now."""
    module = import_module(f"reckoner.reproduction.{name.replace('-', '_')}")
    experiment: Experiment = module.EXPERIMENT
    return experiment
