"""The page as one file with one run inside: what the server sends in pieces, put together; opens from disk.

The page's modules stay as they are. Each becomes a function that returns what it exports, and an import takes from
what was returned: no build tool, and the browser needs no server. The modules keep to one way of writing these:
`import { a, b } from "./c.js";` and `export` before `const`, `function`, `class` or `async function`.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

_STATIC = Path(__file__).parent / "web" / "static"
_IMPORT = re.compile(r'^import \{ ([^}]+) \} from "\./([\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:const|function|class|async function) (\w+))", re.MULTILINE)
_STYLE = re.compile(r'<link rel="stylesheet" href="/static/([\w-]+\.css)">\n')
_OTHER_LINKS = re.compile(r'<link rel="(?:icon|modulepreload)"[^>]*>\n')
_SCRIPT = re.compile(r'<script type="module" src="/static/([\w-]+\.js)"></script>\n')


def single_file(bundle: dict[str, Any], form: str = "file") -> str:
    """The whole page for a run, as `reckoner.parts` bundles it; `form` is "file", or "notebook" for less around it."""
    page = (_STATIC / "index.html").read_text(encoding="utf-8")
    style = "".join(_read(name) for name in _STYLE.findall(page))
    script = _pack(_SCRIPT.findall(page)[0])
    # Nothing but this script and this style may run, whatever the run's texts are.
    policy = f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:"
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<title>{escape(_title(bundle))}</title>\n<style>{style}</style>\n"
    )
    page = re.sub(r"<title>.*?</title>\n", lambda _: head, page, count=1)
    page = _SCRIPT.sub("", _STYLE.sub("", _OTHER_LINKS.sub("", page)))
    page = page.replace("<html ", f'<html data-form="{form}" ', 1)
    # In JSON a `<` stands only within texts, where it may as well be written as its number: no text ends the script.
    data = json.dumps(bundle, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
    end = f'<script type="application/json" id="bundle">{data}</script>\n<script>{script}</script>\n</body>'
    return page.replace("</body>", end, 1)


def _title(bundle: dict[str, Any]) -> str:
    text = bundle["expression"]
    scale = f" at scale {bundle['scale']}" if bundle["scale"] else ""
    return f"Reckoner: {text if len(text) <= 60 else text[:59] + '…'}{scale}"


def _pack(main: str) -> str:
    """All modules that `main` needs, those that are needed before those that need them."""
    order: list[str] = []

    def visit(name: str) -> None:
        for _, needed in _IMPORT.findall(_read(name)):
            visit(needed)
        if name not in order:
            order.append(name)

    visit(main)
    return '"use strict";\n' + "\n".join(_wrap(name) for name in order)


def _wrap(name: str) -> str:
    """A module as a function that is called once and returns what the module exports."""
    text = _read(name)
    exports = ", ".join(found for _, found in _EXPORT.findall(text))
    body = _EXPORT.sub(
        r"\1", _IMPORT.sub(lambda m: f"const {{ {m[1].replace(' as ', ': ')} }} = {_local(m[2])};\n", text)
    )
    return f"const {_local(name)} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"


def _local(name: str) -> str:
    return "module_" + re.sub(r"\W", "_", name.removesuffix(".js"))


def _hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


def _read(name: str) -> str:
    return (_STATIC / name).read_text(encoding="utf-8")
