"""Small tools for measuring: repeated runs, and what they were run on."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from reckoner.provenance import provenance


def best_time(
    work: Callable[[], object],
    repeats: int = 5,
    budget: float = 2.0,
    clock: Callable[[], float] = time.process_time,
) -> float:
    """The least time of several runs, of `budget` seconds in all: the least disturbed one."""
    best, spent = float("inf"), 0.0
    for _ in range(repeats):
        start = clock()
        work()
        seconds = clock() - start
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
    """Where a result comes from, and the processor and load it was measured on."""
    return {
        **provenance(),
        "cores": os.cpu_count(),
        "load": [round(load, 2) for load in os.getloadavg()],
        "processor": _processor(),
        "system": platform.platform(),
        "date": time.strftime("%Y-%m-%d %H:%M"),
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor()
