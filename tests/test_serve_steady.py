"""The server under strain: big, slow and many requests, workers that die or hang, and endings."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

pytest.importorskip("uvicorn", reason="uvicorn is not installed here")

from reckoner.cli.main import main
from reckoner.web.server import listen
from tests.serving import JSON, Serving, is_running, read_all, serving, wait_until

HEAVY = f"{'7' * 1_500}/{'8' * 700}"  # seconds of work
POST = b"POST /api/calculate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def hasty():
    """A server without patience."""
    with serving(
        workers=1,
        seconds=1.0,
        grace=0.5,
        request_seconds=1.0,
        response_seconds=2.0,
        connections=30,
        waiting=2,
    ) as running:
        yield running


@pytest.fixture(scope="module")
def server():
    with serving(workers=1, waiting=1, patience=30.0, seconds=30.0) as running:
        yield running


def status_of(data):
    return int(data.split(b" ", 2)[1])


def in_background(work, count):
    found: list = []
    threads = [threading.Thread(target=lambda: found.append(work())) for _ in range(count)]
    for thread in threads:
        thread.start()
    return threads, found


# --- big ---


def test_a_body_that_says_it_is_too_big_is_refused_before_it_comes(hasty):
    data = hasty.send(POST + b"Content-Length: 50000000\r\n\r\n")
    assert status_of(data) == 413
    assert len(data) < 2_000


def test_a_body_without_a_length_is_refused_while_it_arrives(hasty):
    """It would be 50 MB; far less is taken, and nothing of it comes back."""
    sent = 0
    piece = b"10000\r\n" + b"9" * 65_536 + b"\r\n"
    with hasty.connect() as connection:
        connection.sendall(POST + b"Transfer-Encoding: chunked\r\n\r\n")
        connection.settimeout(10)
        try:
            for _ in range(800):
                connection.sendall(piece)
                sent += len(piece)
        except OSError:
            pass
        data = read_all(connection)
    assert sent < 20_000_000
    assert not data or status_of(data) == 413
    assert len(data) < 2_000


def test_headers_without_end_are_refused(hasty):
    data = hasty.send(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 100_000)
    assert not data or status_of(data) == 400


# --- slow ---


@pytest.mark.parametrize("start", [b"", b"GET / HT", POST, POST + b"Content-Length: 100\r\n\r\n{"])
def test_who_sends_slowly_is_cut_off(hasty, start):
    started = time.monotonic()
    data = hasty.send(start)
    assert 0.5 < time.monotonic() - started < 20
    assert status_of(data) == 408
    assert json.loads(data.partition(b"\r\n\r\n")[2])["error"]["kind"] == "too-slow"


def test_a_trickle_does_not_extend_the_time(hasty):
    with hasty.connect() as connection:
        started = time.monotonic()
        try:
            for byte in POST * 100:
                connection.sendall(bytes([byte]))
                time.sleep(0.1)
            pytest.fail("it was let go on")
        except OSError:
            assert 0.5 < time.monotonic() - started < 20


def test_who_does_not_take_the_answers_is_cut_off(hasty):
    with hasty.connect() as connection:
        connection.settimeout(20)
        try:
            for _ in range(10_000):
                connection.sendall(b"GET /api/skills HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20)
            pytest.fail("it was let go on")
        except OSError as error:
            assert not isinstance(error, TimeoutError)


def test_too_many_connections_leave_room_for_new_ones(hasty):
    idle = [hasty.connect() for _ in range(60)]
    try:
        assert hasty.get("/health").status == 200
        assert hasty.calculate("1+2").body["answer"] == "3"
        wait_until(lambda: sum(is_closed(connection) for connection in idle) >= 30)
    finally:
        for connection in idle:
            connection.close()


def is_closed(connection):
    connection.setblocking(False)
    try:
        return connection.recv(10_000) is not None
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


# --- many ---


def test_more_than_it_can_do_is_turned_away_and_health_still_answers(server):
    threads, found = in_background(lambda: server.calculate(HEAVY), 6)
    wait_until(lambda: len(found) >= 4)  # one works, one waits
    assert server.workers.items() >= {"alive": 1, "busy": 1, "waiting": 1}.items()
    turned_away = list(found)
    for thread in threads:
        thread.join()
    for got in turned_away:
        assert (got.status, got.body["error"]["kind"], got.headers["retry-after"]) == (503, "busy", "1")
    answers = {got.body["answer"] for got in found if got.status == 200}
    assert len(answers) == 1
    assert sorted(got.status for got in found) == [200, 200, 503, 503, 503, 503]


def test_who_goes_away_does_not_keep_a_worker_busy(server):
    with server.connect() as connection:
        body = json.dumps({"expression": f"{'7' * 4_000}/{'8' * 2_000}"}).encode()
        connection.sendall(POST + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        server.wait_for(busy=1)
    server.wait_for(busy=0, alive=1)
    assert server.calculate("1+2").body["answer"] == "3"


# --- workers ---


def test_a_calculation_has_its_time(hasty):
    before = hasty.worker_pids()
    got = hasty.calculate(f"{'7' * 4_000}/{'8' * 2_000}")
    assert (got.status, got.body["error"]["kind"], got.body["error"]["exit_code"]) == (422, "time-limit", 4)
    assert hasty.worker_pids() == before


def test_a_worker_that_hangs_is_replaced(hasty):
    hasty.wait_for(alive=1, busy=0)
    [pid] = hasty.worker_pids()
    os.kill(pid, signal.SIGSTOP)
    got = hasty.calculate("1+2")
    assert (got.status, got.body["error"]["kind"]) == (422, "time-limit")
    hasty.wait_for(alive=1, busy=0)
    assert not is_running(pid)
    assert hasty.calculate("1+2").body["answer"] == "3"


def test_a_worker_that_is_killed_is_replaced(server):
    server.wait_for(alive=1, busy=0)
    [pid] = server.worker_pids()
    threads, found = in_background(lambda: server.calculate(HEAVY), 1)
    server.wait_for(busy=1)
    os.kill(pid, signal.SIGKILL)
    threads[0].join()
    assert (found[0].status, found[0].body["error"]["kind"]) == (500, "worker-lost")
    server.wait_for(alive=1, busy=0)
    assert server.worker_pids() != [pid]
    assert server.calculate("1+2").body["answer"] == "3"


def test_an_idle_worker_that_is_killed_is_not_asked(server):
    server.wait_for(alive=1, busy=0)
    [pid] = server.worker_pids()
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: server.worker_pids() not in ([], [pid]))
    assert server.calculate("1+2").body["answer"] == "3"


def test_a_worker_that_has_grown_is_replaced_and_no_question_is_lost():
    with serving(workers=1, worker_megabytes=1) as small:
        pids = set()
        for number in range(3):
            pids.add(tuple(small.worker_pids()))
            assert small.calculate(f"{number}+1").body["answer"] == str(number + 1)
            small.wait_for(alive=1, busy=0, replaced=number + 1)
        assert len(pids) == 3


def test_a_calculation_has_its_memory():
    with serving(workers=1, megabytes=1) as small:
        got = small.calculate("+".join(["1" * 9] * 9_000))
        assert (got.status, got.body["error"]["kind"], got.body["error"]["exit_code"]) == (
            422,
            "memory-limit",
            4,
        )
        assert small.calculate("1+2").body["answer"] == "3"


def test_a_worker_has_its_limits():
    with serving(workers=1, worker_bytes=1_234_567_168) as small:
        [pid] = small.worker_pids()
        with open(f"/proc/{pid}/limits", encoding="ascii") as file:
            limits = {line[:26].strip(): line[26:].split() for line in file}
        assert limits["Max address space"][0] == "1234567168"
        assert limits["Max core file size"][0] == "0"


# --- endings ---


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("is_busy", [False, True])
def test_it_ends_cleanly(number, is_busy):
    server = Serving(workers=2)
    server.wait_for(alive=2)
    pids = server.worker_pids()
    idle, other = server.connect(), server.connect()
    if is_busy:
        body = json.dumps({"expression": f"{'7' * 4_000}/{'8' * 2_000}"}).encode()
        other.sendall(POST + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        server.wait_for(busy=1)
    assert server.stop(number) == (0, "", "")
    assert len(pids) == 2
    wait_until(lambda: not any(map(is_running, pids)))
    idle.close()
    other.close()


def test_killed_it_leaves_no_process_behind():
    server = Serving(workers=2)
    server.wait_for(alive=2)
    pids = server.worker_pids()
    server.stop(signal.SIGKILL)
    wait_until(lambda: not any(map(is_running, pids)))


def test_a_taken_port_is_one_sentence(capsys):
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--no-browser", "--port", str(port)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert f"port {port} is taken" in err


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--host", "192.0.2.1"], 2, "there is no address 192.0.2.1"),
        (["--host", "no-such-name.invalid"], 2, "there is no address no-such-name.invalid"),
        (["--port", "65536"], 2, "more than 65535"),
        (["--library", "/nonexistent", "--port", "0"], 5, "/nonexistent"),
    ],
)
def test_what_cannot_be_served_is_one_sentence(arguments, code, words, capsys):
    assert main(["serve", "--no-browser", *arguments]) == code
    out, err = capsys.readouterr()
    assert words in err
    assert "Traceback" not in err
    assert out == ""


def test_the_command_says_where_it_listens_and_ends_on_ctrl_c():
    command = [sys.executable, "-m", "reckoner", "serve", "--no-browser", "--port", "0", "--workers", "1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    port = int(line.split("127.0.0.1:")[1].split("/")[0])
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.sendall(b"GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n")
        assert status_of(read_all(connection)) == 200
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60) == ("", "")
    assert process.returncode == 0


def test_without_the_extra_a_sentence_says_what_to_install():
    code = (
        "import sys; sys.modules['uvicorn'] = None; from reckoner.cli import main; sys.exit(main(['serve']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 5
    assert "pip install 'neural-reckoner[web]'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_content_type_is_checked_before_the_body_is_read(hasty):
    got = hasty.ask("POST", "/api/calculate", b'{"expression": "1"}', JSON | {"content-type": "text/plain"})
    assert got.status == 415
