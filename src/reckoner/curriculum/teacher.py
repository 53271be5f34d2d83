"""The curriculum teacher (the paper's CTCS): which problem next, how much to explore, what is mastered."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class TeacherConfig:
    """The paper's values where it gives them; the two mechanisms can be switched off for ablations."""

    difficulty_sampling: bool = True
    difficulty_temperature: float = 10.0  # the paper's τ, equation 8
    uniform_share: float = 0.5  # chosen here: without it old lengths are forgotten
    parameter_adjustment: bool = True
    entropy_cap: float = 0.05  # the paper's β is 0.5
    entropy_slope: float = 0.01  # the paper's γ, equation 9
    # the paper's N_c, "consecutively sample number", of which it says no more: here the difficulty of a problem that is
    # always wrong, if `forgets`; the trainer of baselines draws so many before it looks at difficulties again
    consecutive: int = 64
    forgets: bool = True  # chosen here: a difficulty is a moving share of wrong attempts, on the scale of N_c
    memory: float = 0.9  # what is kept of that share at each attempt
    by_view: bool = True  # chosen here: adjust the entropy for problems that look alike, not for all as one


class Teacher:
    """Counts wrong attempts per problem and samples by them."""

    def __init__(self, problems: int, config: TeacherConfig, rng: np.random.Generator) -> None:
        self.config = config
        self.rng = rng
        self.difficulty = np.zeros(0)
        self.add(problems)

    def probabilities(self) -> NDArray[np.float64]:
        """softmax(d / τ), mixed with the uniform distribution."""
        count = len(self.difficulty)
        if not self.config.difficulty_sampling:
            return np.full(count, 1 / count)
        scaled = self.difficulty / self.config.difficulty_temperature
        weights = np.exp(scaled - scaled.max())
        hard = weights / weights.sum()
        share = self.config.uniform_share
        return share / count + (1 - share) * hard

    def choose(self, count: int) -> NDArray[np.int64]:
        """The next problems."""
        return self.rng.choice(len(self.difficulty), size=count, p=self.probabilities())

    def mark(self, chosen: NDArray[np.int64], is_right: NDArray[np.bool_]) -> None:
        """Bring the shares of wrong attempts up to date."""
        if not self.config.forgets:
            np.add.at(self.difficulty, chosen[~is_right], 1.0)
            return
        problems, inverse, counts = np.unique(chosen, return_inverse=True, return_counts=True)
        wrong = np.bincount(inverse, ~is_right, len(problems)) / counts
        keep = self.config.memory**counts
        scale = self.config.consecutive
        self.difficulty[problems] = keep * self.difficulty[problems] + (1 - keep) * scale * wrong

    def add(self, problems: int) -> None:
        """More problems, not yet tried: as hard as can be, or where wrong attempts are counted without any yet."""
        unknown = float(self.config.consecutive) if self.config.forgets else 0.0
        self.difficulty = np.concatenate([self.difficulty, np.full(problems, unknown)])

    def entropy_coefficients(self, groups: NDArray[np.int64]) -> NDArray[np.float64]:
        """α = min(β, γ · max d) for each problem, the maximum over its group; without adjustment the cap.

        The paper takes the maximum over all problems. Here a group is the problems that look alike at first:
        exploration is encouraged where there are difficulties, and what is known is left alone.
        """
        if not self.config.parameter_adjustment:
            return np.full(len(groups), self.config.entropy_cap)
        if not self.config.by_view:
            groups = np.zeros_like(groups)
        hardest = np.zeros(groups.max() + 1)
        np.maximum.at(hardest, groups, self.difficulty)
        return np.minimum(self.config.entropy_cap, self.config.entropy_slope * hardest)[groups]
