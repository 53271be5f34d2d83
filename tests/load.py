"""The server under load: `python -m tests.load` writes results/serve.md and serve.json.

Three trials, one after the other, all traffic on this computer and bounded in count and time: ten times what the server
can do, for a minute; 500 connections that send slowly; 10,000 requests that are wrong. Meanwhile the answers
that come are checked, /health is asked every half second, and processes, descriptors and memory are counted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reckoner.cli.results import save_results
from reckoner.provenance import provenance
from tests.load_client import SECONDS, Client, Question, Tally, make_nonsense, make_question, spread
from tests.load_report import render
from tests.serving import Serving, children

_WARM = (
    10  # questions of each connection before the measurement: by then the networks' decisions are remembered
)
_SLACK = 5.0  # seconds beyond the server's own limit until a slow connection must be closed


@dataclass(frozen=True)
class Plan:
    """How much of everything."""

    capacity_seconds: float = 10.0
    overload_seconds: float = 60.0
    times: int = 10
    connections: int = 400  # at a time under overload; more would only wait in the client
    slow: int = 500
    malformed: int = 10_000
    side_by_side: int = 20


QUICK = Plan(capacity_seconds=1.0, overload_seconds=3.0, connections=200, slow=40, malformed=200)


# --- the trials ---


async def measure_capacity(port: int, plan: Plan, workers: int) -> dict[str, Any]:
    """Answers per second when each is asked for as soon as the one before has come."""
    tally, rng = Tally(), random.Random(1)
    clients = [Client(port) for _ in range(2 * workers)]

    async def ask_on(client: Client, count: int, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end or count > 0:
            count -= 1
            question = make_question(rng)
            tally.add(await client.ask(question.request), question.answer)

    await asyncio.gather(*(ask_on(client, _WARM, 0) for client in clients))
    tally = Tally()
    await asyncio.gather(*(ask_on(client, 0, plan.capacity_seconds) for client in clients))
    for client in clients:
        client.close()
    rate = tally.statuses[200] / plan.capacity_seconds
    return {"answers_per_second": round(rate, 1), **tally.to_json()}


async def overload(port: int, plan: Plan, capacity: float) -> dict[str, Any]:
    """Questions at `times` the capacity, on time, whether or not the answers come."""
    tally, rng = Tally(), random.Random(2)
    free = [Client(port) for _ in range(plan.connections)]
    rate, started, asked, not_sent = plan.times * capacity, time.monotonic(), 0, 0
    tasks: set[asyncio.Task[None]] = set()

    async def ask(client: Client, question: Question) -> None:
        tally.add(await client.ask(question.request), question.answer)
        free.append(client)

    while (now := time.monotonic() - started) < plan.overload_seconds:
        while asked < rate * now:
            asked += 1
            if not free:
                not_sent += 1  # all connections wait for an answer
                continue
            task = asyncio.create_task(ask(free.pop(), make_question(rng)))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        await asyncio.sleep(0.005)
    await asyncio.gather(*tasks)
    for client in free:
        client.close()
    result = {
        "wanted_per_second": round(rate, 1),
        "lasted": plan.overload_seconds,
        "due": asked,
        "not_sent": not_sent,
    }
    return result | {
        "sent_per_second": round((asked - not_sent) / plan.overload_seconds, 1),
        **tally.to_json(),
    }


async def connect_slowly(port: int, plan: Plan, limit: float) -> dict[str, Any]:
    """Connections that send a byte every second; others are answered meanwhile."""
    tally, cut_after = Tally(), []
    starts = [
        b"GET / HTTP/1.1\r\nHost: lo",
        b"POST /api/calculate HTTP/1.1\r\nHost: localhost\r\nContent-Type: ",
    ]
    starts.append(starts[1] + b"application/json\r\nContent-Length: 400\r\n\r\n{")

    async def trickle(number: int) -> None:
        started = time.monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        with suppress(OSError):
            writer.write(starts[number % len(starts)])
            while time.monotonic() - started < limit + _SLACK and not reader.at_eof():
                writer.write(b"a")
                with suppress(TimeoutError):
                    async with asyncio.timeout(1.0):
                        await reader.read(10_000)
        if reader.at_eof() or reader.exception() is not None:
            cut_after.append(time.monotonic() - started)
        writer.close()

    async def ask_on() -> None:
        client, rng, end = Client(port), random.Random(3), time.monotonic() + limit
        while time.monotonic() < end:
            question = make_question(rng)
            tally.add(await client.ask(question.request), question.answer)
            await asyncio.sleep(0.1)
        client.close()

    await asyncio.gather(ask_on(), *(trickle(number) for number in range(plan.slow)))
    cut = {"cut_off": len(cut_after), "cut_after": spread(cut_after)}
    return {"connections": plan.slow, **cut, "others": tally.to_json()}


async def send_nonsense(port: int, plan: Plan) -> dict[str, Any]:
    """Requests that are wrong; each is answered with a status below 500, or the connection just ends."""
    statuses: Counter[str] = Counter()
    rng, left = random.Random(4), iter(range(plan.malformed))

    async def send_on() -> None:
        for _ in left:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            data = b""
            try:
                writer.write(make_nonsense(rng))
                writer.write_eof()
                async with asyncio.timeout(SECONDS):
                    data = await reader.read(100_000)
            except OSError:
                pass
            except TimeoutError:
                data = b"- never"
            statuses[data.split(b" ", 2)[1].decode("latin-1") if data else "closed"] += 1
            writer.close()

    await asyncio.gather(*(send_on() for _ in range(plan.side_by_side)))
    return {"sent": plan.malformed, "answers": dict(sorted(statuses.items()))}


# --- what is watched meanwhile ---


class Watch:
    """Health, processes, descriptors and memory, every half second."""

    def __init__(self, server: Serving) -> None:
        self.server = server
        self.health = Tally()
        self.samples: list[dict[str, Any]] = []
        self.trial = ""

    async def run(self) -> None:
        client = Client(self.server.port)
        try:
            while True:
                self.health.add(await client.ask(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                self.look()
                await asyncio.sleep(0.5)
        finally:
            client.close()

    def look(self) -> None:
        """Take a sample."""
        self.samples.append({"trial": self.trial, **take_sample(self.server.process.pid)})

    def memory(self, trial: str) -> dict[str, float]:
        """Of the server and of its biggest worker: at the end of the first third of a trial, and at its end."""
        samples = [sample for sample in self.samples if sample["trial"] == trial]
        third, last = samples[len(samples) // 3], samples[-1]
        return {f"{name}_{when}": sample[name]
                for name in ("server_megabytes", "worker_megabytes")
                for when, sample in (("early", third), ("late", last))}  # fmt: skip


def take_sample(pid: int) -> dict[str, Any]:
    workers = children(pid)
    sizes = [_megabytes(worker) for worker in workers]
    return {
        "server_megabytes": _megabytes(pid),
        "worker_megabytes": max(sizes, default=0.0),
        "workers": len(workers),
        "descriptors": len(list(Path(f"/proc/{pid}/fd").iterdir())),
    }


def _megabytes(pid: int) -> float:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return round(int(line.split()[1]) / 1_024, 1)
    return 0.0


# --- all of it ---


@asynccontextmanager
async def watching(server: Serving) -> AsyncIterator[Watch]:
    watch = Watch(server)
    task = asyncio.create_task(watch.run())
    try:
        yield watch
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def try_all(server: Serving, plan: Plan, workers: int, limit: float) -> dict[str, Any]:
    """All trials on a running server."""
    results: dict[str, Any] = {}
    async with watching(server) as watch:
        watch.trial = "capacity"
        results["capacity"] = await measure_capacity(server.port, plan, workers)
        await asyncio.sleep(0.5)
        before = take_sample(server.process.pid)
        trials = {
            "overload": lambda: overload(server.port, plan, results["capacity"]["answers_per_second"]),
            "slow": lambda: connect_slowly(server.port, plan, limit),
            "malformed": lambda: send_nonsense(server.port, plan),
        }
        for name, trial in trials.items():
            watch.trial = name
            results[name] = await trial()
            watch.look()
            results[name]["memory"] = watch.memory(name)
        watch.trial = "afterwards"
        await asyncio.sleep(7)  # idle connections are closed by then
        question = make_question(random.Random(5))
        client = Client(server.port)
        reply = await client.ask(question.request)
        is_right = reply is not None and json.loads(reply.data).get("answer") == question.answer
        client.close()
        await asyncio.sleep(0.5)
        after = take_sample(server.process.pid)
    results["health"] = watch.health.to_json()
    results["before"], results["after"] = before, after
    results["answers_afterwards"] = is_right
    return results


def main(argv: list[str] | None = None) -> int:
    """Run the trials, write them down, and fail if a promise was not kept."""
    p = argparse.ArgumentParser(
        prog="python -m tests.load", description="Put the server under load on this computer."
    )
    p.add_argument("--quick", action="store_true", help="a look, not a result")
    p.add_argument("--workers", type=int, default=2, metavar="N", help="of the server (default 2)")
    p.add_argument("--out", type=Path, default=Path("results"), metavar="DIR", help="default: results")
    options = p.parse_args(argv)
    plan = QUICK if options.quick else Plan()
    limit = 2.0 if options.quick else 10.0
    load = round(os.getloadavg()[0], 1)
    server = Serving(workers=options.workers, request_seconds=limit)
    try:
        server.wait_for(alive=options.workers)
        results = asyncio.run(try_all(server, plan, options.workers, limit))
    finally:
        code, _, printed = server.stop()
    results["workers"] = options.workers
    results["load"] = {"before": load, "after": round(os.getloadavg()[0], 1)}
    results["ending"] = {"exit_code": code, "printed": printed}
    results["provenance"] = provenance()
    text, kept = render(results)
    print(text)
    save_results(options.out, "serve", results, text)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
