"""The server: a socket, workers, and an end without a trace of them."""

from __future__ import annotations

import asyncio
import errno
import logging
import resource
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import uvicorn

from reckoner.errors import ReckonerError
from reckoner.web.app import make_app
from reckoner.web.connection import Connection
from reckoner.web.pool import Pool
from reckoner.web.settings import Settings

_FILES = 4_096  # descriptors that the server asks for
_LEAVING = 3  # seconds that requests under way have when the server ends
_BACKLOG = 1_024


class AddressError(ReckonerError):
    """The server cannot listen where it was told to."""

    kind = "address"
    exit_code = 2


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens."""
    try:
        [(family, *_), *_] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except (OSError, UnicodeError) as error:
        number = error.errno if isinstance(error, OSError) else None
        if number == errno.EADDRINUSE:
            message = (
                f"port {port} is taken by another program; choose another with --port (0: any that is free)"
            )
        elif number in (errno.EACCES, errno.EPERM):
            message = f"this system does not let you use port {port}; choose one above 1023 with --port"
        else:
            message = f"there is no address {host} on this computer to listen on"
        raise AddressError(message) from None


def address_of(listening: socket.socket) -> str:
    """The address of the page on a socket, for somebody on this computer."""
    host, port = listening.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def serve(settings: Settings, listening: socket.socket, host: str, is_ready: Callable[[], None]) -> None:
    """Serve until SIGINT or SIGTERM; `is_ready` is called when requests are answered."""
    _allow_files()
    for name in ("uvicorn.error", "uvicorn.access", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    asyncio.run(_serve(settings, listening, host, is_ready))


class _Server(uvicorn.Server):
    """Uvicorn's, which ends by our signals."""

    def __init__(self, config: uvicorn.Config, is_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.is_ready = is_ready

    async def main_loop(self) -> None:
        """Until it should end."""
        self.is_ready()
        await super().main_loop()

    async def run_quietly(self, sockets: list[socket.socket]) -> None:
        """Without uvicorn's own handling of signals, which repeats them at the end."""
        await self._serve(sockets)


async def _serve(
    settings: Settings, listening: socket.socket, host: str, is_ready: Callable[[], None]
) -> None:
    pool = Pool(settings)
    crowd: dict[Connection, None] = {}
    config = uvicorn.Config(
        make_app(settings, pool, host),
        http=partial(Connection, settings, crowd),  # type: ignore[arg-type]
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=settings.idle_seconds,  # type: ignore[arg-type]
        timeout_graceful_shutdown=_LEAVING,
        backlog=_BACKLOG,
    )
    server = _Server(config, is_ready)
    loop = asyncio.get_running_loop()
    starting = asyncio.ensure_future(pool.start())

    def end() -> None:
        server.force_exit = server.should_exit  # the second time at once
        server.should_exit = True
        starting.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, end)
    try:
        with suppress(asyncio.CancelledError):
            await starting
            await server.run_quietly([listening])
    finally:
        listening.close()
        await pool.close()


def _allow_files() -> None:
    """Ask for as many open connections as the server is made for."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
