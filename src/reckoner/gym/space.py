"""What goes in and out of an environment as arrays: views as observations, choices as actions, and masks.

An observation is two views in a row, each padded: what is seen now, and what was seen before the last call (all PAD
before the first). An action is four numbers: module, first read, second read, write. A span from gap a to gap b has the
number b(b+1)/2 + a, in which the size of the view does not matter.
"""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import MultiDiscrete
from numpy.typing import NDArray

from reckoner.alphabet import PAD
from reckoner.nn.config import HALT, SPANS
from reckoner.skills.base import Choice
from reckoner.skills.forms import Forms
from reckoner.skills.interactive import STOP

Ints = NDArray[np.int64]
Mask = NDArray[np.int8]


def observation_space(vocabulary: int, gaps: int) -> MultiDiscrete:
    """Two views of at most so many gaps."""
    return MultiDiscrete([vocabulary] * (2 * (gaps + 1)))


def observe(now: bytes, before: bytes, gaps: int) -> Ints:
    """The observation of two views, the second one empty if there was none."""
    padded = b"".join(view.ljust(gaps + 1, bytes([PAD])) for view in (now, before))
    return np.frombuffer(padded, np.uint8).astype(np.int64)


def views_of(observation: Ints) -> tuple[bytes, bytes]:
    """The inverse of `observe`: what is seen now, and what was before."""
    now, before = observation.astype(np.uint8).reshape(2, -1)
    return now[now != PAD].tobytes(), before[before != PAD].tobytes()


def count_spans(gaps: int) -> int:
    """How many spans a view of so many gaps has."""
    return gaps * (gaps + 1) // 2


def action_space(modules: int, gaps: int) -> MultiDiscrete:
    """A module (HALT is one of them) and three spans."""
    return MultiDiscrete([modules] + [count_spans(gaps)] * len(SPANS))


def encode(choice: Choice) -> Ints:
    """A skill's choice as an action."""
    module, *ends = choice
    pairs = zip(ends[::2], ends[1::2], strict=True)
    return np.array([module, *(count_spans(b) + a for a, b in pairs)], np.int64)


def decode(action: Ints) -> Choice:
    """The inverse of `encode`; whatever else an action says, HALT is HALT."""
    module, *spans = (int(part) for part in action)
    if module == HALT:
        return STOP
    return Choice(module, *(int(end) for span in spans for end in _ENDS[span]))


def mask_of(forms: Forms, view: bytes, gaps: int) -> Mask:
    """The masks of all four parts, end to end.

    A part's mask cannot depend on the module that will be chosen with it, so a read is open if some callable skill may
    accept it as that read. The write is open within the view.
    """
    masks, is_callable = forms.masks(view), forms.is_callable(view)
    here = count_spans(masks.shape[2])
    a, b = _ENDS[:here].T
    reads = np.logical_or.reduce(masks[is_callable])[:, a, b]  # 2, spans
    spans = np.zeros((len(SPANS), count_spans(gaps)), np.int8)
    spans[:2, :here] = reads
    spans[2, :here] = 1
    return np.concatenate([is_callable.astype(np.int8), spans.ravel()])


_ENDS = np.stack(np.tril_indices(256)[::-1], axis=1)  # (a, b) by the number of the span
