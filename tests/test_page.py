"""The files of the page, the single file made of them, and the command that writes it; test_browser opens them."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import reckoner
from reckoner import Calculator
from reckoner.cli import main
from reckoner.parts import Parts
from reckoner.single_file import single_file

ROOT = Path(__file__).parent.parent
STATIC = Path(reckoner.__file__).parent / "web" / "static"
MODULES = sorted(STATIC.glob("*.js"))
SHORT = "12*(3+45)"


@pytest.fixture(scope="module")
def bundle() -> dict[str, Any]:
    return Parts().ask(SHORT).bundle()


def read_bundle(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="bundle">(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_the_page_without_data_is_small():
    assert sum(file.stat().st_size for file in STATIC.iterdir()) < 200_000


def test_nothing_is_loaded_from_elsewhere():
    for file in STATIC.iterdir():
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http:" not in text
        assert "https:" not in text
        assert "@import" not in text


def test_the_served_page_keeps_to_a_strict_policy():
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<script(?![^>]* src=)", page) == []
    assert re.findall(r"<style|\sstyle=|\son\w+=", page) == []
    assert "eval(" not in "".join(module.read_text(encoding="utf-8") for module in MODULES)
    assert "innerHTML" not in "".join(module.read_text(encoding="utf-8") for module in MODULES)


def test_the_browser_is_told_of_all_modules_at_once():
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    told = re.findall(r'(?:modulepreload" href|module" src)="/static/([\w-]+\.js)"', page)
    assert sorted(told) == [module.name for module in MODULES]


def test_every_module_is_used_and_keeps_to_one_way_of_importing(bundle):
    page = single_file(bundle)
    for module in MODULES:
        assert page.count(f"const module_{module.stem} = (() => {{") == 1
        text = module.read_text(encoding="utf-8")
        assert len(re.findall(r"^\s*(?:import|export)\b", text, re.MULTILINE)) == len(
            re.findall(
                r'^import \{ [^}]+ \} from "\./[\w-]+\.js";$|^export (?:const|function|class|async function) \w',
                text,
                re.MULTILINE,
            )
        ), module.name
    assert not re.search(r"^(import|export) ", page, re.MULTILINE)


def test_a_single_file_refers_to_nothing_and_allows_only_itself(bundle):
    page = single_file(bundle)
    assert "/static/" not in page
    for tag in ("script", "style"):
        [body] = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert f"'sha256-{b64encode(sha256(body.encode()).digest()).decode()}'" in page
    assert read_bundle(page) == bundle


def test_no_text_ends_the_script(bundle):
    text = "</script><script>alert(1)</script>"
    page = single_file({**bundle, "expression": text})
    assert text not in page
    assert read_bundle(page)["expression"] == text


def test_the_run_inside_is_the_documented_json(bundle):
    schema = json.loads((ROOT / "docs" / "trace.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(bundle["trace"], schema)
    answer = Calculator()(SHORT, trace=True)
    [frame] = re.findall(r'srcdoc="(.*?)"', answer._repr_html_(), re.DOTALL)
    noted = read_bundle(unescape(frame))
    jsonschema.validate(noted["trace"], schema)
    # A notebook has the trace alone, a file the library too: they show the same run and stop at the same steps.
    assert noted["trace"]["calls"] == bundle["trace"]["calls"]
    assert noted["trace"]["lines"] == bundle["trace"]["lines"]
    assert noted["interesting"] == bundle["interesting"]
    known = {skill["name"]: skill for skill in bundle["skills"]["skills"]}
    for skill in noted["skills"]["skills"]:
        assert skill["kind"] == known[skill["name"]]["kind"]
        assert set(skill["calls"]) <= set(known[skill["name"]]["calls"])


def test_the_command_writes_the_page(tmp_path, capsys):
    file = tmp_path / "page.html"
    assert main(["--html", str(file), SHORT]) == 0
    out, err = capsys.readouterr()
    assert out == "576\n"
    assert err == f"reckon: {file} shows how; open it in a browser\n"
    assert read_bundle(file.read_text(encoding="utf-8"))["answer"] == "576"
    assert [*tmp_path.iterdir()] == [file]


def test_the_page_of_a_command_with_a_scale(tmp_path, capsys):
    file = tmp_path / "page.html"
    assert main(["--html", str(file), "--scale", "6", "22/7"]) == 0
    assert capsys.readouterr().out == "3.142857\n"
    page = file.read_text(encoding="utf-8")
    bundle = read_bundle(page)
    assert (bundle["answer"], bundle["scale"], bundle["cut"]) == ("3.142857", 6, None)
    assert "<title>Reckoner: 22/7 at scale 6</title>" in page
    assert main(["--html", str(file), "7/2"]) == 0
    cut = read_bundle(file.read_text(encoding="utf-8"))["cut"]
    assert cut == {"told": "7/2 = 3, remainder 1", "scale": 2, "answer": "3.50"}


def test_a_notebook_says_the_scale():
    shown = Calculator()("7/2", scale=3, trace=True)._repr_html_()
    assert "<code>7/2</code> = <b>3.500</b> <small>(scale 3)</small>" in shown
    [frame] = re.findall(r'srcdoc="(.*?)"', shown, re.DOTALL)
    assert read_bundle(unescape(frame))["scale"] == 3
    assert "scale" not in Calculator()("7/2")._repr_html_()


def test_a_division_by_zero_can_be_watched_too(tmp_path, capsys):
    file = tmp_path / "page.html"
    assert main(["--html", str(file), "8/(3-3)"]) == 3
    assert "division by zero\n  8/(3-3)\n   ^\n" in capsys.readouterr().err
    assert read_bundle(file.read_text(encoding="utf-8"))["error"]["kind"] == "division-by-zero"


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["page.html", "12*(3+"], 2, "reckon: a number is missing after '+'\n"),
        (["page.html", "1+2", "3+4"], 2, "reckon: --html shows one expression"),
        (["page.html"], 2, "reckon: --html shows one expression"),
        (["nowhere/page.html", "1+2"], 2, "reckon: nowhere/page.html: No such file or directory\n"),
        (["folder", "1+2"], 2, "reckon: folder: Is a directory\n"),
    ],
    ids=["mistake", "two", "none", "no folder", "a folder"],
)
def test_what_cannot_be_written_is_said_in_a_sentence(
    tmp_path, monkeypatch, capsys, arguments, code, sentence
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    assert main(["--html", *arguments]) == code
    assert capsys.readouterr().err.startswith(sentence)
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
