"""Both baselines through the curriculum, as the paper's figures show them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial

import torch

from reckoner.baselines import tasks as lessons
from reckoner.baselines.base import Baseline
from reckoner.baselines.lstm import LSTMConfig, Seq2SeqLSTM
from reckoner.baselines.neural_gpu import NeuralGPU, NeuralGPUConfig
from reckoner.baselines.trainer import Check, Exercise, Trainer, TrainerConfig, score
from reckoner.curriculum import oracle
from reckoner.evaluation.problems import problems_by_length
from reckoner.reproduction.budget import Budget
from reckoner.reproduction.experiment import Setting
from reckoner.reproduction.records import Point, Record, Unit

CURVE_LENGTH = 10
_TEST_EVERY = 4  # tests of the training set to one of the test set, which costs as much

MAKERS: dict[str, Callable[[], Baseline]] = {
    "LSTM": lambda: Seq2SeqLSTM(LSTMConfig()),
    "Neural GPU": lambda: NeuralGPU(NeuralGPUConfig()),
}
# learning rate, batch size, updates between tests: the best of a few short trials on the first two tasks
_TRAINING = {"LSTM": (5e-3, 64, 100), "Neural GPU": (1e-2, 32, 80)}


def make_config(model: str, seconds: float) -> TrainerConfig:
    """How a baseline learns, in so many seconds at most."""
    rate, batch, every = _TRAINING[model]
    return TrainerConfig(seconds, test_every=every, batch=batch, learning_rate=rate)


def exercises(kind: str, length: int, count: int) -> list[Exercise]:
    """Test problems of one kind and length with their answers."""
    return [Exercise(text, oracle.evaluate(text)) for text in problems_by_length(kind, length, count, seed=0)]


def units(setting: Setting) -> Iterator[Unit]:
    """Each baseline through the whole sequence of tasks, once per seed."""
    for seed in range(setting.budget.seeds):
        for model in MAKERS:
            each = setting.budget.lstm_seconds if model == "LSTM" else setting.budget.neural_gpu_seconds
            tasks = len(lessons.TASKS[: setting.budget.tasks])
            yield Unit(f"{model}/{seed}", partial(_train, model, seed, setting.budget), tasks * each)


def _train(name: str, seed: int, budget: Budget) -> Record:
    torch.manual_seed(seed)
    model = MAKERS[name]()
    config = make_config(name, budget.lstm_seconds if name == "LSTM" else budget.neural_gpu_seconds)
    trainer = Trainer(model, config, seed)
    test = exercises("expression", CURVE_LENGTH, budget.curve_problems)
    curve: list[Point] = []
    learned: list[Record] = []

    def watch(check: Check) -> None:
        tested = round(score(model, test), 4) if len(curve) % _TEST_EVERY == 0 else None
        curve.append(Point(check.update, round(check.seconds, 2), round(check.accuracy, 4), tested))

    for task in lessons.TASKS[: budget.tasks]:
        training = lessons.training_set(task, budget.training_problems)
        start = trainer.updates
        mastered = trainer.learn(training, watch)
        learned.append({"task": task.name, "start": start, "end": trainer.updates, "mastered": mastered,
                        "accuracy": curve[-1].training, "seconds": round(trainer.seconds, 2)})  # fmt: skip
    curve[-1] = curve[-1]._replace(test=score(model, test))
    return {
        "model": name,
        "seed": seed,
        "parameters": sum(p.numel() for p in model.parameters()),
        "config": asdict(model.config),  # type: ignore[call-overload]
        "training": asdict(config),
        "updates": trainer.updates,
        "seconds": round(trainer.seconds, 2),
        "tasks": learned,
        "curve": curve,
        "summary": f"{sum(t['mastered'] for t in learned)} of {len(learned)} tasks mastered",
    }
