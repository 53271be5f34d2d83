"""The paper's comparison: both baselines through the curriculum, and our networks on the same problems.

One training of a baseline gives its two curves and, snapshot by snapshot, its cells of Table 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from random import Random
from typing import Any

import torch

from reckoner.baselines import tasks as lessons
from reckoner.baselines.base import Baseline
from reckoner.baselines.lstm import LSTMConfig, Seq2SeqLSTM
from reckoner.baselines.neural_gpu import NeuralGPU, NeuralGPUConfig
from reckoner.baselines.trainer import Check, Trainer, TrainerConfig, score
from reckoner.calculator import Calculator
from reckoner.evaluation.cells import exercises
from reckoner.evaluation.marking import mark
from reckoner.evaluation.problems import problems_by_length
from reckoner.reproduction.budget import Budget
from reckoner.reproduction.records import Record, Unit
from reckoner.skills.library import Library

KINDS = ("add", "subtract", "multiply", "divide", "expression")
MODULO = "expression-modulo"
BASELINE_LENGTHS = (5, 10, 20)  # the paper's columns
CURVE_LENGTH = 10
_TEST_SHARE = 4  # the test set is looked at at every so manieth test of the training set: it costs as much

_MAKERS: dict[str, Callable[[], Baseline]] = {
    "LSTM": lambda: Seq2SeqLSTM(LSTMConfig()),
    "Neural GPU": lambda: NeuralGPU(NeuralGPUConfig()),
}
# learning rate, batch size, updates between tests: the best of a few short trials on the first two tasks
_TRAINING = {"LSTM": (5e-3, 64, 100), "Neural GPU": (1e-2, 32, 80)}


def _training(name: str, seconds: float) -> TrainerConfig:
    rate, batch, every = _TRAINING[name]
    return TrainerConfig(seconds, test_every=every, batch=batch, learning_rate=rate)


# --- the baselines ---


def baseline_units(budget: Budget) -> Iterator[Unit]:
    """Each baseline through the whole sequence of tasks, once per seed."""
    for seed in range(budget.seeds):
        for model in _MAKERS:
            yield Unit(f"{model}/{seed}", partial(_train_baseline, model, seed, budget))


def _train_baseline(name: str, seed: int, budget: Budget) -> Record:
    torch.manual_seed(seed)
    model = _MAKERS[name]()
    allowance = budget.lstm_seconds if name == "LSTM" else budget.neural_gpu_seconds
    config = _training(name, allowance)
    trainer = Trainer(model, config, seed)
    test = exercises("expression", CURVE_LENGTH, budget.curve_problems)
    curve: list[list[Any]] = []  # update, seconds, accuracy in training, on the test set (or null)
    seen: set[str] = set()
    learned: list[Record] = []
    cells: list[Record] = []

    def watch(progress: Check) -> None:
        tested = round(score(model, test), 4) if len(curve) % _TEST_SHARE == 0 else None
        curve.append([progress.update, round(progress.seconds, 2), round(progress.accuracy, 4), tested])

    sequence = lessons.TASKS[: budget.tasks]
    for number, task in enumerate(sequence):
        training = lessons.training_set(task, budget.training_problems)
        seen.update(e.question for e in training)
        start = trainer.updates
        mastered = trainer.learn(training, watch)
        learned.append({"task": task.name, "start": start, "end": trainer.updates, "mastered": mastered,
                        "accuracy": curve[-1][2], "seconds": round(trainer.seconds, 2)})  # fmt: skip
        if number + 1 == len(sequence) or sequence[number + 1].operation != task.operation:
            cells += _cells(model, task.operation, budget, seen)
    curve[-1][3] = score(model, test)
    return {
        "model": name,
        "seed": seed,
        "parameters": sum(p.numel() for p in model.parameters()),
        "config": asdict(model.config),  # type: ignore[call-overload]
        "training": asdict(config),
        "updates": trainer.updates,
        "seconds": round(trainer.seconds, 2),
        "tasks": learned,
        "cells": cells,
        "curve": curve,
        "summary": f"{sum(t['mastered'] for t in learned)} of {len(learned)} tasks mastered",
    }


def _cells(model: Baseline, kind: str, budget: Budget, seen: set[str]) -> list[Record]:
    """What the network knows of an operation right after learning it."""
    cells = []
    for length in (n for n in BASELINE_LENGTHS if n in budget.lengths):
        problems = exercises(kind, length, budget.cell_problems, seen)
        right = round(score(model, problems) * len(problems))
        cells.append({"kind": kind, "length": length, "right": right, "count": len(problems)})
    return cells


# --- ours ---


def ours_units(budget: Budget, libraries: dict[str, Library]) -> Iterator[Unit]:
    """Every cell of Table 1, through the calculator, for each library at hand."""
    for label, library in libraries.items():
        for kind in (*KINDS, MODULO):
            for length in budget.lengths:
                yield Unit(
                    f"{label}/{kind}/{length}",
                    partial(_our_cell, label, library, kind, length, budget),
                )


def _our_cell(label: str, library: Library, kind: str, length: int, budget: Budget) -> Record:
    texts = problems_by_length(kind, length, budget.cell_problems, seed=0)
    cell = mark(Calculator(library), kind, length, texts)
    return {
        "model": "ours",
        "library": label,
        "kind": kind,
        "length": length,
        "right": cell.right,
        "count": cell.count,
        "mistakes": cell.mistakes[:5],
        "summary": f"{cell.right} of {cell.count} right",
    }


# --- are the baselines sound? ---


def soundness_units(budget: Budget) -> Iterator[Unit]:
    """The LSTM copies and reverses; the Neural GPU adds binary numbers longer than it was trained on."""
    for seed in range(budget.seeds):
        for task in ("copy", "reverse"):
            yield Unit(f"LSTM {task}/{seed}", partial(_sound_lstm, task, seed, budget))
        task, bits, seconds = "aligned binary addition", budget.bits, budget.bits_seconds
        yield Unit(f"Neural GPU {task}/{seed}", partial(_sound_gpu, task, seed, bits, seconds))
    task, bits, seconds = "binary addition", budget.unaligned_bits, budget.unaligned_seconds
    yield Unit(f"Neural GPU {task}/0", partial(_sound_gpu, task, 0, bits, seconds))


def _sound_lstm(task: str, seed: int, budget: Budget) -> Record:
    sizes = range(1, budget.copy_length + 1)
    return _sound("LSTM", task, seed, sizes, _training("LSTM", budget.copy_seconds), tested=tuple(sizes))


def _sound_gpu(task: str, seed: int, bits: int, seconds: float) -> Record:
    sizes = range(1, bits + 1)
    tested = (bits, *(round(bits * f) for f in (1.5, 2, 3, 4)))
    config = TrainerConfig(seconds, test_every=20, batch=16, learning_rate=5e-3)
    return _sound("Neural GPU", task, seed, sizes, config, tested)


def _sound(
    name: str, task: str, seed: int, sizes: range, config: TrainerConfig, tested: Sequence[int]
) -> Record:
    """Learn a task with problems drawn afresh, longer ones when the present length is known."""
    torch.manual_seed(seed)
    model, draw = _MAKERS[name](), lessons.FAMILIES[task]
    trainer = Trainer(model, config, seed)
    is_learned = trainer.learn_by_length(draw, sizes, Random(seed))
    rng = Random(f"{task} test")
    cells = []
    for size in tested:
        problems = [draw(rng, size) for _ in range(500)]
        cells.append({"length": size, "right": round(score(model, problems) * 500), "count": 500})
    accuracies = ", ".join(f"{c['length']}: {c['right'] / c['count']:.1%}" for c in cells)
    return {
        "model": name,
        "task": task,
        "seed": seed,
        "trained_to": sizes[-1],
        "learned": is_learned,
        "updates": trainer.updates,
        "seconds": round(trainer.seconds, 2),
        "cells": cells,
        "summary": accuracies,
    }
