"""Interactive skills: a controller that decides, view by view, whom to call on what, or to halt."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, Literal, final

import numpy as np

from reckoner.nn.config import ControllerConfig
from reckoner.nn.forward import Controller, Floats
from reckoner.skills.base import Decider, Decision, Recollection, Skill, SkillSpec

_AT_ONCE = 256  # requests per forward pass: more do not go faster, they only take more room

Request = tuple[Recollection, bytes, int]


@final
class InteractiveSkill(Decider):
    """An interactive skill's configuration and frozen network."""

    def __init__(
        self,
        spec: SkillSpec,
        config: ControllerConfig,
        tensors: Mapping[str, Floats],
        delegate: Skill | Literal["itself"] | None = "itself",
    ) -> None:
        super().__init__(spec, config.hidden)
        self.config = config
        self.network = Controller(config, tensors)
        if delegate != "itself":  # in training: the snapshot that mastered the stage before, if there is one
            self.delegate = delegate

    def decide(
        self, requests: Sequence[Request], rng: np.random.Generator | None = None
    ) -> list[list[Decision]]:
        """As the base class says.

        Views that occur more than once are encoded once, and views of like length together. Nothing is
        remembered here; the machine does that.
        """
        if len(requests) <= _AT_ONCE:
            return self._decide(requests, rng)
        order = sorted(range(len(requests)), key=lambda i: (len(requests[i][1]), requests[i][1]))
        decided: list[list[Decision]] = [[]] * len(requests)
        for start in range(0, len(order), _AT_ONCE):
            part = order[start : start + _AT_ONCE]
            for i, decisions in zip(part, self._decide([requests[i] for i in part], rng), strict=True):
                decided[i] = decisions
        return decided

    def _decide(self, requests: Sequence[Request], rng: np.random.Generator | None) -> list[list[Decision]]:
        views = list(dict.fromkeys(view for _, view, _ in requests))
        index = {view: i for i, view in enumerate(views)}
        at = np.array([index[view] for _, view, _ in requests])
        counts = [count if rng is not None else 1 for _, _, count in requests]
        rows = np.repeat(np.arange(len(requests)), counts)
        network = self.network
        encoded = network.encode(views)
        hidden = network.advance(encoded.summary[at], np.stack([past.hidden for past, _, _ in requests]))
        seen = at[rows]
        actions, probability = network.choose(hidden[rows], encoded.keys[seen], encoded.gaps[seen], rng)
        drawn = iter(zip(map(tuple, actions.tolist()), probability.tolist(), strict=True))
        results = []
        for (past, _, _), state, count in zip(requests, hidden, counts, strict=True):
            following = Recollection(state.copy(), past.depth + 1)  # a view would keep the whole batch alive
            results.append([Decision(c, p, following) for c, p in itertools.islice(drawn, count)])
        return results

    @property
    def tensors(self) -> dict[str, Any]:
        return self.network.tensors
