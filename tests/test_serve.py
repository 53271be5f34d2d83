"""The server's answers: the same as the command line's, in parts, and only for those who may ask."""

from __future__ import annotations

import json
import random
import re
import shlex
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="uvicorn is not installed here")

from starlette.requests import Request
from starlette.routing import Route

from reckoner.answer import Failure
from reckoner.calculator import Calculator
from reckoner.errors import TextLimit
from reckoner.parts import Parts
from reckoner.web.app import make_app
from reckoner.web.errors import NotFound, WebError
from reckoner.web.files import Files
from reckoner.web.guard import is_own_name
from reckoner.web.pool import Pool
from reckoner.web.settings import Settings
from tests.load_client import make_nonsense
from tests.serving import JSON, serving

STRICT = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
SCHEMA = json.loads((Path(__file__).parent.parent / "docs" / "trace.schema.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def server():
    with serving() as running:
        yield running


@pytest.fixture(scope="module")
def parts():
    return Parts()


def check_error(got, status, kind):
    assert (got.status, got.body["status"], got.body["error"]["kind"]) == (status, kind, kind)
    assert got.body["answer"] is None
    assert got.body["error"]["message"]
    assert "Traceback" not in got.data.decode()
    assert got.headers["content-type"] == "application/json; charset=utf-8"


# --- calculating ---


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("12*(3+45)", "576"),
        ("-7/2", "-3"),
        (" 007 ", "7"),
        ("9" * 300 + "*9", "8" + "9" * 299 + "1"),
        ("3×−4", "-12"),
    ],
)
def test_answers(server, text, answer):
    got = server.calculate(text)
    assert (got.status, got.body["answer"], got.body["error"]) == (200, answer, None)
    assert (got.body["expression"], got.body["status"]) == (text, "ok")


@pytest.mark.parametrize(
    ("text", "scale", "answer"),
    [
        ("22/7", 6, "3.142857"),
        ("-2/3", 0, "0"),
        ("2^-3", 5, "0.12500"),
        ("1.5*4", 0, "6.0"),
        ("7/2", 300, None),
    ],
)
def test_answers_at_a_scale(server, text, scale, answer):
    body = json.dumps({"expression": text, "scale": scale}).encode()
    got = server.ask("POST", "/api/calculate", body, JSON)
    assert (got.status, got.body["scale"]) == (200, scale)
    assert got.body["answer"] == (answer or "3.5" + "0" * (scale - 1))


def test_a_scale_has_the_limits_of_the_command_line(server):
    with pytest.raises(TextLimit) as limit:
        Calculator()("7/2", scale=10_001)
    body = b'{"expression": "7/2", "scale": 10001}'
    got = [server.ask("POST", "/api/calculate", body, JSON)]
    for path in ("/api/trace", "/api/trace/lines", "/api/trace/interesting", "/api/cut"):
        got.append(server.get(path, expression="7/2", scale=10_001))
    for each in got:
        check_error(each, 422, "text-limit")
        assert (each.body["error"]["message"], each.body["error"]["exit_code"]) == (limit.value.message, 4)


def test_a_cut_quotient_is_told(server):
    got = server.get("/api/cut", expression="1+7/2").body
    assert got["cut"] == {"told": "7/2 = 3, remainder 1", "scale": 2, "answer": "4.50"}
    assert server.get("/api/cut", expression="8/2").body["cut"] is None
    assert server.get("/api/cut", expression="7/2", scale=1).body["cut"] is None
    check_error(server.get("/api/cut", expression="7/0"), 422, "division-by-zero")


def test_a_trace_at_a_scale(server, parts):
    run = parts.ask("22/7", 6)
    got = server.get("/api/trace", expression="22/7", scale=6, call=5).body
    assert (got["answer"], got["scale"], got["trace"]) == ("3.142857", 6, run.part(5))
    assert server.get("/api/trace/lines", expression="22/7", scale=6).body["lines"][-1]["text"] == "3.142857"
    steps = server.get("/api/trace/interesting", expression="22/7", scale=6).body["steps"]
    assert steps == run.interesting()
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed here")
    jsonschema.validate(got["trace"], SCHEMA)


@pytest.mark.parametrize(
    "text",
    [
        "12*(3+",
        "1/0",
        "1+8%(2-2)",
        "",
        "<script>alert(1)</script>",
        "1\ud800",
        "é",
        "(" * 1_001 + "1" + ")" * 1_001,
    ],
)
def test_errors_have_the_kinds_places_and_exit_codes_of_the_command_line(server, text):
    [result] = Calculator().results([text])
    assert isinstance(result, Failure)
    got = server.calculate(text)
    check_error(got, 422, result.error.kind)
    error = got.body["error"]
    assert (error["message"], error["position"]) == (result.error.message, result.error.position)
    assert error["exit_code"] == result.error.exit_code
    assert got.body["expression"] == (text if len(text) <= 2_000 else None)


def test_a_long_text_is_not_sent_back(server):
    got = server.calculate("1+" * 60_000 + "1")
    check_error(got, 422, "text-limit")
    assert len(got.data) < 500


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"3", b"null", b'"1+2"', b"{}", b'{"expression": 3}', b'{"expression": ["1"]}',
        b'{"expression": "1", "more": 2}', b'{"expression": "1", "scale": "2"}', b'{"expression": "1", "scale": 1.0}',
        b'{"expression": "1", "scale": -1}', b'{"expression": "1", "scale": true}',
        b'{"expression": "1", "scale": null}',
        b'{"expression": "1\xff"}', b"\xff\xfe", b"[" * 200_000,
        b'{"expression": ' + b"9" * 10_000 + b"}",
    ],
)  # fmt: skip
def test_what_is_not_the_documented_object(server, body):
    got = server.ask("POST", "/api/calculate", body, JSON)
    check_error(got, 400, "bad-request")
    assert len(got.data) < 500


@pytest.mark.parametrize(
    "kind", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_what_a_form_of_another_page_could_send_is_refused(server, kind):
    headers = {} if kind is None else {"content-type": kind}
    got = server.ask("POST", "/api/calculate", b'{"expression": "1+2"}', headers)
    check_error(got, 415, "content-type")


def test_other_spellings_of_the_content_type(server):
    headers = {"content-type": "Application/JSON;charset=utf-8"}
    assert server.ask("POST", "/api/calculate", b'{"expression": "1+2"}', headers).body["answer"] == "3"


# --- the trace by parts ---


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ({}, ()), ({"call": 2}, (2,)), ({"call": 30, "depth": 3}, (30, 3)), ({"call": 7, "depth": 0}, (7, 0)),
        ({"call": 13, "parent": 1}, (13, 1, True)),
    ],
)  # fmt: skip
def test_a_part_of_a_trace(server, parts, query, asked):
    got = server.get("/api/trace", expression="12*(3+45)", **query)
    assert (got.status, got.body["answer"], got.body["calls"]) == (200, "576", 44)
    assert got.body["trace"] == parts.ask("12*(3+45)").part(*asked)
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed here")
    jsonschema.validate(got.body["trace"], SCHEMA)


def test_deep_inside_a_long_multiplication(server):
    text = f"{'9' * 100}*{'8' * 100}"
    got = server.get("/api/trace", expression=text, call=56_789)
    assert got.body["trace"]["total"] > 80_000
    assert got.body["trace"]["calls"][0]["number"] == 56_789
    assert len(got.data) < 100_000


def test_a_division_by_zero_can_be_watched(server):
    got = server.get("/api/trace", expression="1+8/0")
    assert (got.status, got.body["status"], got.body["error"]["position"]) == (200, "division-by-zero", 3)
    assert got.body["trace"]["calls"]


def test_lines_and_interesting_steps(server, parts):
    run = parts.ask("12*(3+45)")
    got = server.get("/api/trace/lines", expression="12*(3+45)").body
    assert (got["lines"], got["from"], got["lines_total"]) == (run.all_lines, 0, 3)
    assert (
        server.get("/api/trace/lines", expression="12*(3+45)", **{"from": 2}).body["lines"]
        == run.all_lines[2:]
    )
    got = server.get("/api/trace/interesting", expression="12*(3+45)").body
    assert (got["steps"], got["more"]) == (run.interesting(), False)
    many = "+".join(["1"] * 400)
    got = server.get("/api/trace/interesting", expression=many).body
    assert (len(got["steps"]), got["more"]) == (500, True)
    rest = server.get("/api/trace/interesting", expression=many, **{"from": 500}).body
    assert rest["steps"][0]["call"] > got["steps"][-1]["call"]


@pytest.mark.parametrize("path", ["/api/trace", "/api/trace/lines", "/api/trace/interesting"])
def test_what_has_no_trace(server, path):
    check_error(server.get(path, expression="12*(3+"), 422, "syntax")
    check_error(server.get(path, expression="1+" * 1_000 + "1"), 422, "text-limit")
    check_error(server.get(path), 400, "bad-request")
    for query in (
        "expression=%ff",
        "expression=%ED%A0%80",
        "expression=1&expression=2",
        "expression=1&x=2",
        "&",
        "=&=",
    ):
        check_error(server.get(f"{path}?{query}"), 400, "bad-request")


@pytest.mark.parametrize(
    "query",
    [
        {"call": -1},
        {"call": "x"},
        {"call": "1" * 30},
        {"depth": 4},
        {"call": "²"},
        {"call": "1e3"},
        {"call": ""},
    ],
)
def test_numbers_that_are_none(server, query):
    check_error(server.get("/api/trace", expression="1+2", **query), 400, "bad-request")


def test_a_call_that_is_not_there(server):
    check_error(server.get("/api/trace", expression="1+2", call=1_000), 404, "not-found")


def test_skills(server, parts):
    got = server.get("/api/skills").body
    assert [skill["name"] for skill in got["skills"]] == list(parts.library.names)
    assert all(skill["summary"] for skill in got["skills"])
    assert got["expression"] in parts.library.names


def test_health(server):
    got = server.get("/health").body
    assert got["status"] == "ok"
    assert got["workers"]["alive"] == 2


# --- who may ask ---


@pytest.mark.parametrize("path", ["/", "/health", "/nowhere", "/static/none.js", "/api/skills", "/api/trace"])
def test_every_answer_is_strict(server, path):
    headers = server.get(path).headers
    assert {name: headers[name] for name in STRICT} == STRICT
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "*" not in policy
    assert headers["server"] is None
    assert headers["access-control-allow-origin"] is None


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "evil.example:7325", "", "[::1", "127.0.0.1.evil.example"],
)
def test_foreign_names_are_refused(server, host):
    for path in ("/health", "/", "/api/skills"):
        check_error(server.ask("GET", path, headers={"host": host}), 421, "foreign-host")


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:7325", "127.0.0.1", "[::1]:80", "192.0.2.7:7325", "localhost."]
)
def test_own_names_and_addresses_are_not(server, host):
    assert server.ask("GET", "/health", headers={"host": host}).status == 200


def test_the_name_given_as_host_is_ours():
    assert is_own_name("my-box:1", {"my-box"})
    assert not is_own_name("my-box.evil.example", {"my-box"})


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"}, {"origin": "null"}, {"origin": "http://localhost:1"}, {"origin": "file://"},
        {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script"},
    ],
)  # fmt: skip
def test_other_sites_are_refused(server, headers):
    check_error(server.ask("GET", "/api/skills", headers=headers), 403, "cross-site")
    got = server.ask("POST", "/api/calculate", b'{"expression": "1"}', JSON | headers)
    check_error(got, 403, "cross-site")


def test_the_page_itself_and_links_to_it_are_welcome(server):
    own = {"origin": f"http://127.0.0.1:{server.port}", "sec-fetch-site": "same-origin"}
    assert server.ask("POST", "/api/calculate", b'{"expression": "1"}', JSON | own).body["answer"] == "1"
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert server.ask("GET", "/", headers=link).status in (200, 404)
    framed = link | {"sec-fetch-dest": "iframe"}
    assert server.ask("GET", "/", headers=framed).status == 403


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/calculate"),
        ("POST", "/api/trace"),
        ("DELETE", "/health"),
        ("PUT", "/"),
        ("OPTIONS", "/api/calculate"),
    ],
)
def test_the_wrong_way_to_ask(server, method, path):
    got = server.ask(method, path)
    check_error(got, 405, "method")
    assert got.headers["allow"]


# --- files ---


@pytest.mark.parametrize(
    "path",
    ["/static/../worker.py", "/static/%2e%2e%2fworker.py", "/static/..%5cworker.py", "/static/", "/static/.hidden",
     "/worker.py", "/static//etc/passwd", "/static/index.html%00.js", "//etc/passwd"],
)  # fmt: skip
def test_nothing_but_the_files_of_the_page(server, path):
    check_error(server.get(path), 404, "not-found")


def request(**headers):
    encoded = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "GET", "path": "/", "headers": encoded})


def test_files_come_with_type_and_tag_and_packed(tmp_path):
    (tmp_path / "page.js").write_text("x" * 1_000)
    (tmp_path / "notes.txt").write_text("not for the page")
    files = Files(tmp_path)
    plain = files.answer(request(), "page.js")
    assert (plain.body, plain.headers["content-type"]) == (b"x" * 1_000, "text/javascript; charset=utf-8")
    packed = files.answer(request(accept_encoding="br, gzip"), "page.js")
    assert packed.headers["content-encoding"] == "gzip"
    assert len(packed.body) < 100
    tag = plain.headers["etag"]
    assert files.answer(request(if_none_match=tag), "page.js").status_code == 304
    (tmp_path / "page.js").write_text("y")
    again = files.answer(request(if_none_match=tag), "page.js")
    assert (again.status_code, again.body) == (200, b"y")
    for name in ("notes.txt", "none.js", "../page.js", ""):
        with pytest.raises(NotFound):
            files.answer(request(), name)


# --- what is not HTTP ---


def test_malformed_requests_are_refused_and_never_an_error_of_ours(server):
    rng = random.Random(14)
    statuses = set()
    for _ in range(300):
        with server.connect() as connection:
            connection.sendall(make_nonsense(rng))
            connection.shutdown(socket.SHUT_WR)
            data = b""
            try:
                while piece := connection.recv(65_536):
                    data += piece
            except ConnectionError:
                pass
            if data:
                statuses.add(int(data.split(b" ", 2)[1]))
    assert 400 in statuses
    assert {status for status in statuses if status >= 500} == set()
    assert server.calculate("1+2").body["answer"] == "3"


def test_an_answer_to_what_is_not_http(server):
    data = server.send(b"\x16\x03\x01 hello\r\n\r\n")
    head, _, body = data.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400")
    assert b"content-security-policy" in head
    assert json.loads(body)["error"]["kind"] == "bad-request"


# --- what the page of the documentation says ---


def examples():
    """Commands and what they print."""
    page = (Path(__file__).parent.parent / "docs" / "serve.md").read_text(encoding="utf-8")
    for block in re.findall(r"^```console\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        for example in block.split("$ ")[1:]:
            command, _, printed = example.partition("\n")
            yield command, printed


@pytest.mark.parametrize(("command", "printed"), list(examples()))
def test_the_examples_of_the_documentation(server, command, printed):
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed here")
    arguments = shlex.split(command.replace("localhost:7325", f"localhost:{server.port}"))
    done = subprocess.run([*arguments, "--max-time", "60"], capture_output=True, text=True, check=True)
    wanted = re.escape(printed.strip()).replace(re.escape("..."), ".*")
    assert re.fullmatch(wanted, done.stdout), done.stdout


def test_the_documentation_lists_every_address_and_kind():
    page = (Path(__file__).parent.parent / "docs" / "serve.md").read_text(encoding="utf-8")
    app = make_app(Settings(), Pool(Settings()), "localhost")
    paths = [route.path for route in app.routes if isinstance(route, Route)]
    assert [path for path in paths if path not in page and "static" not in path] == []
    kinds = {error.kind: error.status for error in WebError.__subclasses__()} | {
        WebError.kind: WebError.status
    }
    for kind, status in kinds.items():
        assert re.search(rf"^\| {status} \| .*`{kind}`", page, re.MULTILINE), kind
