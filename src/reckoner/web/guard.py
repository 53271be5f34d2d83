"""Who may ask: nobody from another site, under another name, or without end.

A page of another site can make a browser send requests to this computer. So requests must name this server as
their host (a foreign name that leads here is the trick called DNS rebinding), must not come from another origin,
and every answer tells the browser to be strict.
"""

from __future__ import annotations

import ipaddress
import os
import socket
from contextlib import suppress
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reckoner.errors import ReckonerError
from reckoner.web.errors import Broken, Busy, CrossSite, ForeignHost, Full, TooLarge, TooSlow, WebError
from reckoner.web.worker import encode, fail

_HERE = {"localhost", "ip6-localhost", "localhost.localdomain"}
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
JSON = "application/json; charset=utf-8"
_SAME = {None, "same-origin", "none"}  # none: typed into the address bar, or opened from a bookmark
_CLOSING = (TooLarge, TooSlow, Full)  # after these a part of the request may still be on its way


class Guard:
    """Lets only requests through that are meant for this server, and puts strict headers on every answer."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        self.app = app
        self.names = _HERE | {host.lower(), socket.gethostname().lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI call."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_strictly(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        try:
            self._check(Request(scope))
            await self.app(scope, receive, send_strictly)
        except WebError as error:
            await make_answer(error)(scope, receive, send_strictly)
        except Exception as error:
            if os.environ.get("RECKON_DEBUG"):
                raise
            broken = Broken(f"internal error: {type(error).__name__}")
            with suppress(Exception):  # the answer may have begun
                await make_answer(broken)(scope, receive, send_strictly)

    def _check(self, request: Request) -> None:
        host = request.headers.get("host", "")
        if not is_own_name(host, self.names):
            raise ForeignHost("this server answers only under its own name; ask for http://localhost")
        origin = request.headers.get("origin")
        if origin is not None and not _is_same(origin, host):
            raise CrossSite("pages of other sites may not ask this server")
        site = request.headers.get("sec-fetch-site")
        if site not in _SAME and not _is_visit(request):
            raise CrossSite("pages of other sites may not ask this server")


def make_answer(error: ReckonerError) -> Response:
    """The answer that an error is."""
    status, body = fail(error)
    headers = {"connection": "close"} if isinstance(error, _CLOSING) else {}
    if isinstance(error, Busy):
        headers["retry-after"] = "1"
    return Response(encode(body), status, headers, JSON)


def is_own_name(host: str, names: set[str]) -> bool:
    """Whether a Host header means this server: one of its names, or an address, which nobody can redirect."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name.lower().rstrip(".") in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_same(origin: str, host: str) -> bool:
    return origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")


def _is_visit(request: Request) -> bool:
    """Whether somebody follows a link to the page: that is welcome from anywhere."""
    headers = request.headers
    to_page = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return to_page and request.method == "GET" and request.url.path == "/"
