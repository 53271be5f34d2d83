"""Which files of the package a text passes from `reckon` to the printed line: `python -m tests.passage "1+2"`.

Counted are files of which a function runs; being imported alone does not count. With `--code`, lines of code too.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import reckoner
from reckoner.cli import main

PACKAGE = Path(reckoner.__file__).parent


def follow(arguments: list[str]) -> list[str]:
    """The files, in the order in which they are first entered."""
    found: dict[str, None] = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(PACKAGE)) and not code.co_name.startswith("<"):
            # what a class body or a decorator runs while a file is imported is not on the way
            caller = frame.f_back
            while caller is not None and caller.f_code.co_name != "<module>":
                caller = caller.f_back
            if caller is None or not caller.f_code.co_filename.startswith(str(PACKAGE)):
                found[Path(code.co_filename).relative_to(PACKAGE).as_posix()] = None

    sys.setprofile(note)
    try:
        main(arguments)
    finally:
        sys.setprofile(None)
    return list(found)


def count_code(folder: Path) -> int:
    """Lines that are neither empty nor a comment."""
    texts = (file.read_text(encoding="utf-8") for file in folder.rglob("*.py"))
    return sum(
        bool(line.strip()) and not line.strip().startswith("#") for t in texts for line in t.splitlines()
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["--code"]:
        for part in sorted({*PACKAGE.iterdir()}):
            if part.is_dir() and any(part.rglob("*.py")):
                print(f"{count_code(part):6} {part.name}/")
        print(f"{count_code(PACKAGE):6} in all, {len(list(PACKAGE.rglob('*.py')))} files")
    else:
        files = follow(sys.argv[1:])
        print(*files, f"{len(files)} files", sep="\n")
