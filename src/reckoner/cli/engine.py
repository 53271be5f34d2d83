"""Where long commands run: in processes of this machine, or on a Ray cluster if asked."""

from __future__ import annotations

from reckoner.engine import Engine, make_engine
from reckoner.errors import ReckonerError


class AddressError(ReckonerError):
    """What was given as a cluster's address is none."""

    kind = "cluster"
    exit_code = 2


def choose_engine(address: str | None, workers: int) -> Engine:
    """The cluster at an address, or so many processes here."""
    if address is None:
        return make_engine(workers)
    head = read_head(address)
    from reckoner.cluster import Cluster

    return Cluster(address, head)


def read_head(address: str) -> tuple[str, int] | None:
    """Host and port; None of an address that Ray knows by itself how to find."""
    if address in ("auto", "local") or "://" in address:
        return None
    host, _, port = address.rpartition(":")
    if not host or not (port.isascii() and port.isdigit()):
        raise AddressError(f"{address!r} is no address of a Ray cluster: that is HOST:PORT, or auto")
    if not 0 < int(port) < 2**16:
        raise AddressError(f"{address!r} is no address of a Ray cluster: ports are numbers from 1 to 65535")
    return host.strip("[]"), int(port)
