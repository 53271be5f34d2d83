"""Engines: pieces of work come back by name, faults reach the caller, and every ending is a tidy one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap

import pytest

from reckoner.cli.ending import run_resumable
from reckoner.engine import Engine, Here, Processes, Terminated, WorkerLostError, make_engine
from reckoner.errors import ReckonerError
from reckoner.provenance import provenance


def collect_all(engine: Engine) -> dict[str, object]:
    found: dict[str, object] = {}
    while len(engine):
        found.update(engine.collect())
    return found


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_back_by_name(workers):
    with make_engine(workers) as engine:
        for name in "abc":
            engine.submit(name, str.upper, name)
        assert len(engine) == 3
        assert collect_all(engine) == {"a": "A", "b": "B", "c": "C"}
        assert engine.collect(timeout=0) == []


def test_workers_are_other_processes_with_one_thread_each():
    with Processes(1) as engine:
        engine.submit("process", os.getpid)
        engine.submit("record", provenance)
        found = collect_all(engine)
    assert found["process"] != os.getpid()
    record = found["record"]
    assert isinstance(record, dict)
    assert record["threads"] == 1
    assert record["versions"]["numpy"]


@pytest.mark.parametrize("workers", [1, 2])
def test_what_a_piece_raises_is_raised_where_it_is_collected(workers):
    with make_engine(workers) as engine:
        engine.submit("fault", divmod, 1, 0)
        with pytest.raises(ZeroDivisionError):
            engine.collect()


def test_a_killed_worker_is_reported_as_such():
    with Processes(1) as engine:
        engine.submit("dies", os._exit, 9)
        with pytest.raises(WorkerLostError, match="ended from outside"):
            engine.collect()


SCRIPT = """
    import sys, time
    from reckoner.cli.ending import run_resumable
    from reckoner.engine import Processes

    def work():
        with Processes(2) as engine:
            engine.submit("ready", abs, 1)
            engine.collect()
            engine.submit("long", time.sleep, 600)
            print("ready", flush=True)
            engine.collect()
        return 0

    if __name__ == "__main__":
        sys.exit(run_resumable(work))
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_stopped_command_takes_its_workers_along_and_says_how_to_go_on(tmp_path, number, code):
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(SCRIPT))
    process = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert err == "\nstopped; the same command goes on from here\n"  # and no warning of leaked semaphores


def test_endings_of_long_commands(capsys):
    def stop() -> int:
        raise Terminated

    def lose() -> int:
        raise WorkerLostError("a worker is gone")

    def fill() -> int:
        raise OSError(28, "No space left on device", "file")

    assert run_resumable(lambda: 3) == 3
    assert run_resumable(stop) == 143

    def find_no_folder() -> int:
        raise OSError(20, "Not a directory", "file")

    endings = {
        lose: "a worker is gone; the same command goes on from here",
        fill: "No space left on device: file; make room, and the same command goes on from here",
        find_no_folder: "Not a directory: file",
    }
    for work, message in endings.items():
        with pytest.raises(ReckonerError) as caught:
            run_resumable(work)
        assert caught.value.message == message
        assert caught.value.exit_code == 4


def test_pieces_wait_until_they_are_asked_for_where_there_is_one_process():
    done: list[str] = []
    with Here() as engine:
        engine.submit("a", done.append, "a")
        engine.submit("b", done.append, "b")
        assert done == []
        engine.collect()
        assert done == ["a"]
