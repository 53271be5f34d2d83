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

# by the name they are imported by, that of the distribution
_PACKAGES = {"reckoner": "neural-reckoner", "torch": "torch", "numpy": "numpy", "safetensors": "safetensors"}
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
    for package, distribution in _PACKAGES.items():
        try:
            found[package] = version(distribution)
        except PackageNotFoundError:
            continue
    return found


@cache
def commit() -> str | None:
    """The commit of this source, `-dirty` if its files differ from it; None where it is not in a repository.

    What lies beside the source (records that a run has just written, texts) makes no difference to a result.
    """
    # an installed package may lie inside somebody else's repository, whose commit says nothing
    if _git("ls-files", "--error-unmatch", Path(__file__).name) is None:
        return None
    found = _git("rev-parse", "--short=12", "HEAD")
    return (
        found if found is None or _git("diff", "--quiet", "HEAD", "--", ".") is not None else f"{found}-dirty"
    )


def _git(*arguments: str) -> str | None:
    """What git says of this folder; None if it says no."""
    try:
        answer = subprocess.run(
            ["git", *arguments],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
            timeout=20,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return answer.stdout.strip()
