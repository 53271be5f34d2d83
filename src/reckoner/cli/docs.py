"""Writes what the repository holds of the program's own making: `python -m reckoner.cli.docs FOLDER`.

Help pages, lists and completion scripts are made from the code; tests check that they are up to date.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from reckoner.cli.commands import COMMANDS
from reckoner.cli.completion import SHELLS, make_script
from reckoner.cli.options import build_parser

_COLUMNS = "100"
_HEAD = """\
# The command `reckon`

This page is written by the program (`make docs`); a test checks that it is up to date.
How to use it, with examples, is in [usage.md](usage.md).
"""


def make_help_page() -> str:
    """Every command's help."""
    with _terminal_width(_COLUMNS):
        sections = [_HEAD, _section("reckon", build_parser().format_help())]
        for command in COMMANDS:
            sections.append(_section(f"reckon {command.name}", command.parser().format_help()))
    return "\n".join(sections)


def _section(title: str, text: str) -> str:
    return f"## {title}\n\n```text\n{text.strip()}\n```\n"


@contextmanager
def _terminal_width(columns: str) -> Iterator[None]:
    """Have argparse write for a terminal of this width, whatever it really is."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = columns
    try:
        yield
    finally:
        del os.environ["COLUMNS"]
        if before is not None:
            os.environ["COLUMNS"] = before


# Every file that is made, by its place in the repository.
GENERATED: dict[str, Callable[[], str]] = {
    "docs/cli.md": make_help_page,
    **{f"src/reckoner/cli/completions/reckon.{shell}": partial(make_script, shell) for shell in SHELLS},
}


def main(folder: Path) -> None:
    """Write all of them."""
    for name, make in GENERATED.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
