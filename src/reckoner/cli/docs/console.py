"""Examples in pages written by hand: the command stays, what it printed is put in anew."""

from __future__ import annotations

import io
import re
import shlex
from contextlib import redirect_stdout

from reckoner.cli.main import main

_EXAMPLE = re.compile(r"^(```console\n\$ (reckon [^\n]*)\n)(.*?)(```)$", re.MULTILINE | re.DOTALL)


def refresh(page: str) -> str:
    """The page with the output of each block that consists of one command and what it printed."""
    return _EXAMPLE.sub(lambda found: f"{found[1]}{run(found[2])}{found[4]}", page)


def run(command: str) -> str:
    """What a `reckon` command prints."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        main(shlex.split(command)[1:])
    return printed.getvalue()
