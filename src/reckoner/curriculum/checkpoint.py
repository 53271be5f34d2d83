"""Checkpoints of a skill in training: written atomically after each mastered stage.

skills/NAME/progress.json             attempt, failed attempts, stage, counts, kept programs
skills/NAME/progress-[01].safetensors the network after that stage (and the one before), in full precision
skills/NAME/metrics.jsonl             one record per update
skills/NAME/entry.json                the mastered skill's manifest entry, with
skills/NAME/NAME.safetensors          its weights
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from reckoner.curriculum.student import Progress
from reckoner.errors import LibraryError
from reckoner.skills.base import Skill
from reckoner.skills.library import file_name, load_skill, save_skill, write_atomically
from reckoner.training.practice import Program

SPENT = ("updates", "episodes", "steps", "tried", "seconds")  # what an attempt costs


@dataclass
class Attempts:
    """What is on disk about a skill that is not mastered yet."""

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
        return (self.folder / "entry.json").exists()

    def load(self) -> tuple[Skill, dict[str, Any]]:
        """The mastered skill and how it was learned."""
        entry = json.loads((self.folder / "entry.json").read_bytes())
        return load_skill(self.folder, entry), entry["record"]

    def finish(self, skill: Skill, record: dict[str, Any]) -> None:
        """Note the mastered skill; its entry comes last, so a kill in between only repeats this."""
        self.folder.mkdir(parents=True, exist_ok=True)
        entry = save_skill(skill, self.folder / self.weights, record)
        write_atomically(self.folder / "entry.json", json.dumps(entry, indent=1).encode())
        for leftover in self.folder.glob("progress*"):
            leftover.unlink()

    def save(self, attempts: Attempts) -> None:
        """Write a checkpoint: the weights first, beside the last stage's, then the page that points to them."""
        from safetensors.numpy import save

        self.folder.mkdir(parents=True, exist_ok=True)
        page: dict[str, Any] = {
            "number": attempts.number,
            "failures": attempts.failures,
            "spent": attempts.spent,
        }
        progress = attempts.progress
        if progress is not None and progress.tensors is not None:
            # a kill between the two writes leaves the older page, and the weights it points to
            data = {**progress.tensors, "stage": np.array([attempts.number, progress.stage], np.int64)}
            write_atomically(self.folder / f"progress-{progress.stage % 2}.safetensors", save(data))
            page["progress"] = {
                "stage": progress.stage,
                **{name: getattr(progress, name) for name in SPENT},
                "kept": list(_programs_out(progress.kept)),
            }
        write_atomically(self.folder / "progress.json", json.dumps(page).encode())

    def resume(self) -> Attempts:
        """The last checkpoint, or a fresh start."""
        from safetensors.numpy import load_file

        page_file = self.folder / "progress.json"
        if not page_file.exists():
            return Attempts()
        try:
            page = json.loads(page_file.read_bytes())
            attempts = Attempts(page["number"], page["failures"], page["spent"])
            if "progress" in page:
                p = page["progress"]
                tensors = load_file(self.folder / f"progress-{p['stage'] % 2}.safetensors")
                if tensors.pop("stage").tolist() != [attempts.number, p["stage"]]:
                    raise ValueError("weights and page are of different stages")
                kept = {bytes.fromhex(view): _program_in(steps) for view, steps in p["kept"]}
                spent = {name: p[name] for name in SPENT}
                attempts.progress = Progress(p["stage"], **spent, tensors=tensors, kept=kept)
        except (OSError, ValueError, KeyError) as error:
            raise LibraryError(
                f"the checkpoint in {self.folder} is damaged ({error}); delete that folder to learn {self.name!r} anew"
            ) from None
        return attempts

    def log(self, record: dict[str, Any]) -> None:
        """Append one record to the skill's metrics."""
        with (self.folder / "metrics.jsonl").open("a") as stream:
            stream.write(json.dumps(record) + "\n")

    def last_record(self) -> dict[str, Any] | None:
        """The newest complete record, for progress displays."""
        try:
            with (self.folder / "metrics.jsonl").open("rb") as stream:
                stream.seek(0, 2)
                stream.seek(max(0, stream.tell() - 4096))
                lines = stream.read().split(b"\n")
            return dict(json.loads(lines[-2])) if len(lines) > 1 else None
        except (OSError, ValueError):
            return None


def _programs_out(kept: dict[bytes, Program]) -> Iterator[list[Any]]:
    for view, program in kept.items():
        yield [view.hex(), [[[v.hex() for v in views], list(choice)] for views, choice in program.items()]]


def _program_in(steps: list[Any]) -> Program:
    return {tuple(bytes.fromhex(v) for v in views): tuple(choice) for views, choice in steps}
