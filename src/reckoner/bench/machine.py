"""Speed of the parts: decisions of a network per second, and what a call costs the machine without one."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from reckoner.bench.timing import best_time
from reckoner.machine import Machine
from reckoner.nn.config import ControllerConfig
from reckoner.nn.untrained import random_controller
from reckoner.skills import Choice, Decider, Decision, InteractiveSkill, Library, Recollection, SkillSpec
from reckoner.skills.base import Request
from reckoner.skills.interactive import STOP

Row = dict[str, Any]


def measure_decisions(quick: bool) -> list[Row]:
    """Decisions per second of untrained networks on random views, each different."""
    rows = []
    for hidden in (64, 100):
        for tokens in (10, 40):
            alone = 0.0
            for batch in (1, 64, 1024):
                seconds = _time_decisions(hidden, tokens, batch, quick)
                alone = alone or batch / seconds
                rows.append(
                    {
                        "hidden": hidden,
                        "tokens": tokens,
                        "batch": batch,
                        "decisions_per_second": round(batch / seconds),
                        "times_batch_1": round(batch / seconds / alone, 1),
                    }
                )
    return rows


def _time_decisions(hidden: int, tokens: int, batch: int, quick: bool) -> float:
    rng = np.random.default_rng(tokens)
    spec = SkillSpec("untrained", "{x},{y}", ".*", ".*", ("a", "b", "c"))
    config = ControllerConfig(spec.perception.vocabulary, 3, hidden, by_form=False)
    skill = InteractiveSkill(spec, config, random_controller(config, rng, 0.2), [])
    inside = rng.integers(5, config.vocabulary, (batch, tokens - 2))
    requests = [(skill.root, bytes([1, *row, 2])) for row in inside.tolist()]
    return best_time(lambda: skill.decide(requests), 5 if quick else 40, 1.0 if quick else 5.0)


class Peeler(Decider):
    """A scripted skill, no network: calls itself on all but the last digit of its memory, then halts."""

    def __init__(self) -> None:
        super().__init__(SkillSpec("peel", "{x}", r"\d+", "", ("peel",)))

    def decide(self, requests: Sequence[Request]) -> list[Decision]:
        """Peel in the first step unless one digit is left; halt in the second."""
        decided = []
        for past, view in requests:
            digits = len(view) - 2
            choice = Choice(1, 0, digits - 1, 0, 0, 0, digits - 1)
            if past.depth or digits == 1:
                choice = STOP
            decided.append(Decision(choice, 1.0, Recollection(past.hidden, past.depth + 1)))
        return decided

    @property
    def tensors(self) -> dict[str, Any]:
        """It has none."""
        return {}


def measure_overhead(quick: bool) -> list[Row]:
    """Microseconds that a call costs: a read, an accepted message, a frame, two decisions, a write.

    Decisions are remembered and no answer is, so each call is carried out. Without the cache decisions are
    asked for again and again.
    """
    rng, digits = Random(0), 30
    library = Library()
    library.append(Peeler())
    rows = []
    for cache in (True, False):
        for batch in (1, 1000):
            machine = Machine(library, cache=cache)
            spent, calls = [], 0
            for _ in range(5 if quick else 40):
                pairs = [(str(rng.randrange(10 ** (digits - 1), 10**digits)), "") for _ in range(batch)]
                outcomes: list[Any] = []
                spent.append(best_time(lambda: outcomes.extend(machine.run("peel", pairs)), 1))  # noqa: B023
                calls = sum(outcome.calls + 1 for outcome in outcomes)
            microseconds = min(spent[1:]) / calls * 1e6
            rows.append({"cache": cache, "batch": batch, "microseconds_per_call": round(microseconds, 2)})
    return rows
