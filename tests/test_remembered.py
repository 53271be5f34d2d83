"""What a library's networks decided before, from a file: a quick start, and never another answer."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from reckoner.calculator import Calculator
from reckoner.cli.main import main
from reckoner.cli.remember import ask_around
from reckoner.curriculum.expression import by_length
from reckoner.errors import LibraryError, ReckonerError
from reckoner.machine import Limits, Machine
from reckoner.skills import InteractiveSkill, Library
from reckoner.skills.library import BUNDLED, read_manifest
from reckoner.skills.recall import (
    FILE,
    FORMAT,
    begin_to_remember,
    count_decisions,
    find_differences,
    read_decisions,
    recall,
    write_decisions,
)
from reckoner.skills.remembered import RememberedDecider

STALE = f"{FILE} is not of the bundled weights: run `make decisions` and commit what it writes"
LONG = "123456789012345678901234567890"
TEXTS = ["12*(3+45)", "1+2", "-7/2", "100%7-3*(2-9)", "9" * 40 + "/7", "5/(3-3)", "-(2+3)*4", "007+00"]


def outcomes(calculator: Calculator, texts: list[str]) -> list[tuple[str, int]]:
    """Of each text the answer or the kind of error, and how many calls it took."""
    results = calculator.results(texts)
    return [(getattr(r, "text", None) or r.error.kind, r.calls) for r in results]  # type: ignore[union-attr]


def expressions(seed: int, count: int) -> list[str]:
    rng = Random(seed)
    return [by_length(rng, rng.randint(3, 60), "+-*/%") for _ in range(count)]


@pytest.fixture(scope="module")
def plain() -> Calculator:
    return Calculator(Library.load())


@pytest.fixture
def copy(tmp_path):
    """The bundled library in a folder of its own."""
    return shutil.copytree(BUNDLED, tmp_path / "library")


def test_the_bundled_file_is_of_the_bundled_weights():
    assert read_decisions(BUNDLED, read_manifest(BUNDLED)) is not None, STALE


def test_every_entry_is_what_the_networks_say():
    library = recall()
    assert count_decisions(library) > 1_000, STALE
    assert list(find_differences(library)) == []


def test_a_difference_would_be_found():
    library = recall()
    skill = library["M-M"]
    assert isinstance(skill, RememberedDecider)
    path = next(iter(skill.memory.texts))
    skill.memory.texts[path] = "00" * 7 if skill.memory.texts[path] != "00" * 7 else "01" + "00" * 6
    assert len(list(find_differences(library))) == 1


def test_what_is_remembered_needs_no_numpy():
    code = (
        "import sys; from reckoner.cli import main; code = main(sys.argv[1:]);"
        "print(code, 'numpy' in sys.modules, 'safetensors' in sys.modules)"
    )
    command = [sys.executable, "-c", code, "12*(3+45)", "-7%3", f"{LONG}*99"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert printed == ["576", "-1", str(int(LONG) * 99), "0", "False", "False"], STALE


def test_no_network_is_asked_and_the_answer_says_so():
    calculator = Calculator()
    assert calculator("12*(3+45)").evaluations == 0, STALE
    assert Calculator(Library.load())("12*(3+45)").evaluations


def test_the_same_answers_calls_and_errors(plain):
    texts = [*TEXTS, *expressions(3, 400)]
    assert outcomes(Calculator(), texts) == outcomes(plain, texts)


def test_what_follows_a_remembered_decision_is_asked_of_the_networks(copy, plain):
    """Only first views are remembered: for what comes after, the networks look at those views once more."""
    library = recall(copy)
    for skill in library:
        if isinstance(skill, RememberedDecider):
            for path in [path for path in skill.memory.texts if "/" in path]:
                del skill.memory.texts[path]
    calculator = Calculator(library)
    assert outcomes(calculator, TEXTS) == outcomes(plain, TEXTS)
    assert calculator._machine.evaluations > 0


def test_a_trace_is_told_by_the_networks(plain):
    trace = Calculator()("12*(3+45)", trace=True).trace
    assert trace == plain("12*(3+45)", trace=True).trace  # with how likely each decision was
    assert trace is not None
    assert trace.steps[0].probability is not None


def test_without_a_cache_the_file_is_not_looked_at(copy):
    (copy / FILE).write_bytes(forge(copy, lambda name, known: dict.fromkeys(known, "00" * 7)))
    assert Calculator(copy, cache=False)("1+2").text == "3"


def damage(data: bytes) -> dict[str, bytes]:
    middle = len(data) // 2
    head, _, body = data.partition(b"\n")
    other = json.loads(head) | {"library": "0" * 64}
    return {
        "empty": b"",
        "cut": data[:middle],
        "changed": data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :],
        "no JSON": b"\xff\xfe\n" + body,
        "deep": b"[" * 100_000 + b"\n" + body,
        "no object": b"[]\n" + body,
        "of another library": json.dumps(other).encode() + b"\n" + body,
        "of another format": head.replace(FORMAT.encode(), b"reckoner-decisions-0") + b"\n" + body,
        "without a body": head,
    }


@pytest.mark.parametrize("kind", damage(b"{}\n{}"))
def test_a_file_that_does_not_fit_is_ignored(copy, kind, plain):
    (copy / FILE).write_bytes(damage((copy / FILE).read_bytes())[kind])
    calculator = Calculator(copy)
    assert isinstance(calculator.library["M+M"], InteractiveSkill)
    assert outcomes(calculator, ["12*(3+45)", "1/0"]) == outcomes(plain, ["12*(3+45)", "1/0"])


def test_a_missing_file_and_a_folder_in_its_place_are_ignored(copy):
    (copy / FILE).unlink()
    assert Calculator(copy)("1+2").text == "3"
    (copy / FILE).mkdir()
    assert Calculator(copy)("1+2").text == "3"


def change_weights(folder: Path, change: Callable[[Any], Any]) -> Library:
    """The library of a folder with other weights, saved there again; its file of decisions stays."""
    library, changed = Library.load(folder), Library()
    for skill in library:
        tensors = {name: change(tensor) for name, tensor in skill.tensors.items()}
        if isinstance(skill, InteractiveSkill):
            changed.append(InteractiveSkill(skill.spec, skill.config, tensors, skill.callees))
        else:
            changed.append(type(skill)(skill.spec, tensors))  # type: ignore[call-arg]
    changed.save(folder)
    return changed


@pytest.mark.parametrize("kind", ["random", "permuted"])
def test_other_weights_do_not_use_it_and_are_wrong(copy, kind):
    rng = np.random.default_rng(0)

    def draw(tensor):
        return rng.normal(0, 0.1, tensor.shape).astype(np.float32)

    def permute(tensor):
        return rng.permutation(tensor.ravel()).reshape(tensor.shape)

    change_weights(copy, draw if kind == "random" else permute)
    assert read_decisions(copy, read_manifest(copy)) is None
    calculator = Calculator(copy, limits=Limits(calls=5_000))
    right = {"12*(3+45)": "576", "1+2": "3", "-7/2": "-3", "99-1": "98"}
    assert not any(outcome[0] == right[text] for text, outcome in zip(right, outcomes(calculator, [*right])))  # noqa: B905


def test_damaged_weights_are_noticed_though_nobody_needs_them(copy):
    file = next(copy.glob("*.safetensors"))
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    with pytest.raises(LibraryError, match="damaged"):
        Calculator(copy)
    file.unlink()
    with pytest.raises(LibraryError, match="cannot be read"):
        Calculator(copy)


def forge(folder: Path, change: Callable[[str, dict[str, str]], dict[str, str]]) -> bytes:
    """A file with other decisions and the right hashes."""
    library = recall(folder)
    for skill in library:
        known = skill.memory.texts  # type: ignore[attr-defined]
        if isinstance(skill, RememberedDecider):
            known |= change(skill.name, known)
    write_decisions(library, folder)
    return (folder / FILE).read_bytes()


@pytest.mark.parametrize(
    "nonsense",
    ["", "00", "zz" * 7, "01ff00000000ff", "ff" * 7, "01000100010001ff", "01010000000000", "09000000000000"],
)
def test_forged_decisions_end_in_a_sentence(copy, nonsense, capsys):
    forge(copy, lambda name, known: dict.fromkeys(known, nonsense))
    assert main(["--library", str(copy), "1+2"]) == 5
    message = capsys.readouterr().err
    assert message.startswith("reckon: ")
    assert "internal error" not in message
    assert main(["remember", "--check", "--library", str(copy)]) == 5
    assert main(["doctor", "--library", str(copy)]) == 5
    assert "BAD" in capsys.readouterr().out


def test_the_file_is_made_by_asking_the_networks(copy, capsys):
    shutil.copytree(copy, copy / "again", ignore=shutil.ignore_patterns(FILE))
    library = begin_to_remember(copy / "again")
    ask_around(library, rounds=1)
    write_decisions(library, copy / "again")
    assert list(find_differences(library)) == []
    again = Calculator(copy / "again")
    assert again("12*(3+45)").text == "576"
    assert again._machine.evaluations == 0
    assert main(["remember", "--check", "--library", str(copy / "again")]) == 0
    assert "0 of them" in capsys.readouterr().out
    (copy / "again" / FILE).unlink()
    assert main(["remember", "--check", "--library", str(copy / "again")]) == 5


def test_machines_share_what_was_woken():
    library = recall()
    first, second = Machine(library), Machine(library)
    assert first.run("M+M", [("12", "9")])[0].answer == second.run("M+M", [("12", "9")])[0].answer == "21"
    assert library["M+M"].wake() is library["M+M"].wake()


def test_no_error_but_ours(copy):
    """A line of the file that is no JSON, in a file whose hash is right."""
    entries = read_manifest(copy)
    from reckoner.skills.recall import _head

    body = b"nonsense\n" * len(entries)
    (copy / FILE).write_bytes(json.dumps(_head(entries, body)).encode() + b"\n" + body)
    with pytest.raises(ReckonerError):
        Calculator(copy)("1+2")
