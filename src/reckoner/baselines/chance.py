"""A baseline given its chance: it trains until it has stopped getting better, or its time is up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch

from reckoner.baselines.base import Baseline
from reckoner.baselines.source import Source
from reckoner.baselines.standard import standard_seconds
from reckoner.baselines.trainer import Exercise

RIGHT = "every validation problem right"


@dataclass(frozen=True)
class Rule:
    """When a training ends, and how it steps."""

    seconds: float = 1200.0  # of one core, at most
    patience: float = 1 / 3  # of the time spent: so long without a better validation accuracy ends it …
    least: float = 120.0  # … but not before so many seconds
    look_every: float = 0.02  # of the time spent, between two looks at the validation problems …
    look_least: float = 3.0  # … and at least so many seconds
    rate: float = 1e-3
    batch: int = 64
    clip: float = 1.0
    warm_up: int = 50  # updates over which the rate grows to its value
    # when the training would be over, it goes on for so much of the time spent, and the rate falls to nothing
    cooling: float = 0.0

    @property
    def hot_seconds(self) -> float:
        """What may be spent before the rate has to fall."""
        return self.seconds / (1 + self.cooling)


class Look(NamedTuple):
    """One look at the validation problems."""

    seconds: float
    examples: int
    accuracy: float


class Chance(NamedTuple):
    """What a training came to."""

    looks: list[Look]
    updates: int
    examples: int
    seconds: float
    reason: str

    @property
    def best(self) -> float:
        """The highest validation accuracy."""
        return max(look.accuracy for look in self.looks)


def train(model: Baseline, source: Source, validation: Sequence[Exercise], rule: Rule) -> Chance:
    """Train within the rule; the model is left as it was at its best look. Time for looks is not counted."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=rule.rate, betas=(0.9, 0.98), weight_decay=0.01)
    thermostat = Thermostat(rule)
    looks: list[Look] = []
    kept = {name: value.clone() for name, value in model.state_dict().items()}
    updates, spent, error, next_look, best_at, reason = 0, 0.0, 1.0, 0.0, 0.0, ""
    while not reason:
        if spent >= next_look:
            looks.append(Look(round(spent, 2), updates * rule.batch, grade(model, validation)))
            if looks[-1].accuracy > max((look.accuracy for look in looks[:-1]), default=-1.0):
                best_at = spent
                kept = {name: value.clone() for name, value in model.state_dict().items()}
            model.consolidate(error)
            reason = thermostat.cool(spent, _is_over(rule, spent, best_at, looks[-1].accuracy))
            next_look = min(spent + max(rule.look_least, rule.look_every * spent), max(spent, thermostat.end))
        for group in optimizer.param_groups:
            group["lr"] = rule.rate * thermostat.heat(spent, updates)
        started = standard_seconds()
        exercises = source.draw(rule.batch)
        is_right = _step(model, exercises, optimizer, rule.clip, error)
        source.learn(is_right)
        error += 0.02 * (1 - sum(is_right) / len(is_right) - error)
        updates += 1
        spent += standard_seconds() - started
    model.load_state_dict(kept)
    return Chance(looks, updates, updates * rule.batch, spent, reason)


class Thermostat:
    """The share of the rate that is in force: it grows at first, and falls when the training would be over."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.reason = ""  # why it is cooling down
        self.since = 0.0
        self.end = rule.hot_seconds

    def cool(self, spent: float, reason: str) -> str:
        """Given why the training would be over, begin to cool; why it is over, once that is done."""
        if reason == RIGHT or not self.rule.cooling:
            return reason
        if reason and not self.reason:
            self.reason, self.since = reason, spent
            self.end = min(spent * (1 + self.rule.cooling), max(spent, self.rule.seconds))
        return self.reason if spent >= self.end else ""

    def heat(self, spent: float, updates: int) -> float:
        """By updates at the beginning, by time at the end."""
        warm = min(1.0, (updates + 1) / self.rule.warm_up)
        if not self.reason:
            return warm
        return warm * max(0.0, self.end - spent) / max(1e-9, self.end - self.since)


def _is_over(rule: Rule, spent: float, best_at: float, accuracy: float) -> str:
    if accuracy == 1.0:
        return RIGHT
    if spent >= rule.hot_seconds:
        return "time is up"
    if spent >= rule.least and spent - best_at > rule.patience * spent:
        return "no better for a third of its time"
    return ""


def _step(
    model: Baseline,
    exercises: Sequence[Exercise],
    optimizer: torch.optim.Optimizer,
    clip: float,
    error: float,
) -> list[bool]:
    model.train()
    loss, is_right = model.attempt([e.question for e in exercises], [e.answer for e in exercises])
    optimizer.zero_grad()
    loss.backward()
    model.disturb(error)
    torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
    optimizer.step()
    return is_right


@torch.no_grad()
def grade(model: Baseline, exercises: Sequence[Exercise], at_once: int = 200) -> float:
    """Share of exactly right answers.

    Every symbol picked right with the right answer so far given: then greedy decoding gives the right answer, and
    only then. So one pass marks an answer, whatever its length.
    """
    model.eval()
    right = 0
    for start in range(0, len(exercises), at_once):
        part = exercises[start : start + at_once]
        right += sum(model.attempt([e.question for e in part], [e.answer for e in part])[1])
    return right / max(1, len(exercises))
