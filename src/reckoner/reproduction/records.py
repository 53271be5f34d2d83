"""Raw records of experiments: one JSON line per finished unit, so an interrupted run goes on where it was.

Tables, figures and the report are made from these files alone.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from reckoner.errors import ReckonerError
from reckoner.provenance import provenance
from reckoner.skills.library import write_atomically
from reckoner.training.workers import end_workers, settle_in

Record = dict[str, Any]


class RecordsError(ReckonerError):
    """Records are missing, damaged, or cannot be written."""

    kind = "records"


@dataclass(frozen=True)
class Unit:
    """The smallest piece of an experiment that is recorded on its own: one training, one cell, one seed."""

    name: str
    run: Callable[[], Record]
    place: int = 0  # in its set; tables and figures follow it, since workers finish in any order


class Records:
    """One file of records."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def read(self) -> list[Record]:
        """All records in the order of their units; a last line that was cut off by a kill does not count."""
        try:
            data = self.file.read_bytes()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise RecordsError(f"{self.file} cannot be read ({error.strerror})") from None
        records = []
        for number, line in enumerate(data.splitlines(keepends=True), start=1):
            try:
                record = json.loads(line)
                record["unit"]
            except (ValueError, KeyError, TypeError):
                if not line.endswith(b"\n"):
                    break
                raise RecordsError(
                    f"line {number} of {self.file} is damaged; remove it, and its unit is done again"
                ) from None
            records.append(record)
        return sorted(records, key=lambda r: r.get("place", 0))

    def append(self, record: Record) -> None:
        """Add a record as a whole or not at all."""
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self.file.open("ab+", buffering=0) as stream:
                fcntl.flock(stream, fcntl.LOCK_EX)
                size = _whole_lines(stream.seek(0, os.SEEK_END), self.file)
                stream.truncate(size)
                try:
                    if stream.write(line) != len(line):
                        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                    os.fsync(stream.fileno())
                except OSError:
                    stream.truncate(size)
                    raise
        except OSError as error:
            raise _cannot_write(self.file, error) from None


def _whole_lines(size: int, file: Path) -> int:
    """The size of a file up to its last newline."""
    if size == 0:
        return 0
    return file.read_bytes().rfind(b"\n") + 1


def _cannot_write(file: Path, error: OSError) -> RecordsError:
    reason = (
        "the disk is full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else error.strerror or str(error)
    )
    return RecordsError(
        f"{file} cannot be written: {reason}. What was finished before is kept; "
        "make room and run the same command again, it goes on from there"
    )


def write_result(file: Path, data: str | bytes) -> None:
    """Write a table, figure or report as a whole, or leave the old one."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, data.encode() if isinstance(data, str) else data)
    except OSError as error:
        raise _cannot_write(file, error) from None


def run_units(units: Sequence[Unit], records: Records, budget: str, workers: int = 1) -> None:
    """Run what is not yet recorded, `workers` units side by side."""
    before = records.read()
    done = {record["unit"] for record in before}
    todo = [replace(u, place=place) for place, u in enumerate(units) if u.name not in done]
    if done and todo:
        print(f"{records.file}: {len(units) - len(todo)} of {len(units)} done before", file=sys.stderr)
    if todo:
        _warn_of_other_code(before, records.file)
        print(f"{records.file.stem}: {len(todo)} units to run, each recorded when it ends", file=sys.stderr)
    show = f"[{{}}/{len(todo)}] {{}}"
    if workers == 1 or len(todo) == 1:
        for number, unit in enumerate(todo, start=1):
            print(show.format(number, _run(unit, records, budget)), file=sys.stderr, flush=True)
    elif todo:
        with _Workers(workers, todo) as pool:
            running = [pool.submit(_run_at, place, records, budget) for place in range(len(todo))]
            for number, future in enumerate(as_completed(running), start=1):
                print(show.format(number, future.result()), file=sys.stderr, flush=True)


def _run(unit: Unit, records: Records, budget: str) -> str:
    """Run one unit and record it; a line that says how it went."""
    wall, processor = time.perf_counter(), time.process_time()
    record = unit.run()
    figures = {
        "wall_seconds": round(time.perf_counter() - wall, 2),
        "processor_seconds": round(time.process_time() - processor, 2),
    }
    page = {"unit": unit.name, "place": unit.place, "budget": budget, **record, **figures}
    records.append({**page, "environment": environment()})
    return f"{unit.name}: {record.get('summary', '')} ({figures['wall_seconds']} s)"


# in a worker: what it was forked with, since units hold libraries and cannot be sent
_todo: Sequence[Unit] = ()


def _run_at(place: int, records: Records, budget: str) -> str:
    return _run(_todo[place], records, budget)


class _Workers:
    """Forked processes, ended with the run however it ends."""

    def __init__(self, count: int, todo: Sequence[Unit]) -> None:
        self.executor = ProcessPoolExecutor(
            min(count, len(todo)),
            mp_context=get_context("fork"),
            initializer=_begin,
            initargs=(os.getpid(), todo),
        )

    def __enter__(self) -> ProcessPoolExecutor:
        return self.executor

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        end_workers(self.executor, now=kind is not None)


def _begin(parent: int, todo: Sequence[Unit]) -> None:
    global _todo
    settle_in(parent)
    _todo = todo


def _warn_of_other_code(before: Sequence[Record], file: Path) -> None:
    """A set that is half from other code compares things that are not alike."""
    present = environment()["commit"]
    others = {str(r.get("environment", {}).get("commit"))[:8] for r in before} - {str(present)[:8]}
    if others:
        print(
            f"{file}: earlier records are from commit {', '.join(sorted(others))}, the code now is "
            f"{str(present)[:8]}; if what is measured has changed since, move the file away and start anew",
            file=sys.stderr,
        )


def need(records: Iterable[Record], experiment: str) -> list[Record]:
    """The records, or a sentence that says how to make them."""
    found = list(records)
    if not found:
        raise RecordsError(
            f"there are no records of {experiment!r} yet; make them with: reckon reproduce {experiment}"
        )
    return found


def environment() -> Record:
    """Versions, threads and commit, as in the records of trainings, and when it was."""
    return {**provenance(), "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
