"""Interactive skills: a controller that decides, view by view, whom to call on what, or to halt."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, Literal, final

import numpy as np

from reckoner.nn.config import ControllerConfig
from reckoner.nn.forward import Controller, Floats
from reckoner.skills.base import Decider, Decision, Recollection, Skill, SkillSpec

@final
class InteractiveSkill(Decider):
    """An interactive skill's configuration and frozen network."""

    def __init__(
        self,
        spec: SkillSpec,
        config: ControllerConfig,
        tensors: Mapping[str, Floats],
        delegate: Skill | None | Literal["itself"] = "itself",
    ) -> None:
        super().__init__(spec, config.hidden)
        self.config = config
        self.network = Controller(config, tensors)
        if delegate != "itself":  # in training: the snapshot that mastered the stage before, if there is one
            self.delegate = delegate

    def decide(
        self, requests: Sequence[tuple[Recollection, bytes, int]], rng: np.random.Generator | None = None
    ) -> list[list[Decision]]:
        """As the base class says.

        Views that occur more than once are encoded once. Nothing is remembered here; the machine does that.
        """
        views = list(dict.fromkeys(view for _, view, _ in requests))
        index = {view: i for i, view in enumerate(views)}
        encoded = self.network.encode(views)
        at = np.array([index[view] for _, view, _ in requests])
        hidden = self.network.advance(encoded.summary[at], np.stack([past.hidden for past, _, _ in requests]))
        counts = [count if rng is not None else 1 for _, _, count in requests]
        rows = np.repeat(np.arange(len(requests)), counts)
        actions, probability = self.network.choose(hidden[rows], encoded.keys[at[rows]], encoded.gaps[at[rows]], rng)
        drawn = iter(zip(actions.tolist(), probability.tolist(), strict=True))
        results = []
        for i, ((past, _, _), count) in enumerate(zip(requests, counts, strict=True)):
            following = Recollection(hidden[i], past.depth + 1)
            results.append([Decision(tuple(c), p, following) for c, p in itertools.islice(drawn, count)])
        return results

    @property
    def tensors(self) -> dict[str, Any]:
        return self.network.tensors
