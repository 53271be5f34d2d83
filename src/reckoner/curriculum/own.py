"""Rows of one's own: a Python file with `TASKS`, learned on top of a library (docs/add-a-skill.md)."""

from __future__ import annotations

import hashlib
import traceback
from dataclasses import dataclass
from functools import cache
from importlib.abc import SourceLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from random import Random

from reckoner.alphabet import ALPHABET
from reckoner.curriculum.problems import Problem
from reckoner.curriculum.tasks import BasicTask, InteractiveTask, Task
from reckoner.errors import ReckonerError
from reckoner.skills.base import Skill

_TRIED = 20  # problems per stage that a sampler has to make before anything is learned


class TasksError(ReckonerError):
    """A file of rows that cannot be learned from; the sentence says what to mend."""

    kind = "tasks"
    exit_code = 2


@dataclass(frozen=True)
class Rows:
    """The text of such a file: that, and not the rows themselves, can be sent to another machine."""

    file: Path
    text: str

    def tasks(self) -> tuple[Task, ...]:
        """The rows, each of them tried."""
        return _tasks(self)

    def digest(self) -> str:
        """What tells this text from another, wherever the file may be."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def own_tasks(file: Path) -> tuple[Task, ...]:
    """The rows of a file, each of them tried."""
    return read_rows(file).tasks()


@cache
def read_rows(file: Path) -> Rows:
    """The file as it is at the first look: it may be edited while it is being learned from."""
    try:
        return Rows(file, file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        raise TasksError(f"{file} is not a Python file") from None


@cache
def _tasks(rows: Rows) -> tuple[Task, ...]:
    file, loader = rows.file, _Loader(rows)
    found = spec_from_loader("reckoner_own_tasks", loader)
    assert found is not None
    module = module_from_spec(found)
    try:
        loader.exec_module(module)
        tasks = tuple(module.TASKS)
        for task in tasks:
            _try(task)
    except TasksError as error:
        raise TasksError(f"{file}: {error.message}") from None
    except Exception as error:  # whatever a person's file may raise
        raise TasksError(f"{file}{_line(error, file)}: {type(error).__name__}: {error}") from None
    names = [task.spec.name for task in tasks]
    if not tasks or len(set(names)) < len(names):
        raise TasksError(f"{file}: TASKS is to have at least one row, and no two of one name")
    return tasks


class _Loader(SourceLoader):
    """Makes a module of the text, wherever the file itself may be."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows

    def get_filename(self, fullname: str) -> str:
        return str(self.rows.file)

    def get_data(self, path: str | bytes) -> bytes:
        return self.rows.text.encode()


def _line(error: Exception, file: Path) -> str:
    if isinstance(error, SyntaxError):
        return f", line {error.lineno}"
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(file)]
    return f", line {lines[-1]}" if lines else ""


def _try(task: Task) -> None:
    """Make some problems: all must be messages that the row accepts, with answers a memory can hold."""
    if isinstance(task, BasicTask):
        problems = list(task.table())
    elif isinstance(task, InteractiveTask):
        rng = Random(0)
        problems = [task.sampler(rng, size) for size in (*task.stages, task.longer) for _ in range(_TRIED)]
    else:
        raise TasksError("a row of TASKS is a BasicTask or an InteractiveTask")
    name, skill = task.spec.name, _Mute(task.spec)
    for problem in problems:
        if not isinstance(problem, Problem) or not all(isinstance(text, str) for text in problem):
            raise TasksError(f"{name!r} made {problem!r}, which is not a Problem of three texts")
        if not set("".join(problem)) <= set(ALPHABET):
            raise TasksError(f"{name!r} made {problem!r}; the only characters are {ALPHABET}")
        if not skill.is_accepted(problem.x.encode(), problem.y.encode()):
            raise TasksError(f"{name!r} made {problem!r}, which its row does not accept")


class _Mute(Skill):
    """A skill that only knows which messages it accepts."""

    @property
    def tensors(self) -> dict[str, object]:
        return {}
