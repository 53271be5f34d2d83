"""Adam (Kingma and Ba, 2015), on all parameters as one vector.

A network here has some twenty small tensors, and PyTorch's optimiser has a few operations for each of them; besides,
it imports PyTorch's compiler, which takes seconds, at its first use.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import nn


class Adam:
    """Parameters and gradients become parts of two vectors, and stay what they are for everybody else.

    Nobody else may clear the gradients (`zero_grad` would put others in their place): `step` does.
    """

    def __init__(
        self,
        parameters: Iterable[nn.Parameter],
        rate: float,
        decay: tuple[float, float] = (0.9, 0.999),  # β₁, β₂
        epsilon: float = 1e-8,
    ) -> None:
        self.rate, self.decay, self.epsilon = rate, decay, epsilon
        members = list(parameters)
        self.values = torch.cat([p.detach().flatten() for p in members])
        self.gradient = torch.zeros_like(self.values)
        self.mean = torch.zeros_like(self.values)
        self.square = torch.zeros_like(self.values)
        self.steps = 0
        sizes = [p.numel() for p in members]
        for p, value, gradient in zip(
            members, self.values.split(sizes), self.gradient.split(sizes), strict=True
        ):
            p.data, p.grad = value.view_as(p), gradient.view_as(p)

    def step(self, clip: float | None = None) -> None:
        """One step down the gradient, which is shortened to a norm of `clip` if asked, and is zero afterwards.

        m ← β₁m + (1−β₁)g,  v ← β₂v + (1−β₂)g²,  θ ← θ − rate · m̂ / (√v̂ + ε),  hats: without the bias of the start.
        """
        self.steps += 1
        first, second = self.decay
        gradient = self.gradient
        if clip is not None:
            gradient *= min(1.0, clip / (gradient.norm().item() + 1e-6))
        self.mean.lerp_(gradient, 1 - first)
        self.square.mul_(second).addcmul_(gradient, gradient, value=1 - second)
        size = (self.square / (1 - second**self.steps)).sqrt_().add_(self.epsilon)
        self.values.addcdiv_(self.mean, size, value=-self.rate / (1 - first**self.steps))
        gradient.zero_()
