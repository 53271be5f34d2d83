"""Interactive skills: a controller that decides, view by view, whom to call on what, or to halt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from reckoner.nn.config import HALT, SPANS, ControllerConfig
from reckoner.nn.forward import BARRED, Controller, Floats, Ints
from reckoner.skills.base import Choice, Decider, Decision, Recollection, Request, Skill, SkillSpec
from reckoner.skills.forms import Forms

_UPPER = np.triu(np.ones((256, 256), np.bool_))  # of all but the longest views
STOP = Choice(HALT, 0, 0, 0, 0, 0, 0)

_AT_ONCE = 256  # requests per forward pass: more do not go faster, they only take more room


class Picked(NamedTuple):
    """The best column of each row: where, how likely, and by how much more likely (in logarithms) than the next."""

    column: Ints
    log_probability: Floats
    margin: Floats


def pick_best(scores: Floats) -> Picked:
    """The best column of each row of scores."""
    rows = np.arange(len(scores))
    column = scores.argmax(axis=1)
    top = scores[rows, column]
    total = np.exp(scores - top[:, None]).sum(axis=1)
    others = scores.copy()
    others[rows, column] = 2 * BARRED
    return Picked(column, -np.log(total), top - others.max(axis=1))


def upper(gaps: int) -> NDArray[np.bool_]:
    """Which spans there are between so many gaps: they end where they start or later."""
    return _UPPER[:gaps, :gaps] if gaps <= len(_UPPER) else np.triu(np.ones((gaps, gaps), np.bool_))


@final
class InteractiveSkill(Decider):
    """An interactive skill's configuration and frozen network."""

    def __init__(
        self,
        spec: SkillSpec,
        config: ControllerConfig,
        tensors: Mapping[str, Floats],
        callees: Sequence[SkillSpec],
        delegate: Skill | Literal["itself"] | None = "itself",
    ) -> None:
        """`callees` are the specifications of the skills it may call, in order."""
        super().__init__(spec, Recollection(np.zeros(config.hidden, np.float32), 0))
        self.config = config
        self.most_calls = config.calls
        self.callees = tuple(callees)
        self.network = Controller(config, tensors)
        accepts = [(c.accepts_x, c.accepts_y) for c in callees] if config.by_form else None
        self.forms = Forms(spec.perception, accepts, config.modules)
        if delegate != "itself":  # in training: the snapshot that mastered the stage before, if there is one
            self.delegate = delegate

    def decide(self, requests: Sequence[Request]) -> list[Decision]:
        """As the base class says.

        Views that occur more than once are encoded once, and views of like length together. Nothing is
        remembered here; the machine does that. A frame that has made all its calls halts.
        """
        decided = [Decision(STOP, 1.0, Recollection(past.hidden, past.depth + 1)) for past, _ in requests]
        order = [i for i, (past, _) in enumerate(requests) if past.depth < self.config.calls]
        order.sort(key=lambda i: (len(requests[i][1]), requests[i][1]))
        for start in range(0, len(order), _AT_ONCE):
            part = order[start : start + _AT_ONCE]
            for i, decision in zip(part, self._decide([requests[i] for i in part]), strict=True):
                decided[i] = decision
        return decided

    def _decide(self, requests: Sequence[Request]) -> list[Decision]:
        views = list(dict.fromkeys(view for _, view in requests))
        index = {view: i for i, view in enumerate(views)}
        at = np.array([index[view] for _, view in requests])
        network = self.network
        encoded = network.encode(views)
        hidden = network.advance(encoded.summary[at], np.stack([past.hidden for past, _ in requests]))
        keys = encoded.keys[at]
        rows, gaps = np.arange(len(at)), keys.shape[1]
        state, scores = network.begin(hidden)
        masks = [self.forms.masks(view) for view in views]
        callable_ = np.stack([self.forms.is_callable(view) for view in views])
        scores[~callable_[at]] = BARRED
        module, log_probability, margin = pick_best(scores)
        calls = module != HALT
        actions = [module]
        chosen: Any = module
        for part in range(len(SPANS)):
            state, spans = network.point(part, state, chosen, keys)
            allowed = np.zeros((len(at), gaps, gaps), np.bool_)
            for row, (place, m) in enumerate(zip(at, module, strict=True)):
                mask = masks[place]
                count = mask.shape[2]
                allowed[row, :count, :count] = mask[m, part] if part < 2 else upper(count)
            spans[~allowed] = BARRED
            best = pick_best(spans.reshape(len(at), gaps * gaps))
            log_probability = np.where(calls, log_probability + best.log_probability, log_probability)
            margin = np.where(calls, np.minimum(margin, best.margin), margin)
            a, b = np.divmod(best.column, gaps)
            actions += [np.where(calls, a, 0), np.where(calls, b, 0)]
            chosen = np.concatenate([keys[rows, a], keys[rows, b]], axis=1)
        table = np.stack(actions, axis=1).tolist()
        return [
            # the state is copied, for a view would keep the whole batch alive
            Decision(Choice(*choice), p, Recollection(after.copy(), past.depth + 1), gap)
            for choice, p, after, (past, _), gap in zip(
                table, np.exp(log_probability).tolist(), hidden, requests, margin.tolist(), strict=True
            )
        ]

    @property
    def tensors(self) -> dict[str, Any]:
        return self.network.tensors
