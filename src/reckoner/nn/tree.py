"""Actions to be scored, as a tree: those that begin alike share the work of their beginnings.

Thousands of actions of a batch differ in their last span, and hundreds in the parts before it; the network decodes
an action part by part, so each different beginning needs its state and its scores only once.

Shapes: N states, V views, P actions, C calls among them, R different beginnings of calls, M modules, G gaps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from reckoner.nn.config import HALT, SPANS
from reckoner.nn.forward import BARRED

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Fork(NamedTuple):
    """The choice of one span, after every different beginning."""

    parent: Tensor  # R: the beginning that is one part shorter; of the first span the state
    view: Tensor  # R
    said: Tensor  # R: the part before: the module; R, 2: the two ends of the span before
    barred: Tensor  # R, G·G: 0 for spans that may be chosen, else BARRED
    row: Tensor  # C: each call's beginning …
    picked: Tensor  # C: … and the span it goes on with


class Tree(NamedTuple):
    """All actions."""

    state: Tensor  # P
    module: Tensor  # P
    barred: Tensor  # N, M: 0 for modules that may be chosen, else BARRED
    calls: Tensor  # C: which actions are calls
    spans: tuple[Fork, ...]


def grow(state: Ints, view: Ints, actions: Ints, modules: Bools, reads: Bools, writes: Bools) -> Tree:
    """The tree of actions (P, 7), each in one of the states (P), each state on one of the views (N).

    `modules` (V, M), `reads` (V, M, 2, G, G) and `writes` (V, G, G) say what may be chosen on each view.
    """
    gaps, kinds = writes.shape[-1], modules.shape[1]
    module = actions[:, 0]
    calls = np.flatnonzero(module != HALT)
    begun, row = np.unique(state[calls] * kinds + module[calls], return_inverse=True)
    parent, said = np.divmod(begun, kinds)
    where, chosen = view[parent], said
    forks = []
    for k in range(len(SPANS)):
        allowed = reads[where, chosen, k] if k < 2 else writes[where]
        picked = actions[calls, 1 + 2 * k] * gaps + actions[calls, 2 + 2 * k]
        parts = (parent, where, said, _bar(allowed.reshape(-1, gaps * gaps)), row, picked)
        forks.append(Fork(*map(torch.from_numpy, parts)))
        begun, row = np.unique(row * (gaps * gaps) + picked, return_inverse=True)
        parent, span = np.divmod(begun, gaps * gaps)
        where, chosen, said = where[parent], chosen[parent], np.stack(np.divmod(span, gaps), axis=1)
    barred = torch.from_numpy(_bar(modules)[view])
    state_, module_, calls_ = map(torch.from_numpy, (state, module, calls))
    return Tree(state_, module_, barred, calls_, tuple(forks))


def _bar(allowed: Bools) -> NDArray[np.float32]:
    return np.where(allowed, np.float32(0), np.float32(BARRED))
