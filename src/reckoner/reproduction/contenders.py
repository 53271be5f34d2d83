"""Who the rivals are: models, regimes, what was found worth trying for each, and what served it best."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from reckoner.baselines.base import Baseline
from reckoner.baselines.lstm import LSTMConfig, Seq2SeqLSTM
from reckoner.baselines.neural_gpu import NeuralGPU, NeuralGPUConfig
from reckoner.baselines.transformer import Transformer, TransformerConfig
from reckoner.reproduction.pace import FRESH
from reckoner.reproduction.records import Record


@dataclass(frozen=True)
class Choice:
    """A point of the grid."""

    size: int
    rate: float
    batch: int = 64

    @property
    def name(self) -> str:
        """For people and units."""
        return f"{self.size} units, rate {self.rate:g}"


@dataclass(frozen=True)
class Rival:
    """A model, and what was found worth trying for it."""

    make: Callable[[int], Baseline]  # of a size
    regimes: tuple[str, ...]
    grid: tuple[Choice, ...]


def _lstm(size: int) -> Baseline:
    return Seq2SeqLSTM(LSTMConfig(hidden=size, longest=110))


def _neural_gpu(size: int) -> Baseline:
    return NeuralGPU(NeuralGPUConfig(maps=size))


def _transformer(positions: Any, size: int) -> Baseline:
    return Transformer(TransformerConfig(size=size, positions=positions))


FIXED = "1,000 fixed problems per task"
# seconds before which no training ends for standing still: on fresh problems some rise late, by way of a long plateau;
# fixed ones are known by heart by then
LEAST = {FRESH: 300.0, FIXED: 120.0}
RIVALS: Mapping[str, Rival] = {
    "LSTM": Rival(_lstm, (FIXED, FRESH), tuple(Choice(n, r) for n in (128, 256) for r in (1e-3, 3e-3))),
    "Neural GPU": Rival(
        _neural_gpu, (FIXED, FRESH), tuple(Choice(n, r, 32) for n in (24, 48) for r in (2e-3, 1e-2))
    ),
    "Transformer, places": Rival(
        partial(_transformer, "places"),
        (FRESH,),
        tuple(Choice(n, r) for n in (64, 128) for r in (1e-3, 3e-3)),
    ),
    "Transformer, no positions": Rival(
        partial(_transformer, "none"), (FRESH,), tuple(Choice(n, r) for n in (64, 128) for r in (1e-3, 3e-3))
    ),
}
TRANSFORMERS = ("Transformer, no positions", "Transformer, places")
ENTRIES = [(model, regime) for model, rival in RIVALS.items() for regime in rival.regimes]


def short(model: str, regime: str) -> str:
    """An entry as tables name it."""
    if model.startswith("Transformer"):
        return model
    return f"{model}, {'fresh' if regime == FRESH else 'fixed'}"


def choose(grid: Sequence[Record]) -> dict[str, Choice]:
    """The best of each model's grid by validation accuracy; among equals the one that got there first."""
    chosen = {}
    for model in RIVALS:
        found = [r for r in grid if r["model"] == model]
        if found:
            best = max(found, key=lambda r: (r["validation"], -r["seconds"]))
            chosen[model] = Choice(**best["choice"])
    return chosen


def worse_positions(grid: Sequence[Record]) -> str:
    """The transformer whose best point of the grid is behind the other's."""
    best = {m: max((r["validation"] for r in grid if r["model"] == m), default=0.0) for m in TRANSFORMERS}
    return min(TRANSFORMERS, key=lambda model: best[model])
