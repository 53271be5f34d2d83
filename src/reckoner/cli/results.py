"""What a measuring command leaves behind: its record as JSON and its tables as Markdown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from reckoner.skills.library import write_atomically


def save_results(folder: Path, name: str, record: Any, tables: str) -> None:
    """Write NAME.json and NAME.md."""
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / f"{name}.json", (json.dumps(record, indent=1) + "\n").encode())
    write_atomically(folder / f"{name}.md", tables.encode())
