"""The command `reckon`, over the scripted machine: output, errors, exit codes, and tidy endings."""

from __future__ import annotations

import io
import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from functools import partial
from pathlib import Path

import pytest

from reckoner.answer import Failure
from reckoner.calculator import Calculator
from reckoner.cli import calculate as calculate_module
from reckoner.cli.commands import COMMANDS, Command
from reckoner.cli.main import main
from reckoner.cli.options import read_options
from reckoner.cli.report import describe, excerpt
from reckoner.cli.source import read_batches
from reckoner.errors import ExpressionError
from reckoner.machine import Outcome
from tests.fakes import FakeMachine

ROOT = Path(__file__).parent.parent


class Reckon:
    """Runs the command in this process."""

    def __init__(self, capsys):
        self.capsys = capsys

    def __call__(self, *arguments):
        code = main(arguments)
        out, err = self.capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err


@pytest.fixture
def script():
    """Outcomes that the machine is made to give."""
    return {}


@pytest.fixture
def reckon(capsys, monkeypatch, script):
    def make(options):
        return Calculator(machine=FakeMachine(script), text_limits=options.text_limits)

    monkeypatch.setattr(calculate_module, "make_calculator", make)
    return Reckon(capsys)


# --- arguments ---


def test_only_the_answer_is_printed(reckon):
    assert reckon("12*(3+45)") == (0, "576\n", "")


@pytest.mark.parametrize(
    ("arguments", "out"),
    [
        (["-7/2"], "-3\n"),
        (["--", "-7/2"], "-3\n"),
        (["--5"], "5\n"),
        (["--", "--5"], "5\n"),
        (["-(2+3)"], "-5\n"),
        (["- 5"], "-5\n"),
        (["-7%2"], "-1\n"),
        (["1+2", "-7/2", "3*3"], "3\n-3\n9\n"),
        (["-7/2", "--depth", "0"], "  -7/2\n= -3\n"),
        (["1+2", "--max-length", "5", "3+4"], "3\n7\n"),
        (["−7÷2"], "-3\n"),
        (["1", "+", "2"], "3\n"),
        (["1", "-", "2"], "-1\n"),
        (["2", "×", "(3", "+", "4)"], "14\n"),
        (["2+", "3"], "5\n"),
        (["3", "-2"], "3\n-2\n"),
    ],
)
def test_arguments_are_taken_as_they_are_meant(reckon, arguments, out):
    assert reckon(*arguments) == (0, out, "")


@pytest.mark.parametrize(
    ("text", "code", "err"),
    [
        ("2+*3", 2, "reckon: a number is missing between '+' and '*'\n  2+*3\n    ^\n"),
        ("", 2, "reckon: there is no expression\n"),
        ("1.5.2", 2, "reckon: a number has only one decimal point\n  1.5.2\n     ^\n"),
        ("-x", 2, None),
        ("-.", 2, "reckon: a decimal point has a digit before it or behind it\n  -.\n   ^\n"),
        ("1+2^0.5", 3, "reckon: an exponent is a whole number, without decimals\n  1+2^0.5\n      ^\n"),
        ("2^99999", 4, None),
        ("8/(5-5)", 3, "reckon: division by zero\n  8/(5-5)\n   ^\n"),
        ("(" * 2_000, 4, None),
        ("1" * 200_000, 4, None),
        ("1\udcff2", 2, None),
        ("-" * 3_000 + "1", 4, None),
    ],
)
def test_errors_have_a_caret_and_an_exit_code(reckon, text, code, err):
    found = reckon(text)
    assert found[:2] == (code, "")
    assert found[2].startswith(("reckon: ", "usage: "))
    assert err is None or found[2] == err


def test_the_exit_code_is_the_worst_and_lines_stay_in_step(reckon):
    code, out, err = reckon("1+2", "1/0", "2+", "3+4")
    assert (code, out) == (3, "3\n\n\n7\n")
    assert err.count("^") == 2
    assert reckon("2+", "(" * 2_000)[0] == 4


@pytest.mark.parametrize(
    "arguments",
    [
        ["--jsn", "1+2"],
        ["--depth", "-1", "1"],
        ["--depth", "x", "1"],
        ["--batch", "0"],
        ["--timeout", "nan", "1"],
    ],
)
def test_wrong_options_are_usage_errors(reckon, arguments):
    code, out, err = reckon(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("usage: reckon")
    assert "\0" not in err


def test_limits_reach_the_machine():
    options = read_options(
        ["1", "--max-calls", "5", "--timeout", "2.5", "--max-length", "9", "--max-nesting", "3"]
    )
    assert dict(options.machine_limits) == {"calls": 5, "seconds": 2.5}
    assert (options.text_limits.length, options.text_limits.depth) == (9, 3)


def test_help_has_examples(reckon):
    code, out, _ = reckon("--help")
    assert code == 0
    assert 'reckon "12*(3+45)"' in out
    assert "doctor" in out
    assert reckon("--version")[1].startswith("reckon ")


def test_a_word_is_a_command(reckon):
    assert reckon("help") == reckon("--help")
    for word, hint in (("trian", "did you mean train?"), ("hello", "`reckon --help` lists")):
        code, out, err = reckon(word, "--seed", "1")
        assert (code, out) == (2, "")
        assert err.startswith(f"reckon: there is no command {word}; {hint}")
        assert err.count("\n") == 1
    assert reckon("-V") == reckon("--version")


# --- steps, JSON, verification ---


def test_trace_shows_the_rewriting(reckon):
    code, out, _ = reckon("--trace", "12*(3+45)")
    assert code == 0
    lines = out.splitlines()
    assert [line for line in lines if not line.startswith("      ")] == ["  12*(3+45)", "= 12*48", "= 576"]
    assert any("signed-multiply" in line for line in lines)
    assert reckon("--depth", "0", "12*(3+45)")[1].splitlines() == ["  12*(3+45)", "= 12*48", "= 576"]


def test_trace_shows_the_steps_up_to_an_error(reckon):
    code, out, err = reckon("--depth", "0", "2*3+8/(5-5)")
    assert (code, out) == (3, "  2*3+8/(5-5)\n= 6+8/(5-5)\n= 6+8/0\n")
    assert err.startswith("reckon: division by zero\n")
    assert reckon("--trace", "1/0", "x")[1].endswith("\n\n")  # no steps, no answer: the line is empty


def test_json_objects(reckon):
    code, out, err = reckon("--json", "1+2", "1/0", "x\udcff", "(" * 2_000)
    assert (code, err) == (4, "")
    good, zero, odd, deep = map(json.loads, out.splitlines())
    assert good["expression"] == "1+2"
    assert good["answer"] == "3"
    assert good["status"] == "ok"
    assert good["error"] is None
    assert good["calls"] > 0
    assert good["seconds"] >= 0
    assert "trace" not in good
    assert zero["answer"] is None
    assert zero["status"] == "division-by-zero"
    assert zero["error"] == {"kind": "division-by-zero", "message": "division by zero", "position": 1}
    assert odd["status"] == "syntax"
    assert deep["status"] == "text-limit"


def test_json_with_its_trace(reckon):
    _, out, _ = reckon("--json", "--trace", "12*(3+45)", "1/0")
    good, bad = map(json.loads, out.splitlines())
    assert [line["text"] for line in good["trace"]["lines"]] == ["12*(3+45)", "12*48", "576"]
    assert good["trace"]["calls"][0]["memory"] == "12*(3+45)"
    assert [call["refused"] for call in bad["trace"]["calls"]] == [False, True]
    short = json.loads(reckon("--json", "--depth", "0", "12*(3+45)")[1])
    assert {call["level"] for call in short["trace"]["calls"]} == {0}
    assert json.loads(reckon("--json", "--trace", "2+")[1])["trace"] is None


def test_verify_reports_and_never_corrects(reckon, script):
    assert reckon("--verify", "1+2") == (0, "3\n", "")
    script["1+2"] = Outcome("4", None, 1, None)
    script["5/0"] = Outcome("4", None, 1, None)
    code, out, err = reckon("--verify", "1+2")
    assert (code, out) == (5, "")
    assert "they found 4, exact arithmetic finds 3" in err
    assert "a division by zero" in reckon("--verify", "5/0")[2]
    assert reckon("1+2")[:2] == (0, "4\n")
    code, out, err = reckon("--verify", "1+2", "2+2", "7/0", "x")
    assert (code, out) == (5, "\n4\n\n\n")
    assert "2 of 3 agree with exact arithmetic" in err
    entry = json.loads(reckon("--verify", "--json", "1+2")[1])
    assert (entry["status"], entry["answer"], entry["verified"]) == ("wrong-answer", None, False)


# --- files and pipes ---


def test_a_file_is_answered_line_by_line(reckon, tmp_path):
    file = tmp_path / "problems.txt"
    file.write_bytes(b"1+2\r\n\r\n2+*3\n\xff\n7*6")
    code, out, err = reckon("-f", str(file), "--batch", "2")
    assert (code, out) == (2, "3\n\n\n\n42\n")
    assert f"{file}, line 3: " in err
    assert "not UTF-8" in err


@pytest.mark.parametrize("batch", ["1", "2", "1000"])
def test_blank_lines_stay_and_a_byte_order_mark_goes(reckon, tmp_path, batch):
    file = tmp_path / "problems.txt"
    file.write_bytes(b"\xef\xbb\xbf1+2\n\n  \r\n3*4\n\n")
    assert reckon("-f", str(file), "--batch", batch) == (0, "3\n\n\n12\n\n", "")
    code, out, err = reckon("-f", str(file), "--json", "--batch", batch)
    assert (code, err) == (0, "")
    entries = list(map(json.loads, out.splitlines()))
    assert [entry["answer"] for entry in entries] == ["3", None, None, "12", None]
    assert [entry["status"] for entry in entries] == ["ok", "blank", "blank", "ok", "blank"]
    assert entries[0]["expression"] == "1+2"


def test_a_byte_order_mark_on_the_only_line_goes():
    assert [batch for batch, _ in read_batches(io.BytesIO(b"\xef\xbb\xbf1+2"), 10, 50)] == [["1+2"]]
    assert [batch for batch, _ in read_batches(io.BytesIO(b"\xef\xbb\xbf"), 10, 50)] == []


def test_a_file_in_utf_16_is_named_as_such(reckon, tmp_path):
    file = tmp_path / "problems.txt"
    file.write_text("1+2\n", encoding="utf-16")
    assert reckon("-f", str(file)) == (2, "", "reckon: this text is encoded as UTF-16; save it as UTF-8\n")


def test_arguments_come_before_files(reckon, tmp_path):
    file = tmp_path / "problems"
    file.write_text("2+2\n")
    assert reckon("-f", str(file), "1+2", "--file", str(file)) == (0, "3\n4\n4\n", "")


@pytest.mark.parametrize("name", ["missing", "."])
def test_files_that_cannot_be_read(reckon, tmp_path, name):
    code, out, err = reckon("-f", str(tmp_path / name))
    assert (code, out) == (2, "")
    assert err.startswith(f"reckon: {tmp_path}")
    assert err.count("\n") == 1


def test_with_json_errors_of_files_and_library_are_json(reckon, tmp_path, monkeypatch):
    code, out, err = reckon("--json", "-f", str(tmp_path / "missing"))
    assert (code, err) == (2, "")
    assert json.loads(out)["status"] == json.loads(out)["error"]["kind"] == "file"
    assert "missing: No such file" in json.loads(out)["error"]["message"]
    monkeypatch.undo()  # the real networks: there are none in that folder
    code, out, err = reckon("--json", "--library", str(tmp_path), "1+2")
    assert (code, err) == (5, "")
    assert json.loads(out)["status"] == "library"
    assert (json.loads(out)["expression"], json.loads(out)["answer"]) == (None, None)


def test_a_file_name_in_place_of_an_expression(reckon, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "problems.txt").write_text("1+2\n")
    code, out, err = reckon("12", "problems.txt", "3")  # as a shell makes it of 12 * 3
    assert (code, out) == (2, "")
    assert err == 'reckon: problems.txt is a file; an expression with * is put in quotes, as "12*3"\n'
    assert "`reckon -f problems.txt`" in reckon("problems.txt")[2]
    (tmp_path / "7").write_text("")
    assert reckon("7") == (0, "7\n", "")


def test_batches_keep_order_and_size():
    lines = [f"{n}+1" for n in range(25_000)]
    stream = io.BytesIO("\n".join(lines).encode())
    batches = [batch for batch, _ in read_batches(stream, 1_000, 100)]
    assert [line for batch in batches for line in batch] == lines
    assert max(map(len, batches)) == 1_000


def test_endless_lines_take_bounded_memory():
    class Endless:
        left = 2_000

        def read1(self, size, /):
            self.left -= 1
            return b"1" * size if self.left > 0 else b"\n1+2\n" if self.left == 0 else b""

    batches = [batch for batch, _ in read_batches(Endless(), 10, 50)]
    assert batches == [["1" * 51, "1+2"]]


def test_wide_and_strange_characters_keep_the_caret_in_place():
    shown, column = excerpt("１+x", 2, 72)
    assert (shown, column) == ("１+x", 3)
    shown, column = excerpt("\x1b[31m+x", 6, 72)
    assert shown[column] == "x"
    assert "\x1b" not in shown
    shown, column = excerpt("1" * 500 + "x" + "2" * 500, 500, 72)
    assert shown[column] == "x"
    assert len(shown) < 80
    assert excerpt("12", 2, 72) == ("12", 2)
    message = describe(Failure("1+", ExpressionError("a number is missing", 2)))
    assert message.splitlines()[-1] == "    ^"


# --- sub-commands ---


def test_names_of_commands_are_their_own():
    assert len({command.name for command in COMMANDS}) == len(COMMANDS)


def test_a_missing_extra_is_explained(reckon, monkeypatch, tmp_path):
    module = tmp_path / "needs_torch.py"
    module.write_text("import a_package_nobody_has\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("reckoner.cli.commands.COMMANDS", (Command("learn", "needs_torch", ""),))
    code, out, err = reckon("learn")
    assert (code, out) == (5, "")
    assert "a_package_nobody_has" in err
    assert "neural-reckoner[train]" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", [["prove"], ["program", "--markdown"], ["prove", "less", "add-column"]])
def test_a_missing_solver_is_missed_before_the_first_row(reckon, monkeypatch, command):
    monkeypatch.setitem(sys.modules, "z3", None)
    code, out, err = reckon(*command)
    assert (code, out) == (5, "")
    assert err.endswith("pip install 'neural-reckoner[proof]' (in a clone, `make test` does)\n")
    assert reckon("prove", "add-column")[0] == 0  # a table needs none
    monkeypatch.setitem(sys.modules, "cvc5", None)
    assert reckon("prove", "add-column", "--second-opinion")[:2] == (5, "")


@pytest.mark.parametrize(
    "command", [["program"], ["prove"], ["call", "--"], ["train", "--only"]], ids=lambda command: command[0]
)
def test_a_skill_that_nobody_knows_is_a_mistake_of_whoever_typed_it(reckon, command):
    message = ["1"] if command[0] == "call" else []
    code, out, err = reckon(*command, "m+n", *message)
    assert (code, out, err) == (2, "", "reckon: there is no skill 'm+n'; did you mean M+M?\n")
    code, out, err = reckon(*command, "telepathy", *message)
    assert (code, out) == (2, "")
    assert "there is no skill 'telepathy'; there are add-column, " in err


def test_arguments_are_forwarded_untouched(reckon, monkeypatch, tmp_path):
    (tmp_path / "echoing.py").write_text("def main(argv):\n    print(argv)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("reckoner.cli.commands.COMMANDS", (Command("echo", "echoing", ""),))
    assert reckon("echo", "--seed", "-3", "--", "--x") == (0, "['--seed', '-3', '--', '--x']\n", "")


def test_doctor_names_what_is_wrong(reckon, tmp_path):
    code, out, _ = reckon("doctor", "--library", str(tmp_path))
    assert code == 5
    assert out.splitlines()[-1].startswith("BAD ")
    assert str(tmp_path) in out


# --- tidy endings, in processes of their own ---

START = (
    "import sys; from tests.fakes import install; install(); from reckoner.cli import main; sys.exit(main())"
)


def start(*arguments, code=START, **settings):
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, stderr=subprocess.PIPE, text=True, **settings
    )


def test_python_m_reckoner_is_reckon():
    done = subprocess.run(
        [sys.executable, "-m", "reckoner", "2*"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "after '*'" in done.stderr


def test_standard_input_is_answered_as_it_comes():
    process = start(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write("1+2\n")
    process.stdin.flush()
    assert process.stdout.readline() == "3\n"  # before the input has ended
    out, err = process.communicate("2+\n3+4\n")
    assert (out, process.returncode) == ("\n7\n", 2)
    assert "line 2: " in err


def test_a_closed_pipe_ends_quietly(tmp_path):
    file = tmp_path / "many"
    file.write_text("1+2\n" * 50_000)
    process = start("-f", str(file), stdout=subprocess.PIPE)
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait() == 141


def test_interruption_ends_quietly():
    process = start(stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write("1+2\n")
    process.stdin.flush()
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert (err, process.returncode) == ("", 130)


def test_a_full_disk_is_one_sentence():
    with open("/dev/full", "w") as full:
        process = start("1+2", stdout=full)
        _, err = process.communicate()
    assert process.returncode == 5
    assert err.startswith("reckon: ")
    assert err.count("\n") == 1


def test_closed_streams_are_noticed():
    command = f"{sys.executable} -c '{START}' 1+2"
    done = subprocess.run(["bash", "-c", command + " >&-"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 5  # nobody has got the answer
    assert done.stderr == "reckon: standard output is closed, so there is nowhere to write the answer\n"
    assert subprocess.run(["bash", "-c", command + " 2>&-"], cwd=ROOT, capture_output=True).stdout == b"3\n"
    done = subprocess.run(
        ["bash", "-c", command.removesuffix("1+2") + "<&-"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_an_internal_error_is_one_sentence(reckon, monkeypatch):
    def fail(options):
        raise RuntimeError("a bug")

    monkeypatch.setattr(calculate_module, "make_calculator", fail)
    code, out, err = reckon("1+2")
    assert (code, out) == (5, "")
    assert err.count("\n") == 1


def test_missing_weights_are_one_sentence(tmp_path):
    process = start(
        "--library", str(tmp_path), "1+2", code="import sys, reckoner.cli; sys.exit(reckoner.cli.main())"
    )
    _, err = process.communicate()
    assert process.returncode == 5
    assert str(tmp_path) in err
    assert err.count("\n") == 1


def read_until(descriptor, words, seconds=120, unread=None):
    """What a terminal shows until `words` appear, or until the time is up or the other side is gone.

    With `unread`, a bytearray, no more than that: what came along with it is kept there for the next call.
    """
    seen = bytes(unread or b"")
    deadline = time.monotonic() + seconds
    while words not in seen and time.monotonic() < deadline:
        if select.select([descriptor], [], [], 0.1)[0]:
            try:
                seen += os.read(descriptor, 4_096)
            except OSError:
                break
    if unread is None:
        return seen
    before, found, unread[:] = seen.partition(words)
    return before + found


def test_alone_on_a_terminal_there_is_a_prompt(tmp_path):
    terminal, inside = pty.openpty()
    read = partial(read_until, terminal, unread=bytearray())
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "TERM": "dumb"}
    process = start(stdin=inside, stdout=inside, env=environment)
    os.close(inside)
    try:
        assert b"> " in read(b"> ")
        os.write(terminal, b"12*(3+45)\r")
        assert b"576" in read(b"576")
        read(b"> ")
        os.write(terminal, b"ste\t\r")  # the Tab key completes
        assert b"= 12*48" in read(b"= 576")
        read(b"> ")
        os.write(terminal, b"2+\r")
        assert b"\n\r\n" not in read(b"> ")  # no empty line for an error: it is seen
        os.write(terminal, b"\x04")
        assert process.wait(timeout=120) == 0
        assert process.stderr.read() == "reckon: a number is missing after '+'\n  2+\n    ^\n"
    finally:
        process.kill()
        process.wait()
        process.stderr.close()
        os.close(terminal)
    assert "12*(3+45)" in (tmp_path / "reckoner" / "history").read_text()


@pytest.mark.parametrize("columns", [60, 150])
def test_output_fits_the_terminal(columns):
    terminal, inside = pty.openpty()
    termios.tcsetwinsize(inside, (24, columns))
    text = "+".join(["1" * 60] * 3)
    process = start("--trace", text, f"{text}+x", stdin=subprocess.DEVNULL, stdout=inside)
    shown = read_until(terminal, b"= 333")
    os.close(inside)
    assert process.wait(timeout=120) == 2
    process.stderr.close()
    os.close(terminal)
    widths = [len(line) for line in shown.decode().splitlines()]
    assert columns - 15 < max(widths) <= columns


def test_errors_fit_the_terminal():
    terminal, inside = pty.openpty()
    termios.tcsetwinsize(inside, (24, 40))
    command = [sys.executable, "-c", START, "1" * 300 + "x"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=inside)
    shown = read_until(terminal, b"^")
    os.close(inside)
    assert process.wait(timeout=120) == 2
    os.close(terminal)
    message, *excerpt_lines = shown.decode().splitlines()
    assert "is a letter" in message
    assert max(map(len, excerpt_lines)) <= 40


def test_help_fits_the_terminal(reckon, monkeypatch):
    monkeypatch.setenv("COLUMNS", "82")
    for command in ([], ["train"], ["completion"]):
        code, out, _ = reckon(*command, "--help")
        assert code == 0
        assert max(map(len, out.splitlines())) <= 82
