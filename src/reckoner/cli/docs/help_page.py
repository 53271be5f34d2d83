"""docs/cli.md: the help of every command."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from reckoner.cli.commands import COMMANDS
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
