"""Pieces of work on as many machines as a Ray cluster has (extra `cluster`, docs/cluster.md).

Each piece is a Ray task on one core. Arguments, messages and results travel through Ray, so the machines need no
common disk: the process that collects is the only one that writes. A piece whose machine dies comes back as `Lost`
and can be submitted again. When the collecting process ends, however it ends, Ray ends its tasks.
"""

from __future__ import annotations

import os
import queue
import socket
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from reckoner.engine import Ending, Engine, Lost, Tell, WorkerLostError, carry_out
from reckoner.errors import ReckonerError
from reckoner.provenance import THREADS, use_one_thread, versions

MOST_LOSSES = 5  # of one piece: then it is the piece that kills its machines
_PATIENCE = 5.0  # seconds for a connection to its head
_PAUSE = 0.5  # seconds, at most, between two looks at how many cores the cluster has now


class ClusterError(ReckonerError):
    """There is no cluster to work on, or one of its machines cannot work for us."""

    kind = "cluster"
    exit_code = 4


@dataclass
class _Piece:
    name: str
    work: Callable[..., Any]
    arguments: tuple[Any, ...]
    listen: Tell | None


class _Arrival(NamedTuple):
    """The first that a task sends: where it runs, and with what."""

    place: str
    versions: dict[str, str]


class _Message(NamedTuple):
    content: Any


class Cluster(Engine):
    """The cores of a Ray cluster; as many pieces are under way as it has, the others wait here."""

    def __init__(self, address: str, head: tuple[str, int] | None = None) -> None:
        """`address` as Ray has it: HOST:PORT, or `auto` for the cluster that this machine belongs to.

        `head` is the host and port in it, if it has them.
        """
        super().__init__()
        self._ray = _import_ray()
        if head is not None:
            _knock(address, head)
        use_one_thread()
        settings = {"env_vars": dict.fromkeys(THREADS, "1")}
        try:
            self._ray.init(
                address=address, log_to_driver=False, logging_level="ERROR", runtime_env=settings,
                configure_logging=True,
            )  # fmt: skip
        except (ConnectionError, RuntimeError, ValueError, OSError) as error:
            raise _no_answer(address, error) from None
        self._task = self._ray.remote(num_cpus=1, max_retries=0, num_returns="streaming")(_carry_there)
        self._waiting: deque[_Piece] = deque()
        self._running: dict[Any, _Piece] = {}  # by the stream of what the task sends
        self._losses: Counter[str] = Counter()
        self._places: dict[str, str] = {}

    def submit(
        self, name: str, work: Callable[..., Any], *arguments: Any, listen: Tell | None = None
    ) -> None:
        """Queue the piece."""
        self._waiting.append(_Piece(name, work, arguments, listen))

    def collect(self, timeout: float | None = None) -> list[tuple[str, Any]]:
        """Keep all cores busy, and hear what tasks send, until one has ended."""
        end = None if timeout is None else time.monotonic() + timeout
        while len(self):
            self._fill()
            left = _PAUSE if end is None else max(0.0, min(_PAUSE, end - time.monotonic()))
            if not self._running:
                time.sleep(left)
            ready, _ = self._ray.wait(list(self._running), timeout=left) if self._running else ([], [])
            found = [ended for stream in ready for ended in self._hear(stream)]
            if found or (end is not None and time.monotonic() >= end):
                return found
        return []

    @property
    def room(self) -> int:
        """The cluster's cores; one at least, for machines may come."""
        return max(1, round(self._ray.cluster_resources().get("CPU", 0)))

    @property
    def places(self) -> dict[str, str]:
        """By the address of the machine: the last one, of a piece that has ended."""
        return self._places

    def __len__(self) -> int:
        return len(self._waiting) + len(self._running)

    def close(self, now: bool) -> None:
        """Stop what runs (all that has not been collected), and leave the cluster."""
        for stream in self._running:
            self._ray.cancel(stream, force=True)
        self._running.clear()
        self._waiting.clear()
        self._ray.shutdown()

    def _fill(self) -> None:
        """Start as many pieces as there are cores now: machines may come and go."""
        room = self.room
        while self._waiting and len(self._running) < room:
            piece = self._waiting.popleft()
            stream = self._task.remote(piece.work, piece.arguments, piece.listen is not None)
            self._running[stream] = piece

    def _hear(self, stream: Any) -> list[tuple[str, Any]]:
        """The next that a task has sent; its name and result if that was the last."""
        piece, errors = self._running[stream], self._ray.exceptions
        try:
            sent = self._ray.get(next(stream))
        except (errors.NodeDiedError, errors.WorkerCrashedError, errors.ObjectLostError,
                errors.OutOfMemoryError, errors.LocalRayletDiedError) as error:  # fmt: skip
            return self._lose(stream, _first_line(error))
        except StopIteration:
            return self._lose(stream, "it ended without a word")
        if isinstance(sent, _Arrival):
            self._places[piece.name] = sent.place
            self._compare(sent)
        elif isinstance(sent, _Message):
            assert piece.listen is not None
            piece.listen(sent.content)
        else:
            del self._running[stream]
            if sent.error is not None:
                raise sent.error
            return [(piece.name, sent.result)]
        return []

    def _lose(self, stream: Any, reason: str) -> list[tuple[str, Any]]:
        piece = self._running.pop(stream)
        self._losses[piece.name] += 1
        place = self._places.pop(piece.name, "")
        where = f" on {place}" if place else ""
        if self._losses[piece.name] > MOST_LOSSES:
            raise WorkerLostError(
                f"{piece.name!r} has lost its worker {self._losses[piece.name]} times, last{where}: {reason}"
            )
        return [(piece.name, Lost(f"its worker{where} is gone"))]

    def _compare(self, arrival: _Arrival) -> None:
        """Other versions, other weights."""
        for package, here in versions().items():
            there = arrival.versions.get(package)
            if there != here:
                raise ClusterError(
                    f"{arrival.place} has {package} {there or 'not installed'} and this machine {here}: results "
                    "would differ; install the same on all machines"
                )


def _carry_there(work: Callable[..., Any], arguments: tuple[Any, ...], is_heard: bool) -> Iterator[Any]:
    """In a Ray task: a piece, done in a thread of its own so that what it tells can be sent at once."""
    import ray

    use_one_thread()
    yield _Arrival(ray.util.get_node_ip_address(), versions())
    inbox: queue.Queue[Any] = queue.Queue()

    def run() -> None:
        tell = (lambda message: inbox.put(_Message(message))) if is_heard else None
        inbox.put(carry_out(work, arguments, tell))

    threading.Thread(target=run, daemon=True).start()
    while not isinstance(sent := inbox.get(), Ending):
        yield sent
    yield sent


def _knock(address: str, head: tuple[str, int]) -> None:
    """Find out whether anybody listens there: Ray itself would try, and warn, for minutes."""
    try:
        socket.create_connection(head, _PATIENCE).close()
    except (OSError, UnicodeError) as error:  # the latter from names that no host can have
        raise _no_answer(address, error) from None


def _no_answer(address: str, error: Exception) -> ClusterError:
    return ClusterError(
        f"no Ray cluster answers at {address!r}; is it running, and does RAY_AUTH_TOKEN hold its "
        f"token? ({_first_line(error)})"
    )


def _import_ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # no warning about graphics cards
    try:
        import ray
        import ray.exceptions
        import ray.util
    except ImportError:
        raise ClusterError(
            "--ray needs the extra `cluster`: pip install 'neural-reckoner[cluster]'"
        ) from None
    return ray


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
