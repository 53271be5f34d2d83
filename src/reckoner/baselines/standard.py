"""Seconds of a standard core, in which the budgets of experiments are given: those of the core that made the records.

On a slower core a minute is less work, so whoever does not get there in time would look worse than they are, rivals and
switched-off variants first of all. The environment variable RECKON_SLOWNESS says how much slower a machine is
(`python -m reckoner.reproduction.slowness` measures it); then a second of a budget lasts so much longer there.
"""

from __future__ import annotations

import os
import time

from reckoner.errors import ReckonerError

VARIABLE = "RECKON_SLOWNESS"


class SlownessError(ReckonerError):
    """The variable is no number above zero."""

    exit_code = 2


def slowness() -> float:
    """By how much this machine's core is slower than the standard one."""
    text = os.environ.get(VARIABLE, "1")
    try:
        factor = float(text)
    except ValueError:
        factor = 0.0
    if not 0 < factor < float("inf"):
        raise SlownessError(f"{VARIABLE} is {text!r}; it has to be a number above 0, for example 2.5")
    return factor


def standard_seconds() -> float:
    """Processor seconds of this process, as a standard core would have taken them."""
    return time.process_time() / slowness()
