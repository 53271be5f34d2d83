"""The file of what a library's networks decided and answered before, beside its manifest.

    decisions.json       a line that says which library it is of, then a line per skill in the library's order

`reckon remember` makes it from the networks alone. It is bound to the hash of the manifest, hence to those of all
weights: a file that is damaged, or of other weights, is ignored, and the networks are asked instead.
"""

from __future__ import annotations

import hashlib
import json
from binascii import a2b_hex
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, cast

from reckoner.nn.config import ControllerConfig
from reckoner.skills.base import Answerer, Decider, Skill
from reckoner.skills.library import (
    BUNDLED,
    Library,
    digest,
    read_manifest,
    read_regular,
    read_weights,
    spec_of,
    write_atomically,
)
from reckoner.skills.remembered import RememberedAnswerer, RememberedDecider

FILE = "decisions.json"
FORMAT = "reckoner-decisions-1"

Remembered = RememberedAnswerer | RememberedDecider


def recall(folder: Path | str | None = None) -> Library:
    """The library in a folder (the bundled one by default), with all that is remembered of it.

    Where no file of decisions fits, it is the library as `Library.load` gives it. Otherwise networks are loaded when
    something is asked that nobody remembers; that all weights are there and undamaged is looked at in any case.
    """
    path = Path(folder) if folder is not None else BUNDLED
    entries = read_manifest(path)
    lines = read_decisions(path, entries)
    if lines is None:
        return Library.load(path)
    for entry in entries:
        read_weights(path, entry)
    return _put_to_sleep(path, entries, lines)


def read_decisions(folder: Path, entries: list[dict[str, Any]]) -> list[bytes] | None:
    """What is remembered of each skill; None if there is no file, or it is not of this library."""
    try:
        head, _, body = read_regular(folder / FILE).partition(b"\n")
        says = json.loads(head)
        if says != _head(entries, body):
            return None
        lines = body.splitlines()
    except (OSError, ValueError, RecursionError):
        return None
    return lines if len(lines) == len(entries) else None


def write_decisions(library: Library, folder: Path) -> None:
    """Write down all that the skills of a library, which lies in that folder, remember."""
    remembered = [skill.memory.texts for skill in library if isinstance(skill, Remembered)]
    body = b"".join(
        json.dumps(known, separators=(",", ":"), sort_keys=True).encode() + b"\n" for known in remembered
    )
    head = _head(read_manifest(folder), body)
    write_atomically(folder / FILE, json.dumps(head).encode() + b"\n" + body)


def begin_to_remember(folder: Path) -> Library:
    """The library with skills that remember nothing yet, and from now on everything."""
    entries = read_manifest(folder)
    return _put_to_sleep(folder, entries, [b""] * len(entries), keeps=True)


def count_decisions(library: Library) -> int:
    """How many decisions and answers of its networks a library remembers."""
    return sum(len(skill.memory.texts) for skill in library if isinstance(skill, Remembered))


def find_differences(library: Library) -> Iterator[str]:
    """Whatever is remembered and not what the networks say now; there should be nothing."""
    for skill in library:
        if isinstance(skill, RememberedAnswerer):
            memories = [memory.encode() for memory in skill.memory.texts]
            said = cast(Answerer, skill.wake()).answer(memories) if memories else []
            for (memory, answer), now in zip(skill.memory.texts.items(), said, strict=True):
                if answer.encode() != now:
                    yield f"{skill.name}: {memory} is remembered as {answer}, the network says {now.decode()}"
        elif isinstance(skill, RememberedDecider):
            yield from _compare_decisions(skill)


def _compare_decisions(skill: RememberedDecider) -> Iterator[str]:
    network = cast(Decider, skill.wake())
    pasts = {"": network.root}
    for depth, paths in groupby(sorted(skill.memory.texts, key=_count_views), _count_views):
        requests = []
        for path in (known := list(paths)):
            past, _, view = path.rpartition("/")
            if past not in pasts:
                yield f"{skill.name}: nothing leads to {path}"
                return
            requests.append((pasts[past], a2b_hex(view)))
        for path, decision in zip(known, network.decide(requests), strict=True):
            pasts[path] = decision.recollection
            if skill.memory.texts[path] != bytes(decision.choice).hex():
                yield f"{skill.name}: after {depth} views the network decides otherwise on {path}"


def _count_views(path: str) -> int:
    return path.count("/")


def _head(entries: list[dict[str, Any]], body: bytes) -> dict[str, str]:
    return {"format": FORMAT, "library": digest(entries), "sha256": hashlib.sha256(body).hexdigest()}


def _put_to_sleep(
    folder: Path, entries: list[dict[str, Any]], lines: list[bytes], keeps: bool = False
) -> Library:
    library = Library()
    for entry, line in zip(entries, lines, strict=True):
        spec = spec_of(folder, entry)
        library.check(folder, spec)
        wake = _Asleep(folder, entry, library)
        skill: Skill
        if spec.is_basic:
            skill = RememberedAnswerer(spec, line, wake, keeps)
        else:
            skill = RememberedDecider(spec, line, wake, keeps, ControllerConfig(**entry["network"]).calls)
        library.append(skill, entry.get("record"))
    return library


class _Asleep:
    """A skill whose network is loaded when it is called for, and only once."""

    def __init__(self, folder: Path, entry: Mapping[str, Any], library: Library) -> None:
        self.folder = folder
        self.entry = entry
        self.library = library
        self.skill: Skill | None = None

    def __call__(self) -> Skill:
        if self.skill is None:
            from reckoner.skills.storage import load_skill

            self.skill = load_skill(self.folder, self.entry, self.library)
        return self.skill
