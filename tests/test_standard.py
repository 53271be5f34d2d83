"""Seconds of a standard core: what a slower one is given."""

from itertools import count

import pytest
import torch

from reckoner.baselines import standard
from reckoner.baselines.chance import Rule, train
from reckoner.baselines.lstm import LSTMConfig, Seq2SeqLSTM
from reckoner.baselines.source import Source
from reckoner.baselines.standard import VARIABLE, SlownessError, standard_seconds
from reckoner.baselines.trainer import Exercise, Trainer, TrainerConfig
from reckoner.cli.main import main
from reckoner.reproduction import cost, slowness
from reckoner.reproduction.budget import Cap
from reckoner.reproduction.records import RecordsError, Unit, _run
from reckoner.reproduction.trial import Observer


def _record():
    """Of a unit that does nothing."""
    return _run(Unit("nothing", dict), "smoke")


def test_a_slow_core_has_longer_seconds(monkeypatch):
    monkeypatch.setattr(standard.time, "process_time", lambda: 12.0)
    monkeypatch.delenv(VARIABLE, raising=False)
    assert standard_seconds() == 12
    assert "slowness" not in _record()["environment"]
    monkeypatch.setenv(VARIABLE, "3")
    assert standard_seconds() == 4
    assert _record()["environment"]["slowness"] == 3


@pytest.fixture
def _slow(monkeypatch):
    """A core three times as slow, on which every look at the clock takes three seconds."""
    clock = count(0, 3)
    monkeypatch.setattr(standard.time, "process_time", lambda: float(next(clock)))
    monkeypatch.setenv(VARIABLE, "3")


EXERCISES = [Exercise("1+1", "2"), Exercise("1+2", "3")]


class Same(Source):
    """The same exercises again and again."""

    def draw(self, count):
        return EXERCISES

    def learn(self, is_right):
        pass

    @property
    def stand(self):
        return ""


@pytest.mark.usefixtures("_slow")
def test_rivals_have_their_budget_in_seconds_of_a_standard_core():
    """An update takes one such second, between two looks at the clock; five fit, and one is under way at the end."""
    torch.manual_seed(0)
    model = Seq2SeqLSTM(LSTMConfig(hidden=8))
    found = train(model, Same(), EXERCISES, Rule(seconds=5.0, least=5.0, look_least=100.0))
    assert (found.updates, found.seconds) == (6, 6.0)
    trainer = Trainer(model, TrainerConfig(seconds=5.0, test_every=1), seed=0)
    trainer.learn(EXERCISES, goal=2.0)
    assert (trainer.updates, trainer.seconds) == (5, 5.0)


@pytest.mark.usefixtures("_slow")
def test_students_have_their_cap_in_seconds_of_a_standard_core():
    observer = Observer(Cap(10.0), lambda: 0.0, closely=0)
    assert [observer.is_over() for _ in range(12)] == [False] * 10 + [True] * 2


def test_what_a_slow_core_spent_is_told_as_a_standard_one_would_have():
    assert cost._seconds({"processor_seconds": 30.0, "environment": {"slowness": 3.0}}) == 10
    assert cost._seconds({"processor_seconds": 30.0}) == 30


@pytest.mark.parametrize("value", ["", "fast", "0", "-2", "nan", "inf"])
def test_what_is_no_slowness_is_refused(value, monkeypatch):
    monkeypatch.setenv(VARIABLE, value)
    with pytest.raises(SlownessError, match=VARIABLE):
        standard_seconds()
    assert main(["reproduce", "peer", "--plan"]) == 2


def test_slowness_is_the_median_of_trainings_begun_again(monkeypatch, capsys):
    """By the records 150 examples in 15 s (200 in 20 s); now 150, 60 and 50: 2.5 times slower."""
    looks = [[0.0, 0, 0.0], [10.0, 100, 0.1], [20.0, 200, 0.2]]
    known = [{"unit": f"{model}/fresh problems/add/1", "looks": looks} for model in slowness.MODELS]
    now = iter([150, 60, 50])
    monkeypatch.setattr(slowness.Records, "read", lambda self: known)
    monkeypatch.setattr(slowness, "begin", lambda record: {"seconds": 15.0, "examples": next(now)})
    monkeypatch.delenv(VARIABLE, raising=False)
    slowness.main()
    assert capsys.readouterr().out.endswith("export RECKON_SLOWNESS=2.5\n")


def test_without_records_nothing_is_measured(tmp_path):
    with pytest.raises(RecordsError, match="project's folder"):
        slowness.main(file=tmp_path / "none.jsonl")
