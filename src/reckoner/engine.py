"""Named pieces of work, side by side: what an engine is, and the two there are.

School and experiments know nothing of processes. They submit pieces by name and collect results as they come; an
engine that spreads the pieces over several machines has the same four methods. Functions and arguments travel to
other processes, so functions stand at the top of a module and arguments are plain data.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from types import FrameType
from typing import Any, Self

from reckoner.errors import ReckonerError
from reckoner.provenance import use_one_thread


class WorkerLostError(ReckonerError):
    """A worker process was killed by somebody else."""

    kind = "worker-lost"
    exit_code = 4


class Terminated(KeyboardInterrupt):
    """SIGTERM: the same tidy ending as after Ctrl-C."""


class Engine(ABC):
    """Carries out pieces of work; used in a `with` statement, at whose end nothing runs any more."""

    @abstractmethod
    def submit(self, name: str, work: Callable[..., Any], *arguments: Any) -> None:
        """Have `work(*arguments)` done."""

    @abstractmethod
    def collect(self, timeout: float | None = None) -> list[tuple[str, Any]]:
        """Wait for at least one piece to end (or the timeout); names and results of those that have.

        What a piece raised is raised here.
        """

    @abstractmethod
    def __len__(self) -> int:
        """How many pieces are submitted and not collected."""

    @abstractmethod
    def close(self, now: bool) -> None:
        """Wait for what is running, or stop it where it is."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(now=kind is not None)


class Here(Engine):
    """One piece after the other, in this process."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[str, Callable[..., Any], tuple[Any, ...]]] = deque()

    def submit(self, name: str, work: Callable[..., Any], *arguments: Any) -> None:
        """Queue the piece."""
        self._waiting.append((name, work, arguments))

    def collect(self, timeout: float | None = None) -> list[tuple[str, Any]]:
        """Do the next piece."""
        if not self._waiting:
            return []
        name, work, arguments = self._waiting.popleft()
        return [(name, work(*arguments))]

    def __len__(self) -> int:
        return len(self._waiting)

    def close(self, now: bool) -> None:
        """Nothing is running between two calls."""


class Processes(Engine):
    """Worker processes on this machine, one thread each, that end with this one however it ends."""

    def __init__(self, workers: int) -> None:
        use_one_thread()
        self._executor = ProcessPoolExecutor(
            workers, mp_context=get_context("spawn"), initializer=_settle_in, initargs=(os.getpid(),)
        )
        self._running: dict[Future[Any], str] = {}
        self._handler: Any = None

    def submit(self, name: str, work: Callable[..., Any], *arguments: Any) -> None:
        """Give the piece to the next free worker."""
        try:
            self._running[self._executor.submit(work, *arguments)] = name
        except BrokenProcessPool:
            raise _lost() from None

    def collect(self, timeout: float | None = None) -> list[tuple[str, Any]]:
        """Wait for a worker to end its piece."""
        ended, _ = wait(self._running, timeout, FIRST_COMPLETED)
        try:
            return [(self._running.pop(future), future.result()) for future in ended]
        except BrokenProcessPool:
            raise _lost() from None

    def __len__(self) -> int:
        return len(self._running)

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._handler = signal.signal(signal.SIGTERM, _terminate)
        return self

    def close(self, now: bool) -> None:
        """End the workers; after that SIGTERM means again what it meant before."""
        if now:
            for process in list(self._executor._processes.values()):
                process.terminate()
        self._executor.shutdown(cancel_futures=now)
        if self._handler is not None:
            signal.signal(signal.SIGTERM, self._handler)


def make_engine(workers: int) -> Engine:
    """An engine for so many pieces at a time; a single one needs no process of its own."""
    return Here() if workers == 1 else Processes(workers)


def _lost() -> WorkerLostError:
    return WorkerLostError("a worker process was ended from outside (out of memory?)")


def _terminate(signal_number: int, frame: FrameType | None) -> None:
    raise Terminated


def _settle_in(parent: int) -> None:
    """In a worker: one thread, no reaction to Ctrl-C (the parent ends us), and never outlive the parent."""
    use_one_thread()
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
