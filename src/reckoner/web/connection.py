"""One connection: uvicorn's, with an end to patience.

Uvicorn waits for ever for a request that does not arrive, and for an answer to be taken. Here both have a time, and
when there are too many connections the one that has been sending its request for longest makes room.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from reckoner.errors import ReckonerError
from reckoner.web.errors import TooSlow, WebError
from reckoner.web.guard import HEADERS, JSON
from reckoner.web.settings import Settings
from reckoner.web.worker import encode, fail

_LAST = 2.0  # seconds that the last answer of a connection has to be taken


class Connection(H11Protocol):
    """The protocol of a connection; `crowd` are those that have not sent their request, the oldest first."""

    def __init__(self, settings: Settings, crowd: dict[Connection, None], **given: Any) -> None:
        super().__init__(**given)
        self._settings = settings
        self._crowd = crowd
        self._timer: asyncio.TimerHandle | None = None
        self._is_working = False  # whether the request has arrived and the answer has not left
        self._is_idle = True  # between requests

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connects."""
        super().connection_made(transport)
        self._expect_request()
        if len(self.connections) > self._settings.connections and self._crowd:
            next(iter(self._crowd)).abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is over."""
        self._crowd.pop(self, None)
        self._set_timer(None)
        self._unset_keepalive_if_required()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """A piece of a request."""
        if self._is_idle:
            self._is_idle = False
            self._expect_request()
        super().data_received(data)
        has_arrived = self.cycle is not None and not self.cycle.more_body
        if has_arrived and not self.cycle.response_complete and not self._is_working:
            self._is_working = True
            self._crowd.pop(self, None)
            self._set_timer(self._settings.response_seconds)

    def on_response_complete(self) -> None:
        """The answer is written, though perhaps not yet taken."""
        self._is_working = False
        self._is_idle = True
        self._expect_request()
        super().on_response_complete()

    def timeout_keep_alive_handler(self) -> None:
        """Nothing came for a while."""
        super().timeout_keep_alive_handler()
        self._set_timer(_LAST)

    def shutdown(self) -> None:
        """The server ends."""
        with suppress(h11.LocalProtocolError):
            super().shutdown()

    def send_400_response(self, msg: str) -> None:
        """What arrived is not HTTP."""
        self._send_last(WebError("this is not a request of HTTP"))

    def abort(self) -> None:
        """End it at once."""
        self._crowd.pop(self, None)
        self.transport.abort()

    def _expect_request(self) -> None:
        self._crowd.pop(self, None)
        self._crowd[self] = None
        self._set_timer(self._settings.request_seconds)

    def _set_timer(self, seconds: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self._cut_off)

    def _cut_off(self) -> None:
        """Too slow: say so if an answer can still be sent, and end it."""
        is_closing = self.transport.is_closing() or self._is_working
        if is_closing or self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            self.abort()
            return
        self._send_last(TooSlow(f"no request within {self._settings.request_seconds:g} seconds"))

    def _send_last(self, error: ReckonerError) -> None:
        """An answer that the application knows nothing of, after which the connection ends."""
        status, body = fail(error)
        data = encode(body)
        headers = {**HEADERS, "content-type": JSON, "content-length": str(len(data)), "connection": "close"}
        try:
            for event in (
                h11.Response(status_code=status, headers=list(headers.items())),
                h11.Data(data=data),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        except h11.LocalProtocolError:  # another answer is on its way
            self.abort()
            return
        self.transport.close()
        self._set_timer(_LAST)
