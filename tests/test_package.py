"""Wheel and source distribution, built and tried in fresh environments: `make package`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NOT_COPIED = (
    ".git",
    ".venv",
    "runs",
    "build",
    "dist",
    "*.egg-info",
    "__pycache__",
    ".*_cache",
    ".hypothesis",
)
on_request = pytest.mark.skipif(
    not os.environ.get("RECKON_TEST_PACKAGE"), reason="builds and installs packages: `make package` runs it"
)


def run(*command, **settings):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, **settings)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def make_environment(folder: Path) -> Path:
    """The Python of a new environment."""
    run(sys.executable, "-m", "venv", folder)
    return folder / "bin" / "python"


@pytest.fixture(scope="module")
def distributions(tmp_path_factory):
    """The source distribution, and the wheel that is built from it."""
    home = tmp_path_factory.mktemp("package")
    source = home / "source"
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(*NOT_COPIED))
    python = make_environment(home / "builder")
    try:
        run(python, "-m", "pip", "install", "--quiet", "setuptools>=77", "wheel")
    except AssertionError as error:
        pytest.skip(f"setuptools cannot be installed here: {error}"[:200])
    build = "from setuptools import build_meta; build_meta.build_sdist('../dist')"
    run(python, "-c", build, cwd=source)
    [sdist] = (home / "dist").glob("*.tar.gz")
    wheels = home / "wheels"
    run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", wheels, sdist)
    [wheel] = wheels.glob("*.whl")
    return sdist, wheel


@on_request
def test_the_wheel_in_a_fresh_environment(distributions, tmp_path):
    _, wheel = distributions
    python = make_environment(tmp_path / "fresh")
    run(python, "-m", "pip", "install", "--quiet", wheel)
    reckon = python.parent / "reckon"
    assert run(reckon, "12*(3+45)", cwd=tmp_path) == "576\n"
    assert run(python, "-m", "reckoner", "-7/2", cwd=tmp_path) == "-3\n"
    assert "576" in run(reckon, "--json", "--trace", "12*(3+45)", cwd=tmp_path)
    for shell in ("bash", "fish", "zsh"):
        assert "reckon" in run(reckon, "completion", shell, cwd=tmp_path)
    assert run(reckon, "--html", "page.html", "12*(3+45)", cwd=tmp_path) == "576\n"
    assert "</html>" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "BAD" not in run(reckon, "doctor", cwd=tmp_path)
    public = "import reckoner; [getattr(reckoner, name) for name in reckoner.__all__]"
    run(python, "-c", public, cwd=tmp_path)


@on_request
def test_the_wheel_holds_the_package_only(distributions):
    _, wheel = distributions
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"reckoner", "neural_reckoner"}
    assert "reckoner/py.typed" in names
    assert "reckoner/weights/manifest.json" in names


@on_request
def test_the_source_distribution_runs_its_own_tests(distributions, tmp_path):
    sdist, _ = distributions
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    [folder] = tmp_path.iterdir()
    for name in (
        "Makefile",
        "requirements-lock.txt",
        "docs/usage.md",
        "tests/fakes.py",
        "README.md",
        "LICENSE",
    ):
        assert (folder / name).exists(), name
    chosen = [
        "test_cli",
        "test_usage",
        "test_docs",
        "test_grammar",
        "test_trace_json",
        "test_purity",
        "test_weights",
    ]
    files = [f"tests/{name}.py" for name in chosen]
    environment = os.environ | {"PYTHONPATH": str(folder / "src")}
    environment.pop("RECKON_TEST_PACKAGE", None)
    run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files, cwd=folder, env=environment)


# --- what needs no building ---


def locked() -> dict[str, str]:
    lines = (ROOT / "requirements-lock.txt").read_text(encoding="utf-8").split()
    return {
        name.lower().replace("_", "-"): version
        for name, _, version in (line.partition("==") for line in lines)
    }


def test_the_lock_holds_a_version_of_everything_that_is_asked_for():
    versions = locked()
    extras = [one for group in PROJECT["optional-dependencies"].values() for one in group]
    for requirement in map(Requirement, [*PROJECT["dependencies"], *extras]):
        if requirement.name != PROJECT["name"]:
            assert requirement.specifier.contains(versions[requirement.name]), requirement


def test_the_calculator_asks_for_ranges():
    for requirement in map(Requirement, PROJECT["dependencies"]):
        assert {one.operator for one in requirement.specifier} == {">=", "<"}, requirement


def test_the_description_of_the_package_needs_no_other_file():
    page = (ROOT / PROJECT["readme"]).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]*)\)|<img[^>]*src=\"([^\"]*)\"", page)
    assert [link for pair in links for link in pair if link and "://" not in link] == []
