"""The limits of the server, in one place; `reckon serve` sets some of them."""

from __future__ import annotations

from dataclasses import dataclass

HOST, PORT = "127.0.0.1", 7325  # the port is RECK on the keys of a telephone


@dataclass(frozen=True)
class Settings:
    """What the server allows. Seconds and bytes, where nothing else is said."""

    library: str | None = None
    workers: int = 2
    seconds: float = 20.0  # a calculation may take
    grace: float = 3.0  # … more, before its worker is taken to hang
    megabytes: int = 500  # … may hold
    worker_bytes: int = 1_500_000_000  # of address space that a worker may have
    worker_megabytes: int = 700  # a worker that has grown beyond this is replaced after its answer
    waiting: int = 32  # questions that wait for a worker; more are turned away
    patience: float = 10.0  # how long one waits
    body: int = 512 * 1024  # of a request
    bodies: int = 32 * 1024 * 1024  # … of all requests at a time
    request_seconds: float = 10.0  # until a request has arrived
    response_seconds: float = 60.0  # until its answer has been taken
    idle_seconds: float = 5.0  # between two requests of one connection
    connections: int = 1_000
    trace_characters: int = 2_000  # of an expression whose trace is shown
