"""Limits as a user meets them: one line of a file that is too much costs the other lines nothing."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from typing import Any

import pytest

from reckoner.machine import Limits, Machine
from tests.scripted import addition
from tests.test_machine import scripted

BIG = f"{'9' * 90_000}+1"


def reckon(lines: list[str], *options: str, room: int | None = None) -> tuple[int, list[dict[str, Any]]]:
    """Exit code and entries of `reckon --json` on these lines; `room`: bytes of address space it may have."""
    command = [sys.executable, "-m", "reckoner.cli", "--json", *options]

    def limit() -> None:
        assert room is not None
        resource.setrlimit(resource.RLIMIT_AS, (room, room))

    done = subprocess.run(
        command,
        input="\n".join([*lines, ""]),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit if room is not None else None,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def test_more_memory_than_allowed():
    code, entries = reckon(["1+2", BIG, "12*(3+45)"], "--max-megabytes", "1")
    assert code == 4
    assert [entry["status"] for entry in entries] == ["ok", "memory-limit", "ok"]
    assert "--max-megabytes allows more" in entries[1]["error"]["message"]
    assert [entries[0]["answer"], entries[2]["answer"]] == ["3", "576"]


def address_space() -> int:
    """Bytes of address space that a small question takes."""
    code = (
        "import re; from reckoner.cli import main; main(['1+2']);"
        "print(re.search(r'VmPeak:\\s+(\\d+)', open('/proc/self/status').read())[1])"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return int(printed.split()[-1]) * 1024


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the system is asked for its own figures")
def test_more_memory_than_there_is():
    """As under `ulimit -v`: the computer refuses, the line says so, and the others are answered."""
    huge = f"{'9' * 600_000}+1"
    lines, options = (
        ["1+2", huge, BIG, huge, "12*(3+45)"],
        ("--max-length", "700000", "--max-depth", "700000"),
    )
    assert [entry["status"] for entry in reckon(lines, *options)[1]] == ["ok"] * 5
    code, entries = reckon(lines, *options, room=address_space() + 25_000_000)
    assert code == 4
    assert [entry["status"] for entry in entries] == ["ok", "memory-limit", "ok", "memory-limit", "ok"]
    assert [entries[0]["answer"], entries[-1]["answer"]] == ["3", "576"]


def test_the_time_is_each_expressions_own():
    """Together they take longer than the limit, and none of them does by itself."""
    library = addition()
    column = scripted(library, "add-column")
    quick, asked = column.function, []

    def slow(memory: str) -> str:
        asked.append(memory)
        time.sleep(0.1)
        return quick(memory)

    column.function = slow
    pairs = [(str(digit), "5") for digit in range(10)]
    outcomes = Machine(library, Limits(seconds=0.9)).run("M+M", pairs)
    assert [outcome.answer for outcome in outcomes] == [str(digit + 5) for digit in range(10)]
    assert len(asked) >= 10


def test_too_late_says_how_to_allow_more():
    code, entries = reckon([f"{'7' * 900}/{'3' * 400}"], "--timeout", "0.05")
    assert code == 4
    assert entries[0]["status"] == "time-limit"
    assert "--timeout allows more" in entries[0]["error"]["message"]


@pytest.mark.parametrize(("seconds", "words"), [(1, "1 second,"), (1.5, "1.5 seconds,"), (60, "60 seconds,")])
def test_one_second_is_no_plural(seconds, words):
    assert f"within {words}" in Limits(seconds=seconds).too_late("strip").message


def test_there_is_a_limit_by_default():
    assert Limits().seconds == 60
    assert Limits().megabytes == 1_000
