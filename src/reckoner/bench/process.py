"""Whole processes: from the shell's point of view. Processor time and memory are those of the process alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from reckoner.bench.calculator import make_addition, make_expression
from reckoner.curriculum import oracle

Row = dict[str, Any]
QUESTION = "12*(3+45)"


class Spent(NamedTuple):
    """What a process took."""

    seconds: float  # of the processor
    wall_seconds: float
    megabytes: int  # at most, in memory


# What the system counts as a process's memory begins with that of the process which started it; so a small one does.
_STARTER = """
import json, os, sys, time
start = time.perf_counter()
child = os.spawnv(os.P_NOWAIT, sys.executable, [sys.executable, *sys.argv[2:]])
_, status, used = os.wait4(child, 0)
spent = [used.ru_utime + used.ru_stime, time.perf_counter() - start, used.ru_maxrss // 1000]
open(sys.argv[1], "w").write(json.dumps([os.waitstatus_to_exitcode(status), spent]))
"""


def run(arguments: Sequence[str], output: Path | None = None) -> Spent:
    """Run Python with these arguments, to its end."""
    # bytecode is written as it is on a user's machine, whatever this process was told
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as folder, open(output or os.devnull, "wb") as stream:
        told = Path(folder, "spent")
        command = [sys.executable, "-S", "-c", _STARTER, str(told), *arguments]
        subprocess.run(command, stdout=stream, env=environment, check=True)
        code, spent = json.loads(told.read_text())
    if code:
        raise RuntimeError(f"{' '.join(arguments)[:60]} ended with {code}")
    return Spent(*spent)


def measure_start(quick: bool) -> Row:
    """`reckon "12*(3+45)"` beside Python alone and a bare import of numpy, by turns: the least of each."""
    commands = {
        "reckon": ["-m", "reckoner.cli", QUESTION],
        "reckon_without_memory": ["-m", "reckoner.cli", "--no-cache", QUESTION],
        "python_alone": ["-c", "pass"],
        "numpy_alone": ["-c", "import numpy"],
    }
    spent: dict[str, list[Spent]] = {name: [] for name in commands}
    for _ in range(3 if quick else 25):
        for name, arguments in commands.items():
            spent[name].append(run(arguments))
    row: Row = {}
    for name, runs in spent.items():
        row[f"{name}_seconds"] = round(min(r.seconds for r in runs), 4)
        row[f"{name}_wall_seconds"] = round(min(r.wall_seconds for r in runs), 4)
    row["times_numpy"] = round(row["reckon_seconds"] / row["numpy_alone_seconds"], 2)
    return row


def measure_files(quick: bool) -> list[Row]:
    """`reckon -f FILE` on 200,000 lines, every answer marked."""
    count = 2_000 if quick else 200_000
    kinds: dict[str, Callable[[Random], str]] = {
        "expressions of length 10": make_expression,
        "ten-digit additions": make_addition,
    }
    rows = []
    for kind, make in kinds.items():
        rng = Random(kind)
        texts = [make(rng) for _ in range(count)]
        spent, answers = ask(texts)
        if answers != [oracle.evaluate(text) for text in texts]:
            raise RuntimeError(f"{kind}: answered wrongly")
        rows.append({"what": f"{count:,} lines of a file, {kind}", **spent._asdict()})
    return rows


def measure_large(quick: bool) -> list[Row]:
    """Single large questions, each to a process of its own; the start of the process is in it."""
    rng, n = Random(5), 100 if quick else 1000

    def number(digits: int) -> str:
        return str(rng.randrange(10 ** (digits - 1), 10**digits))

    chain = "+".join(rng.choice("123456789") for _ in range(50 * n))
    questions = {
        f"{3 * n // 10:,} × {3 * n // 10:,} digits": f"{number(3 * n // 10)}*{number(3 * n // 10)}",
        f"{n:,} × {n:,} digits": f"{number(n)}*{number(n)}",
        f"{2 * n:,} / {n:,} digits": f"{number(2 * n)}/{number(n)}",
        f"{20 * n:,} digits + 1": f"{number(20 * n)}+1",
        f"a chain of additions, {100 * n:,} characters": chain,
    }
    rows = []
    for what, text in questions.items():
        spent, answers = ask([text])
        if answers != [oracle.evaluate(text)]:
            raise RuntimeError(f"{what}: answered wrongly")
        rows.append({"what": what, **spent._asdict()})
    return rows


def ask(texts: Sequence[str]) -> tuple[Spent, list[str]]:
    """The answers of `reckon -f` to these lines."""
    with tempfile.TemporaryDirectory() as folder:
        questions, answers = Path(folder, "questions"), Path(folder, "answers")
        questions.write_text("\n".join([*texts, ""]))
        spent = run(["-m", "reckoner.cli", "--timeout", "600", "-f", str(questions)], answers)
        return spent, answers.read_text().splitlines()
