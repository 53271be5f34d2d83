"""The baselines are real: each learns a trivial task, and their parts do what their papers say."""

from __future__ import annotations

from random import Random

import pytest
import torch

from reckoner.baselines import tasks
from reckoner.baselines.base import Baseline, decode, encode
from reckoner.baselines.lstm import LSTMConfig, Seq2SeqLSTM
from reckoner.baselines.neural_gpu import NeuralGPU, NeuralGPUConfig
from reckoner.baselines.trainer import Check, Exercise, Trainer, TrainerConfig, score
from reckoner.curriculum import oracle

QUESTIONS = ["1+2", "33+4", "(5-6)*7", "8"]


@pytest.fixture(autouse=True)
def _one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    yield
    torch.set_num_threads(threads)


def make(name: str) -> Baseline:
    if name == "LSTM":
        return Seq2SeqLSTM(LSTMConfig(hidden=48, embedding=16))
    return NeuralGPU(NeuralGPUConfig(maps=12))


def test_texts_survive_encoding():
    assert decode(encode(["12+3", "-4"], length=6)) == ["12+3", "-4"]
    assert decode(encode(["7", "88"], end=True)) == ["7", "88"]


@pytest.mark.parametrize(("name", "rate"), [("LSTM", 1e-2), ("Neural GPU", 1e-2)])
def test_a_baseline_learns_a_trivial_task(name, rate):
    exercises = [Exercise(f"{a}+{b}", str(a + b)) for a in range(3) for b in range(3)]
    model = make(name)
    before = score(model, exercises)
    trainer = Trainer(
        model, TrainerConfig(seconds=1e9, most_updates=3000, test_every=10, learning_rate=rate), seed=0
    )
    seen: list[Check] = []
    assert trainer.learn(exercises, seen.append)
    assert before < 1.0
    assert seen[-1].accuracy == score(model, exercises) == 1.0
    assert seen[-1].update == trainer.updates


@pytest.mark.parametrize("name", ["LSTM", "Neural GPU"])
def test_a_budget_ends_a_hopeless_training(name):
    trainer = Trainer(make(name), TrainerConfig(most_updates=4, test_every=2), seed=0)
    assert not trainer.learn([Exercise("12+3", "15"), Exercise("12+3", "16")])
    assert trainer.updates == 4


@pytest.mark.parametrize("name", ["LSTM", "Neural GPU"])
def test_an_answer_does_not_depend_on_its_neighbours(name):
    model = make(name).eval()
    assert model.answer(QUESTIONS) == [model.answer([q])[0] for q in QUESTIONS]


@pytest.mark.parametrize("name", ["LSTM", "Neural GPU"])
def test_what_training_marks_right_is_what_decoding_answers(name):
    model = make(name).eval()
    answers = model.answer(QUESTIONS)
    for question, answer in zip(QUESTIONS, answers, strict=True):
        if answer and len(answer) <= len(question):
            assert model.attempt([question], [answer])[1] == [True]
        assert model.attempt([question], [answer[:-1] + "%"])[1] == [answer[-1:] == "%"]


class Spy(Trainer):
    """Notes what it is given to learn from."""

    drawn: list[str]

    def _step(self, exercises, error):
        self.drawn += [e.question for e in exercises]
        return super()._step(exercises, error)


def test_wrong_exercises_are_drawn_more_often():
    trainer = Spy(make("LSTM"), TrainerConfig(most_updates=60, test_every=60, learning_rate=1e-2), seed=0)
    trainer.drawn = []
    trainer.learn([Exercise("1", "1"), Exercise("2", "1"), Exercise("2", "3"), Exercise("4", "1")])
    impossible = trainer.drawn.count("2") / 2  # two answers to one question: at most one of them is right
    assert impossible > 1.5 * max(trainer.drawn.count("1"), trainer.drawn.count("4"))


def test_saturation_reaches_its_ends_exactly():
    model = NeuralGPU(NeuralGPUConfig())
    gates = model._saturate(torch.tensor([0.01, 0.5, 0.99]), low=0.0)
    assert gates.tolist() == [0.0, 0.5, 1.0]
    candidate = model._saturate(torch.tensor([-0.9, 0.0, 0.9]), low=-1.0)
    assert candidate.tolist() == [-1.0, 0.0, 1.0]


def test_parameter_sets_are_pulled_together():
    model = NeuralGPU(NeuralGPUConfig(maps=4, pull=0.5, pull_growth=2.0, pull_most=4.0))
    with torch.no_grad():
        model.weight.add_(0.1 * torch.randn_like(model.weight))
    before = float(model._spread().detach())
    trainer = Trainer(model, TrainerConfig(most_updates=60, test_every=30, learning_rate=1e-2), seed=0)
    trainer.learn([Exercise("1", "2"), Exercise("1", "3")])
    assert float(model._spread().detach()) < 0.2 * before
    model.consolidate(0.0)
    model.consolidate(0.9)  # a bad test does not pull harder
    assert model.pull == 1.0
    for _ in range(5):
        model.consolidate(0.0)
    assert model.pull == 4.0


def test_gradient_noise_follows_the_errors():
    model = NeuralGPU(NeuralGPUConfig(maps=4))
    model.output.weight.grad = torch.zeros_like(model.output.weight)
    model.disturb(0.0)
    assert not model.output.weight.grad.any()
    model.disturb(1.0)
    assert model.output.weight.grad.any()


def test_training_sets_are_distinct_right_and_on_their_side_of_the_split():
    for task in tasks.TASKS:
        exercises = tasks.training_set(task, 50)
        assert len(set(exercises)) == len(exercises) > 5
        for question, answer in exercises:
            assert oracle.evaluate(question) == answer
        assert exercises == tasks.training_set(task, 50)


def test_families_say_what_they_promise():
    rng = Random(1)
    for _ in range(50):
        question, answer = tasks.binary_addition(rng, 5)
        x, y = question.split("+")
        assert int(answer, 2) == int(x, 2) + int(y, 2)
        question, answer = tasks.aligned_addition(rng, 5)
        pairs = [int(c) for c in question]
        x_bits, y_bits = "".join(str(p & 1) for p in pairs), "".join(str(p >> 1) for p in pairs)
        assert int(answer, 2) == int(x_bits, 2) + int(y_bits, 2)
    question, answer = tasks.reverse(rng, 6)
    assert answer == question[::-1]


def test_longer_exercises_come_when_the_present_length_is_known():
    sizes: list[int] = []

    def draw(rng: Random, size: int) -> Exercise:
        sizes.append(size)
        return Exercise("1" * size, "1" * size)

    trainer = Trainer(make("Neural GPU"), TrainerConfig(seconds=1e9, most_updates=120, test_every=10), seed=0)
    trainer.learn_by_length(draw, range(1, 4), Random(0))
    assert sizes[0] == 1
    assert max(sizes) > 1
