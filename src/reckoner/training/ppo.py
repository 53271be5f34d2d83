"""Proximal policy optimisation (Schulman et al., 2017), with self-imitation (Oh et al., 2018) as a switch beside it.

Reads top to bottom: number what was decided, compute advantages, take clipped gradient steps. Attempts share most of
what they see and do, so the network runs once per different history of views and once per different action there.
The clipped loss of equal decisions is summed exactly: for a positive advantage it is A·min(r, 1+ε), for a negative one
A·max(r, 1−ε), so the sums of both kinds are all that is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from reckoner.nn.modules import ControllerModule
from reckoner.nn.tree import Tree, grow
from reckoner.skills.forms import Forms, open_modules
from reckoner.skills.interactive import upper
from reckoner.training.adam import Adam
from reckoner.training.policy import Node
from reckoner.training.world import Ints, unpack

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PPOConfig:
    """Hyper-parameters; those the paper gives are marked."""

    enabled: bool = True  # off: an ablation, own attempts teach nothing but their value
    clip: float = 0.2  # the paper's ε
    dual_clip: float = (
        3.0  # an action made likelier by others' steps counts against itself no more than so much
    )
    guided_weight: float = 1.0
    most_change: float = 0.1  # KL divergence of the own actions at which an update ends before its last epoch
    discount: float = 0.99  # the paper's reward discount
    trace_decay: float = 0.95  # λ of generalised advantages; not in the paper
    learning_rate: float = 1e-3  # Adam (the paper's optimiser); the rate is chosen here …
    slowest: float = 0.1  # … and falls to this share of it with the share of wrong attempts: what is nearly
    # perfect would otherwise be upset by the last few
    epochs: int = 4
    gradient_clip: float = 0.5
    value_weight: float = 0.5
    imitation_weight: float = 1.0


class Decisions(NamedTuple):
    """What was decided in a batch of attempts: one row per decision, those of an attempt one after the other."""

    nodes: Sequence[Node]  # different histories of views
    node: Ints  # B: where each decision was made
    code: Ints  # B: the action
    is_last: NDArray[np.bool_]  # B: whether the attempt ended with it
    reward: Floats  # B: the reward at the end, 0 before
    is_own: NDArray[np.bool_]  # B: whether the policy drew it (otherwise it was guided)
    entropy: Floats  # B: the entropy coefficient α there


def gae(reward: Floats, value: Floats, is_last: NDArray[np.bool_], discount: float, decay: float) -> Floats:
    """Generalised advantages (Schulman et al., 2016) of finished episodes laid end to end.

    A_t = Σ_k (discount·decay)^k δ_{t+k},  δ_t = r_t + discount·V_{t+1} − V_t,  V after the end is 0.
    """
    advantage = np.zeros_like(reward)
    following, value_next = 0.0, 0.0
    for t in range(len(reward) - 1, -1, -1):
        if is_last[t]:
            following, value_next = 0.0, 0.0
        following = reward[t] + discount * value_next - value[t] + discount * decay * following
        advantage[t] = following
        value_next = value[t]
    return advantage


def clipped_loss(log_ratio: Tensor, gain: Tensor, loss: Tensor, clip: float, dual: float) -> Tensor:
    """−Σ min(r·A, clip(r, 1−ε, 1+ε)·A), r = exp(log_ratio), where `gain` sums positive A and `loss` negative A.

    For negative advantages r counts up to `dual` only (dual clip, Ye et al., 2020).
    """
    ratio = log_ratio.clamp(-20, 20).exp()
    return -(gain * ratio.clamp(max=1 + clip) + loss * ratio.clamp(1 - clip, dual)).sum()


@dataclass
class Pairs:
    """Different (history, action) pairs, as tensors for the network."""

    views: list[bytes]
    levels: list[tuple[Tensor, Tensor, Tensor]]  # per length: node, its view, its parent's node
    count: int  # nodes
    tree: Tree


def make_pairs(nodes: Sequence[Node], node: Ints, code: Ints, views: Sequence[bytes], forms: Forms) -> Pairs:
    """Number the views and the prefixes of all histories; gather the masks."""
    known: dict[Node, int] = {}
    prefixes = {node_[: i + 1] for node_ in nodes for i in range(len(node_))}
    for n in sorted(prefixes, key=len):
        known[n] = len(known)
    used = sorted({n[-1] for n in known})
    place = {v: i for i, v in enumerate(used)}
    node_view = torch.tensor([place[n[-1]] for n in known])
    levels = []
    for length in range(1, max(map(len, known)) + 1):
        members = [(i, n) for n, i in known.items() if len(n) == length]
        parents = [known[n[:-1]] if length > 1 else 0 for _, n in members]
        here = torch.tensor([i for i, _ in members])
        levels.append((here, node_view[here], torch.tensor(parents)))
    masks = [forms.masks(views[v]) for v in used]
    gaps = max(m.shape[2] for m in masks)
    reads = np.zeros((len(used), masks[0].shape[0], 2, gaps, gaps), np.bool_)
    writes = np.zeros((len(used), gaps, gaps), np.bool_)
    for i, m in enumerate(masks):
        size = m.shape[2]
        reads[i, :, :, :size, :size] = m
        writes[i, :size, :size] = upper(size)
    own = np.array([known[n] for n in nodes], np.int64)[node]
    tree = grow(own, node_view.numpy(), unpack(code), open_modules(reads), reads, writes)
    return Pairs([views[v] for v in used], levels, len(known), tree)


def evaluate(network: ControllerModule, pairs: Pairs) -> tuple[Tensor, Tensor, Tensor]:
    """Value, log-probability and entropy of each pair."""
    encoded = network.encode(pairs.views)
    hidden = torch.zeros(pairs.count, network.config.hidden)
    for level, (members, view, parent) in enumerate(pairs.levels):
        past = hidden[parent] if level else torch.zeros(len(members), network.config.hidden)
        hidden = hidden.index_copy(0, members, network.advance(encoded.summary[view], past))
    log_probability, entropy = network.score(hidden, encoded.keys, pairs.tree)
    return network.values(hidden)[pairs.tree.state], log_probability, entropy


class PPO:
    """The learner: a network, its optimiser, and the update."""

    def __init__(self, network: ControllerModule, config: PPOConfig, forms: Forms) -> None:
        self.network = network
        self.config = config
        self.forms = forms
        self.optimizer = Adam(network.parameters(), config.learning_rate, epsilon=1e-5)

    def update(self, made: Decisions, views: Sequence[bytes], wrong: float = 1.0) -> dict[str, float]:
        """One update from attempts, `wrong` of which failed; returns the usual diagnostics."""
        config = self.config
        self.optimizer.rate = config.learning_rate * min(1.0, max(config.slowest, 10 * wrong))
        keys, pair = np.unique(np.stack([made.node, made.code]), axis=1, return_inverse=True)
        pair = pair.reshape(-1)
        pairs = make_pairs(made.nodes, keys[0], keys[1], views, self.forms)
        found = evaluate(self.network, pairs)
        old_log = found[1].detach()
        value = found[0].detach().numpy().astype(np.float64)[pair]
        advantage = gae(made.reward, value, made.is_last, config.discount, config.trace_decay)
        target = advantage + value
        # the spread of a nearly perfect batch is no measure: it would turn the last accidents into large steps
        scaled = (advantage - advantage.mean()) / max(float(advantage.std()), 0.1)
        count, size = len(pair), len(keys[0])

        def mean(values: Floats) -> Tensor:
            return torch.from_numpy(np.bincount(pair, values, size) / count).float()

        is_own = made.is_own
        gain = mean(np.where(is_own, np.maximum(scaled, 0), 0))
        loss_ = mean(np.where(is_own, np.minimum(scaled, 0), 0))
        guided_gain = mean(np.where(is_own, 0, np.maximum(scaled, 0)))
        entropy_weight = mean(made.entropy)
        own = mean(is_own.astype(np.float64))
        # the value is that of the policy's own attempts
        aim = mean(np.where(is_own, target, 0)) / own.clamp(min=1e-9)
        for epoch in range(config.epochs):
            now, log_probability, entropy = evaluate(self.network, pairs) if epoch else found
            log_ratio = log_probability - old_log
            change = log_ratio.detach().clamp(-20, 20)
            divergence = float((own * (change.exp() - 1 - change)).sum())
            if divergence > config.most_change:
                break
            policy_loss = clipped_loss(log_ratio, gain, loss_, config.clip, config.dual_clip)
            # the policy may think a guided action next to impossible: its ratio is taken anew each epoch
            guided_loss = -(guided_gain * log_probability).sum()
            value_loss = (own * (now - aim).square()).sum()
            loss = config.enabled * policy_loss + config.guided_weight * guided_loss
            loss = loss + config.value_weight * value_loss
            self._step(loss - (entropy_weight * entropy).sum())
        mean_entropy = (own * entropy).sum() / own.sum()
        spread = float(target.var())
        return {
            "loss": float(policy_loss.detach()),
            "entropy": float(mean_entropy.detach()),
            "kl": divergence,
            "clip_fraction": float((own * (change.exp() - 1).abs().gt(config.clip)).sum()),
            "explained_variance": 1 - float((target - value).var()) / spread if spread > 0 else 0.0,
            "different_decisions": float(size),
        }

    def imitate(
        self, found: Sequence[tuple[Node, int, float]], views: Sequence[bytes], passes: int = 2
    ) -> None:
        """Self-imitation: make own best actions (node, action, worth) likelier, by how far they exceed the value."""
        pairs = self._pairs([(node, code) for node, code, _ in found], views)
        worth = torch.tensor([w for _, _, w in found])
        for _ in range(passes):
            value, log_probability, _ = evaluate(self.network, pairs)
            better = (worth - value).clamp(min=0)
            policy_loss = -(better.detach().clamp(min=0.3) * log_probability).mean()
            self._step(self.config.imitation_weight * (policy_loss + 0.25 * better.square().mean()))

    def clarify(
        self, found: Sequence[tuple[Node, int]], views: Sequence[bytes], passes: int = 30, most: int = 2000
    ) -> None:
        """Make own decisions surer, `most` of them, and among these the least sure the most."""
        with torch.no_grad():
            _, log_probability, _ = evaluate(self.network, self._pairs(found, views))
        unclear = [found[i] for i in log_probability.argsort()[:most].tolist()]
        pairs = self._pairs(unclear, views)
        for _ in range(passes):
            _, log_probability, _ = evaluate(self.network, pairs)
            doubt = 1 - log_probability.detach().exp()
            self._step(-(doubt * log_probability).sum() / (1 + doubt.sum()))

    def _pairs(self, found: Sequence[tuple[Node, int]], views: Sequence[bytes]) -> Pairs:
        nodes = list(dict.fromkeys(node for node, _ in found))
        place = {node: i for i, node in enumerate(nodes)}
        node = np.array([place[n] for n, _ in found])
        return make_pairs(nodes, node, np.array([c for _, c in found], np.int64), views, self.forms)

    def _step(self, loss: Tensor) -> None:
        loss.backward()
        self.optimizer.step(self.config.gradient_clip)
