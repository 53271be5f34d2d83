"""Where an attempt at a lesson stands, and that it is not worth going on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np


class Stuck(Exception):
    """No progress for the patience: to be tried again with another seed."""


@dataclass
class Progress:
    """Where an attempt stands between two stages: all that is needed to go on exactly as if never interrupted."""

    stage: int = 0  # how many stages are mastered
    updates: int = 0
    attempts: int = 0
    steps: int = 0  # of the environment: every call that any attempt made
    tried: int = 0  # calls tried against the known answer, by the search
    seconds: float = 0.0
    tensors: dict[str, np.ndarray] | None = None
    memory: dict[str, Any] = field(default_factory=dict)  # what else the learner keeps, as JSON has it
