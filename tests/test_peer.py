"""The peer's PPO beside ours: the table and figure from fixture records, a run that is skipped, and a small run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reckoner.cli import main as reckon
from reckoner.curriculum.tasks import BASIC
from reckoner.reproduction import peer
from reckoner.reproduction.experiment import Experiment, load
from reckoner.skills.library import Library
from tests.scripted import random_basic

RECORDS = [
    {"unit": f"{learner}/M-M/{seed}", "learner": learner, "skill": "M-M", "seed": seed, "attempts": attempts,
     "seconds": 9.6, "accuracy": curve[-1], "mastered": curve[-1] == 1.0, "budget": "smoke",
     "curve": [[1000 * (i + 1), 3.0, None, test] for i, test in enumerate(curve)]}
    for learner, seed, attempts, curve in [
        (peer.OURS, 0, 4000, [0.0, 1.0, 0.5, 1.0]), (peer.OURS, 1, 2000, [0.5, 1.0]),
        (peer.PEER, 0, 4000, [0.0, 1.0, 1.0, 0.25]), (peer.PEER, 1, 4000, [1.0, 1.0, 1.0, 1.0]),
    ]
]  # fmt: skip


def test_the_table_counts_attempts_until_all_stayed_right():
    assert peer.table(RECORDS).splitlines()[2:] == [
        "| M-M | ours | 100 %, 100 % | 3000 (2000–4000) | 2 of 2 | 3000 (2000–4000) | 10 (10–10) |",
        "| M-M | MaskablePPO | 25 %, 100 % | 4000 (4000–4000) | 1 of 2 | 1000 | 10 (10–10) |",
    ]


def test_table_and_figure_come_from_records_alone(tmp_path):
    file = tmp_path / "records" / "peer.jsonl"
    file.parent.mkdir()
    file.write_text("".join(json.dumps(r) + "\n" for r in RECORDS))
    assert reckon(["reproduce", "peer", "--from-records", "--budget", "smoke", "--out", str(tmp_path)]) == 0
    assert (tmp_path / "peer" / "table.md").read_text() == peer.table(RECORDS)
    assert "MaskablePPO" in (tmp_path / "peer" / "accuracy.svg").read_text()


def test_without_the_peer_it_is_skipped(tmp_path, capsys, monkeypatch):
    assert load("peer").needs == ("sb3_contrib",)
    monkeypatch.setattr(peer, "EXPERIMENT", replace(peer.EXPERIMENT, needs=("no_such_module",)))
    assert reckon(["reproduce", "peer", "--budget", "smoke", "--out", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert (
        "peer: skipped, because no_such_module is not installed: pip install 'neural-reckoner[gym]'" in shown
    )
    assert not (tmp_path / "records").exists()
    assert Experiment("", "", {}, peer.table, {}).missing == []


def test_a_small_run(tmp_path, capsys):
    pytest.importorskip("sb3_contrib")
    library, home = Library(), tmp_path / "out"
    library.append(random_basic(BASIC["drop-zero"].spec, np.random.default_rng(0)))
    library.save(tmp_path / "library")
    arguments = ["reproduce", "peer", "--budget", "smoke", "--workers", "1", "--out", str(home)]
    assert reckon([*arguments, "--library", str(tmp_path / "library")]) == 0, capsys.readouterr().err
    ours, other = map(json.loads, Path(home / "records" / "peer.jsonl").read_text().splitlines())
    assert (ours["learner"], other["learner"]) == (peer.OURS, peer.PEER)
    assert other["attempts"] >= 2500
    assert other["curve"][-1][0] == other["attempts"]
    assert len(other["curve"]) > 10
    assert ours["curve"][-1][0] == ours["attempts"] > 0
