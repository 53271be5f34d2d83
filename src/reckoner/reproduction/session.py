"""One run of `reckon reproduce`: where things are and what is at hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from reckoner.reproduction.budget import Budget
from reckoner.reproduction.records import Records, RecordsError
from reckoner.skills.library import Library


@dataclass
class Session:
    """The options of the command, and libraries once they are loaded."""

    budget: Budget
    home: Path
    report: Path
    folders: tuple[Path, ...] = ()  # of libraries; none: those of the trainings, or else the bundled one
    runs: tuple[Path, ...] = ()  # folders of finished trainings
    _libraries: dict[str, Library] = field(default_factory=dict)

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

    @property
    def libraries(self) -> dict[str, Library]:
        """All libraries to be measured, by label."""
        if not self._libraries:
            folders = self.folders or self._trained()
            self._libraries = {label(folder): Library.load(folder) for folder in folders}
            if not self._libraries:
                bundled = Library.load()
                self._libraries = {f"seed{bundled.records[bundled.names[0]]['seed']}": bundled}
        return self._libraries

    def _trained(self) -> list[Path]:
        """Libraries of the trainings, if these were whole ones."""
        if self.budget.curriculum != "full":
            return []
        runs = self.runs or sorted((self.home / "runs").glob("*/"))
        return [run / "library" for run in runs if (run / "library").exists()]

    @property
    def library(self) -> Library:
        """The first of them."""
        return next(iter(self.libraries.values()))


def label(folder: Path) -> str:
    """A folder's name that says which run it is: `runs/seed-1/library` is `seed-1`."""
    parts = folder.resolve().parts
    return parts[-2] if parts[-1] == "library" and len(parts) > 1 else parts[-1]
