"""Forward passes of frozen networks in plain numpy: all that the calculator needs at run time.

The formulas are those of PyTorch's GRU and GRUCell, arranged for few and cheap passes over the numbers;
`tests/test_nn.py` holds both to the same choices. Shapes: B rows, L tokens, G gaps, H hidden.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reckoner.alphabet import PAD
from reckoner.nn.config import ControllerConfig

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Tensors = Mapping[str, Floats]
BARRED = -1e9  # the score of what may not be chosen


class Cell:
    """The hidden side of a GRU, for one or (stacked in front) several directions.

    The weights of the reset and update gates are kept negated, and those of the new state doubled, so that
    sigmoid(a) = 1 / (1 + exp(-a)) and tanh(a) = 1 - 2 / (1 + exp(2a)) need no pass to scale a (both changes
    are exact): numpy's exp takes half the time of its tanh, which would be half of a forward pass.
    """

    def __init__(self, weight: Floats, bias: Floats) -> None:
        self.size = weight.shape[-2]
        self.weight = self.scale(weight)  # …, H, 3H
        self.bias = self.scale(bias)[..., None, :]  # …, 1, 3H

    def scale(self, gates: Floats) -> Floats:
        """Weights or inputs (…, 3H) as `step` takes them."""
        scaled = np.ascontiguousarray(gates, np.float32).copy()
        scaled[..., : 2 * self.size] *= -1
        scaled[..., 2 * self.size :] *= 2
        return scaled

    def step(self, inputs: Floats, hidden: Floats) -> Floats:
        """The next state (…, B, H) from scaled input gates (…, B, 3H), which are used up, and this state."""
        size = self.size
        gates = np.matmul(hidden, self.weight)
        gates += self.bias
        both, new = inputs[..., : 2 * size], inputs[..., 2 * size :]
        both += gates[..., : 2 * size]
        np.exp(both, out=both)
        both += 1
        np.reciprocal(both, out=both)
        reset, update = both[..., :size], both[..., size:]
        gated = gates[..., 2 * size :]
        gated *= reset
        new += gated
        np.exp(new, out=new)
        new += 1
        np.divide(-2, new, out=new)
        new += 1
        following = hidden - new
        following *= update
        following += new
        return following


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
        weights = [w.T for w in both("weight_ih")]
        self.cell = Cell(np.stack([w.T for w in both("weight_hh")]), np.stack(both("bias_hh")))
        # the input side of a GRU over few different tokens is a table: first all tokens ahead, then all back
        inputs = [embedding @ w + b for w, b in zip(weights, both("bias_ih"), strict=True)]
        self.table = self.cell.scale(np.concatenate(inputs))
        self.tokens = len(embedding)
        self.position_weights = self.cell.scale(np.stack(weights)) if positional else None

    def __call__(self, tokens: Ints, lengths: Ints) -> Floats:
        """Outputs L, 2, B, H; the backward half is in reading order from each row's own end."""
        rows, longest = tokens.shape
        mirror = np.maximum(lengths[:, None] - 1 - np.arange(longest), 0)  # B, L
        turned = np.take_along_axis(tokens, mirror, 1) + self.tokens
        order = np.stack([tokens.T, turned.T], axis=1)  # L, 2, B
        if self.position_weights is not None:
            place = positions(longest, self.position_weights.shape[1]) @ self.position_weights  # 2, L, 3H
        outputs = np.empty((longest, 2, rows, self.cell.size), np.float32)
        state = np.zeros((2, rows, self.cell.size), np.float32)
        for t in range(longest):
            inputs = self.table[order[t]]  # 2, B, 3H
            if self.position_weights is not None:
                inputs[0] += place[0, t]
                inputs[1] += place[1, mirror[:, t]]
            state = outputs[t] = self.cell.step(inputs, state)
        return outputs


def pad(sequences: Sequence[bytes]) -> tuple[Ints, Ints]:
    """Token rows of different length as one padded array and their lengths."""
    lengths = np.array([len(s) for s in sequences])
    longest = int(lengths.max())
    joined = b"".join(s.ljust(longest, bytes([PAD])) for s in sequences)
    return np.frombuffer(joined, np.uint8).reshape(-1, longest).astype(np.int64), lengths


@dataclass(frozen=True)
class Encoded:
    """Encoded views: a key per visible gap, a summary per view, and how many gaps each has."""

    keys: Floats  # B, G, H
    summary: Floats  # B, 2H
    gaps: Ints  # B


class Controller:
    """An interactive skill's frozen network.

    An action is picked in four parts: `begin` scores the modules, `point` one span after the other.
    """

    def __init__(self, config: ControllerConfig, tensors: Tensors) -> None:
        self.config = config
        self.tensors = {name: np.ascontiguousarray(t, np.float32) for name, t in tensors.items()}
        t = self.tensors
        self.encoder = BiGRU(t, config.positional)
        self.central = Cell(t["central.weight_hh"].T, t["central.bias_hh"])
        central_in = t["central.weight_ih"].T, t["central.bias_ih"]
        self._central_weight, self._central_bias = map(self.central.scale, central_in)
        self.decoder = Cell(t["decoder.weight_hh"].T, t["decoder.bias_hh"])
        inputs = t["decoder.weight_ih"].T
        self._roles = self.decoder.scale(t["roles.weight"] @ inputs + t["decoder.bias_ih"])  # 3, 3H
        self._from_module = self.decoder.scale(t["modules.weight"] @ inputs)  # M, 3H
        self._from_span = self.decoder.scale(t["span.weight"].T @ inputs)  # 2H, 3H
        self._from_span_bias = self.decoder.scale(t["span.bias"] @ inputs)

    def encode(self, views: Sequence[bytes]) -> Encoded:
        """Keys of all gaps and the summary that the central GRU takes."""
        tokens, lengths = pad(views)
        rows = np.arange(len(views))
        with np.errstate(over="ignore"):  # exp may overflow, and the quotient is then 0 as it should be
            outputs = self.encoder(tokens, lengths)  # L, 2, B, H
        gaps = lengths - 1
        slot = np.arange(gaps.max())
        # gap i lies between ahead[i] and back[n - i], counted from the end
        beside = np.maximum(gaps[:, None] - 1 - slot, 0)
        size = self.encoder.cell.size
        pair = np.empty((len(views), len(slot), 2 * size), np.float32)
        pair[:, :, :size] = outputs[: len(slot), 0].swapaxes(0, 1)
        pair[:, :, size:] = outputs[beside, 1, rows[:, None]]
        keys = pair @ self.tensors["keys.weight"].T
        keys += self.tensors["keys.bias"]
        summary = outputs[gaps, :, rows].reshape(len(views), 2 * size)
        return Encoded(keys, summary, gaps)

    def advance(self, summary: Floats, hidden: Floats) -> Floats:
        """The central GRU: what was seen so far and the new summary make the new hidden state."""
        inputs = summary @ self._central_weight
        inputs += self._central_bias
        with np.errstate(over="ignore"):
            return self.central.step(inputs, hidden)

    def begin(self, hidden: Floats) -> tuple[Floats, Floats]:
        """The decoder's first state, and a score for each module (B, M)."""
        t = self.tensors
        state = np.tanh(hidden @ t["state.weight"].T + t["state.bias"])
        return state, (state @ t["select.weight"].T + t["select.bias"]) @ t["modules.weight"].T

    def point(self, part: int, state: Floats, chosen: Ints | Floats, keys: Floats) -> tuple[Floats, Floats]:
        """The next state and a score for each span (B, G, G).

        `chosen` is what was picked before: modules (B) before the first span, then keys of both ends (B, 2H).
        """
        t = self.tensors
        if part == 0:
            inputs = self._from_module[chosen]
        else:
            inputs = chosen @ self._from_span
            inputs += self._from_span_bias
        inputs += self._roles[part]
        with np.errstate(over="ignore"):
            state = self.decoder.step(inputs, state)
        starts = state @ t["starts.weight"].T + t["starts.bias"]
        ends = state @ t["ends.weight"].T + t["ends.bias"]
        first = np.matmul(keys, starts[:, :, None])[:, :, 0]
        last = np.matmul(keys, ends[:, :, None])[:, :, 0]
        return state, first[:, :, None] + last[:, None, :]

    def values(self, hidden: Floats) -> Floats:
        """Expected return from here, by the value head."""
        t = self.tensors
        state = np.tanh(hidden @ t["state.weight"].T + t["state.bias"])
        return (state @ t["value.weight"].T + t["value.bias"])[:, 0]


class Transcriber:
    """A basic skill's frozen network: characters to characters, blanks left out."""

    def __init__(self, tensors: Tensors) -> None:
        self.tensors = {name: np.ascontiguousarray(t, np.float32) for name, t in tensors.items()}
        self.encoder = BiGRU(self.tensors)

    def __call__(self, sequences: Sequence[bytes]) -> list[list[int]]:
        """Output ids of each position of each sequence."""
        tokens, lengths = pad(sequences)
        with np.errstate(over="ignore"):
            outputs = self.encoder(tokens, lengths)  # L, 2, B, H
        rows = np.arange(len(sequences))[:, None]
        mirror = np.maximum(lengths[:, None] - 1 - np.arange(tokens.shape[1]), 0)
        ahead, back = outputs[:, 0].swapaxes(0, 1), outputs[mirror, 1, rows]
        t = self.tensors
        met = np.tanh(np.concatenate([ahead, back], axis=-1) @ t["meet.weight"].T + t["meet.bias"])
        scores = met @ t["out.weight"].T + t["out.bias"]
        return [row[:n].tolist() for row, n in zip(scores.argmax(axis=-1), lengths, strict=True)]
