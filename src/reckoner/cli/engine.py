"""Where long commands run: in processes of this machine, or on a Ray cluster if asked."""

from __future__ import annotations

from reckoner.engine import Engine, make_engine


def choose_engine(address: str | None, workers: int) -> Engine:
    """The cluster at an address, or so many processes here."""
    if address is None:
        return make_engine(workers)
    from reckoner.cluster import Cluster

    return Cluster(address)
