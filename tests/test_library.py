"""The library on disk: what was written comes back, and nothing else is ever taken for it."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from reckoner.alphabet import Perception
from reckoner.errors import LibraryError, UnknownSkill
from reckoner.machine import Limits, Machine
from reckoner.skills import library as module
from reckoner.skills.base import SkillSpec
from reckoner.skills.library import MANIFEST, Library, write_manifest
from tests.scripted import library_of, random_basic, random_skill

SPECS = [
    SkillSpec("add-column", "{x},{y}", r"\d?", r"\d?[01]"),
    SkillSpec("add-columns", "{x},{y}", r"\d*", r"\d*[01]", ("add-column", "add-columns")),
    SkillSpec("M+M", "{x},{y}0", r"\d+", r"\d+", ("add-columns",), Perception(fovea=0, reach=3)),
]


def make_library() -> Library:
    rng = np.random.default_rng(0)
    basic, *others = SPECS
    return library_of(random_basic(basic, rng), *(random_skill(spec, rng, hidden=8) for spec in others))


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    make_library().save(folder)
    return folder


@pytest.fixture
def copy(saved: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(saved, tmp_path / "copy"))


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.safetensors"))


def refused(folder: Path, *words: str) -> str:
    """The library is refused with a sentence that names the file and what to do."""
    with pytest.raises(LibraryError) as caught:
        Library.load(folder)
    message = caught.value.message
    assert "make the library again with `reckon train`" in message
    assert "reinstall" not in message  # it did not come with the package
    for word in words:
        assert word in message
    return message


# --- what was written comes back ---


def test_round_trip(saved):
    library, again = make_library(), Library.load(saved)
    assert again.names == library.names == ("add-column", "add-columns", "M+M")
    for skill, loaded in zip(library, again, strict=True):
        assert loaded.spec == skill.spec
        assert loaded.tensors.keys() == skill.tensors.keys()
        for name, tensor in skill.tensors.items():
            np.testing.assert_array_equal(loaded.tensors[name], tensor.astype(np.float16).astype(np.float32))


def test_a_loaded_library_decides_as_the_saved_one(saved, tmp_path):
    once = Library.load(saved)
    once.save(tmp_path / "again")
    twice = Library.load(tmp_path / "again")
    limits = Limits(calls=300, depth=50, memory=100, steps=4)
    pairs = [(str(n), str(3 * n)) for n in range(30)]
    one, two = (Machine(library, limits).run("M+M", pairs) for library in (once, twice))
    assert [(o.answer, o.calls, o.refusal, type(o.error)) for o in one] == [
        (o.answer, o.calls, o.refusal, type(o.error)) for o in two
    ]


def test_saving_twice_gives_the_same_bytes(saved, tmp_path):
    make_library().save(tmp_path)
    assert [f.name for f in files(saved)] == [f.name for f in files(tmp_path)]
    for file in (*files(saved), saved / MANIFEST):
        assert file.read_bytes() == (tmp_path / file.name).read_bytes()


def test_records_are_kept(tmp_path):
    library = library_of()
    library.append(random_basic(SPECS[0], np.random.default_rng(0)), {"seed": 3, "restarts": 1})
    library.save(tmp_path)
    assert Library.load(tmp_path).records == {"add-column": {"seed": 3, "restarts": 1}}


def test_the_manifest_is_readable(saved):
    manifest = json.loads((saved / MANIFEST).read_text())
    entry = manifest["skills"][2]
    assert entry["name"] == "M+M"
    assert entry["kind"] == "interactive"
    assert entry["layout"] == "{x},{y}0"
    assert entry["accepts"] == [r"\d+", r"\d+"]
    assert entry["calls"] == ["add-columns"]
    assert entry["perception"] == {"kind": "foveal", "fovea": 0, "reach": 3}
    assert entry["network"]["hidden"] == 8
    assert (saved / entry["file"]).is_file()


def test_no_pickle_anywhere(saved):
    for file in saved.iterdir():
        data = file.read_bytes()
        assert not data.startswith((b"\x80", b"PK"))  # pickle, and torch's zip of pickles
        if file.suffix == ".safetensors":
            size = int.from_bytes(data[:8], "little")
            assert isinstance(json.loads(data[8 : 8 + size]), dict)
    assert "pickle" not in Path(module.__file__).read_text()


# --- order ---


def test_append_only():
    library = make_library()
    with pytest.raises(LibraryError, match="append-only"):
        library.append(random_basic(SPECS[0], np.random.default_rng(1)))
    assert len(library) == 3


def test_skills_call_only_those_before_them():
    rng = np.random.default_rng(0)
    with pytest.raises(LibraryError, match="'add-columns', which is not before it"):
        library_of(random_basic(SPECS[0], rng), random_skill(SPECS[2], rng))


def test_an_unknown_skill():
    with pytest.raises(UnknownSkill, match="'M-M'"):
        make_library()["M-M"]
    assert "M-M" not in make_library()
    assert "M+M" in make_library()


# --- atomic writes ---


@pytest.mark.parametrize("fails_at", [1, 2, 3, 4, 5])
def test_a_save_that_is_cut_off_leaves_the_old_library(saved, copy, monkeypatch, fails_at):
    """The disk is full at the n-th file of five: the folder still holds the three skills it held."""
    library = make_library()
    library.append(
        random_skill(SkillSpec("M-M", "{x},{y}", r"\d+", r"\d+", ("M+M",)), np.random.default_rng(5))
    )
    written = 0

    def replace(*args: Any) -> None:
        nonlocal written
        written += 1
        if written == fails_at:
            raise OSError(28, "No space left on device")
        really(*args)

    really = os.replace
    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(OSError, match="No space"):
        library.save(copy)
    monkeypatch.undo()
    assert Library.load(copy).names == Library.load(saved).names
    assert not [f for f in copy.iterdir() if f.name.startswith(".")]  # nothing half-written lies about
    library.save(copy)
    assert Library.load(copy).names[-1] == "M-M"


# --- damage ---


def test_not_a_folder(tmp_path):
    file = tmp_path / "file"
    file.write_text("hello")
    refused(file, str(file), "not a library")
    refused(tmp_path / "nowhere", "nowhere", "not a library")
    refused(tmp_path, str(tmp_path), "not a library")  # empty


def test_only_the_bundled_library_comes_with_the_package(copy, monkeypatch):
    (copy / MANIFEST).unlink()
    monkeypatch.setattr(module, "BUNDLED", copy)
    with pytest.raises(LibraryError, match="reinstall the package, or make the library again"):
        Library.load()


def test_a_training_that_is_not_finished_has_no_library_yet(tmp_path):
    (tmp_path / "run.json").write_text("{}")
    with pytest.raises(LibraryError, match="is not finished") as caught:
        Library.load(tmp_path / "library")
    assert f"`reckon train --out {tmp_path}`" in caught.value.message
    refused(tmp_path / "libary", "libary", "not a library")


def test_missing_manifest(copy):
    (copy / MANIFEST).unlink()
    refused(copy, str(copy), MANIFEST)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_missing_file(copy, number):
    file = files(copy)[number]
    file.unlink()
    refused(copy, file.name, "cannot be read")


@pytest.mark.parametrize("share", [0.0, 0.001, 0.1, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("name", ["weights", MANIFEST])
def test_truncated(copy, name, share):
    file = files(copy)[1] if name == "weights" else copy / MANIFEST
    data = file.read_bytes()
    file.write_bytes(data[: int(len(data) * share)])
    refused(copy, file.name, "damaged")


def test_longer_than_it_was(copy):
    with files(copy)[0].open("ab") as stream:
        stream.write(b"\0")
    refused(copy, files(copy)[0].name, "damaged")


def flip(file: Path, place: int, bit: int) -> None:
    data = bytearray(file.read_bytes())
    data[place] ^= 1 << bit
    file.write_bytes(bytes(data))


@pytest.mark.parametrize("region", ["length", "header", "data", "last"])
def test_flipped_bits_in_weights(saved, tmp_path, region):
    """Each flip alone, in the header's length, in the header, in the numbers, and in the very last byte."""
    folder = Path(shutil.copytree(saved, tmp_path / "copy"))
    rng = Random(region)
    for file in files(folder):
        original = file.read_bytes()
        header = 8 + int.from_bytes(original[:8], "little")
        places = {"length": (0, 8), "header": (8, header), "data": (header, len(original))}
        low, high = places.get(region, (len(original) - 1, len(original)))
        for _ in range(12):
            flip(file, rng.randrange(low, high), rng.randrange(8))
            refused(folder, file.name, "damaged")
            file.write_bytes(original)
    Library.load(folder)  # all put back


def test_flipped_bits_in_the_manifest(saved, tmp_path):
    """Refused, or (e against E in a number) the very same library; never another one."""
    folder = Path(shutil.copytree(saved, tmp_path / "copy"))
    manifest = folder / MANIFEST
    original = manifest.read_bytes()
    expected = [(s.spec, s.tensors["embed.weight"].tobytes()) for s in Library.load(folder)]
    rng, caught = Random(1), 0
    for _ in range(300):
        flip(manifest, rng.randrange(len(original)), rng.randrange(8))
        try:
            loaded = Library.load(folder)
        except LibraryError as error:
            assert MANIFEST in error.message
            assert "reckon train" in error.message
            caught += 1
        else:
            assert [(s.spec, s.tensors["embed.weight"].tobytes()) for s in loaded] == expected
        manifest.write_bytes(original)
    assert caught > 290


def test_reordered_entries(copy):
    manifest = json.loads((copy / MANIFEST).read_text())
    manifest["skills"].reverse()
    (copy / MANIFEST).write_text(json.dumps(manifest))
    refused(copy, MANIFEST, "reordered")


def test_reordered_entries_with_a_new_hash(copy):
    """Even a manifest that was signed again must have every skill behind those it calls."""
    manifest = json.loads((copy / MANIFEST).read_text())
    write_manifest(copy, manifest["skills"][::-1])
    with pytest.raises(LibraryError, match="not before it"):
        Library.load(copy)


def test_swapped_files(copy):
    first, second = files(copy)[1:]
    data = first.read_bytes(), second.read_bytes()
    first.write_bytes(data[1])
    second.write_bytes(data[0])
    refused(copy, first.name, "damaged")


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "null", "12", '"manifest"', "{", '{"format": "other-1"}', "\ud800", "[" * 100_000],
)
def test_a_manifest_that_is_none(copy, text):
    (copy / MANIFEST).write_bytes(text.encode(errors="surrogatepass"))
    refused(copy, MANIFEST)


@pytest.mark.parametrize(
    "change",
    [
        {"file": None},
        {"file": "../elsewhere.safetensors"},
        {"layout": None},
        {"layout": "no place for x"},
        {"accepts": ["("]},
        {"accepts": ["(", ")"]},
        {"calls": None},
        {"perception": {"sharp": True}},
        {"network": {}},
        {"network": None},
        {"sha256": "0" * 64},
    ],
    ids=str,
)
def test_entries_that_describe_no_skill(copy, change):
    """Signed, but nonsense: still a LibraryError."""
    manifest = json.loads((copy / MANIFEST).read_text())
    entries = manifest["skills"]
    entries[1] |= change
    write_manifest(copy, entries)
    refused(copy)


@pytest.mark.parametrize("entry", [None, 3, "skill", [], {}])
def test_entries_that_are_none(copy, entry):
    write_manifest(copy, [entry])
    refused(copy, MANIFEST)


def test_a_safetensors_file_that_is_none(copy):
    """Right hash, wrong content."""
    import hashlib

    manifest = json.loads((copy / MANIFEST).read_text())
    file = copy / manifest["skills"][0]["file"]
    file.write_bytes(b"nonsense")
    manifest["skills"][0]["sha256"] = hashlib.sha256(b"nonsense").hexdigest()
    write_manifest(copy, manifest["skills"])
    refused(copy, file.name, "not a safetensors file")


def test_a_read_only_folder_loads(copy):
    for file in copy.iterdir():
        file.chmod(0o444)
    copy.chmod(0o555)
    try:
        before = sorted(copy.iterdir())
        assert len(Library.load(copy)) == 3
        assert sorted(copy.iterdir()) == before
    finally:
        copy.chmod(0o755)


def test_an_empty_library_is_no_library(tmp_path):
    write_manifest(tmp_path, [])
    refused(tmp_path, MANIFEST)


def test_below_a_skill_is_all_that_it_needs_and_no_more():
    library = Library.load()
    part = library.below(library["M-M"].spec)
    assert part.names == (
        "subtract-column",
        "drop-zero",
        "borrow-sign",
        "strip",
        "subtract-columns",
        "less",
        "M-M-natural",
    )
    assert part.records["strip"] == library.records["strip"]
