"""The machine as it was before it was rewritten, taken from the repository's history: a fixed reference for ratios.

The whole package of that commit, weights included, is unpacked under another name, so that both can be used in one
process. Where there is no git history there is no reference, and the benchmark goes without.
"""

from __future__ import annotations

import importlib
import io
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

COMMIT = "7c1c4b4"
_NAME = "reckoner_before"


def load_reference() -> Any | None:
    """The modules of the old package by attribute: `calculator`, `machine`, `skills`; None if it cannot be had."""
    try:
        top = subprocess.run(
            ["git", "-C", str(Path(__file__).parent), "rev-parse", "--show-toplevel"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        command = ["git", "-C", top, "archive", COMMIT, "src/reckoner"]
        archive = subprocess.run(command, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    folder = Path(tempfile.mkdtemp(prefix="reckoner-before-"))
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")
    package = folder / _NAME
    (folder / "src" / "reckoner").rename(package)
    for file in package.rglob("*.py"):
        text = file.read_text()
        file.write_text(
            text.replace("from reckoner", f"from {_NAME}").replace("import reckoner", f"import {_NAME}")
        )
    sys.path.insert(0, str(folder))
    try:
        for part in ("calculator", "machine", "skills"):
            importlib.import_module(f"{_NAME}.{part}")
        return importlib.import_module(_NAME)
    finally:
        sys.path.remove(str(folder))
