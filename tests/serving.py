"""A server for tests: `reckon serve` in a process of its own, with limits as small as a test wants them."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

_PATIENCE = 60  # seconds for anything on a busy machine
JSON = {"content-type": "application/json"}


class Got(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    data: bytes

    @property
    def body(self) -> Any:
        return json.loads(self.data)


class Serving:
    """A running server."""

    def __init__(self, **settings: Any) -> None:
        command = [sys.executable, "-m", "tests.serving", json.dumps(settings)]
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parent.parent,
        )
        assert self.process.stdout is not None
        self.first = self.process.stdout.readline()
        assert self.first.startswith("http://"), (self.first, self.process.communicate())
        host, _, port = self.first.strip().removeprefix("http://").rstrip("/").rpartition(":")
        self.host, self.port = host, int(port)

    def ask(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Got:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=_PATIENCE)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return Got(response.status, response.headers, response.read())
        finally:
            connection.close()

    def get(self, path: str, /, **query: Any) -> Got:
        return self.ask("GET", f"{path}?{urlencode(query)}" if query else path)

    def calculate(self, expression: Any) -> Got:
        return self.ask("POST", "/api/calculate", json.dumps({"expression": expression}), JSON)

    def connect(self) -> socket.socket:
        return socket.create_connection((self.host, self.port), timeout=_PATIENCE)

    def send(self, data: bytes) -> bytes:
        """What comes back for raw bytes, until the server closes the connection."""
        with self.connect() as connection:
            connection.sendall(data)
            return read_all(connection)

    @property
    def workers(self) -> dict[str, int]:
        return dict(self.get("/health").body["workers"])

    def worker_pids(self) -> list[int]:
        return children(self.process.pid)

    def wait_for(self, **wanted: int) -> None:
        """Until the workers are as wanted."""
        wait_until(lambda: wanted.items() <= self.workers.items())

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str, str]:
        """Exit code, and what was still printed."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        out, err = self.process.communicate(timeout=_PATIENCE)
        return self.process.returncode, out, err


@contextmanager
def serving(**settings: Any) -> Iterator[Serving]:
    server = Serving(**settings)
    try:
        server.wait_for(alive=settings.get("workers", 2))
        yield server
    finally:
        server.stop()


def children(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            state, parent = stat.rpartition(")")[2].split()[:2]
            if int(parent) == pid and state != "Z":
                found.append(int(entry.name))
    return found


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(is_so: Callable[[], bool], seconds: float = _PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.05)


def read_all(connection: socket.socket) -> bytes:
    data = b""
    try:
        while piece := connection.recv(65_536):
            data += piece
    except ConnectionError:
        pass
    return data


def main() -> None:
    from reckoner.web.server import address_of, listen, serve
    from reckoner.web.settings import Settings

    listening = listen("127.0.0.1", 0)
    address = address_of(listening)
    serve(Settings(**json.loads(sys.argv[1])), listening, "127.0.0.1", lambda: print(address, flush=True))


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    main()
