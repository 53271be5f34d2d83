"""What the load test asks and how: questions, nonsense, a connection that is used again, and a tally."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

DIGITS = 200  # of the factors in a question: some forty milliseconds of work
SECONDS = 30.0  # that a client waits for anything


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    data: bytes
    seconds: float


@dataclass
class Tally:
    """What came back."""

    statuses: Counter[int] = field(default_factory=Counter)
    lost: int = 0  # no answer at all
    wrong: int = 0  # an answer that is not the exact one
    unannounced: int = 0  # a 503 without Retry-After
    seconds: dict[int, list[float]] = field(default_factory=dict)

    def add(self, reply: Reply | None, answer: str | None = None) -> None:
        if reply is None:
            self.lost += 1
            return
        self.statuses[reply.status] += 1
        self.seconds.setdefault(reply.status, []).append(reply.seconds)
        if reply.status == 200 and answer is not None:
            self.wrong += json.loads(reply.data)["answer"] != answer
        if reply.status == 503:
            self.unannounced += "retry-after" not in reply.headers

    def to_json(self) -> dict[str, Any]:
        times = {status: spread(seconds) for status, seconds in sorted(self.seconds.items())}
        counts = {str(status): count for status, count in sorted(self.statuses.items())}
        more = {"lost": self.lost, "wrong": self.wrong, "without_retry_after": self.unannounced}
        return {
            "answers": counts,
            **more,
            "seconds": {str(status): spread for status, spread in times.items()},
        }


class Question(NamedTuple):
    request: bytes
    answer: str


def make_question(rng: random.Random) -> Question:
    """A multiplication whose answer is known here."""
    x, y = rng.randrange(10**DIGITS), rng.randrange(10**DIGITS)
    body = json.dumps({"expression": f"{x}*{y}"}).encode()
    head = f"POST /api/calculate HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
    return Question(f"{head}Content-Type: application/json\r\n\r\n".encode() + body, str(x * y))


def make_nonsense(rng: random.Random) -> bytes:
    """A request that is wrong in one of many ways."""
    starts = [
        b"GET / HTTP/1.1",
        b"GET /%ff HTTP/1.1",
        b"POST /api/calculate HTTP/1.1",
        b"G\0T / HTTP/9.9",
        b"\r\n",
    ]
    headers = [
        *(
            b"Host: localhost",
            b"Content-Length: -1",
            b"Content-Length: 5",
            b"Transfer-Encoding: chunked",
            b"X: \xff",
        ),
        *(
            b"Content-Type: application/json",
            b"Host: a",
            b": nothing",
            b"Sec-Fetch-Site: \x80",
            b"C: " + b"a" * 9_999,
        ),
    ]
    body = b'{"expression": "' + rng.choice([b"\\ud800", b"\xff", b"1+", b"(" * 2_000, b"<script>"]) + b'"}'
    whole_body = b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
    tails = [
        b"\r\n",
        b"\r\n5\r\nhello\r\n0\r\n\r\n",
        b"\r\nzz\r\n",
        b"\r\n{}",
        b"\r\n" + rng.randbytes(50),
        whole_body,
    ]
    lines = [rng.choice(starts), *rng.sample(headers, rng.randrange(6))]
    whole = b"".join(line + b"\r\n" for line in lines) + rng.choice(tails)
    return rng.choice([whole, whole, whole[: rng.randrange(1, len(whole))], rng.randbytes(80)])


class Client:
    """One connection that is used again while the server keeps it."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, request: bytes) -> Reply | None:
        """The answer, or None if there is none."""
        started = time.perf_counter()
        try:
            async with asyncio.timeout(SECONDS):
                return await self._ask(request, started)
        except (OSError, EOFError, ValueError, IndexError, TimeoutError):
            self.close()
            return None

    async def _ask(self, request: bytes, started: float) -> Reply:
        is_used = self.streams is not None
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self.streams
        try:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
        except (OSError, EOFError):
            self.close()
            if not is_used:
                raise
            return await self._ask(request, started)  # the server had let go of it meanwhile
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines if line)}
        data = await reader.readexactly(int(headers["content-length"]))
        if headers.get("connection") == "close":
            self.close()
        return Reply(int(first.split()[1]), headers, data, time.perf_counter() - started)

    def close(self) -> None:
        if self.streams is not None:
            self.streams[1].close()
            self.streams = None


def spread(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    if not ordered:
        return {}
    places = {"median": 0.5, "p99": 0.99, "most": 1.0}
    return {
        name: round(ordered[min(len(ordered) - 1, int(len(ordered) * p))], 4) for name, p in places.items()
    }
