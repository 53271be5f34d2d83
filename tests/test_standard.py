"""Seconds of a standard core: what a slower one is given."""

import pytest

from reckoner.baselines import standard
from reckoner.baselines.standard import VARIABLE, SlownessError, standard_seconds
from reckoner.cli.main import main
from reckoner.reproduction import slowness
from reckoner.reproduction.records import RecordsError, Unit, _run


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
