"""docs/add-a-skill.md is run as it stands: a person's own file, a training, a call, an operator."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from reckoner.cli.main import main
from reckoner.curriculum.own import TasksError, own_tasks, read_rows
from reckoner.curriculum.plan import Plan
from reckoner.curriculum.school import teach
from reckoner.errors import LibraryError
from reckoner.machine import Machine
from reckoner.skills import Library

PAGE = (Path(__file__).parent.parent / "docs" / "add-a-skill.md").read_text(encoding="utf-8")
(SOURCE,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def examples() -> list[tuple[str, str]]:
    blocks = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
    parts = [re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)[1:] for block in blocks]
    return [(part[i], part[i + 1]) for part in parts for i in range(0, len(part), 2)]


def test_the_page_is_true(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    Path("larger.py").write_text(SOURCE)
    assert len(examples()) == 6
    for command, shown in examples():
        program, *arguments = shlex.split(command)
        assert program == "reckon"
        code = main(arguments)
        out, err = capfd.readouterr()
        found = out + err + (f"[exit code {code}]\n" if code else "")
        assert doctest.OutputChecker().check_output(shown, found, doctest.ELLIPSIS), found
    made = Library.load("runs/larger/library")
    assert made.names == (*Library.load().names, "larger", "expression-larger")
    long = [("9" * 200, "1" + "0" * 200), ("7" * 300, "7" * 299 + "6"), ("0", "0")]
    answers = [outcome.answer for outcome in Machine(made).run("larger", long)]
    assert answers == [long[0][1], long[1][0], "0"]
    # nothing is left to do, and the answer is the same
    assert main(["train", "--tasks", "larger.py", "--out", "runs/larger"]) == 0
    assert "mastered" not in capfd.readouterr().out


# --- files that are not as they should be ---


def refused(tmp_path: Path, source: str) -> str:
    file = tmp_path / "own.py"
    file.write_text(source)
    read_rows.cache_clear()
    with pytest.raises(TasksError) as caught:
        own_tasks(file)
    assert str(file) in caught.value.message
    return caught.value.message


def change(old: str, new: str) -> str:
    assert old in SOURCE
    return SOURCE.replace(old, new)


def test_files_that_cannot_be_learned_from(tmp_path):
    assert "line 1" in refused(tmp_path, "def")
    assert "line 2: ZeroDivisionError" in refused(tmp_path, "x = 0\ny = 1 / x\n")
    assert "TASKS" in refused(tmp_path, "x = 0\n")
    assert "at least one row" in refused(tmp_path, "TASKS = ()\n")
    assert "BasicTask or an InteractiveTask" in refused(tmp_path, "TASKS = (3,)\n")
    assert "no layout" in refused(tmp_path, change('"{x},{y}"', '"{z}"'))
    assert "does not accept" in refused(tmp_path, change("return Problem(x, y,", "return Problem('', y,"))
    assert "the only characters" in refused(tmp_path, change("str(max(int(x), int(y)))", "'é'"))
    assert "three texts" in refused(tmp_path, change("str(max(int(x), int(y)))", "max(int(x), int(y))"))
    assert "no two of one name" in refused(tmp_path, change('"expression-larger",', '"larger",'))
    assert "not a Python file" in str(pytest.raises(TasksError, own_tasks, tmp_path / "none.py").value)  # noqa: RUF061


@pytest.mark.parametrize(
    ("old", "new", "error", "words"),
    [
        ('SkillSpec("larger"', 'SkillSpec("M+M"', TasksError, "another name"),
        ('calls=("less", "strip")', 'calls=("more",)', LibraryError, "not learned"),
        ('calls=("less", "strip")', 'calls=("expression-larger",)', LibraryError, "wait for one another"),
    ],
)
def test_rows_that_do_not_fit_the_library(tmp_path, old, new, error, words):
    file = tmp_path / "own.py"
    file.write_text(change(old, new))
    read_rows.cache_clear()
    with pytest.raises(error, match=words):
        teach(Plan("full", tmp_path / "run", own=file), lambda event: None)


def test_only_gives_a_whole_library(tmp_path, capsys):
    """A row of the curriculum, learned anew in the place it has among the bundled skills."""
    run = tmp_path / "run"
    assert main(["train", "--only", "borrow-sign", "--out", str(run), "--workers", "1"]) == 0
    assert "1 of them learned here" in capsys.readouterr().out
    made, bundled = Library.load(run / "library"), Library.load()
    assert set(made.names) == set(bundled.names)
    assert made["borrow-sign"].tensors["embed.weight"].any()
    assert [o.answer for o in Machine(made).run("M-M", [("5", "7"), ("70", "9")])] == ["-2", "61"]
