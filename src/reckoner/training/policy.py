"""The student's policy while it tries things: draws actions for many rows at once, part by part.

An action is drawn as it is scored: the module, then read, read and write. Rows that stand at the same place share the
network's work. A row may be given its action (`forced`) and may have one part changed (`heat`): that is how exploration
stays local.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reckoner.nn.config import HALT, SPANS, ControllerConfig
from reckoner.nn.forward import BARRED, Controller, Floats, Tensors
from reckoner.skills.forms import Forms, open_modules
from reckoner.skills.interactive import upper
from reckoner.training.world import STOP, Ints, pack, unpack

OWN = -1  # no forced action: the policy's own
COLD = -1  # no part of the action is changed
ALL = -2  # every part is
PARTS = 1 + len(SPANS)
Node = tuple[int, ...]  # what was seen so far: numbers of views


class Policy:
    """The network as it is now, on the views of a world."""

    def __init__(
        self, config: ControllerConfig, tensors: Tensors, forms: Forms, views: Sequence[bytes]
    ) -> None:
        self.config = config
        self.network = Controller(config, tensors)
        self.forms = forms
        self.views = views  # grows with the world
        self._hidden: dict[Node, Floats] = {(): np.zeros(config.hidden, np.float32)}
        self._keys: dict[int, Floats] = {}
        self._summary: dict[int, Floats] = {}

    def hidden(self, nodes: Sequence[Node]) -> Floats:
        """The central GRU's state at each node."""
        self._encode({node[-1] for node in nodes})
        fresh = [node for node in nodes if node not in self._hidden]
        if fresh:
            before = self.hidden([n[:-1] for n in fresh]) if len(fresh[0]) > 1 else self._hidden[()][None]
            summary = np.stack([self._summary[node[-1]] for node in fresh])
            after = self.network.advance(summary, np.broadcast_to(before, (len(fresh), before.shape[1])))
            self._hidden.update(zip(fresh, after, strict=True))
        return np.stack([self._hidden[node] for node in nodes])

    def _encode(self, wanted: set[int]) -> None:
        fresh = sorted(wanted - self._keys.keys())
        if fresh:
            encoded = self.network.encode([self.views[v] for v in fresh])
            for place, v in enumerate(fresh):
                self._keys[v] = encoded.keys[place, : encoded.gaps[place]]
                self._summary[v] = encoded.summary[place]

    def draw(
        self,
        nodes: Sequence[Node],
        rows: Ints,
        rng: np.random.Generator | None,
        forced: Ints | None = None,
        part: Ints | None = None,
        heat: Floats | None = None,
    ) -> Ints:
        """An action for each row, which stands at node `nodes[rows[i]]`; greedy without `rng`.

        `forced` rows take the action they are given; where `part` is not COLD that part is drawn anew, at
        temperature `heat`.
        """
        hidden = self.hidden(nodes)
        keys, masks = self._padded([node[-1] for node in nodes])
        gaps = keys.shape[1]
        forced = np.full(len(rows), OWN, np.int64) if forced is None else forced
        given, is_given = unpack(forced), forced >= 0
        state, scores = self.network.begin(hidden)
        open_ = open_modules(masks)  # N, M
        module = self._pick(scores, open_, rows, rng)
        is_given &= open_[rows, np.where(is_given, given[:, 0], HALT)]
        module = np.where(is_given, given[:, 0], module)
        if part is not None and heat is not None:
            module = self._reheat(module, scores, open_, rows, (part == 0) | (part == ALL), heat, rng)
        columns = [module]
        prefix, at = np.unique(rows * open_.shape[1] + module, return_inverse=True)
        node, chosen_module = np.divmod(prefix, open_.shape[1])
        state, chosen = state[node], chosen_module
        for k in range(len(SPANS)):
            state, spans = self.network.point(k, state, chosen, keys[node])
            flat = spans.reshape(len(node), gaps * gaps)
            if k < 2:
                allowed = masks[node, chosen_module, k].reshape(flat.shape)
            else:
                sizes = np.array([len(self.views[n[-1]]) - 1 for n in nodes])[node]
                inside = np.arange(gaps) < sizes[:, None]
                allowed = (upper(gaps) & inside[:, :, None] & inside[:, None, :]).reshape(flat.shape)
            # a forced action may have been changed to a module that does not take its reads: those are drawn then
            picked = self._pick(flat, allowed, at, rng)
            wanted = given[:, 1 + 2 * k] * gaps + given[:, 2 + 2 * k]
            fits = is_given & (wanted < gaps * gaps)
            fits &= allowed[at, np.where(fits, wanted, 0)]
            picked = np.where(fits, wanted, picked)
            shown = picked
            if part is not None and heat is not None:
                shown = self._reheat(picked, flat, allowed, at, (part == k + 1) | (part == ALL), heat, rng)
            columns += [shown // gaps, shown % gaps]
            if k + 1 < len(SPANS):
                # what follows is decoded as if nothing had been changed: a change stays local
                merged, at = np.unique(at * (gaps * gaps) + picked, return_inverse=True)
                before, span = np.divmod(merged, gaps * gaps)
                node, chosen_module, state = node[before], chosen_module[before], state[before]
                a, b = np.divmod(span, gaps)
                chosen = np.concatenate([keys[node, a], keys[node, b]], axis=1)
        actions = np.stack(columns, axis=1)
        return np.where(module == HALT, STOP, pack(actions))

    def _padded(self, views: Sequence[int]) -> tuple[Floats, NDArray[np.bool_]]:
        """Keys (N, G, H) and masks (N, M, 2, G, G) of these views."""
        all_masks = [self.forms.masks(self.views[v]) for v in views]
        gaps = max(m.shape[2] for m in all_masks)
        keys = np.zeros((len(views), gaps, self.config.hidden), np.float32)
        masks = np.zeros((len(views), all_masks[0].shape[0], 2, gaps, gaps), np.bool_)
        for i, (v, m) in enumerate(zip(views, all_masks, strict=True)):
            count = m.shape[2]
            keys[i, :count] = self._keys[v]
            masks[i, :, :, :count, :count] = m
        return keys, masks

    def _pick(
        self,
        scores: Floats,
        allowed: NDArray[np.bool_],
        rows: Ints,
        rng: np.random.Generator | None,
        heat: float = 1.0,
    ) -> Ints:
        """A column for each row of the given rows of scores."""
        wanted, at = number(rows, len(scores))
        barred = np.where(allowed[wanted], scores[wanted] / heat, np.float32(BARRED))
        if rng is None:
            return barred.argmax(axis=1)[at]
        weights = np.exp(barred - barred.max(axis=1, keepdims=True))
        below = np.cumsum(weights, axis=1, dtype=np.float64)
        drawn = rng.random(len(rows)) * below[at, -1]
        return np.minimum(count_up_to(below, at, drawn), scores.shape[1] - 1)

    def _reheat(
        self,
        picked: Ints,
        scores: Floats,
        allowed: NDArray[np.bool_],
        rows: Ints,
        hot: NDArray[np.bool_],
        heat: Floats,
        rng: np.random.Generator | None,
    ) -> Ints:
        """Another draw, at its own temperature, for the hot rows."""
        changed = picked.copy()
        for temperature in np.unique(heat[hot]).tolist():
            members = np.flatnonzero(hot & (heat == temperature))
            changed[members] = self._pick(scores, allowed, rows[members], rng, temperature)
        return changed


def number(rows: Ints, count: int) -> tuple[Ints, Ints]:
    """Which rows of so many are wanted, and the place of each wanted one among these."""
    is_wanted = np.zeros(count, np.bool_)
    is_wanted[rows] = True
    return np.flatnonzero(is_wanted), (np.cumsum(is_wanted) - 1)[rows]


def count_up_to(table: NDArray[np.float64], rows: Ints, most: NDArray[np.float64]) -> Ints:
    """How many entries of each row (rows grow from left to right) are at most so large, by bisection."""
    width = table.shape[1]
    entries, start = table.ravel(), rows * width
    found = np.zeros(len(rows), np.int64)
    for step in (1 << k for k in reversed(range(width.bit_length()))):
        further = found + step
        is_in = entries[start + np.minimum(further, width) - 1] <= most
        found += step * (is_in & (further <= width))
    return found


__all__: list[Any] = ["ALL", "COLD", "OWN", "PARTS", "Node", "Policy"]
