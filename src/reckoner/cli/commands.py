"""The sub-commands. Each is listed only where the part of the package it belongs to is installed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from reckoner.errors import ReckonerError

_PACKAGE = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Command:
    """A sub-command: `module` has a `main(argv) -> int | None` with its own options."""

    name: str
    module: str
    summary: str

    @property
    def exists(self) -> bool:
        """Looked up as a file, because importing would load all that the command needs."""
        path = _PACKAGE.joinpath(*self.module.split(".")[1:])
        return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()

    def load(self) -> Callable[[list[str]], int | None]:
        """The command's main function."""
        main: Callable[[list[str]], int | None] = import_module(self.module).main
        return main

    def run(self, arguments: list[str]) -> int:
        """Run it; a missing extra is explained, whether the command imports it early or late."""
        try:
            return self.load()(arguments) or 0
        except ModuleNotFoundError as error:
            if (error.name or "").split(".")[0] == "reckoner":
                raise
            raise MissingExtraError(
                f"`reckon {self.name}` needs {error.name}, which is not installed; "
                "install it with: pip install 'reckoner[train]' (in a clone: make .venv/.stamp-train)"
            ) from None


class MissingExtraError(ReckonerError):
    """A command needs a package that the calculator alone does without."""

    kind = "missing-extra"


COMMANDS = (
    Command("doctor", "reckoner.cli.doctor", "check the installation and the weights"),
    Command("completion", "reckoner.cli.completion", "print a completion script for a shell"),
    Command("train", "reckoner.cli.train", "learn the skills from nothing"),
    Command("eval", "reckoner.evaluation.evaluate", "measure how often the networks are right"),
    Command("seeds", "reckoner.evaluation.seeds", "compare trainings with different seeds"),
    Command("bench", "reckoner.bench.report", "measure how fast they are"),
    Command("reproduce", "reckoner.reproduction.reproduce", "make the paper's tables again"),
)


def list_commands() -> list[Command]:
    """The commands of this installation."""
    return [command for command in COMMANDS if command.exists]


def find_command(name: str) -> Command | None:
    """The command of that name, if it is installed."""
    return next((command for command in COMMANDS if command.name == name and command.exists), None)
