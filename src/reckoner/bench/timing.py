"""Small tools for measuring: repeated runs, and what they were run on."""

from __future__ import annotations

import os
import platform
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def best_time(work: Callable[[], object], repeats: int = 5, budget: float = 2.0) -> float:
    """The least wall-clock time of several runs, of `budget` seconds in all: the least disturbed one."""
    best, spent = float("inf"), 0.0
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        seconds = time.perf_counter() - start
        best, spent = min(best, seconds), spent + seconds
        if spent > budget:
            break
    return best


def fit_exponent(sizes: Sequence[float], values: Sequence[float]) -> float | None:
    """The p of the power law size ** p that fits best; None if there are too few points."""
    if len(sizes) < 3:
        return None
    import numpy as np

    slope, _ = np.polyfit(np.log(sizes), np.log(values), 1)
    return round(float(slope), 2)


def describe_machine() -> dict[str, Any]:
    """Versions, threads, commit and processor."""
    import numpy as np

    from reckoner import __version__

    return {
        "reckoner": __version__,
        "commit": _commit(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "threads": {name: os.environ.get(name, "unset") for name in _THREADS},
        "cores": os.cpu_count(),
        "load": [round(load, 2) for load in os.getloadavg()],
        "processor": _processor(),
        "system": platform.platform(),
        "date": time.strftime("%Y-%m-%d %H:%M"),
    }


def use_one_thread() -> None:
    """One thread for matrix products; to be called before numpy is loaded, which asks only once."""
    for name in _THREADS:
        os.environ[name] = "1"


def _commit() -> str | None:
    command = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor()
