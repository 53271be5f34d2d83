"""A real Ray cluster of two nodes on this machine: same weights as here, whatever dies on the way, and no orphans.

What needs machines that a test does not have (other versions, many losses, cores that come and go) is tried with a
scripted Ray.
"""

from __future__ import annotations

import json
import pickle
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from reckoner.cli.engine import choose_engine, read_head
from reckoner.cli.main import main
from reckoner.cluster import MOST_LOSSES, Cluster, ClusterError, _Arrival
from reckoner.engine import Ending, Lost, WorkerLostError
from reckoner.provenance import versions
from reckoner.reproduction.records import Records, Unit, run_units
from reckoner.reproduction.shelf import Shelf
from reckoner.skills import Library
from reckoner.skills.library import BUNDLED, MANIFEST
from reckoner.skills.parcel import pack_library, unpack_library
from tests.rays import RayCluster, ray_cluster
from tests.test_school import weights

needs_ray = pytest.mark.skipif(
    find_spec("ray") is None, reason="Ray is not installed: pip install 'neural-reckoner[cluster]'"
)
RECKON = [sys.executable, "-m", "reckoner.cli"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[RayCluster]:
    with ray_cluster(nodes=2) as found:
        yield found


def start(cluster: RayCluster, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    command = [*RECKON, *arguments, "--ray", cluster.address]
    return subprocess.Popen(
        command, env={**cluster.environment, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )  # fmt: skip


def train(
    cluster: RayCluster, folder: Path, curriculum: str = "tiny", **environment: str
) -> subprocess.Popen[str]:
    return start(cluster, "train", "--curriculum", curriculum, "--out", str(folder), **environment)


@needs_ray
def test_a_token_that_is_not_the_clusters_is_refused_with_a_sentence(cluster, tmp_path):
    process = train(cluster, tmp_path / "run", RAY_AUTH_TOKEN="0" * 64)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 4
    assert "does RAY_AUTH_TOKEN hold its token?" in err
    assert "Traceback" not in err


@needs_ray
def test_ctrl_c_leaves_no_orphan(cluster, tmp_path):
    process = train(cluster, tmp_path / "run")
    assert process.stdout is not None
    while "runs on" not in process.stdout.readline():
        assert process.poll() is None
    assert cluster.workers()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert err.endswith("stopped; the same command goes on from here\n")
    end = time.monotonic() + 60
    while cluster.workers() and time.monotonic() < end:
        time.sleep(0.2)
    assert not cluster.workers()


@needs_ray
def test_units_run_there_and_are_recorded_here(cluster, tmp_path):
    shutil.copytree(BUNDLED, tmp_path / "elsewhere" / "library")
    options = ["--budget", "smoke", "--library", str(tmp_path / "elsewhere" / "library")]
    process = start(cluster, "reproduce", "hierarchy", *options, "--out", str(tmp_path / "there"))
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert "s, on 127.0.0." in err
    assert main(["reproduce", "hierarchy", *options, "--out", str(tmp_path / "here"), "--workers", "1"]) == 0
    there, here = ((tmp_path / w / "records/hierarchy.jsonl").read_text() for w in ("there", "here"))
    times = {"wall_seconds": 0, "processor_seconds": 0, "environment": 0}
    assert {**json.loads(there), **times} == {**json.loads(here), **times}


@needs_ray
def test_a_node_that_dies_in_the_middle_changes_nothing_but_the_time(cluster, tmp_path):
    """The last test of this cluster: afterwards it has one node."""
    here, there = tmp_path / "here", tmp_path / "there"
    assert main(["train", "--curriculum", "smoke", "--out", str(here)]) == 0
    process, metrics = train(cluster, there, "smoke"), there / "skills" / "04-strip" / "metrics.jsonl"
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith("strip: runs on ") and all(node.process.poll() is None for node in cluster.nodes):
            while not metrics.exists() or metrics.read_text().count("\n") < 3:  # what it tells gets here
                time.sleep(0.05)
            killed = cluster.node(line.split()[-1])
            killed.kill()
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    (other,) = {node.host for node in cluster.nodes[1:]} - {killed.host}
    assert f"strip: its worker on {killed.host} is gone; it goes on elsewhere\n" in lines
    assert lines.index(f"strip: runs on {other}\n") > lines.index(f"strip: runs on {killed.host}\n")
    assert weights(there) == weights(here)


def test_without_ray_the_extra_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["train", "--curriculum", "tiny", "--out", str(tmp_path / "run"), "--ray", "auto"]) == 4
    assert "pip install 'neural-reckoner[cluster]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("address", "code", "told"),
    [
        ("localhost", 2, "HOST:PORT, or auto"),
        (":6379", 2, "HOST:PORT, or auto"),
        ("localhost:", 2, "HOST:PORT, or auto"),
        ("localhost:ray", 2, "HOST:PORT, or auto"),
        ("localhost:-1", 2, "HOST:PORT, or auto"),
        ("localhost:0", 2, "from 1 to 65535"),
        ("localhost:65536", 2, "from 1 to 65535"),
        (f"{'x' * 64}.invalid:6379", 4, "no Ray cluster answers"),
    ],
)
def test_an_address_that_is_none_is_refused_at_once(tmp_path, monkeypatch, capsys, address, code, told):
    monkeypatch.setattr("reckoner.cluster._import_ray", ScriptedRay)
    run = tmp_path / "run"
    assert main(["train", "--curriculum", "tiny", "--out", str(run), "--ray", address]) == code
    err = capsys.readouterr().err
    assert repr(address) in err
    assert told in err
    assert not run.exists()


def test_where_nobody_listens_ray_is_not_asked(monkeypatch):
    asked: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        address, ray = f"127.0.0.1:{server.getsockname()[1]}", ScriptedRay()
        ray.init = lambda **options: asked.append(options["address"])
        monkeypatch.setattr("reckoner.cluster._import_ray", lambda: ray)
        with choose_engine(address, 1):
            assert asked == [address]
    with pytest.raises(ClusterError, match=r"no Ray cluster answers at .*is it running.*refused"):
        choose_engine(address, 1)
    assert asked == [address]
    assert read_head("[::1]:6379") == ("::1", 6379)


def test_a_library_is_the_same_after_a_journey(tmp_path):
    library = Library.load()
    arrived = unpack_library(pickle.loads(pickle.dumps(pack_library(library))))
    arrived.records = library.records
    arrived.save(tmp_path / "copy")
    for file in BUNDLED.glob("*.safetensors"):
        assert (tmp_path / "copy" / file.name).read_bytes() == file.read_bytes()


def test_a_shelf_takes_its_files_along(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    shutil.copytree(BUNDLED, tmp_path / "library")
    sent = pickle.dumps(Shelf(tmp_path / "library"))
    assert Path(pickle.loads(sent)) == tmp_path / "library"  # nothing is copied where it is at hand
    (tmp_path / "library").rename(tmp_path / "gone")
    for _ in range(2):
        arrived = pickle.loads(sent)
        assert Path(arrived) != tmp_path / "library"
        assert (arrived / MANIFEST).read_bytes() == (BUNDLED / MANIFEST).read_bytes()
        assert Library.load(arrived).names == Library.load().names
    bundled = pickle.dumps(Shelf(BUNDLED))
    assert len(bundled) < 1000
    assert Path(pickle.loads(bundled)) == BUNDLED


class NodeDiedError(Exception):
    """As Ray's of that name."""


class ScriptedRay:
    """In place of Ray: each task that is started sends what its script says, or dies."""

    def __init__(self, *scripts: list[Any], cores: int = 1) -> None:
        self.scripts, self.cores = [*scripts], cores
        names = ("WorkerCrashedError", "ObjectLostError", "OutOfMemoryError", "LocalRayletDiedError")
        self.exceptions = SimpleNamespace(
            NodeDiedError=NodeDiedError, **{n: type(n, (Exception,), {}) for n in names}
        )
        self.init = self.cancel = self.shutdown = lambda *args, **options: None

    def remote(self, **options: Any) -> Any:
        return lambda work: SimpleNamespace(remote=lambda *arguments: iter(self.scripts.pop(0)))

    def wait(self, streams: list[Any], timeout: float) -> tuple[list[Any], list[Any]]:
        return streams[:1], streams[1:]

    def get(self, sent: Any) -> Any:
        if isinstance(sent, Exception):
            raise sent
        return sent

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": float(self.cores)}


def scripted(
    monkeypatch: pytest.MonkeyPatch, *scripts: list[Any], cores: int = 1
) -> tuple[ScriptedRay, Cluster]:
    ray = ScriptedRay(*scripts, cores=cores)
    monkeypatch.setattr("reckoner.cluster._import_ray", lambda: ray)
    return ray, Cluster("auto")


HERE = _Arrival("127.0.0.3", versions())
DEATH = NodeDiedError("the node is gone")


@pytest.mark.parametrize(
    ("change", "told"), [({"numpy": "0.1"}, "numpy 0.1"), ({"torch": ""}, "torch not installed")]
)
def test_a_machine_with_other_versions_is_refused_with_a_sentence(monkeypatch, change, told):
    other = HERE._replace(versions={name: v for name, v in {**versions(), **change}.items() if v})
    _, engine = scripted(monkeypatch, [other, Ending(0, "never", None)])
    engine.submit("strip", abs, 1)
    with engine, pytest.raises(ClusterError) as caught:
        engine.collect()
    assert caught.value.message.startswith(f"127.0.0.3 has {told} and this machine ")
    assert caught.value.message.endswith("results would differ; install the same on all machines")


def test_a_piece_that_loses_its_machine_six_times_is_given_up(monkeypatch):
    _, engine = scripted(monkeypatch, *([HERE, DEATH] for _ in range(6)))
    with engine:
        for _ in range(MOST_LOSSES):
            engine.submit("strip", abs, 1)
            assert engine.collect() == [("strip", Lost("its worker on 127.0.0.3 is gone"))]
        engine.submit("strip", abs, 1)
        with pytest.raises(
            WorkerLostError, match=r"'strip' has lost its worker 6 times, last on 127\.0\.0\.3"
        ):
            engine.collect()


def test_as_many_pieces_run_as_there_are_cores_now(monkeypatch):
    ray, engine = scripted(monkeypatch, *([HERE, Ending(0, n, None)] for n in range(6)), cores=2)
    with engine:
        for n in range(6):
            engine.submit(str(n), abs, n)
        found = engine.collect()
        assert len(ray.scripts) == 4  # two were started
        ray.cores = 4
        found += engine.collect()
        assert len(ray.scripts) == 1  # four at a time, one has ended
        ray.cores = 0  # all machines are gone: one piece waits for the next to come
        while len(engine):
            found += engine.collect()
    assert sorted(found) == [(str(n), n) for n in range(6)]


def test_a_unit_that_loses_its_machine_is_done_again(monkeypatch, tmp_path, capsys):
    _, engine = scripted(
        monkeypatch, [HERE, DEATH], [HERE, Ending(0, {"unit": "a", "wall_seconds": 1.0}, None)]
    )
    records = Records(tmp_path / "r.jsonl")
    with engine:
        run_units([Unit("a", dict)], records, "smoke", engine)
    assert [r["unit"] for r in records.read()] == ["a"]
    assert "a: its worker on 127.0.0.3 is gone; it is done again" in capsys.readouterr().err
