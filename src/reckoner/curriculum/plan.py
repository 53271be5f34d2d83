"""A plan: what is to be trained, where, how, and on top of which frozen skills."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from reckoner.curriculum.checkpoint import SkillFolder
from reckoner.curriculum.own import TasksError, own_tasks, read_rows
from reckoner.curriculum.run_folder import TASKS, RunError
from reckoner.curriculum.student import StudentConfig
from reckoner.curriculum.tasks import CURRICULA, ON_TOP, Task
from reckoner.skills.library import BUNDLED, Library, manifest_hash, names_below


@dataclass(frozen=True)
class Plan:
    """What is to be trained, where and how."""

    curriculum: str  # a name in CURRICULA
    folder: Path
    seed: int = 0
    workers: int = 2
    deadline: float | None = None  # wall-clock time (time.time()) at which to stop
    only: tuple[str, ...] = ()  # train these alone, on top of what the folder or the base has
    config: StudentConfig = field(default_factory=StudentConfig)
    own: Path | None = None  # a Python file whose rows are learned in place of the curriculum's
    base: Path = BUNDLED  # the library that `only`, `own` and the curriculum `decimals` build on

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The rows to be learned."""
        return CURRICULA[self.curriculum] if self.own is None else own_tasks(self.own)

    @property
    def settings(self) -> dict[str, Any]:
        """What the weights of the run depend on: a folder is trained with one and the same."""
        settings = {"seed": self.seed, "curriculum": self.curriculum, "config": asdict(self.config)}
        if self.own is not None:
            rows = read_rows(self.own).digest()  # with the samplers, which no finished skill shows
            settings |= {"curriculum": "own", "base": manifest_hash(self.base), TASKS: rows}
        elif self.curriculum in ON_TOP:
            settings |= {"base": manifest_hash(self.base, without={t.spec.name for t in self.tasks})}
        return settings

    def is_out_of_time(self) -> bool:
        """Whether the budget of this run is used up."""
        return self.deadline is not None and time.time() > self.deadline

    def seconds_left(self) -> float | None:
        """Of the budget; None: there is none."""
        return None if self.deadline is None else max(0.0, self.deadline - time.time())

    def skill_folder(self, task: Task) -> SkillFolder:
        """Where a task's files are."""
        return SkillFolder(self.folder, task.spec.name, self.tasks.index(task) + 1)

    def mastered(self) -> list[Task]:
        """The tasks whose skills are learned; each must have been learned from the row as it is now."""
        found = []
        for task in self.tasks:
            folder = self.skill_folder(task)
            if folder.is_mastered:
                if folder.spec() != task.spec:
                    raise RunError(
                        f"{task.spec.name!r} was learned in {self.folder} from another row than there is now; "
                        f"choose another folder with --out, or delete {folder.folder} to learn it again"
                    )
                found.append(task)
        return found

    def check_names(self) -> None:
        """A library is append-only: rows of one's own have names that are not in it."""
        if self.own is not None:
            for name in {t.spec.name for t in self.tasks} & {*self._base().names}:
                raise TasksError(f"the library already has a skill {name!r}: give yours another name")

    def frozen(self, below: Task | None = None) -> Library:
        """The skills known by now: the base's, and in their place or after them those of this run.

        With `below`, only those that this task needs.
        """
        base = self._base()
        tasks = {t.spec.name: t for t in self.tasks if self.skill_folder(t).is_mastered}
        calls = {s.name: s.spec.calls for s in base} | {n: t.spec.calls for n, t in tasks.items()}
        names = list(calls)
        if below is not None:
            needed = names_below(below.spec, calls)
            names = [name for name in names if name in needed]
        library = Library()
        while ready := next((n for n in names if set(calls[n]) <= {n, *library.names}), None):
            names.remove(ready)
            if ready in tasks:
                library.append(*self.skill_folder(tasks[ready]).load(library))
            else:
                library.append(base[ready], base.records[ready])
        return library

    def _base(self) -> Library:
        if not (self.only or self.own is not None or self.curriculum in ON_TOP):
            return Library()
        base = Library.load(self.base)
        # a curriculum that is learned on top begins below its own skills, even if the library has them by now
        return base.without({t.spec.name for t in self.tasks}) if self.curriculum in ON_TOP else base
