"""`reckon completion SHELL`: print a completion script.

The scripts are made by shtab from the options of all commands, when the documentation is made (`make docs`),
and shipped with the package: so completion needs no package that the calculator does without, and a shell that
asks for its script at every start does not wait for parsers to be built.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from reckoner.cli.commands import COMMANDS
from reckoner.cli.options import build_parser

SHELLS = ("bash", "fish", "zsh")
SCRIPTS = Path(__file__).parent / "completions"

_HOW = """\
to use it:
  bash   eval "$(reckon completion bash)"     in ~/.bashrc
  zsh    eval "$(reckon completion zsh)"      in ~/.zshrc, after compinit
  fish   reckon completion fish > ~/.config/fish/completions/reckon.fish"""
_FILES = ("FILE",)
_FOLDERS = ("DIR", "RUN")


def parser() -> argparse.ArgumentParser:
    """The options of `reckon completion`."""
    p = argparse.ArgumentParser(
        prog="reckon completion",
        description="Print a completion script for a shell.",
        epilog=_HOW,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("shell", choices=SHELLS)
    return p


def main(arguments: list[str]) -> int:
    """Print the script for a shell."""
    shell = parser().parse_args(arguments).shell
    print(script_of(shell).read_text(encoding="utf-8"), end="")
    return 0


def script_of(shell: str) -> Path:
    """The file with the script for a shell."""
    return SCRIPTS / f"reckon.{shell}"


def make_script(shell: str) -> str:
    """The script for a shell, from the options that the commands have now."""
    import shtab

    whole = build_parser(with_expressions=False)
    commands = whole.add_subparsers()
    for command in COMMANDS:
        commands.add_parser(command.name, help=command.summary, parents=[command.parser()], add_help=False)
    for one in (whole, *commands.choices.values()):
        _say_what_is_a_file(one, shtab.FILE, shtab.DIRECTORY)
    script: str = shtab.complete(whole, shell)
    return script


def _say_what_is_a_file(options: argparse.ArgumentParser, file: object, folder: object) -> None:
    for action in options._actions:
        if action.metavar in _FILES:
            action.complete = file  # type: ignore[attr-defined]
        elif action.metavar in _FOLDERS:
            action.complete = folder  # type: ignore[attr-defined]
