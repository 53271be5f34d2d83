"""A real Ray cluster on this machine: each node has one core and a loopback address of its own.

`python -m tests.rays` measures what a second node saves.
"""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from reckoner.evaluation.table import markdown
from reckoner.provenance import provenance

RAY = Path(sys.executable).parent / "ray"
# a Ray node starts about ten processes, each of which may take long on a busy machine
PATIENCE = 120.0


class Node:
    """One node: `ray start --block` and all that it starts."""

    def __init__(self, host: str, cores: int, options: list[str], environment: dict[str, str]) -> None:
        self.host = host
        command = [str(RAY), "start", "--block", "--node-ip-address", host, "--num-cpus", str(cores),
                   "--object-store-memory", "100000000", "--disable-usage-stats", *options]  # fmt: skip
        self.process = subprocess.Popen(
            command,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def kill(self) -> None:
        """SIGKILL to every process of the node, as if its machine had lost power."""
        for process in {*_session(self.process.pid), *_with(f"--node-ip-address={self.host}")}:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait(timeout=PATIENCE)


class RayCluster:
    """A head and nodes of one core each; token authentication is on."""

    def __init__(self, temporary: Path) -> None:
        self.port = _free_port()
        self.temporary = temporary
        self.environment = {
            **os.environ, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32),
            "RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0",
            "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
            # a lost machine is noticed after seconds, not half a minute
            "RAY_health_check_initial_delay_ms": "1000", "RAY_health_check_period_ms": "500",
            "RAY_health_check_timeout_ms": "1000", "RAY_health_check_failure_threshold": "3",
        }  # fmt: skip
        self.address = f"127.0.0.2:{self.port}"
        self.nodes: list[Node] = []

    def add_node(self) -> None:
        """Start a node: first the head, which has no core to work with, then others with one each."""
        if not self.nodes:
            options = ["--head", "--port", str(self.port), "--include-dashboard=false",
                       "--temp-dir", str(self.temporary)]  # fmt: skip
        else:
            options = ["--address", self.address]
        cores = min(1, len(self.nodes))
        self.nodes.append(Node(f"127.0.0.{2 + len(self.nodes)}", cores, options, self.environment))

    def wait(self) -> None:
        """Until all nodes are there."""
        command = [sys.executable, "-c", _WAIT, self.address, str(len(self.nodes))]
        subprocess.run(command, env=self.environment, capture_output=True, timeout=PATIENCE, check=True)

    def node(self, host: str) -> Node:
        """The node with this address."""
        return next(node for node in self.nodes if node.host == host)

    def workers(self) -> list[int]:
        """The processes that carry out pieces of work."""
        mine = {p for node in self.nodes for p in _session(node.process.pid)}
        return [p for p in mine if _command(p).startswith("ray::") and "_carry_there" in _command(p)]


_WAIT = """
import sys, time, ray
while True:
    try:
        ray.init(address=sys.argv[1], log_to_driver=False, logging_level="CRITICAL")
        break
    except ConnectionError:
        time.sleep(0.2)
while sum(node["Alive"] for node in ray.nodes()) < int(sys.argv[2]):
    time.sleep(0.1)
"""


@contextmanager
def ray_cluster(nodes: int) -> Iterator[RayCluster]:
    """A cluster of a head and so many nodes, gone without a trace afterwards."""
    with TemporaryDirectory(
        prefix="rays", ignore_cleanup_errors=True
    ) as temporary:  # a short path, for sockets
        cluster = RayCluster(Path(temporary))
        try:
            for _ in range(1 + nodes):
                cluster.add_node()
                cluster.wait()
            yield cluster
        finally:
            for node in reversed(cluster.nodes):
                node.kill()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.2", 0))
        return int(found.getsockname()[1])


def _session(leader: int) -> list[int]:
    """All processes of a session."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == leader:
                found.append(int(entry.name))
    return found


def _with(option: str) -> list[int]:
    """All processes with this option on their command line."""
    numbers = [int(e.name) for e in Path("/proc").iterdir() if e.name.isdigit()]
    return [n for n in numbers if n != os.getpid() and option in _command(n).split(" ")]


def _command(process: int) -> str:
    try:
        return (Path("/proc") / str(process) / "cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
    except OSError:
        return ""


WORK = {
    "ten units of `reckon reproduce learning` (`--only full/M`)": [
        "reproduce",
        "learning",
        "--only",
        "full/M",
    ],
    "`reckon train --curriculum whole`, 34 lessons": ["train", "--curriculum", "whole"],
}


def measure(nodes: int, arguments: list[str]) -> float:
    """Seconds that a command takes on so many nodes, from its start to its end; the nodes are up before."""
    with TemporaryDirectory() as folder, ray_cluster(nodes) as cluster:
        command = [sys.executable, "-m", "reckoner", *arguments, "--ray", cluster.address, "--out", folder]
        started = time.monotonic()
        subprocess.run(
            command, env=cluster.environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        return time.monotonic() - started


def main() -> None:
    """What a second node saves, into results/cluster.md; the load tells how quiet the machine was."""
    rows = []
    for name, arguments in WORK.items():
        load = os.getloadavg()[0]
        one, two = (measure(nodes, arguments) for nodes in (1, 2))
        rows.append([name, f"{one:.1f} s", f"{two:.1f} s", f"{one / two:.2f}", f"{load:.1f}"])
        print(*rows[-1], sep="; ", flush=True)
    told = provenance()
    origin = f"commit {told['commit']}, {os.cpu_count()} cores"
    heading = ["work", "one node of one core", "two", "times less", "load before"]
    text = f"# What a second Ray node saves\n\n*Made by `python -m tests.rays`; {origin}.*\n\n"
    Path("results/cluster.md").write_text(text + markdown(heading, rows))


if __name__ == "__main__":
    main()
