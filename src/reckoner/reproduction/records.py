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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from reckoner.baselines.standard import slowness
from reckoner.engine import Engine, Lost
from reckoner.errors import ReckonerError
from reckoner.provenance import commit, provenance
from reckoner.skills.library import write_atomically

Record = dict[str, Any]


class RecordsError(ReckonerError):
    """Records are missing, damaged, or cannot be written."""

    kind = "records"


class Point(NamedTuple):
    """One point of a training curve; accuracies that were not looked at are None."""

    update: int
    seconds: float  # of processor time, without tests
    training: float | None  # accuracy on the training problems
    test: float | None


def curve(record: Record) -> list[Point]:
    """The curve of a record."""
    return [Point(*point) for point in record["curve"]]


@dataclass(frozen=True)
class Unit:
    """The smallest piece of an experiment that is recorded on its own: one training, one cell, one seed."""

    name: str
    run: Callable[..., Record]
    seconds: float = 0.0  # of one core that it may take at most; 0: hardly any
    is_driven: bool = False  # it runs here and is given the engine, to have its parts done elsewhere
    after: tuple[
        str, ...
    ] = ()  # units of the same set that have to be recorded before it can be told what it is


class Records:
    """One file of records."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def read(self) -> list[Record]:
        """All records in the order in which they were made; a last line that was cut off by a kill does not count."""
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
        return records

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


def run_units(units: Sequence[Unit], records: Records, budget: str, engine: Engine, only: str = "") -> None:
    """Run what is not yet recorded and asked for, as many units side by side as the engine has room for."""
    before = records.read()
    done = {record["unit"] for record in before}
    open_units = [u for u in units if u.name not in done]
    todo = [u for u in open_units if only in u.name]
    if done and todo:
        print(f"{records.file}: {len(units) - len(open_units)} of {len(units)} done before", file=sys.stderr)
    if todo:
        _warn_of_other_code(before, records.file)
        print(f"{records.file.stem}: {len(todo)} units to run, each recorded when it ends", file=sys.stderr)
    ended = 0

    def keep(name: str, record: Record, where: str) -> None:
        nonlocal ended
        ended += 1
        records.append(record)
        outcome = f"{record.get('summary', '')} ({record['wall_seconds']} s{where})"
        print(f"[{ended}/{len(todo)}] {name}: {outcome}", file=sys.stderr, flush=True)

    together = {unit.name: unit for unit in todo if not unit.is_driven}
    for unit in together.values():
        engine.submit(unit.name, _run, unit, budget)
    while len(engine):
        for name, record in engine.collect():
            if isinstance(record, Lost):
                print(f"{name}: {record.reason}; it is done again", file=sys.stderr, flush=True)
                engine.submit(name, _run, together[name], budget)
            else:
                keep(name, record, f", on {engine.places[name]}" if name in engine.places else "")
    for unit in todo:
        if unit.is_driven:
            keep(unit.name, _run(unit, budget, engine), "")


def slowness_of(record: Record) -> float:
    """By how much slower than a standard core that of a record was said to be."""
    return float(record.get("environment", {}).get("slowness", 1))


def _run(unit: Unit, budget: str, *engine: Engine) -> Record:
    """Run one unit; its record, with what it cost and where it comes from."""
    wall, processor = time.perf_counter(), time.process_time()
    record = unit.run(*engine)
    cost = {
        "wall_seconds": round(time.perf_counter() - wall, 2),
        "processor_seconds": round(time.process_time() - processor, 2),
    }
    environment = {**provenance(), "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
    if slowness() != 1:
        environment["slowness"] = slowness()
    return {"unit": unit.name, "budget": budget, **cost, **record, "environment": environment}


def _warn_of_other_code(before: Sequence[Record], file: Path) -> None:
    """A set that is half from other code compares things that are not alike."""
    present = commit()
    others = {str(r.get("environment", {}).get("commit"))[:8] for r in before} - {str(present)[:8]}
    if others:
        print(
            f"{file}: earlier records are from commit {', '.join(sorted(others))}, the code now is "
            f"{str(present)[:8]}; if what is measured has changed since, move the file away and start anew",
            file=sys.stderr,
        )
