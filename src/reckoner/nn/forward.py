"""Forward passes of frozen networks in plain numpy: all that the calculator needs at run time.

The formulas are those of PyTorch's GRU and GRUCell; `tests/test_parity.py` holds both to the same choices.
Shapes: B rows, L tokens, G gaps, H hidden.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reckoner.alphabet import PAD
from reckoner.nn.config import ACTION, HALT, ControllerConfig

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Tensors = Mapping[str, Floats]


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + exp(-x)), by way of tanh, which cannot overflow."""
    return 0.5 * np.tanh(0.5 * x) + np.float32(0.5)


def gru_step(inputs: Floats, hidden: Floats, weight: Floats, bias: Floats) -> Floats:
    """One GRU step from ready-made input gates (…, 3H) and hidden state (…, H)."""
    size = hidden.shape[-1]
    gates = hidden @ weight + bias
    both = sigmoid(inputs[..., : 2 * size] + gates[..., : 2 * size])
    reset, update = both[..., :size], both[..., size:]
    new = np.tanh(inputs[..., 2 * size :] + reset * gates[..., 2 * size :])
    return new + update * (hidden - new)


def positions(length: int, size: int) -> Floats:
    """Sinusoidal positional embedding (Vaswani et al., 2017)."""
    place = np.arange(length)[:, None]
    rate = 10000.0 ** (-np.arange(0, size, 2) / size)
    table = np.zeros((length, size), np.float32)
    table[:, 0::2] = np.sin(place * rate)
    table[:, 1::2] = np.cos(place * rate)
    return table


class BiGRU:
    """A two-way GRU over padded token sequences, both directions in one matrix product."""

    def __init__(self, tensors: Tensors, positional: bool = False) -> None:
        def both(name: str) -> list[Floats]:
            return [tensors[f"{side}.{name}_l0"] for side in ("ahead", "back")]

        embedding = tensors["embed.weight"]
        # the input side of a GRU over few different tokens is a table
        self.inputs = np.stack([embedding @ w.T + b for w, b in zip(both("weight_ih"), both("bias_ih"), strict=True)])
        self.position_weights = np.stack([w.T for w in both("weight_ih")]) if positional else None
        self.weight = np.stack([w.T for w in both("weight_hh")])  # 2, H, 3H
        self.bias = np.stack(both("bias_hh"))[:, None]  # 2, 1, 3H
        self.hidden = self.weight.shape[1]

    def __call__(self, tokens: Ints, lengths: Ints) -> Floats:
        """Outputs 2, B, L, H; the backward half is in reading order from each row's own end."""
        rows, longest = tokens.shape
        mirror = np.maximum(lengths[:, None] - 1 - np.arange(longest), 0)  # B, L
        order = np.stack([tokens, np.take_along_axis(tokens, mirror, 1)])  # 2, B, L
        inputs = np.stack([self.inputs[0][order[0]], self.inputs[1][order[1]]])  # 2, B, L, 3H
        if self.position_weights is not None:
            place = positions(longest, self.position_weights.shape[1]) @ self.position_weights  # 2, L, 3H
            inputs[0] += place[0]
            inputs[1] += place[1][mirror]
        outputs = np.empty((2, rows, longest, self.hidden), np.float32)
        state = np.zeros((2, rows, self.hidden), np.float32)
        for t in range(longest):
            state = gru_step(inputs[:, :, t], state, self.weight, self.bias)
            outputs[:, :, t] = state
        return outputs


def pad(sequences: Sequence[bytes]) -> tuple[Ints, Ints]:
    """Token rows of different length as one padded array and their lengths."""
    lengths = np.array([len(s) for s in sequences])
    tokens = np.full((len(sequences), lengths.max()), PAD)
    for row, s in enumerate(sequences):
        tokens[row, : len(s)] = np.frombuffer(s, np.uint8)
    return tokens, lengths


@dataclass(frozen=True)
class Encoded:
    """Encoded views: a key per visible gap, a summary per view, and how many gaps each has."""

    keys: Floats  # B, G, H
    summary: Floats  # B, 2H
    gaps: Ints  # B


class Controller:
    """An interactive skill's frozen network."""

    def __init__(self, config: ControllerConfig, tensors: Tensors) -> None:
        self.config = config
        self.tensors = {name: np.ascontiguousarray(t, np.float32) for name, t in tensors.items()}
        t = self.tensors
        self.encoder = BiGRU(t, config.positional)
        self._central = (t["central.weight_ih"].T, t["central.bias_ih"], t["central.weight_hh"].T, t["central.bias_hh"])
        self._decoder = (t["decoder.weight_ih"].T, t["decoder.bias_ih"], t["decoder.weight_hh"].T, t["decoder.bias_hh"])

    def encode(self, views: Sequence[bytes]) -> Encoded:
        """Keys of all gaps and the summary that the central GRU takes."""
        tokens, lengths = pad(views)
        rows = np.arange(len(views))
        ahead, back = self.encoder(tokens, lengths)  # B, L, H each
        gaps = lengths - 1
        slot = np.arange(gaps.max())
        beside = np.maximum(gaps[:, None] - 1 - slot, 0)  # gap i lies between ahead[i] and back (from the end) [n - i]
        pair = np.concatenate([ahead[:, slot], back[rows[:, None], beside]], axis=-1)
        keys = pair @ self.tensors["keys.weight"].T + self.tensors["keys.bias"]
        summary = np.concatenate([ahead[rows, lengths - 1], back[rows, lengths - 1]], axis=-1)
        return Encoded(keys, summary, gaps)

    def advance(self, summary: Floats, hidden: Floats) -> Floats:
        """The central GRU: what was seen so far and the new summary make the new hidden state."""
        weight_in, bias_in, weight, bias = self._central
        return gru_step(summary @ weight_in + bias_in, hidden, weight, bias)

    def choose(
        self, hidden: Floats, keys: Floats, gaps: Ints, rng: np.random.Generator | None = None
    ) -> tuple[Ints, Floats]:
        """Actions (B, 7), greedy or sampled with `rng`, and the probability of each."""
        t, rows = self.tensors, np.arange(len(hidden))
        state = np.tanh(hidden @ t["state.weight"].T + t["state.bias"])
        query = state @ t["select.weight"].T + t["select.bias"]
        actions = np.zeros((len(hidden), ACTION), np.int64)
        actions[:, 0], probability = _pick(query @ t["modules.weight"].T, rng)
        calls = actions[:, 0] != HALT
        weight_in, bias_in, weight, bias = self._decoder
        slot = np.arange(keys.shape[1])
        outside = slot >= gaps[:, None]  # B, G
        chosen = t["modules.weight"][actions[:, 0]]
        for k in range(1, ACTION):
            inputs = (chosen + t["roles.weight"][k - 1]) @ weight_in + bias_in
            state = gru_step(inputs, state, weight, bias)
            scores = np.matmul(keys, state[:, :, None])[:, :, 0]  # B, G
            barred = outside if k % 2 else outside | (slot < actions[:, k - 1 : k])
            actions[:, k], p = _pick(np.where(barred, np.float32(-1e9), scores), rng)
            probability = np.where(calls, probability * p, probability)
            chosen = keys[rows, actions[:, k]]
        actions[~calls, 1:] = 0
        return actions, probability


def _pick(scores: Floats, rng: np.random.Generator | None) -> tuple[Ints, Floats]:
    """The best column of each row, or one drawn from its softmax, with its probability."""
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    if rng is None:
        picked = weights.argmax(axis=1)
    else:
        below = np.cumsum(weights, axis=1) < rng.random((len(scores), 1))
        picked = np.minimum(below.sum(axis=1), scores.shape[1] - 1)
        # rounding may land on a barred column behind the last open one: fall back on the best
        picked = np.where(weights[np.arange(len(scores)), picked] > 0, picked, weights.argmax(axis=1))
    return picked, weights[np.arange(len(scores)), picked]


class Transcriber:
    """A basic skill's frozen network: characters to characters, blanks left out."""

    def __init__(self, tensors: Tensors) -> None:
        self.tensors = {name: np.ascontiguousarray(t, np.float32) for name, t in tensors.items()}
        self.encoder = BiGRU(self.tensors)

    def __call__(self, sequences: Sequence[bytes]) -> list[list[int]]:
        """Output ids of each position of each sequence."""
        tokens, lengths = pad(sequences)
        ahead, back = self.encoder(tokens, lengths)
        mirror = np.maximum(lengths[:, None] - 1 - np.arange(tokens.shape[1]), 0)
        back = np.take_along_axis(back, mirror[:, :, None], 1)
        t = self.tensors
        met = np.tanh(np.concatenate([ahead, back], axis=-1) @ t["meet.weight"].T + t["meet.bias"])
        scores = met @ t["out.weight"].T + t["out.bias"]
        return [row[:n].tolist() for row, n in zip(scores.argmax(axis=-1), lengths, strict=True)]
