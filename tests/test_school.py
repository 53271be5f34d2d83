"""`reckon train` as a user runs it: it learns, and real kills at random moments change nothing but the time."""

from __future__ import annotations

import hashlib
import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reckoner.machine import Machine
from reckoner.skills import Library

TRAIN = [sys.executable, "-m", "reckoner.cli", "train", "--curriculum"]


def start(curriculum: str, folder: Path, *options: str) -> subprocess.Popen[str]:
    command = [*TRAIN, curriculum, "--out", str(folder), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def weights(folder: Path) -> dict[str, str]:
    files = sorted((folder / "library").glob("*.safetensors"))
    return {f.name: hashlib.sha256(f.read_bytes()).hexdigest() for f in files}


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    out, err = start("tiny", folder).communicate(timeout=300)
    assert "2 skills" in out, err
    return folder


def test_a_run_leaves_a_library_its_records_and_metrics(uninterrupted):
    library = Library.load(uninterrupted / "library")
    assert library.names == ("drop-zero", "strip")
    assert Machine(library).run("strip", [("000120", "")])[0].answer == "120"
    record = library.records["strip"]
    assert record["restarts"] >= 0
    assert record["attempts"] > 0
    assert record["versions"]["torch"]
    assert record["threads"] == 1
    lines = (uninterrupted / "skills" / "02-strip" / "metrics.jsonl").read_text().splitlines()
    learned = [r for r in map(json.loads, lines) if "kl" in r]
    wanted = {
        "accuracy",
        "return",
        "entropy",
        "kl",
        "clip_fraction",
        "explained_variance",
        "attempts_per_second",
        "own",
        "guided",
        "explored",
    }
    assert wanted <= set(learned[0])


def test_the_smoke_curriculum_learns_to_add_from_nothing(tmp_path):
    out, err = start("smoke", tmp_path).communicate(timeout=600)
    assert "5 skills" in out, err
    library = Library.load(tmp_path / "library")
    assert all(library.records[name]["tried"] == 0 for name in ("add-columns", "strip", "M+M"))
    sums = [(str(x), str(y)) for x, y in [(10**60 - 1, 1), (0, 0), (7**70, 3**120), (999, 10**40)]]
    answers = [outcome.answer for outcome in Machine(library).run("M+M", sums)]
    assert answers == [str(int(x) + int(y)) for x, y in sums]


def test_a_finished_run_has_nothing_left_to_do(uninterrupted):
    before = weights(uninterrupted)
    out, _ = start("tiny", uninterrupted).communicate(timeout=300)
    assert "mastered" not in out
    assert weights(uninterrupted) == before


def test_kills_at_random_moments_change_nothing_but_the_time(uninterrupted, tmp_path):
    rng = random.Random(4)
    folder = tmp_path / "killed"
    kills = 0
    # before the first lesson has begun, then shortly after one has; a fast machine learns it all in a few seconds
    for begins, longest in [(False, 1.5), (True, 0.3), (True, 0.6), (True, 1.2), (True, 300.0)]:
        process = start("tiny", folder)
        assert process.stdout is not None
        if begins:
            process.stdout.readline()
        try:
            process.communicate(timeout=rng.uniform(0.05, longest) if longest < 300 else longest)
            break
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            kills += 1
            time.sleep(0.6)  # the workers notice within half a second
    assert kills >= 2
    assert weights(folder) == weights(uninterrupted)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_run_and_says_how_to_go_on(tmp_path, stop):
    process = start("tiny", tmp_path / "stopped")
    assert process.stdout is not None
    assert "starts" in process.stdout.readline()
    process.send_signal(stop)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 128 + stop
    assert err == "\nstopped; the same command goes on from here\n"  # and no warning of leaked semaphores


def test_a_budget_ends_the_run_with_a_sentence(tmp_path):
    process = start("smoke", tmp_path / "short", "--budget", "0.01", "--only", "strip", "--only", "drop-zero")
    _, err = process.communicate(timeout=300)
    assert process.returncode == 4
    assert "used up" in err
    assert "Traceback" not in err


def test_unknown_skills_and_unwritable_folders_are_refused_politely(tmp_path):
    process = start("tiny", tmp_path, "--only", "telepathy")
    _, err = process.communicate(timeout=300)
    assert process.returncode == 2
    assert "telepathy" in err
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    for folder in (blocked, blocked / "run"):
        process = start("tiny", folder)
        _, err = process.communicate(timeout=300)
        assert process.returncode == 2
        assert err == f"reckon: a file is in the way of the folder {folder}; choose another with --out\n"


def test_a_damaged_checkpoint_is_named(tmp_path):
    folder = tmp_path / "skills" / "02-strip"
    folder.mkdir(parents=True)
    (folder / "checkpoint").write_text("{")
    process = start("tiny", tmp_path)
    _, err = process.communicate(timeout=300)
    assert process.returncode != 0
    assert "02-strip" in err
    assert "Traceback" not in err
