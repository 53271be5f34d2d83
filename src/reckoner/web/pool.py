"""The workers of a server: who is free, who waits, and who takes the place of one that died or hangs.

A question is put in a queue, and each worker has a thread that takes the next one for it: so workers go on at their
pace also when the server itself has its hands full with turning others away. If too many wait, a question is refused
at once.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import deque
from contextlib import suppress
from typing import Any

from reckoner.errors import ReckonerError, TimeLimit, spell_seconds
from reckoner.provenance import use_one_thread
from reckoner.web.errors import Busy, WorkerLost
from reckoner.web.process import Reply, WorkerProcess
from reckoner.web.settings import Settings

_PAUSE = 1.0  # seconds before the next try, if a worker could not be started
_LOOK = 0.25  # … between looks whether anything has changed
_ABANDONED = 0.5  # … that the question of somebody who has gone may still take


class Job:
    """A question on its way."""

    def __init__(self, request: bytes) -> None:
        self.request = request
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Reply] = self.loop.create_future()
        self.abandoned: float | None = None  # when nobody waited for the answer any more

    def end(self, reply: Reply | ReckonerError) -> None:
        """Hand the answer over; to be called from any thread."""
        with suppress(RuntimeError):  # the loop is closed: nobody waits
            self.loop.call_soon_threadsafe(self._end, reply)

    def _end(self, reply: Reply | ReckonerError) -> None:
        if self.future.done():
            return
        if isinstance(reply, ReckonerError):
            self.future.set_exception(reply)
        else:
            self.future.set_result(reply)


class Pool:
    """Workers, and the questions that wait for them."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.replaced = 0  # workers that died, hung or grew
        self._waiting: deque[Job] = deque()
        self._change = threading.Condition()
        self._processes: set[WorkerProcess] = set()
        self._threads: list[threading.Thread] = []
        self._busy = 0
        self._is_open = True

    async def start(self) -> None:
        """Start all workers; raises if the first cannot be started."""
        use_one_thread()
        first = await asyncio.to_thread(self._start)
        for process in (first, *[None] * (self.settings.workers - 1)):
            thread = threading.Thread(target=self._work, args=(process,), daemon=True)
            thread.start()
            self._threads.append(thread)

    async def close(self) -> None:
        """End all workers."""
        with self._change:
            self._is_open = False
            for job in self._waiting:
                job.future.cancel()
            self._waiting.clear()
            self._change.notify_all()
            for process in self._processes:
                process.kill()
        for thread in self._threads:
            await asyncio.to_thread(thread.join)

    @property
    def state(self) -> dict[str, int]:
        """How many workers there are and what they do."""
        alive = sum(process.is_alive for process in list(self._processes))
        return {"alive": alive, "busy": self._busy, "waiting": len(self._waiting), "replaced": self.replaced}

    @property
    def is_full(self) -> bool:
        """Whether so many wait that no more are taken."""
        return len(self._waiting) >= self.settings.waiting

    async def run(self, request: dict[str, Any]) -> Reply:
        """Have a request answered; raises Busy, WorkerLost, or TimeLimit if its worker does not come back."""
        if self.is_full:
            raise Busy("this computer has more to calculate than it can; ask again in a moment")
        job = Job(json.dumps(request).encode())
        with self._change:
            self._waiting.append(job)
            self._change.notify()
        timer = job.loop.call_later(self.settings.patience, self._lose_patience, job)
        try:
            return await job.future
        finally:
            timer.cancel()
            job.abandoned = time.monotonic()
            self._remove(job)

    def _lose_patience(self, job: Job) -> None:
        if self._remove(job):
            job.end(Busy("no process was free to work on this; ask again in a moment"))

    def _remove(self, job: Job) -> bool:
        """Take a job out of the queue, if it is still in it."""
        with self._change, suppress(ValueError):
            self._waiting.remove(job)
            return True
        return False

    # --- in a thread per worker ---

    def _work(self, process: WorkerProcess | None) -> None:
        while self._is_open:
            job = reply = None
            if process is None:
                process = self._try_to_start()
            elif (job := self._next(process)) is not None:
                reply = self._converse(process, job)
            if process is not None and (process.is_leaving or not process.is_alive):
                self._drop(process)
                self.replaced += 1
                process = None
            if job is not None and reply is not None:
                with self._change:
                    self._busy -= 1
                job.end(reply)
        if process is not None:
            self._drop(process)

    def _next(self, process: WorkerProcess) -> Job | None:
        """The next job; None if there is none yet, or if the worker has died."""
        with self._change:
            if not self._waiting and self._is_open:
                self._change.wait(_LOOK)
            if not self._waiting or not process.is_alive:
                return None
            self._busy += 1
            return self._waiting.popleft()

    def _converse(self, process: WorkerProcess, job: Job) -> Reply | ReckonerError:
        """What the worker answers, in time; otherwise it is killed."""
        latest = time.monotonic() + self.settings.seconds + self.settings.grace
        try:
            process.send(job.request, latest)
            while not process.has_answer(_LOOK):
                now = time.monotonic()
                is_over = now > latest
                if is_over or (job.abandoned is not None and now > job.abandoned + _ABANDONED):
                    process.kill()
                    return TimeLimit(f"no answer within {spell_seconds(self.settings.seconds)}")
            return process.receive(latest)
        except (OSError, EOFError):
            process.kill()
            return WorkerLost("the process that worked on this came to an end; out of memory?")

    def _try_to_start(self) -> WorkerProcess | None:
        try:
            return self._start()
        except (ReckonerError, OSError):
            with self._change:
                if self._is_open:
                    self._change.wait(_PAUSE)
            return None

    def _start(self) -> WorkerProcess:
        process = WorkerProcess(self.settings)
        with self._change:
            self._processes.add(process)
            if not self._is_open:
                process.kill()
        try:
            process.wait_until_ready()
        except BaseException:
            self._drop(process)
            raise
        return process

    def _drop(self, process: WorkerProcess) -> None:
        process.end()
        with self._change:
            self._processes.discard(process)
