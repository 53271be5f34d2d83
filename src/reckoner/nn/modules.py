"""The same networks as PyTorch modules, for training. Parameter names match `forward`.

Shapes: B rows, L tokens, G gaps, H hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from reckoner.nn import forward
from reckoner.nn.config import SPANS, ControllerConfig, TranscriberConfig
from reckoner.nn.tree import Tree


def _two_way(forth: nn.GRU, back: nn.GRU, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """Outputs of the forward GRU, and of the backward one in reading order from each row's own end."""
    mirror = (lengths[:, None] - 1 - torch.arange(embedded.shape[1])).clamp(min=0)
    turned = embedded.gather(1, mirror[:, :, None].expand_as(embedded))
    return forth(embedded)[0], back(turned)[0]


class Encoded(NamedTuple):
    """As `forward.Encoded`, with gradients."""

    keys: Tensor  # B, G, H
    summary: Tensor  # B, 2H
    gaps: Tensor  # B


class ControllerModule(nn.Module):
    """An interactive skill's network: two-way encoder, central GRU, pointers to a module and three spans, value."""

    def __init__(self, config: ControllerConfig) -> None:
        super().__init__()
        size = config.hidden
        self.config = config
        self.embed = nn.Embedding(config.vocabulary, config.embedding)
        self.ahead = nn.GRU(config.embedding, size, batch_first=True)
        self.back = nn.GRU(config.embedding, size, batch_first=True)
        # the paper feeds o_1 and o_l; their informative halves are the last state of either direction
        self.central = nn.GRUCell(2 * size, size)
        self.state = nn.Linear(size, size)
        self.select = nn.Linear(size, size)
        self.modules_embedding = nn.Embedding(1 + config.modules, size)
        # chosen here: a small GRU decodes the three spans one after the other (a pointer network), and a span is
        # scored from the keys of its two ends
        self.roles = nn.Embedding(len(SPANS), size)
        self.decoder = nn.GRUCell(size, size)
        self.starts = nn.Linear(size, size)
        self.ends = nn.Linear(size, size)
        self.span = nn.Linear(2 * size, size)
        self.keys = nn.Linear(2 * size, size)
        self.value = nn.Linear(size, 1)

    def tensors(self) -> dict[str, np.ndarray]:
        """Copies of all parameters under the names that `forward` and the files use."""
        return {
            name.replace("modules_embedding", "modules"): p.detach().numpy().copy()
            for name, p in self.named_parameters()
        }

    def load_tensors(self, tensors: forward.Tensors) -> None:
        """Take parameters as `tensors` gives them."""
        names = {name: name.replace("modules.", "modules_embedding.") for name in tensors}
        self.load_state_dict({names[name]: torch.tensor(t) for name, t in tensors.items()})

    def encode(self, views: Sequence[bytes]) -> Encoded:
        """Keys of all gaps and the summary of each view."""
        padded, counts = forward.pad(views)
        tokens, lengths = torch.from_numpy(padded), torch.from_numpy(counts)
        embedded = self.embed(tokens)
        if self.config.positional:
            embedded = embedded + torch.from_numpy(forward.positions(tokens.shape[1], self.config.embedding))
        ahead, back = _two_way(self.ahead, self.back, embedded, lengths)
        gaps = lengths - 1
        slot = torch.arange(int(gaps.max()))
        beside = (gaps[:, None] - 1 - slot).clamp(min=0)  # B, G
        backs = back.gather(1, beside[:, :, None].expand(-1, -1, back.shape[2]))
        keys = self.keys(torch.cat([ahead[:, : len(slot)], backs], dim=-1))
        rows = torch.arange(len(views))
        summary = torch.cat([ahead[rows, lengths - 1], back[rows, lengths - 1]], dim=-1)
        return Encoded(keys, summary, gaps)

    def advance(self, summary: Tensor, hidden: Tensor) -> Tensor:
        """The central GRU's next hidden state."""
        return self.central(summary, hidden)

    def values(self, hidden: Tensor) -> Tensor:
        """Expected return from here, by the value head."""
        return self.value(torch.tanh(self.state(hidden)))[:, 0]

    def score(self, hidden: Tensor, keys: Tensor, tree: Tree) -> tuple[Tensor, Tensor]:
        """Log-probability and entropy of every action of a tree, from states (N, H) and keys of views (V, G, H).

        HALT points at nothing, so spans count neither in its log-probability nor in its entropy.
        """
        state = torch.tanh(self.state(hidden))
        scores = self.select(state) @ self.modules_embedding.weight.T
        logs, entropies = _distribution(scores + tree.barred)
        log_probability, entropy = logs[tree.state, tree.module], entropies[tree.state]
        for k, (parent, view, said, barred, row, picked) in enumerate(tree.spans):
            here = keys[view]  # R, G, H
            if k == 0:
                chosen = self.modules_embedding(said)
            else:
                rows = torch.arange(len(said))
                chosen = self.span(torch.cat([here[rows, said[:, 0]], here[rows, said[:, 1]]], dim=1))
            state = self.decoder(chosen + self.roles.weight[k], state[parent])
            queries = torch.stack([self.starts(state), self.ends(state)], dim=2)  # R, H, 2
            ends = torch.bmm(here, queries)  # R, G, 2
            scores = (ends[:, :, 0, None] + ends[:, None, :, 1]).flatten(1)  # R, G·G
            logs, entropies = _distribution(scores + barred)
            log_probability = log_probability.index_add(0, tree.calls, logs[row, picked])
            entropy = entropy.index_add(0, tree.calls, entropies[row])
        return log_probability, entropy


def _distribution(scores: Tensor) -> tuple[Tensor, Tensor]:
    """Log-probabilities of the columns of each row, and the row's entropy."""
    logs = torch.log_softmax(scores, dim=-1)
    # not the exponential of `logs`, which some processors take thirty times slower where it is of something barred
    return logs, -(torch.softmax(scores, dim=-1) * logs.clamp(min=-1e4)).sum(-1)


class TranscriberModule(nn.Module):
    """A basic skill's network: two-way GRU, one character or blank (id 0) per position."""

    def __init__(self, config: TranscriberConfig) -> None:
        super().__init__()
        self.embed = nn.Embedding(config.symbols, config.embedding)
        self.ahead = nn.GRU(config.embedding, config.hidden, batch_first=True)
        self.back = nn.GRU(config.embedding, config.hidden, batch_first=True)
        # chosen here: the two directions must meet in a hidden layer, for no sum of one score from what is to
        # the left and one from what is to the right tells the last digit of a sum
        self.meet = nn.Linear(2 * config.hidden, config.hidden)
        self.out = nn.Linear(config.hidden, config.symbols)

    def forward(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Scores of every output character at every position (B, L, characters)."""
        embedded = self.embed(tokens)
        ahead, back = _two_way(self.ahead, self.back, embedded, lengths)
        mirror = (lengths[:, None] - 1 - torch.arange(tokens.shape[1])).clamp(min=0)
        back = back.gather(1, mirror[:, :, None].expand_as(back))
        return self.out(torch.tanh(self.meet(torch.cat([ahead, back], dim=-1))))

    def tensors(self) -> dict[str, np.ndarray]:
        """Copies of all parameters under the names that `forward` and the files use."""
        return {name: p.detach().numpy().copy() for name, p in self.named_parameters()}
