"""Proximal policy optimisation (Schulman et al., 2017) with self-imitation (Oh et al., 2018) beside it.

Reads top to bottom: collate trajectories, compute advantages, take clipped gradient steps. Trajectories share
most of their views, so the network runs once per different sequence of views and once per different action on
it; the losses are then gathered for every sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from reckoner.nn.modules import ControllerModule
from reckoner.skills.base import Choice


@dataclass(frozen=True)
class PPOConfig:
    """Hyper-parameters; those the paper gives are marked."""

    clip: float = 0.2  # the paper's ε
    discount: float = 0.99  # the paper's reward discount
    trace_decay: float = 0.95  # λ of generalised advantages; not in the paper
    learning_rate: float = 2e-3  # Adam (the paper's optimiser); the rate is chosen here
    epochs: int = 4
    gradient_clip: float = 0.5
    value_weight: float = 0.5
    imitation_passes: int = 2  # over all kept solutions per update
    imitation_batch: int = 64  # few solutions per step: twice as fast as all at once
    imitation_floor: float = (
        0.3  # chosen here: with none, the last wrong view took twice as long (docs/journal.md)
    )


@dataclass
class Trajectory:
    """One episode: the views, the choices made on them, the rewards that followed."""

    views: list[bytes]
    choices: list[Choice]
    rewards: list[float]


def gae(rewards: Sequence[float], values: Sequence[float], discount: float, decay: float) -> list[float]:
    """Generalised advantages of one finished episode (Schulman et al., 2016).

    A_t = Σ_k (discount·decay)^k δ_{t+k},  δ_t = r_t + discount·V_{t+1} − V_t,  V behind the end is 0.
    """
    advantages, following, value_next = [0.0] * len(rewards), 0.0, 0.0
    for t in range(len(rewards) - 1, -1, -1):
        delta = rewards[t] + discount * value_next - values[t]
        following = delta + discount * decay * following
        advantages[t] = following
        value_next = values[t]
    return advantages


def clipped_loss(log_ratio: Tensor, advantage: Tensor, clip: float) -> Tensor:
    """−mean min(r·A, clip(r, 1−ε, 1+ε)·A), r = exp(log_ratio)."""
    ratio = log_ratio.exp()
    return -torch.minimum(ratio * advantage, ratio.clamp(1 - clip, 1 + clip) * advantage).mean()


@dataclass
class Batch:
    """Trajectories with equal work shared.

    A node is a sequence of views; nodes are ordered by length. A pair is a node and an action. `sample_pair`
    says which pair each step of each trajectory is.
    """

    views: list[bytes]
    node_view: Tensor
    depths: list[
        tuple[Tensor, Tensor]
    ]  # per length: view of each node, place of its parent one length shorter
    pair_node: Tensor
    pair_action: Tensor
    sample_pair: Tensor


def collate(trajectories: Sequence[Trajectory]) -> Batch:
    """Number the different views, sequences of views, and actions."""
    views: dict[bytes, int] = {}
    levels: list[dict[tuple[int, bytes], int]] = []
    steps: list[tuple[int, int, Choice]] = []
    for trajectory in trajectories:
        place = 0
        for t, (view, choice) in enumerate(zip(trajectory.views, trajectory.choices, strict=True)):
            if t == len(levels):
                levels.append({})
            views.setdefault(view, len(views))
            place = levels[t].setdefault((place if t else 0, view), len(levels[t]))
            steps.append((t, place, choice))
    starts = np.cumsum([0, *(len(level) for level in levels)])
    pairs: dict[tuple[int, Choice], int] = {}
    samples = [pairs.setdefault((int(starts[t]) + place, choice), len(pairs)) for t, place, choice in steps]
    depths = [
        (torch.tensor([views[v] for _, v in level]), torch.tensor([parent for parent, _ in level]))
        for level in levels
    ]
    return Batch(
        list(views),
        torch.cat([d[0] for d in depths]),
        depths,
        torch.tensor([node for node, _ in pairs]),
        torch.tensor([action for _, action in pairs]),
        torch.tensor(samples),
    )


def evaluate(network: ControllerModule, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
    """Value of each node; log-probability and entropy of each pair."""
    encoded = network.encode(batch.views)
    hidden: list[Tensor] = []
    for t, (view, parent) in enumerate(batch.depths):
        past = hidden[-1][parent] if t else torch.zeros(len(view), network.config.hidden)
        hidden.append(network.advance(encoded.summary[view], past))
    nodes = torch.cat(hidden)
    seen = batch.node_view[batch.pair_node]
    _, log_probability, entropy = network.act(
        nodes[batch.pair_node], encoded.keys[seen], encoded.gaps[seen], actions=batch.pair_action
    )
    return network.values(nodes), log_probability, entropy


def returns(rewards: Sequence[float], discount: float) -> list[float]:
    """Discounted sums of what is still to come."""
    total, out = 0.0, []
    for r in reversed(rewards):
        total = r + discount * total
        out.append(total)
    return out[::-1]


class PPO:
    """The learner: a network, its optimiser, and the update."""

    def __init__(self, network: ControllerModule, config: PPOConfig) -> None:
        self.network = network
        self.config = config
        self.optimizer = torch.optim.Adam(network.parameters(), lr=config.learning_rate)

    def update(
        self,
        episodes: Sequence[Trajectory],
        kept: Sequence[Trajectory],
        entropy_coefficient: float,
        rng: np.random.Generator,
    ) -> dict[str, float]:
        """One update from sampled episodes and kept solutions; returns the usual diagnostics."""
        config = self.config
        batch = collate(episodes)
        with torch.no_grad():
            old_values, old_log, _ = evaluate(self.network, batch)
        node = batch.pair_node[batch.sample_pair]
        values = old_values[node].tolist()
        advantages: list[float] = []
        for e in episodes:
            start, end = len(advantages), len(advantages) + len(e.rewards)
            advantages += gae(e.rewards, values[start:end], config.discount, config.trace_decay)
        advantage = torch.tensor(advantages)
        target = advantage + old_values[node]
        scaled = (advantage - advantage.mean()) / (advantage.std(correction=0) + 1e-8)
        before = old_log[batch.sample_pair]
        for _ in range(config.epochs):
            value, log_probability, entropy = evaluate(self.network, batch)
            log_ratio = log_probability[batch.sample_pair] - before
            policy_loss = clipped_loss(log_ratio, scaled, config.clip)
            value_loss = (value[node] - target).square().mean()
            mean_entropy = entropy[batch.sample_pair].mean()
            loss = policy_loss + config.value_weight * value_loss - entropy_coefficient * mean_entropy
            self._step(loss)
        for _ in range(config.imitation_passes if kept else 0):
            order = rng.permutation(len(kept))
            for chosen in np.array_split(order, -(-len(kept) // config.imitation_batch)):
                self._step(self._imitation_loss([kept[i] for i in chosen]))
        spread = float(target.var(correction=0))
        unexplained = float((target - old_values[node]).var(correction=0))
        return {
            "loss": float(loss.detach()),
            "entropy": float(mean_entropy.detach()),
            "kl": float((log_ratio.exp() - 1 - log_ratio).mean().detach()),
            "clip_fraction": float((log_ratio.exp() - 1).abs().gt(config.clip).float().mean().detach()),
            "explained_variance": 1 - unexplained / spread if spread > 0 else 0.0,
            "different_views": float(len(batch.views)),
        }

    def _step(self, loss: Tensor) -> None:
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.config.gradient_clip)
        self.optimizer.step()

    def _imitation_loss(self, kept: Sequence[Trajectory]) -> Tensor:
        """Cross-entropy on kept solutions, weighted by how much better they are than expected: (R − V)⁺."""
        batch = collate(kept)
        goal = torch.tensor([r for k in kept for r in returns(k.rewards, self.config.discount)])
        value, log_probability, _ = evaluate(self.network, batch)
        better = (goal - value[batch.pair_node[batch.sample_pair]]).clamp(min=0)
        weight = better.detach().clamp(min=self.config.imitation_floor)
        policy = -(weight * log_probability[batch.sample_pair]).mean()
        return policy + 0.5 * self.config.value_weight * better.square().mean()
