"""A worker as the server sees it: a process with a pipe to it and one from it."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from typing import NamedTuple

from reckoner.errors import LibraryError
from reckoner.web.errors import WorkerLost
from reckoner.web.settings import Settings
from reckoner.web.worker import ANSWER, READY, REQUEST, pack

_START = 120.0  # seconds until a worker is ready: a busy computer may take long
_PIECE = 1 << 20


class Reply(NamedTuple):
    """What a worker answered."""

    status: int
    body: bytes


class WorkerProcess:
    """One worker; used by one thread, but for `kill` and `is_alive`."""

    def __init__(self, settings: Settings) -> None:
        command = [sys.executable, "-P", "-m", "reckoner.web.worker", pack(settings)]
        errors = None if os.environ.get("RECKON_DEBUG") else subprocess.DEVNULL
        self._process = subprocess.Popen(
            command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests, self._answers = self._process.stdin, self._process.stdout
        os.set_blocking(self._requests.fileno(), False)  # one that hangs would never take a long request
        self._poll, self._room = select.poll(), select.poll()
        self._poll.register(self._answers, select.POLLIN)
        self._room.register(self._requests, select.POLLOUT)
        self.is_leaving = False  # it has grown too big, or is being killed

    @property
    def is_alive(self) -> bool:
        """Whether the process is there."""
        return self._process.poll() is None

    def wait_until_ready(self) -> None:
        """Until the library is loaded; raises if that does not succeed."""
        try:
            status, body = self.receive(time.monotonic() + _START)
        except EOFError:
            raise WorkerLost("a process to calculate in could not be started") from None
        if status != READY:
            raise LibraryError(json.loads(body)["error"]["message"])

    def send(self, request: bytes, latest: float) -> None:
        """Send a request; EOFError if the process does not take it in time."""
        data = memoryview(REQUEST.pack(len(request)) + request)
        while data:
            if not self._room.poll(1_000 * max(0.0, latest - time.monotonic())):
                raise EOFError
            data = data[os.write(self._requests.fileno(), data) :]

    def has_answer(self, seconds: float) -> bool:
        """Wait for an answer, or the end of the process."""
        return bool(self._poll.poll(1_000 * seconds))

    def receive(self, latest: float) -> Reply:
        """The answer; EOFError if the process ends, or takes too long, before it is complete."""
        status, self.is_leaving, length = ANSWER.unpack(self._read(ANSWER.size, latest))
        return Reply(status, self._read(length, latest))

    def _read(self, length: int, latest: float) -> bytes:
        data = bytearray()
        while len(data) < length:
            if not self.has_answer(max(0.0, latest - time.monotonic())):
                raise EOFError
            piece = self._answers.read(min(_PIECE, length - len(data)))
            if not piece:
                raise EOFError
            data += piece
        return bytes(data)

    def kill(self) -> None:
        """End it at once."""
        self.is_leaving = True
        self._process.kill()

    def end(self) -> None:
        """End it and leave nothing behind."""
        self.kill()
        self._requests.close()
        self._answers.close()
        self._process.wait()
