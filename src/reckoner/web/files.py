"""The files of the page: what is in the folder `static`, and nothing else."""

from __future__ import annotations

import gzip
import hashlib
import re
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from reckoner.web.errors import NotFound

FOLDER = Path(__file__).parent / "static"
PAGE = "index.html"
_NAME = re.compile(r"[A-Za-z0-9][-_.A-Za-z0-9]{0,99}")
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
}
_PACKED = (".html", ".js", ".css", ".json", ".svg")


class _File(NamedTuple):
    changed: int
    data: bytes
    packed: bytes | None
    tag: str


class Files:
    """Answers with files; each is read again when it has changed."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.folder = folder
        self._files: dict[str, _File] = {}

    def answer(self, request: Request, name: str) -> Response:
        """A file, or that the browser has it already."""
        found = self._find(name)
        headers = {"cache-control": "no-cache", "etag": found.tag, "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == found.tag:
            return Response(None, 304, headers)
        data = found.data
        accepted = re.split(r"[\s,;]+", request.headers.get("accept-encoding", ""))
        if found.packed is not None and "gzip" in accepted:
            data = found.packed
            headers["content-encoding"] = "gzip"
        return Response(data, 200, headers, _TYPES[Path(name).suffix])

    def _find(self, name: str) -> _File:
        suffix = Path(name).suffix
        path = self.folder / name
        try:
            if not _NAME.fullmatch(name) or suffix not in _TYPES:
                raise FileNotFoundError
            changed = path.stat().st_mtime_ns
            if name not in self._files or self._files[name].changed != changed:
                data = path.read_bytes()
                packed = gzip.compress(data, mtime=0) if suffix in _PACKED else None
                tag = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
                self._files[name] = _File(changed, data, packed, tag)
        except OSError:
            raise NotFound("there is no such file") from None
        return self._files[name]
