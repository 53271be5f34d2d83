"""What a measuring command leaves behind: its record as JSON and its tables as Markdown."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from reckoner.errors import ReckonerError
from reckoner.skills.library import write_atomically


class OutputError(ReckonerError):
    """There is no writing where results are to go."""

    kind = "output"
    exit_code = 2


def check_folder(folder: Path) -> None:
    """Find out whether results can be written there before any time is spent on them; makes the folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OutputError(f"results cannot be written into {folder} ({error.strerror})") from None


def save_results(folder: Path, name: str, record: Any, tables: str) -> None:
    """Write NAME.json and NAME.md."""
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / f"{name}.json", (json.dumps(record, indent=1) + "\n").encode())
    write_atomically(folder / f"{name}.md", tables.encode())
