"""Named pieces of work, side by side: what an engine is, and the two that need nothing but this machine.

School and experiments know nothing of processes. They submit pieces by name and collect results as they come; an
engine that spreads the pieces over several machines has the same methods (`cluster.py`). Functions and arguments
travel to other processes, so functions stand at the top of a module and arguments are plain data. A piece writes no
files: what it finds it returns, and what must not wait for its end it tells, and the one who collects writes it down.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
import traceback
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from types import FrameType
from typing import Any, NamedTuple, Self

from reckoner.errors import ReckonerError
from reckoner.provenance import use_one_thread

Tell = Callable[[Any], None]


class WorkerLostError(ReckonerError):
    """A worker process was killed by somebody else."""

    kind = "worker-lost"
    exit_code = 4


class Terminated(KeyboardInterrupt):
    """SIGTERM: the same tidy ending as after Ctrl-C."""


@dataclass(frozen=True)
class Lost:
    """In place of a result: the machine that worked on the piece is gone. It can be submitted again."""

    reason: str


class Engine(ABC):
    """Carries out pieces of work; used in a `with` statement, at whose end nothing runs any more."""

    def __init__(self) -> None:
        self._handler: Any = None

    @abstractmethod
    def submit(
        self, name: str, work: Callable[..., Any], *arguments: Any, listen: Tell | None = None
    ) -> None:
        """Have `work(*arguments)` done.

        With `listen`, `work(*arguments, tell=...)`: whatever it tells before its end is handed to `listen`, here, in
        order, while results are collected.
        """

    @abstractmethod
    def collect(self, timeout: float | None = None) -> list[tuple[str, Any]]:
        """Wait for at least one piece to end (or the timeout); names and results of those that have.

        What a piece raised is raised here. A result may be `Lost` where machines can fail by themselves.
        """

    @abstractmethod
    def __len__(self) -> int:
        """How many pieces are submitted and not collected."""

    @abstractmethod
    def close(self, now: bool) -> None:
        """Wait for what is running, or stop it where it is."""

    @property
    @abstractmethod
    def room(self) -> int:
        """How many pieces can be under way at a time, now."""

    @property
    def places(self) -> dict[str, str]:
        """On which machine each piece is at work, where there are several."""
        return {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._handler = signal.signal(signal.SIGTERM, _terminate)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """After that SIGTERM means again what it meant before."""
        try:
            self.close(now=kind is not None)
        finally:
            if self._handler is not None:
                signal.signal(signal.SIGTERM, self._handler)


class Here(Engine):
    """One piece after the other, in this process."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: deque[tuple[str, Callable[[], Any]]] = deque()

    def submit(
        self, name: str, work: Callable[..., Any], *arguments: Any, listen: Tell | None = None
    ) -> None:
        """Queue the piece."""
        self._waiting.append((name, partial(work, *arguments, **({"tell": listen} if listen else {}))))

    def collect(self, timeout: float | None = None) -> list[tuple[str, Any]]:
        """Do the next piece."""
        if not self._waiting:
            return []
        name, work = self._waiting.popleft()
        return [(name, work())]

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def room(self) -> int:
        """One."""
        return 1

    def close(self, now: bool) -> None:
        """Nothing is running between two calls."""


class Ending(NamedTuple):
    """What a piece came to, and how many messages it told before: they may still be under way."""

    told: int
    result: Any
    error: Exception | None


@dataclass
class _Piece:
    listen: Tell | None
    heard: int = 0
    ending: Ending | None = None  # it has ended, but not all its messages have been heard

    @property
    def is_over(self) -> bool:
        return self.ending is not None and self.heard >= self.ending.told


class Processes(Engine):
    """Worker processes on this machine, one thread each, that end with this one however it ends."""

    def __init__(self, workers: int) -> None:
        super().__init__()
        use_one_thread()
        self._workers = workers
        context = get_context("spawn")
        self._reader, self._writer = context.Pipe(duplex=False)
        self._executor = ProcessPoolExecutor(
            workers,
            mp_context=context,
            initializer=_settle_in,
            initargs=(os.getpid(), self._writer, context.Lock()),
        )
        self._pieces: dict[str, _Piece] = {}
        self._inbox: queue.Queue[tuple[str, Any]] = queue.Queue()  # a message, or a future that is done
        self._is_closing = False
        self._postman = threading.Thread(target=self._fetch, daemon=True)
        self._postman.start()

    def submit(
        self, name: str, work: Callable[..., Any], *arguments: Any, listen: Tell | None = None
    ) -> None:
        """Give the piece to the next free worker."""
        try:
            future = self._executor.submit(_carry_out, name, work, arguments, listen is not None)
        except BrokenProcessPool:
            raise _lost() from None
        self._pieces[name] = _Piece(listen)
        future.add_done_callback(lambda done: self._inbox.put((name, done)))

    def collect(self, timeout: float | None = None) -> list[tuple[str, Any]]:
        """Hear what workers tell until one of them has ended its piece."""
        end = None if timeout is None else time.monotonic() + timeout
        while self._pieces:
            try:
                left = None if end is None else max(0.0, end - time.monotonic())
                name, content = self._inbox.get(timeout=left)
            except queue.Empty:
                break
            piece = self._pieces[name]
            if isinstance(content, Future):
                piece.ending = _read(content)
            else:
                piece.heard += 1
                assert piece.listen is not None
                piece.listen(content)
            if piece.is_over:
                del self._pieces[name]
                assert piece.ending is not None
                if piece.ending.error is not None:
                    raise piece.ending.error
                return [(name, piece.ending.result)]
        return []

    def __len__(self) -> int:
        return len(self._pieces)

    @property
    def room(self) -> int:
        """As many as there are processes."""
        return self._workers

    def close(self, now: bool) -> None:
        """End the workers, then the thread that reads what they tell."""
        if now:
            for process in list(self._executor._processes.values()):
                process.terminate()
        self._executor.shutdown(cancel_futures=now)
        self._is_closing = True
        self._writer.close()  # the last one: a message cut off in the middle ends with it
        self._postman.join()
        self._reader.close()

    def _fetch(self) -> None:
        """Messages from the pipe, which workers fill while this process may be busy."""
        try:
            while not self._is_closing:
                if self._reader.poll(0.2):
                    self._inbox.put(self._reader.recv())
        except (OSError, EOFError):  # all workers are gone
            pass


def make_engine(workers: int) -> Engine:
    """An engine for so many pieces at a time; a single one needs no process of its own."""
    return Here() if workers == 1 else Processes(workers)


def carry_out(work: Callable[..., Any], arguments: tuple[Any, ...], tell: Tell | None) -> Ending:
    """In a worker: do a piece; what it raised is a part of its ending, since it comes after all messages."""
    told = 0

    def count(message: Any) -> None:
        nonlocal told
        assert tell is not None
        tell(message)
        told += 1

    try:
        result = work(*arguments) if tell is None else work(*arguments, tell=count)
        return Ending(told, result, None)
    except Exception as error:
        error.add_note(traceback.format_exc())
        return Ending(told, None, error)


def _read(future: Future[Ending]) -> Ending:
    try:
        return future.result()
    except BrokenProcessPool:
        raise _lost() from None


def _lost() -> WorkerLostError:
    return WorkerLostError("a worker process was ended from outside (out of memory?)")


def _terminate(signal_number: int, frame: FrameType | None) -> None:
    raise Terminated


_CHANNEL: list[Any] = []  # in a worker: the pipe to the process that collects, and the lock of its writers


def _settle_in(parent: int, writer: Any, lock: Any) -> None:
    """In a worker: one thread, no reaction to Ctrl-C (the parent ends us), and never outlive the parent."""
    use_one_thread()
    _CHANNEL[:] = [writer, lock]
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _carry_out(name: str, work: Callable[..., Any], arguments: tuple[Any, ...], is_heard: bool) -> Ending:
    """In a worker process: a piece, whose messages go through the pipe."""

    def tell(message: Any) -> None:
        writer, lock = _CHANNEL
        with lock:
            writer.send((name, message))

    return carry_out(work, arguments, tell if is_heard else None)
