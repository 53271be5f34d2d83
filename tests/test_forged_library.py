"""Forged libraries: everything signed anew, and yet no skills. Each is refused with a sentence and exit code 5.

Where a forgery loads (its networks are random, so it may mean anything), working with it must end in an answer or
in an error of this package, never in anything else.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import shutil
from collections.abc import Callable
from operator import methodcaller
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load, save

from reckoner.alphabet import Perception
from reckoner.cli.main import main
from reckoner.errors import LibraryError
from reckoner.skills.base import SkillSpec
from reckoner.skills.library import MANIFEST, Library, read_manifest, write_manifest
from tests.scripted import library_of, random_basic, random_skill

SIGNED = r"-?\d+"
READS = Perception(fovea=0, reach=3)
SPECS = [
    SkillSpec("add-column", "{x},{y}", r"\d?", r"\d?[01]"),
    SkillSpec("strip", "{x}{y}", r"\d*", r"\d*", ("add-column", "strip")),
    SkillSpec("signed-add", "{x},{y}0", SIGNED, SIGNED, ("strip",), Perception(fovea=0)),
    SkillSpec("expression", "{x}", r"[-+*/%()\d]+", "", ("signed-add", "expression"), READS),
]
BASIC, STRIP, ADD, EXPRESSION = range(4)


@pytest.fixture(scope="module")
def genuine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng, folder = np.random.default_rng(0), tmp_path_factory.mktemp("genuine")
    basic, *others = SPECS
    library_of(random_basic(basic, rng), *(random_skill(s, rng, hidden=8) for s in others)).save(folder)
    return folder


@pytest.fixture
def copy(genuine: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(genuine, tmp_path / "copy"))


def forge_entry(folder: Path, number: int, change: Callable[[dict[str, Any]], None]) -> None:
    """Change an entry and sign the manifest anew."""
    entries = read_manifest(folder)
    change(entries[number])
    write_manifest(folder, entries)


def forge_weights(folder: Path, number: int, change: Callable[[dict[str, np.ndarray]], None]) -> None:
    """Change a skill's tensors and sign file and manifest anew."""
    entries = read_manifest(folder)
    file = folder / entries[number]["file"]
    tensors = dict(load(file.read_bytes()))
    change(tensors)
    data = save(tensors)
    file.write_bytes(data)
    entries[number]["sha256"] = hashlib.sha256(data).hexdigest()
    write_manifest(folder, entries)


def end(folder: Path, *arguments: str) -> int:
    """The exit code of `reckon` with this library."""
    return main(["--library", str(folder), "--max-calls", "2000", *arguments])


def refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(LibraryError) as caught:
        Library.load(folder)
    assert str(folder) in caught.value.message
    assert end(folder, "1+2") == 5
    err = capsys.readouterr().err
    assert "internal error" not in err
    assert caught.value.message in err
    return caught.value.message


def test_the_genuine_one_loads(genuine, capsys):
    assert len(Library.load(genuine)) == 4
    end(genuine, "1+2")
    assert "internal error" not in capsys.readouterr().err


VALUES: list[Any] = [
    None,
    True,
    0,
    -1,
    3,
    2**70,
    1.5,
    float("inf"),
    "",
    "x",
    "\ud800",
    [],
    [[]],
    {},
    {"x": 1},
]
FIELDS = ["name", "kind", "layout", "accepts", "calls", "perception", "file", "sha256", "network", "record"]


@pytest.mark.parametrize("value", VALUES, ids=repr)
@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("number", [BASIC, EXPRESSION])
def test_fields_of_another_kind(copy, capsys, number, field, value):
    """Nothing of another kind is taken for a field; a basic skill needs no perception and no network."""
    forge_entry(copy, number, lambda entry: entry.update({field: value}))
    fine: dict[str, list[Any]] = {
        "perception": [{}] if number == BASIC else [],
        "record": [{}, {"x": 1}],
        "network": VALUES if number == BASIC else [],
        "calls": [[]] if number == BASIC else [],
    }
    if value in fine.get(field, []):
        Library.load(copy)
    else:
        refused(copy, capsys)


@pytest.mark.parametrize("field", FIELDS)
def test_missing_fields(copy, capsys, field):
    forge_entry(copy, EXPRESSION, lambda entry: entry.pop(field))
    if field == "record":
        Library.load(copy)
    else:
        refused(copy, capsys)


NONSENSE: list[dict[str, Any]] = [
    {"kind": "basic"},
    {"kind": "magic"},
    {"name": "../../etc/passwd"},
    {"name": "add-column"},
    {"name": "a" * 1000},
    {"layout": "{x}{x}"},
    {"layout": "{y}{x}"},
    {"layout": "{x}{y}{y}"},
    {"layout": "{x}{z}"},
    {"layout": "{x}|{y}"},
    {"layout": "{x}\n"},
    {"layout": "{x}" + "0" * 10_000},
    {"accepts": ["(", ""]},
    {"accepts": ["\\d*", ")"]},
    {"accepts": ["\\d+"]},
    {"accepts": ["a", "b", "c"]},
    {"accepts": ["é", ""]},
    {"accepts": ["(?P<a>x)(?P<a>y)", ""]},
    {"accepts": ["x{99999999999}", ""]},
    {"accepts": ["(" * 2_000 + ")" * 2_000, ""]},
    {"calls": ["later"]},
    {"calls": ["signed-add", "signed-add"]},
    {"calls": ["signed-add"]},
    {"calls": ["signed-add", "expression", "strip"]},
    {"calls": "signed-add"},
    {"perception": {"kind": "psychic", "fovea": 0, "reach": 3}},
    {"perception": {"kind": "foveal", "fovea": -1, "reach": 3}},
    {"perception": {"kind": "foveal", "fovea": 10**9, "reach": 3}},
    {"perception": {"kind": "foveal", "fovea": 1, "reach": 3}},
    {"perception": {"kind": "foveal", "fovea": 0, "reach": 0}},
    {"perception": {"kind": "foveal", "fovea": 0, "reach": "far"}},
    {"perception": {"kind": "foveal", "fovea": False, "reach": 3}},
    {"perception": {"kind": "foveal", "fovea": 0, "reach": 3, "more": 1}},
    {"perception": {"kind": "characters", "fovea": 0, "reach": 3}},
    {"file": "../copy/04-expression.safetensors"},
    {"file": "/dev/zero"},
    {"file": "."},
    {"file": ".."},
    {"file": "manifest.json"},
    {"file": "nowhere"},
    {"file": "with\0nul"},
    {"file": "03-signed-add.safetensors"},
    {"sha256": "0" * 64},
]


@pytest.mark.parametrize("change", NONSENSE, ids=lambda change: str(change)[:60])
def test_entries_that_describe_no_skill(copy, capsys, change):
    forge_entry(copy, EXPRESSION, lambda entry: entry.update(change))
    refused(copy, capsys)


@pytest.mark.parametrize(
    "change",
    [
        {"hidden": -5},
        {"hidden": 0},
        {"hidden": 9},
        {"hidden": 8.0},
        {"hidden": "8"},
        {"hidden": 10**12},
        {"embedding": 7},
        {"embedding": None},
        {"vocabulary": 0},
        {"vocabulary": 300},
        {"modules": 1},
        {"modules": 10**9},
        {"positional": "no"},
        {"depth": 3},
    ],
    ids=str,
)
def test_networks_of_other_sizes(copy, capsys, change):
    forge_entry(copy, EXPRESSION, lambda entry: entry["network"].update(change))
    refused(copy, capsys)


def cycle(entries: list[dict[str, Any]]) -> None:
    entries[STRIP]["calls"] = ["add-column", "expression"]


@pytest.mark.parametrize(
    "change",
    [
        cycle,
        lambda entries: entries.reverse(),
        lambda entries: entries.append(entries[0]),
        lambda entries: entries.pop(0),
        lambda entries: entries.clear(),
        lambda entries: entries.insert(1, None),
        lambda entries: entries.insert(1, [entries[1]]),
    ],
)
def test_lists_of_skills_that_are_no_library(copy, capsys, change):
    entries: list[Any] = list(read_manifest(copy))
    change(entries)
    write_manifest(copy, entries)
    refused(copy, capsys)


def put(name: str, make: Callable[[np.ndarray], np.ndarray]) -> Callable[[dict[str, np.ndarray]], None]:
    return lambda tensors: tensors.update({name: make(tensors[name])})


def one(value: float) -> Callable[[np.ndarray], np.ndarray]:
    """The tensor with one number changed."""

    def change(tensor: np.ndarray) -> np.ndarray:
        changed = tensor.copy()
        changed.flat[0] = value
        return changed

    return change


TENSORS: dict[str, Callable[[dict[str, np.ndarray]], Any]] = {
    "none at all": lambda t: t.clear(),
    "one more": lambda t: t.update(more=np.zeros(3, np.float16)),
    "not a number": put("embed.weight", one(float("nan"))),
    "infinite": put("ahead.weight_ih_l0", one(float("inf"))),
    "turned": put("back.weight_ih_l0", lambda t: np.ascontiguousarray(t.T)),
    "flat": put("embed.weight", lambda t: t.reshape(-1)),
    "a scalar": put("embed.weight", lambda t: np.ones((), np.float16)),
    "empty": put("ahead.bias_hh_l0", lambda t: t[:0]),
    "shorter": put("ahead.bias_hh_l0", lambda t: t[:-1]),
    "longer": put("embed.weight", lambda t: np.concatenate([t, t])),
    "single precision": put("embed.weight", lambda t: t.astype(np.float32)),
    "double precision": put("embed.weight", lambda t: t.astype(np.float64)),
    "whole numbers": put("embed.weight", lambda t: t.astype(np.int64)),
    "truth values": put("embed.weight", lambda t: t > 0),
}


@pytest.mark.parametrize("change", TENSORS.values(), ids=TENSORS)
@pytest.mark.parametrize("number", [BASIC, EXPRESSION])
def test_tensors_that_make_no_network(copy, capsys, number, change):
    forge_weights(copy, number, change)
    refused(copy, capsys)


@pytest.mark.parametrize("number", [BASIC, EXPRESSION])
def test_every_tensor_is_needed(copy, capsys, number):
    file = copy / read_manifest(copy)[number]["file"]
    for name in load(file.read_bytes()):
        shutil.copytree(copy, copy.parent / name)
        forge_weights(copy.parent / name, number, methodcaller("pop", name))
        refused(copy.parent / name, capsys)


def test_a_kind_of_number_that_numpy_does_not_have(copy, capsys):
    """The header says bf16; the bytes are as many."""
    entries = read_manifest(copy)
    file = copy / entries[EXPRESSION]["file"]
    data = file.read_bytes().replace(b'"F16"', b'"BF16"', 1)
    size = int.from_bytes(data[:8], "little")
    data = (size + 1).to_bytes(8, "little") + data[8:]
    file.write_bytes(data)
    entries[EXPRESSION]["sha256"] = hashlib.sha256(data).hexdigest()
    write_manifest(copy, entries)
    refused(copy, capsys)


# --- files that are none ---


def load_and_fail(folder: Path) -> None:
    with pytest.raises(LibraryError):
        Library.load(folder)


@pytest.mark.parametrize("name", [MANIFEST, "02-strip.safetensors"])
def test_a_pipe_in_place_of_a_file_does_not_hang(copy, capsys, name):
    (copy / name).unlink()
    os.mkfifo(copy / name)
    loading = multiprocessing.get_context("fork").Process(target=load_and_fail, args=(copy,))
    loading.start()
    loading.join(30)
    loading.kill()  # if it still waits for someone to write
    assert loading.exitcode == 0
    assert "regular file" in refused(copy, capsys)


@pytest.mark.parametrize("target", ["/dev/zero", "/dev/null", "/dev", "loop"])
@pytest.mark.parametrize("name", [MANIFEST, "02-strip.safetensors"])
def test_a_link_to_no_file(copy, capsys, name, target):
    (copy / name).unlink()
    (copy / name).symlink_to(name if target == "loop" else target)
    refused(copy, capsys)


@pytest.mark.parametrize("name", [MANIFEST, "02-strip.safetensors"])
def test_a_file_of_enormous_size(copy, capsys, name):
    os.truncate(copy / name, 2**40)  # a sparse file: it takes no room
    assert "larger than" in refused(copy, capsys)


def test_a_link_to_a_file_is_a_file(copy, tmp_path):
    shutil.move(copy / MANIFEST, tmp_path / "elsewhere")
    (copy / MANIFEST).symlink_to(tmp_path / "elsewhere")
    assert len(Library.load(copy)) == 4


def test_what_loads_ends_tidily_in_use(copy, capsys):
    """Patterns, layouts and names as they please: networks that mean nothing, and still no internal error."""
    changes: list[dict[str, Any]] = [
        {"accepts": [".*", ".*"]},
        {"accepts": ["", ""]},
        {"layout": "{x},,((%%"},
        {"layout": "-{x}{y}-"},
        {"name": "expression-x", "calls": ["signed-add", "strip"]},
    ]
    for change in changes:
        forge_entry(copy, EXPRESSION, methodcaller("update", change))
        for text in ("1+2", "(1)", "-3%(2-4)", "007"):
            assert end(copy, text) in (0, 3, 4, 5)
        assert "internal error" not in capsys.readouterr().err


def test_the_manifest_is_still_json_that_people_read(genuine):
    assert json.loads((genuine / MANIFEST).read_text())["skills"][0]["name"] == "add-column"
