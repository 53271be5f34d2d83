"""The folder of a library, as units of work are given it: sent to another machine it takes its files along."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path, PosixPath
from typing import Any

from reckoner.errors import LibraryError
from reckoner.skills.library import BUNDLED, MANIFEST, manifest_hash, read_regular, write_atomically


class Shelf(PosixPath):
    """A path whose pickle holds what is in the folder; the bundled library is on every machine."""

    def __reduce__(self) -> tuple[Any, ...]:
        folder = Path(self)
        try:
            digest = manifest_hash(folder)
            files = {} if folder == BUNDLED else {f.name: read_regular(f) for f in sorted(folder.glob("*.*"))}
        except (LibraryError, OSError):  # whoever opens it at the other end will say what is wrong
            return Shelf, (str(self),)
        return _put_up, (str(self), folder == BUNDLED, digest, files)


def _put_up(folder: str, is_bundled: bool, digest: str, files: dict[str, bytes]) -> Shelf:
    """At the other end: the same folder if it is there, or a copy."""
    here = BUNDLED if is_bundled else Path(folder)
    if (here / MANIFEST).is_file() and manifest_hash(here) == digest:
        return Shelf(here)
    if is_bundled:
        raise LibraryError("the bundled library of this machine is another one; install the same package")
    copy = Path(tempfile.gettempdir()) / f"reckoner-library-{os.getuid()}-{digest[:24]}"
    if not (copy / MANIFEST).is_file():
        copy.mkdir(exist_ok=True, mode=0o700)
        for name in sorted(files, key=lambda name: name == MANIFEST):  # the manifest last: then all is there
            write_atomically(copy / name, files[name])
    return Shelf(copy)
