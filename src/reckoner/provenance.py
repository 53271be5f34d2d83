"""What a result depends on besides its seed: versions, commit and threads. Every record carries it."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

_PACKAGES = ("reckoner", "torch", "numpy", "safetensors")
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def use_one_thread() -> None:
    """One thread for matrix products, here and in processes started from here.

    To be called before numpy is loaded, which asks only once. Seconds then mean seconds of one core, and results
    do not depend on how many cores there are.
    """
    os.environ.update(dict.fromkeys(THREADS, "1"))
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)


def provenance() -> dict[str, Any]:
    """Versions, threads, machine and commit."""
    return {
        "versions": {"python": platform.python_version(), **versions()},
        "threads": 1 if all(os.environ.get(name) == "1" for name in THREADS) else None,
        "machine": platform.machine(),
        "commit": commit(),
    }


def versions() -> dict[str, str]:
    """Of the installed ones: the calculator alone does without PyTorch."""
    found = {}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


@cache
def commit() -> str | None:
    """The commit of this source, `-dirty` if files differ from it; None where the source is not in a repository."""
    # an installed package may lie inside somebody else's repository, whose commit says nothing
    commands = (
        ["git", "ls-files", "--error-unmatch", Path(__file__).name],
        ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"],
    )
    found = None
    for command in commands:
        try:
            found = subprocess.run(
                command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True, timeout=20
            )
        except (OSError, subprocess.SubprocessError):
            return None
    return found.stdout.strip() if found else None
