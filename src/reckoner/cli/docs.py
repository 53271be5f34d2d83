"""Writes docs/cli.md from the program's own help: `python -m reckoner.cli.docs docs/cli.md`."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

from reckoner.cli.commands import list_commands
from reckoner.cli.options import build_parser

_HEAD = """\
# The command `reckon`

This page is written by the program (`make docs`); a test checks that it is up to date.
How to use it, with examples, is in [usage.md](usage.md).
"""


def make_page() -> str:
    """The whole page."""
    sections = [_HEAD, _section("reckon", build_parser().format_help())]
    for command in list_commands():
        sections.append(_section(f"reckon {command.name}", _help_of(command.load())))
    return "\n".join(sections)


def _section(title: str, text: str) -> str:
    return f"## {title}\n\n```text\n{text.strip()}\n```\n"


def _help_of(main: Callable[[list[str]], int | None]) -> str:
    """What a command prints for --help, at a width that does not depend on the terminal."""
    columns = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "100"
    page = io.StringIO()
    try:
        with redirect_stdout(page):
            main(["--help"])
    except SystemExit:
        pass
    finally:
        if columns is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = columns
    return page.getvalue()


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(make_page(), encoding="utf-8")
