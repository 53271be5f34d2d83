"""The files of a skill in training, all written atomically.

skills/NAME/checkpoint        where the running attempt stands, after each mastered stage
skills/NAME/metrics.jsonl     one record per update
skills/NAME/manifest.json     the mastered skill: its manifest entry, with
skills/NAME/NAME.safetensors  its weights

A checkpoint is one file: a line that names the format and the hash of all the rest, then tensors and, in their
header, a page of JSON. So it is there as a whole or not at all, and not one bit of it can change unnoticed.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from reckoner.curriculum.progress import Progress
from reckoner.errors import LibraryError
from reckoner.skills.base import Skill, SkillSpec
from reckoner.skills.library import (
    MANIFEST,
    Library,
    file_name,
    read_manifest,
    read_regular,
    spec_of,
    write_atomically,
    write_manifest,
)
from reckoner.skills.storage import load_skill, save_skill

FORMAT = b"reckoner-checkpoint-1"
MOST_BYTES = 2**30  # a larger file is none of ours
# what an attempt costs: all that Progress counts, and where it stands besides
SPENT = tuple(f.name for f in fields(Progress) if f.name not in ("stage", "tensors", "memory"))


@dataclass
class Attempts:
    """What is known about a skill that is not mastered yet."""

    number: int = 0  # the running attempt
    failures: list[str] = field(default_factory=list)  # why each earlier one was given up
    spent: dict[str, float] = field(default_factory=lambda: dict.fromkeys(SPENT, 0))
    progress: Progress | None = None


class SkillFolder:
    """One skill's folder in a training run."""

    def __init__(self, run: Path, name: str, number: int) -> None:
        self.folder = run / "skills" / file_name(number, name).removesuffix(".safetensors")
        self.weights = file_name(number, name)
        self.name = name

    @property
    def is_mastered(self) -> bool:
        """Whether the skill was learned to the end."""
        return (self.folder / MANIFEST).exists()

    def record(self) -> dict[str, Any]:
        """How the mastered skill was learned."""
        return dict(read_manifest(self.folder)[0]["record"])

    def spec(self) -> SkillSpec:
        """What the mastered skill is."""
        with self._blaming():
            return spec_of(self.folder, self._entry())

    def load(self, library: Library) -> tuple[Skill, dict[str, Any]]:
        """The mastered skill, which calls those of the library, and how it was learned."""
        with self._blaming():
            entry = self._entry()
            return load_skill(self.folder, entry, library), dict(entry["record"])

    def _entry(self) -> dict[str, Any]:
        entry = read_manifest(self.folder)[0]
        if spec_of(self.folder, entry).name != self.name:
            raise LibraryError(f"{self.folder} holds the skill {entry['name']!r}")
        return dict(entry)

    @contextmanager
    def _blaming(self) -> Iterator[None]:
        """What is damaged here can be learned again: say how."""
        try:
            yield
        except LibraryError as error:
            reason = error.message.partition(";")[0]
            raise LibraryError(f"{reason}; delete {self.folder} to learn {self.name!r} again") from None

    def finish(self, skill: Skill, record: dict[str, Any]) -> None:
        """Note the mastered skill; its manifest comes last, so a kill in between only repeats this."""
        self.folder.mkdir(parents=True, exist_ok=True)
        entry = save_skill(skill, self.folder / self.weights, record)
        write_manifest(self.folder, [entry])
        self._checkpoint.unlink(missing_ok=True)

    # --- checkpoints ---

    @property
    def _checkpoint(self) -> Path:
        return self.folder / "checkpoint"

    @property
    def _metrics(self) -> Path:
        return self.folder / "metrics.jsonl"

    def save(self, attempts: Attempts) -> None:
        """Write a checkpoint; it also says how many bytes of metrics belong to it."""
        from safetensors.numpy import save

        self.folder.mkdir(parents=True, exist_ok=True)
        page = {k: v for k, v in vars(attempts).items() if k != "progress"}
        page["metrics"] = self._metrics.stat().st_size if self._metrics.exists() else 0
        tensors: dict[str, np.ndarray] = {}
        if attempts.progress is not None:
            tensors = attempts.progress.tensors or {}
            page["progress"] = {k: v for k, v in vars(attempts.progress).items() if k != "tensors"}
        body = save(tensors, metadata={"page": json.dumps(page)})
        write_atomically(self._checkpoint, b"%s %s\n%s" % (FORMAT, _hash(body), body))

    def resume(self) -> Attempts:
        """The last checkpoint, or a fresh start; records of updates after it are dropped, for they are repeated."""
        if not self._checkpoint.exists():
            attempts, metrics = Attempts(), 0
        else:
            attempts, metrics = self._read()
        for leftover in self.folder.glob(".checkpoint.*"):  # of a kill in the middle of writing one
            leftover.unlink()
        if self._metrics.exists() and self._metrics.stat().st_size > metrics:
            os.truncate(self._metrics, metrics)
        return attempts

    def _read(self) -> tuple[Attempts, int]:
        from safetensors import SafetensorError
        from safetensors.numpy import load

        try:
            first, _, body = read_regular(self._checkpoint, MOST_BYTES).partition(b"\n")
            if first != b"%s %s" % (FORMAT, _hash(body)):
                raise ValueError("its hash is another, or its format")
            header = json.loads(body[8 : 8 + int.from_bytes(body[:8], "little")])
            page = json.loads(header["__metadata__"]["page"])
            attempts = Attempts(page["number"], page["failures"], page["spent"])
            if "progress" in page:
                attempts.progress = Progress(**{**page["progress"], "tensors": load(body) or None})
            return attempts, int(page["metrics"])
        except (OSError, ValueError, KeyError, TypeError, SafetensorError) as error:
            raise LibraryError(
                f"the checkpoint {self._checkpoint} is damaged ({error}); "
                f"delete it to learn {self.name!r} from the start"
            ) from None

    # --- metrics ---

    def log(self, record: dict[str, Any]) -> None:
        """Append one record to the skill's metrics."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._metrics.open("a") as stream:
            stream.write(json.dumps(record) + "\n")


def _hash(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest().encode()
