"""The sub-commands."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

from reckoner.errors import ReckonerError


@dataclass(frozen=True, slots=True)
class Command:
    """A sub-command: `module` has `parser()`, its options, and `main(argv) -> int | None`."""

    name: str
    module: str
    summary: str

    def parser(self) -> argparse.ArgumentParser:
        """The command's options, for help pages and completion scripts."""
        make: Callable[[], argparse.ArgumentParser] = self._load().parser
        return make()

    def run(self, arguments: list[str]) -> int:
        """Run it; a missing extra is explained, whether the command imports it early or late."""
        try:
            main: Callable[[list[str]], int | None] = self._load().main
            return main(arguments) or 0
        except ModuleNotFoundError as error:
            if (error.name or "").split(".")[0] == "reckoner":
                raise
            extra = _EXTRAS.get((error.name or "").split(".")[0], "train")
            raise MissingExtraError(
                f"`reckon {self.name}` needs {error.name}, which is not installed; "
                f"install it with: pip install 'neural-reckoner[{extra}]' (in a clone, `make test` does)"
            ) from None

    def _load(self) -> ModuleType:
        return import_module(self.module)


class MissingExtraError(ReckonerError):
    """A command needs a package that the calculator alone does without."""

    kind = "missing-extra"


# Which extra of pyproject.toml brings a package; all others are for training.
_EXTRAS = {"matplotlib": "plots", "starlette": "web", "uvicorn": "web", "h11": "web"}

COMMANDS = (
    Command("doctor", "reckoner.cli.doctor", "check the installation and the weights"),
    Command("completion", "reckoner.cli.completion", "print a completion script for a shell"),
    Command("serve", "reckoner.cli.serve", "a page on which one watches the networks; HTTP"),
    Command("call", "reckoner.cli.call", "ask one skill by its name"),
    Command("train", "reckoner.cli.train", "learn the skills from nothing, or one of your own"),
    Command("eval", "reckoner.cli.evaluate", "measure how often the networks are right"),
    Command("program", "reckoner.cli.program", "print the programs that the networks have learned"),
    Command("prove", "reckoner.cli.prove", "prove that they are right at every length"),
    Command("remember", "reckoner.cli.remember", "write down what they decide, for a quick start"),
    Command("seeds", "reckoner.cli.seeds", "compare trainings with different seeds"),
    Command("bench", "reckoner.cli.bench", "measure how fast they are"),
    Command("reproduce", "reckoner.cli.reproduce", "make the paper's tables again"),
)


def find_command(name: str) -> Command | None:
    """The command of that name, if there is one."""
    return next((command for command in COMMANDS if command.name == name), None)
