"""A training run in its folder: settings, locks, checkpoints, metrics and full disks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from reckoner.cli.main import main
from reckoner.curriculum import checkpoint, school
from reckoner.curriculum.checkpoint import Attempts, SkillFolder
from reckoner.curriculum.own import read_rows
from reckoner.curriculum.plan import Plan
from reckoner.curriculum.progress import Progress
from reckoner.curriculum.run_folder import TASKS, RunError, locked, open_run
from reckoner.curriculum.student import StudentConfig
from reckoner.curriculum.tasks import BASIC, INTERACTIVE
from reckoner.errors import LibraryError
from reckoner.skills import Library, library
from tests.scripted import library_of, random_basic, random_skill

CONFIG = StudentConfig(hidden=16)


def plan(folder: Path, **fields: Any) -> Plan:
    return replace(Plan("tiny", folder, config=CONFIG), **fields)


# --- settings ---


def refusal(folder: Path, now: Plan) -> str:
    with pytest.raises(RunError) as caught, open_run(folder, now.settings, 1):
        pass
    assert caught.value.exit_code == 2
    return caught.value.message


def test_a_folder_is_trained_with_one_set_of_settings(tmp_path):
    for _ in range(2):  # the same settings may go on
        with open_run(tmp_path, plan(tmp_path).settings, 1):
            pass
    assert "seed is 0 there and 1 now" in refusal(tmp_path, plan(tmp_path, seed=1))
    other = plan(tmp_path, config=replace(CONFIG, hidden=17))
    assert "config.hidden is 16 there and 17 now" in refusal(tmp_path, other)
    assert 'curriculum is "tiny" there and "full" now' in refusal(tmp_path, plan(tmp_path, curriculum="full"))
    nested = replace(CONFIG, teacher=replace(CONFIG.teacher, uniform_share=0.25))
    message = refusal(tmp_path, plan(tmp_path, config=nested))
    assert "config.teacher.uniform_share is 0.5 there and 0.25 now" in message
    assert "--out" in message
    page = json.loads((tmp_path / "run.json").read_text())
    assert (page["seed"], page["sessions"]) == (0, 2)


def test_settings_that_a_folder_does_not_know_are_a_difference(tmp_path):
    (tmp_path / "run.json").write_text(json.dumps({"seed": 0, "seconds": 1.0, "sessions": 1}))
    assert "not given there" in refusal(tmp_path, plan(tmp_path))


def own(folder: Path, text: str, name: str = "own.py") -> Plan:
    """A plan of rows in a file with this text."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    read_rows.cache_clear()
    return plan(folder / "run", own=folder / name)


def test_a_tasks_file_that_has_changed_is_another_training(tmp_path):
    before = own(tmp_path / "here", "TASKS = ()")
    with open_run(tmp_path / "run", before.settings, 1):
        pass
    message = refusal(tmp_path / "run", own(tmp_path / "here", "TASKS = ( )"))
    assert (
        "with other settings: the tasks file has changed since. Choose another folder with --out" in message
    )
    elsewhere = own(tmp_path / "there", "TASKS = ()", "rows.py")
    with open_run(tmp_path / "run", elsewhere.settings, 1):  # the text counts, not where it is
        pass


def test_trainings_from_before_tasks_files_were_told_apart_go_on(tmp_path):
    settings = own(tmp_path, "TASKS = ()").settings
    with open_run(tmp_path / "run", {n: v for n, v in settings.items() if n != TASKS}, 1):
        pass
    with open_run(tmp_path / "run", settings, 1):
        pass
    assert "tasks file has changed" in refusal(tmp_path / "run", own(tmp_path, "TASKS = []"))


def test_other_settings_are_refused_on_the_command_line(tmp_path, capsys):
    with open_run(tmp_path, Plan("tiny", tmp_path, config=StudentConfig(hidden=32)).settings, 1):
        pass
    assert main(["train", "--curriculum", "tiny", "--seed", "1", "--out", str(tmp_path)]) == 2
    assert "seed is 0 there and 1 now" in capsys.readouterr().err
    assert main(["train", "--curriculum", "tiny", "--hidden", "8", "--out", str(tmp_path)]) == 2
    assert "config.hidden is 32 there and 8 now" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '{"seconds": "x", "sessions": 1}', "[" * 100_000])
def test_a_damaged_page_of_settings_is_named(tmp_path, text):
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(LibraryError, match=r"run\.json is damaged"), open_run(tmp_path, {}, 1):
        pass


def test_a_row_that_has_changed_is_not_taken_for_the_one_that_was_learned(tmp_path):
    now = plan(tmp_path)
    _, strip = now.tasks
    changed = random_skill(replace(strip.spec, layout="{x},{y}"), np.random.default_rng(0))
    now.skill_folder(strip).finish(changed, {"seconds": 1.0})
    with pytest.raises(RunError, match="from another row"):
        now.mastered()


@pytest.mark.parametrize(
    "options",
    [["--workers", "0"], ["--hidden", "-5"], ["--hidden", "0"], ["--budget", "-1"], ["--budget", "nan"],
     ["--hidden", "100000"], ["--workers", "many"], ["--only", "telepathy"], ["--library", "x"]],
    ids=" ".join,
)  # fmt: skip
def test_options_that_make_no_sense(options, capsys, tmp_path):
    assert main(["train", "--out", str(tmp_path / "run"), *options]) == 2
    assert "internal error" not in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


# --- one training at a time ---

HOLD = """
import sys, time
from pathlib import Path
from reckoner.curriculum.run_folder import open_run
with open_run(Path(sys.argv[1]), {}, 1):
    print("held", flush=True)
    time.sleep(600)
"""


def test_two_trainings_in_one_folder_are_refused_and_a_killed_one_lets_go(tmp_path):
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(RunError, match="another training is at work"), open_run(tmp_path, {}, 1):
            pass
    finally:
        holder.kill()
        holder.communicate()
    with open_run(tmp_path, {}, 1):
        pass


def test_a_lock_can_be_waited_for(tmp_path):
    with locked(tmp_path / "lock", wait=True), pytest.raises(RunError), locked(tmp_path / "lock", wait=False):
        pass


# --- checkpoints ---


def make_progress() -> Progress:
    tensors = {"a": np.arange(12, dtype=np.float32).reshape(3, 4), "b": np.array([1.5, -2.0])}
    memory = {"table": [["0a", [1, 2.5, None]]], "more": {"x": True}}
    return Progress(3, 40, 50, 60, 70, 1.25, tensors, memory)


def saved(tmp_path: Path) -> SkillFolder:
    folder = SkillFolder(tmp_path, "strip", 2)
    folder.save(Attempts(1, ["stuck"], dict.fromkeys(checkpoint.SPENT, 5), make_progress()))
    return folder


def test_a_checkpoint_comes_back_as_it_was(tmp_path):
    found, expected = saved(tmp_path).resume(), make_progress()
    assert (found.number, found.failures) == (1, ["stuck"])
    assert found.spent == dict.fromkeys(checkpoint.SPENT, 5)
    assert found.progress is not None
    assert found.progress.tensors is not None
    assert expected.tensors is not None
    for name, tensor in expected.tensors.items():
        np.testing.assert_array_equal(found.progress.tensors[name], tensor)
    assert replace(found.progress, tensors=None) == replace(expected, tensors=None)


def test_not_one_bit_of_a_checkpoint_changes_unnoticed(tmp_path):
    folder = saved(tmp_path)
    file = folder.folder / "checkpoint"
    original = file.read_bytes()
    rng = Random(0)
    for _ in range(200):
        data = bytearray(original)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        file.write_bytes(data)
        with pytest.raises(LibraryError, match="is damaged"):
            folder.resume()
    for length in [*range(0, len(original), 37), len(original) - 1]:
        file.write_bytes(original[:length])
        with pytest.raises(LibraryError, match="is damaged"):
            folder.resume()
    file.write_bytes(original + b"\0")
    with pytest.raises(LibraryError, match="delete it to learn 'strip' from the start"):
        folder.resume()
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(LibraryError, match="regular file"):
        folder.resume()


def test_records_of_updates_that_are_repeated_do_not_stay(tmp_path):
    folder = SkillFolder(tmp_path, "strip", 2)
    folder.folder.mkdir(parents=True)
    metrics = folder.folder / "metrics.jsonl"

    def updates() -> list[int]:
        return [json.loads(line)["update"] for line in metrics.read_text().splitlines()]

    folder.log({"update": 1})
    assert folder.resume() == Attempts()  # killed before the first checkpoint
    assert updates() == []
    folder.log({"update": 1})
    folder.save(Attempts(0, progress=make_progress()))
    folder.log({"update": 2})
    metrics.write_text(metrics.read_text() + '{"upda')  # killed in the middle of a line
    (folder.folder / ".checkpoint.half").write_text("and of a checkpoint")
    for _ in range(2):
        folder.resume()
        assert updates() == [1]
    assert sorted(f.name for f in folder.folder.iterdir()) == ["checkpoint", "metrics.jsonl"]


def test_a_damaged_skill_of_a_run_is_named_with_what_to_delete(tmp_path):
    folder = SkillFolder(tmp_path, "strip", 2)
    folder.finish(Library.load()["strip"], {"seconds": 1.0})
    assert folder.load(Library.load())[0].spec == Library.load()["strip"].spec
    manifest = folder.folder / "manifest.json"
    whole = manifest.read_text()
    for text in ("{", whole.replace("strip", "stripe"), whole.replace("{x}", "{x}0")):
        manifest.write_text(text)
        with pytest.raises(LibraryError, match=f"delete {folder.folder} to learn 'strip' again"):
            folder.load(Library.load())


# --- full disks ---


def test_a_full_disk_ends_a_lesson_with_its_checkpoint_whole(tmp_path, monkeypatch):
    folder = saved(tmp_path)
    before = (folder.folder / "checkpoint").read_bytes()

    def fill(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fill)
    with pytest.raises(OSError, match=r"No space.*checkpoint"):
        folder.save(Attempts(2))
    with pytest.raises(OSError, match="No space"):
        folder.finish(random_skill(INTERACTIVE["strip"].spec, np.random.default_rng(0)), {})
    monkeypatch.undo()
    assert (folder.folder / "checkpoint").read_bytes() == before
    assert not folder.is_mastered
    assert [f.name for f in folder.folder.iterdir()] == ["checkpoint"]  # nothing half-written lies about
    assert folder.resume().number == 1


def test_a_full_disk_is_explained_and_the_same_command_goes_on(tmp_path, monkeypatch, capsys):
    """The metrics of `strip` are a device that is always full; drop-zero is learned and stays."""
    monkeypatch.setattr(school, "Processes", lambda workers: school_engine())
    run = tmp_path / "run"
    (run / "skills" / "02-strip").mkdir(parents=True)
    (run / "skills" / "02-strip" / "metrics.jsonl").symlink_to("/dev/full")
    arguments = ["train", "--curriculum", "tiny", "--hidden", "8", "--out", str(run)]
    assert main(arguments) == 4
    err = capsys.readouterr().err
    assert "No space left on device" in err
    assert "make room, and the same command goes on" in err
    assert SkillFolder(run, "drop-zero", 1).is_mastered
    assert json.loads((run / "run.json").read_text())["sessions"] == 1


def school_engine() -> Any:
    from reckoner.engine import Here

    return Here()


def test_a_full_disk_while_the_library_is_saved_keeps_the_old_one(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    small = library_of(random_basic(BASIC["drop-zero"].spec, rng))
    small.save(tmp_path)
    small.append(random_skill(INTERACTIVE["strip"].spec, rng))

    def fill(file: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device", str(file))

    monkeypatch.setattr(library, "write_atomically", fill)
    with pytest.raises(OSError, match="No space"):
        small.save(tmp_path)
    monkeypatch.undo()
    assert Library.load(tmp_path).names == ("drop-zero",)
