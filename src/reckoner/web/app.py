"""The application: which address gives what. docs/serve.md describes all of them."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from reckoner import __version__
from reckoner.errors import ReckonerError
from reckoner.web.errors import Busy, NotFound, WebError, WrongMethod
from reckoner.web.files import PAGE, Files
from reckoner.web.guard import HEADERS, JSON, Guard, make_answer
from reckoner.web.inquiry import Bodies, read_query, read_question
from reckoner.web.pool import Pool
from reckoner.web.process import Reply
from reckoner.web.settings import Settings
from reckoner.web.worker import OK, encode

_DEEPEST = 3  # generations of calls at once
_FROM = {"scale": 0, "from": 0}
_WORK = ("/api/calculate", "/api/trace", "/api/cut")  # addresses that need a worker


class Site:
    """The addresses."""

    def __init__(self, settings: Settings, pool: Pool) -> None:
        self.pool = pool
        self.bodies = Bodies(settings)
        self.files = Files()
        self.started = time.monotonic()
        self._skills: Reply | None = None

    async def show_page(self, request: Request) -> Response:
        """GET /"""
        return self.files.answer(request, PAGE)

    async def show_file(self, request: Request) -> Response:
        """GET /static/NAME"""
        return self.files.answer(request, request.path_params["name"])

    async def calculate(self, request: Request) -> Response:
        """POST /api/calculate"""
        question = read_question(await self.bodies.read_json(request))
        return await self._ask(request, question | {"do": "calculate"})

    async def trace(self, request: Request) -> Response:
        """GET /api/trace"""
        numbers = {"scale": 0, "call": 0, "depth": 1, "parent": 0}
        asked = read_query(request, numbers, {"depth": _DEEPEST, "parent": 1})
        return await self._ask(request, asked | {"do": "trace", "parent": bool(asked["parent"])})

    async def lines(self, request: Request) -> Response:
        """GET /api/trace/lines"""
        return await self._ask(request, read_query(request, _FROM, {}) | {"do": "lines"})

    async def interesting(self, request: Request) -> Response:
        """GET /api/trace/interesting"""
        return await self._ask(request, read_query(request, _FROM, {}) | {"do": "interesting"})

    async def cut(self, request: Request) -> Response:
        """GET /api/cut"""
        return await self._ask(request, read_query(request, {"scale": 0}, {}) | {"do": "cut"})

    async def skills(self, request: Request) -> Response:
        """GET /api/skills"""
        if self._skills is None or self._skills.status != OK:
            self._skills = await self.pool.run({"do": "skills"})
        return _make_response(self._skills)

    async def health(self, request: Request) -> Response:
        """GET /health"""
        seconds = round(time.monotonic() - self.started, 1)
        body = {"status": "ok", "version": __version__, "workers": self.pool.state, "seconds": seconds}
        return Response(encode(body), media_type=JSON)

    async def _ask(self, request: Request, asked: dict[str, Any]) -> Response:
        """Have a worker answer, unless whoever asked goes away."""
        working = asyncio.ensure_future(self.pool.run(asked))
        leaving = asyncio.ensure_future(_wait_until_gone(request))
        try:
            await asyncio.wait([working, leaving], return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                raise WebError("the request broke off")
            return _make_response(working.result())
        finally:
            for task in (working, leaving):
                task.cancel()
                with suppress(asyncio.CancelledError, ReckonerError):
                    await task


def make_app(settings: Settings, pool: Pool, host: str) -> Starlette:
    """The application of a server that listens on this host."""
    site = Site(settings, pool)
    return Starlette(
        routes=[
            Route("/", site.show_page),
            Route("/static/{name}", site.show_file),
            Route("/api/calculate", site.calculate, methods=["POST"]),
            Route("/api/trace", site.trace),
            Route("/api/trace/lines", site.lines),
            Route("/api/trace/interesting", site.interesting),
            Route("/api/cut", site.cut),
            Route("/api/skills", site.skills),
            Route("/health", site.health),
        ],
        middleware=[Middleware(Valve, pool=pool), Middleware(Guard, host=host)],
        exception_handlers={ReckonerError: _explain, HTTPException: _explain},
    )


class Valve:
    """Turns questions away while too many wait, before anything else is done with them: that must cost little."""

    def __init__(self, app: ASGIApp, pool: Pool) -> None:
        self.app = app
        self.pool = pool
        answer = make_answer(Busy("this computer has more to calculate than it can; ask again in a moment"))
        strict = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
        headers = [*answer.raw_headers, *strict, (b"cache-control", b"no-store")]
        self.start = {"type": "http.response.start", "status": answer.status_code, "headers": headers}
        self.end = {"type": "http.response.body", "body": answer.body}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI call."""
        if self.pool.is_full and scope["type"] == "http" and scope["path"].startswith(_WORK):
            await send(self.start)
            await send(self.end)
        else:
            await self.app(scope, receive, send)


async def _wait_until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _make_response(reply: Reply) -> Response:
    return Response(reply.body, reply.status, media_type=JSON)


def _explain(request: Request, error: Exception) -> Response:
    """Every error in one form."""
    if isinstance(error, ReckonerError):
        return make_answer(error)
    if isinstance(error, HTTPException) and error.status_code == WrongMethod.status:
        answer = make_answer(WrongMethod("this address is asked in another way; docs/serve.md says how"))
        answer.headers.update(error.headers or {})
        return answer
    return make_answer(NotFound("there is nothing at this address"))
