"""The curriculum teacher (the paper's CTCS): which problem next, how much to explore, what is mastered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class TeacherConfig:
    """The paper's values where it gives them; the two mechanisms can be switched off for ablations."""

    difficulty_sampling: bool = True
    difficulty_temperature: float = 10.0  # the paper's τ, equation 8
    uniform_share: float = 0.5  # chosen here: without it old lengths are forgotten
    parameter_adjustment: bool = True
    entropy_cap: float = 0.02  # the paper's β is 0.5; with practice 0.02 does best
    entropy_slope: float = 0.01  # the paper's γ, equation 9
    consecutive: int = 64  # the paper's N_c: samples drawn before the difficulties are looked at again


class Teacher:
    """Counts wrong attempts per problem and samples by them."""

    def __init__(self, problems: int, config: TeacherConfig, rng: np.random.Generator) -> None:
        self.config = config
        self.rng = rng
        self.difficulty = np.zeros(problems)

    def probabilities(self) -> np.ndarray:
        """softmax(d / τ), mixed with the uniform distribution."""
        count = len(self.difficulty)
        if not self.config.difficulty_sampling:
            return np.full(count, 1 / count)
        scaled = self.difficulty / self.config.difficulty_temperature
        weights = np.exp(scaled - scaled.max())
        hard = weights / weights.sum()
        share = self.config.uniform_share
        return share / count + (1 - share) * hard

    def choose(self) -> list[int]:
        """The next `consecutive` problems."""
        picks = self.rng.choice(len(self.difficulty), size=self.config.consecutive, p=self.probabilities())
        return [int(i) for i in picks]

    def mark(self, chosen: Sequence[int], is_right: Sequence[bool]) -> None:
        """Count the wrong attempts."""
        for problem, right in zip(chosen, is_right, strict=True):
            if not right:
                self.difficulty[problem] += 1

    def add(self, problems: int) -> None:
        """More problems, not yet tried."""
        self.difficulty = np.concatenate([self.difficulty, np.zeros(problems)])

    @property
    def entropy_coefficient(self) -> float:
        """α = min(β, γ · max d); without adjustment it is always the cap."""
        if not self.config.parameter_adjustment:
            return self.config.entropy_cap
        return float(min(self.config.entropy_cap, self.config.entropy_slope * self.difficulty.max(initial=0)))
