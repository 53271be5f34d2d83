"""The examples of docs/usage.md are run, over the scripted machine and over the networks if there are any."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

import reckoner
from reckoner import calculator
from reckoner.cli.main import main
from reckoner.skills.library import BUNDLED, MANIFEST
from tests.fakes import FakeMachine

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "usage.md"
FLAGS = doctest.ELLIPSIS
NEEDS_WEIGHTS = pytest.mark.skipif(
    not (BUNDLED / MANIFEST).exists(), reason="there are no bundled weights yet"
)


@pytest.fixture(params=["scripted", pytest.param("networks", marks=NEEDS_WEIGHTS)])
def _machine(request, monkeypatch):
    if request.param == "scripted":
        monkeypatch.setattr(calculator, "_make_machine", lambda *_: FakeMachine())


def shell_examples() -> list[tuple[str, str]]:
    """The commands of the page, each with the output shown below it."""
    blocks = re.findall(r"```console\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    examples = [re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)[1:] for block in blocks]
    return [(parts[i], parts[i + 1]) for parts in examples for i in range(0, len(parts), 2)]


def test_there_are_examples():
    assert len(shell_examples()) >= 7


@pytest.mark.usefixtures("_machine")
@pytest.mark.parametrize(
    ("command", "shown"), shell_examples(), ids=[command for command, _ in shell_examples()]
)
def test_shell_examples(command, shown, capsys):
    program, *arguments = shlex.split(command)
    assert program == "reckon"
    code = main(arguments)
    out, err = capsys.readouterr()
    found = out + err + (f"[exit code {code}]\n" if code else "")
    assert doctest.OutputChecker().check_output(shown, found, FLAGS), found


@pytest.mark.usefixtures("_machine")
@pytest.mark.parametrize(
    "text",
    [PAGE.read_text(encoding="utf-8"), (DOCS / "package.md").read_text(encoding="utf-8"), reckoner.__doc__],
    ids=["usage.md", "package.md", "reckoner"],
)
def test_python_examples(text):
    examples = doctest.DocTestParser().get_doctest(text, {}, "examples", None, 0)
    assert examples.examples
    assert doctest.DocTestRunner(optionflags=FLAGS).run(examples).failed == 0
