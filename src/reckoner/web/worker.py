"""A worker: a process of its own that calculates for the server, within limits of memory and time.

It reads requests from its standard input and writes answers to its standard output, each with its length before
it. It ends when its input does, so that it never outlives the server.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from typing import IO, Any

from reckoner.answer import Answer, Result
from reckoner.calculator import Calculator
from reckoner.cut import find_cut
from reckoner.errors import MemoryLimit, ReckonerError
from reckoner.grammar import TextLimits
from reckoner.machine import Limits
from reckoner.parts import Parts, Run
from reckoner.result_json import error_to_json, result_to_json
from reckoner.skill_json import skills_to_json
from reckoner.web.errors import Broken, status_of
from reckoner.web.settings import Settings

REQUEST = struct.Struct(">I")  # bytes of a request that follow
ANSWER = struct.Struct(">H?I")  # status, whether the worker goes now, and bytes of the answer that follow
OK = READY = 200
_ECHO = 2_000  # characters of an expression that an error repeats
_LINES, _STEPS = 100, 500  # that come at once

Body = dict[str, Any]


class Desk:
    """Where requests are worked on."""

    def __init__(self, settings: Settings) -> None:
        limits = Limits(seconds=settings.seconds, megabytes=settings.megabytes)
        self.parts = Parts(settings.library, limits, TextLimits(length=settings.trace_characters))
        self.calculator = Calculator(machine=self.parts.machine)
        self.doings: dict[str, Callable[[Body], tuple[int, Body]]] = {
            "calculate": self.calculate,
            "trace": self.trace,
            "lines": self.lines,
            "interesting": self.interesting,
            "cut": self.cut,
            "skills": self.skills,
        }

    def work(self, request: Body) -> tuple[int, Body]:
        """Status and body of the answer to a request, whatever happens."""
        expression = request.get("expression")
        try:
            return self.doings[request["do"]](request)
        except ReckonerError as error:
            return fail(error, expression)
        except MemoryError:
            return fail(MemoryLimit("the computer's memory is full"), expression)
        except Exception as error:
            return fail(Broken(f"internal error: {type(error).__name__}"), expression)

    def calculate(self, request: Body) -> tuple[int, Body]:
        """The answer to an expression."""
        return self._answer(self._calculate(request))

    def cut(self, request: Body) -> tuple[int, Body]:
        """… and which quotient was cut in it."""
        result = self._calculate(request)
        status, body = self._answer(result)
        cut = find_cut(self.calculator, result)
        return status, body if status != OK else body | {"cut": None if cut is None else asdict(cut)}

    def _calculate(self, request: Body) -> Result:
        return self.calculator.results([request["expression"]], scale=request["scale"])[0]

    def _answer(self, result: Result) -> tuple[int, Body]:
        if isinstance(result, Answer):
            return OK, result_to_json(result)
        status, body = fail(result.error, result.expression)
        return status, result_to_json(result) | body

    def trace(self, request: Body) -> tuple[int, Body]:
        """A part of a trace."""
        run = self._run(request)
        part = run.part(request["call"], request["depth"], request["parent"])
        return OK, _head(run) | {"trace": part}

    def lines(self, request: Body) -> tuple[int, Body]:
        """Some lines of the rewriting."""
        run, start = self._run(request), request["from"]
        lines = run.lines(start, _LINES)
        return OK, _head(run) | {"from": start, "lines_total": len(run.all_lines), "lines": lines}

    def interesting(self, request: Body) -> tuple[int, Body]:
        """Some of the steps that a person would follow."""
        run, start = self._run(request), request["from"]
        steps = run.interesting(start, _STEPS + 1)
        return OK, _head(run) | {"from": start, "more": len(steps) > _STEPS, "steps": steps[:_STEPS]}

    def _run(self, request: Body) -> Run:
        return self.parts.ask(request["expression"], request["scale"])

    def skills(self, request: Body) -> tuple[int, Body]:
        """All skills."""
        return OK, skills_to_json(self.parts.library)


def fail(error: ReckonerError, expression: str | None = None) -> tuple[int, Body]:
    """Status and body of an error; a long expression is not sent back."""
    echo = None if expression is None or len(expression) > _ECHO else expression
    return status_of(error), error_to_json(error, echo)


def encode(body: Body) -> bytes:
    """JSON in ASCII: whatever was typed is escaped."""
    return json.dumps(body, separators=(",", ":")).encode("ascii")


def pack(settings: Settings) -> str:
    """Settings as an argument of the worker's command."""
    return json.dumps(asdict(settings))


def serve(settings: Settings, requests: IO[bytes], answers: IO[bytes]) -> None:
    """Work until there are no more requests, or too much memory is held."""
    try:
        desk = Desk(settings)
    except ReckonerError as error:
        _send(answers, *fail(error))
        return
    _send(answers, READY, {})
    while len(head := requests.read(REQUEST.size)) == REQUEST.size:
        [length] = REQUEST.unpack(head)
        status, body = desk.work(json.loads(requests.read(length)))
        has_grown = _count_megabytes() > settings.worker_megabytes
        _send(answers, status, body, is_last=has_grown)
        if has_grown:
            return


def main() -> None:
    """The process."""
    settings = Settings(**json.loads(sys.argv[1]))
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing but answers may come between answers
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    with suppress(ValueError, OSError):  # not every system has this limit
        resource.setrlimit(resource.RLIMIT_AS, (settings.worker_bytes, settings.worker_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()
    serve(settings, sys.stdin.buffer, answers)


def _count_megabytes() -> float:
    """The most that this process has ever held."""
    unit = 1_000_000 if sys.platform == "darwin" else 1_000  # bytes there, kilobytes elsewhere
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit


def _watch(server: int) -> None:
    """End with the server, even in the midst of a calculation."""
    while os.getppid() == server:
        time.sleep(0.5)
    os._exit(1)


def _send(answers: IO[bytes], status: int, body: Body, is_last: bool = False) -> None:
    data = encode(body)
    answers.write(ANSWER.pack(status, is_last, len(data)) + data)
    answers.flush()


def _head(run: Run) -> Body:
    return result_to_json(run.result)


if __name__ == "__main__":
    main()
