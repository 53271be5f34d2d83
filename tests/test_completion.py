"""Completion scripts, asked in the shells themselves; where a shell is missing its test is skipped."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import time

import pytest

from reckoner.cli.commands import COMMANDS
from reckoner.cli.completion import SHELLS, make_script, script_of
from reckoner.cli.main import main

# What is typed, and what has to be offered.
ASKED = [
    ("reckon --ver", {"--version", "--verify"}),
    ("reckon doct", {"doctor"}),
    ("reckon completion ", set(SHELLS)),
    ("reckon bench --p", {"--parts"}),
    ("reckon doctor --l", {"--library"}),
]


def needs(shell):
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed here")


@pytest.mark.parametrize("shell", SHELLS)
def test_the_command_prints_the_script_that_the_options_give(shell, capsys):
    pytest.importorskip("shtab", reason="shtab, which makes the scripts, is not installed here")
    assert main(["completion", shell]) == 0
    printed = capsys.readouterr().out
    assert printed == script_of(shell).read_text(encoding="utf-8")
    assert printed == make_script(shell), "run `make docs`"


def test_every_command_has_a_parser_of_its_own():
    for command in COMMANDS:
        assert command.parser().prog == f"reckon {command.name}"


@needs("bash")
@pytest.mark.parametrize(("line", "offered"), ASKED)
def test_bash(line, offered):
    words = line.split(" ")
    ask = f"""source {script_of("bash")}
        COMP_WORDS=({" ".join(f"'{word}'" for word in words)}); COMP_CWORD={len(words) - 1}
        _shtab_reckon reckon "${{COMP_WORDS[COMP_CWORD]}}"; echo "${{COMPREPLY[@]}}" """
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True)
    assert (set(done.stdout.split()), done.stderr) == (offered, "")


@needs("fish")
@pytest.mark.parametrize(("line", "offered"), ASKED)
def test_fish(line, offered, tmp_path):
    ask = f"source {script_of('fish')}; complete -C '{line}'"
    homes = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    environment = os.environ | homes
    done = subprocess.run(["fish", "-c", ask], capture_output=True, text=True, check=True, env=environment)
    assert ({row.split("\t")[0] for row in done.stdout.splitlines()}, done.stderr) == (offered, "")


@needs("zsh")
@pytest.mark.parametrize(("line", "offered"), ASKED)
def test_zsh(line, offered):
    """Zsh completes only what is typed at a terminal, so it is given one."""
    terminal, inside = pty.openpty()
    environment = os.environ | {"TERM": "dumb"}
    process = subprocess.Popen(
        ["zsh", "-f", "-i"],
        stdin=inside, stdout=inside, stderr=inside, env=environment, start_new_session=True,
    )  # fmt: skip
    os.close(inside)
    try:
        start = f'autoload -U compinit; compinit -u -D; eval "$(cat {script_of("zsh")})" && echo REA""DY\n'
        os.write(terminal, start.encode())
        assert b"READY" in read_until(terminal, lambda seen: b"READY" in seen)
        os.write(terminal, line.encode() + b"\t\t")
        seen = read_until(terminal, lambda seen: all(word.encode() in seen for word in offered))
        assert all(word.encode() in seen for word in offered), seen
    finally:
        process.kill()
        process.wait()
        os.close(terminal)


def read_until(terminal, is_enough, seconds=120):
    seen = b""
    deadline = time.monotonic() + seconds
    while not is_enough(seen) and time.monotonic() < deadline:
        if select.select([terminal], [], [], 0.1)[0]:
            seen += os.read(terminal, 4_096)
    return seen
