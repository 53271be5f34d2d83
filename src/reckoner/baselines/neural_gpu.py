"""The Neural GPU (Kaiser and Sutskever, 2015).

The question stands in the first column of a *mental image*, one symbol per row; two convolutional gated
recurrent units (CGRU) rework the image once per symbol; the answer is read off the first column. Questions
and answers are written backwards, units digit first, as in that paper.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from reckoner.baselines.base import VOCABULARY, Baseline, decode, encode


@dataclass(frozen=True)
class NeuralGPUConfig:
    """The values of Kaiser and Sutskever where they give one."""

    maps: int = 24
    width: int = 4  # of the mental image
    layers: int = 2  # CGRUs per step
    kernel: int = 3
    cutoff: float = 1.2  # saturating non-linearities: stretched by this and cut off
    dropout: float = 0.02  # chosen here: theirs is tuned per task, up to 0.1
    noise: float = 0.02  # gradient noise; chosen here, theirs is tuned per task
    bin: int = 4  # lengths are rounded up to multiples of it (their code has bins of growing size)
    parameter_sets: int = 6  # relaxed parameter sharing: step t uses set t mod 6
    pull: float = 0.0005  # weight of the pull of the sets towards their mean …
    pull_growth: float = 1.2  # … which grows at every good test
    pull_most: float = 0.1  # chosen here: enough to make the sets one; much more disturbs the learning
    good: float = 0.2  # a test with fewer errors than this share is a good one (chosen here)


class NeuralGPU(Baseline):
    """Mental image, CGRUs, relaxed parameter sharing."""

    def __init__(self, config: NeuralGPUConfig) -> None:
        super().__init__()
        self.config = config
        self.pull = config.pull
        self.steps_taken = 0
        maps, kernel = config.maps, config.kernel
        self.embedding = nn.Embedding(VOCABULARY, maps)
        shape = (config.parameter_sets, config.layers)
        weight = torch.empty(*shape, 3 * maps, maps, kernel, kernel)  # gates u, r and the candidate
        nn.init.uniform_(weight, -1, 1).mul_((3 / (maps * kernel * kernel)) ** 0.5)
        bias = torch.zeros(*shape, 3 * maps)
        bias[..., : 2 * maps] = 1.0  # gates start open: the image is kept
        self.weight = nn.Parameter(weight[:1].repeat(config.parameter_sets, 1, 1, 1, 1, 1))
        self.bias = nn.Parameter(bias)
        self.output = nn.Linear(maps, VOCABULARY)

    def attempt(self, questions: Sequence[str], answers: Sequence[str]) -> tuple[Tensor, list[bool]]:
        """Cross-entropy on every row (BLANK after the answer), plus the pull of the parameter sets."""
        loss = self.pull * self._spread()
        is_right = [False] * len(questions)
        for rows, places in self._by_rows(questions).items():
            target = encode([answers[i][::-1] for i in places], rows)  # B, L
            scores = self._scores([questions[i] for i in places], rows)
            share = len(places) / len(questions)
            loss = loss + share * functional.cross_entropy(scores.flatten(0, 1), target.flatten())
            for i, right in zip(places, (scores.argmax(-1) == target).all(1).tolist(), strict=True):
                is_right[i] = right
        return loss, is_right

    @torch.no_grad()
    def answer(self, questions: Sequence[str]) -> list[str]:
        """The most likely symbol of each row."""
        texts = [""] * len(questions)
        for rows, places in self._by_rows(questions).items():
            scores = self._scores([questions[i] for i in places], rows)
            for i, text in zip(places, decode(scores.argmax(-1)), strict=True):
                texts[i] = text[::-1]
        return texts

    def _by_rows(self, questions: Sequence[str]) -> dict[int, list[int]]:
        """Questions of about one length go together, in training as in use: the rows are the number of steps."""
        found: dict[int, list[int]] = defaultdict(list)
        for i, question in enumerate(questions):
            found[self.config.bin * max(1, -(-len(question) // self.config.bin))].append(i)
        return found

    def disturb(self, error: float) -> None:
        """Gradient noise, less of it with time and with fewer errors."""
        self.steps_taken += 1
        scale = self.config.noise * error / (1 + self.steps_taken) ** 0.55
        if scale > 0:
            for parameter in self.parameters():
                if parameter.grad is not None:
                    parameter.grad.add_(torch.randn_like(parameter.grad), alpha=scale)

    def consolidate(self, error: float) -> None:
        """After a good test: pull the parameter sets harder towards each other."""
        if error < self.config.good:
            self.pull = min(self.pull * self.config.pull_growth, self.config.pull_most)

    def _scores(self, questions: Sequence[str], rows: int) -> Tensor:
        tokens = encode([q[::-1] for q in questions], rows)
        column = self.embedding(tokens).tanh().transpose(1, 2)  # B, M, L
        image = functional.pad(column[:, :, :, None], (0, self.config.width - 1))  # B, M, L, W
        keep = self._dropout_mask(image)
        for step in range(rows):
            for layer in range(self.config.layers):
                image = self._cgru(image, step % self.config.parameter_sets, layer, keep)
        scores: Tensor = self.output(image[:, :, :, 0].transpose(1, 2))  # B, L, V
        return scores

    def _cgru(self, image: Tensor, number: int, layer: int, keep: Tensor | None) -> Tensor:
        """u ⊙ s + (1 − u) ⊙ tanh(U ∗ (r ⊙ s) + B), gates u and r by σ(U′ ∗ s + B′), all cut off."""
        maps, padding = self.config.maps, self.config.kernel // 2
        weight, bias = self.weight[number, layer], self.bias[number, layer]
        gates = functional.conv2d(image, weight[: 2 * maps], bias[: 2 * maps], padding=padding)
        update, reset = self._saturate(gates.sigmoid(), low=0.0).split(maps, dim=1)
        candidate = functional.conv2d(reset * image, weight[2 * maps :], bias[2 * maps :], padding=padding)
        candidate = self._saturate(candidate.tanh(), low=-1.0)
        if keep is not None:
            candidate = candidate * keep
        return update * image + (1 - update) * candidate

    def _saturate(self, x: Tensor, low: float) -> Tensor:
        """Stretch around the middle of [low, 1] and cut off, so that 0 and 1 are reached exactly."""
        middle = (1 + low) / 2
        return ((x - middle) * self.config.cutoff + middle).clamp(low, 1.0)

    def _dropout_mask(self, image: Tensor) -> Tensor | None:
        """One mask for all steps of a question."""
        if not self.training or self.config.dropout == 0:
            return None
        share = 1 - self.config.dropout
        return torch.bernoulli(torch.full_like(image, share)) / share

    def _spread(self) -> Tensor:
        """Squared distance of the parameter sets from their mean."""
        return sum(((p - p.mean(0, keepdim=True)) ** 2).sum() for p in (self.weight, self.bias))  # type: ignore[return-value]
