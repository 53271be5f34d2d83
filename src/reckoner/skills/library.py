"""The library: the ordered, append-only set of frozen skills, kept in a folder.

    manifest.json        format, and per skill in order: specification, network sizes, record, file, hash
    01-add-column.safetensors, …

The order is part of the weights: a controller's module choices are positions in its list of callable skills.
Weights are stored in half precision and used as stored, also when mastery is measured.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import stat
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from reckoner.errors import LibraryError, UnknownSkill
from reckoner.skills.base import Skill, SkillSpec

FORMAT = "reckoner-library-1"
MANIFEST = "manifest.json"
BUNDLED = Path(__file__).parent.parent / "weights"
NONSENSE = (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, re.error)


class Library:
    """Skills by name, in the order they were learned."""

    def __init__(self) -> None:
        self._skills: dict[str, Skill] = {}
        self.records: dict[str, dict[str, Any]] = {}  # how each was learned: seed, time, restarts, versions

    @property
    def names(self) -> tuple[str, ...]:
        """All names, oldest first."""
        return tuple(self._skills)

    def __getitem__(self, name: str) -> Skill:
        try:
            return self._skills[name]
        except KeyError:
            raise UnknownSkill(f"there is no skill {name!r} in this library") from None

    def __iter__(self) -> Iterator[Skill]:
        return iter(self._skills.values())

    def __len__(self) -> int:
        return len(self._skills)

    def __contains__(self, name: str) -> bool:
        return name in self._skills

    def callees(self, spec: SkillSpec) -> list[SkillSpec]:
        """The specifications of the skills that one may call, in order; itself among them if it may."""
        for name in spec.calls:
            if name != spec.name and name not in self._skills:
                raise LibraryError(
                    f"skill {spec.name!r} calls {name!r}, which is not before it in the library"
                )
        return [spec if name == spec.name else self[name].spec for name in spec.calls]

    def append(self, skill: Skill, record: dict[str, Any] | None = None) -> None:
        """Freeze a skill into the library; it may call only those before it, and itself."""
        if skill.name in self._skills:
            raise LibraryError(f"the library already has a skill {skill.name!r}; it is append-only")
        self.callees(skill.spec)  # all there
        self._skills[skill.name] = skill
        self.records[skill.name] = record or {}

    def below(self, spec: SkillSpec) -> Library:
        """The part of the library that a skill needs: what it calls, and what that calls in turn."""
        needed, part = names_below(spec, {skill.name: skill.spec.calls for skill in self}), Library()
        for skill in self:
            if skill.name in needed:
                part.append(skill, self.records[skill.name])
        return part

    def without(self, names: Collection[str]) -> Library:
        """The library less some skills, which none of the others may need."""
        part = Library()
        for skill in self:
            if skill.name not in names:
                part.append(skill, self.records[skill.name])
        return part

    def save(self, folder: Path) -> None:
        """Write the library; files are replaced atomically and the manifest comes last."""
        from reckoner.skills.storage import save_skill

        folder.mkdir(parents=True, exist_ok=True)
        entries = []
        for number, skill in enumerate(self, start=1):
            name = file_name(number, skill.name)
            entries.append(save_skill(skill, folder / name, self.records[skill.name]))
        write_manifest(folder, entries)

    @classmethod
    def load(cls, folder: Path | str | None = None) -> Library:
        """Read a library (the bundled one by default); anything out of order is a LibraryError."""
        from reckoner.skills.storage import load_skill

        path = Path(folder) if folder is not None else BUNDLED
        library = cls()
        for entry in read_manifest(path):
            library.check(path, spec_of(path, entry))
            library.append(load_skill(path, entry, library), entry.get("record"))
        return library

    def check(self, folder: Path, spec: SkillSpec) -> None:
        """That the next skill in the manifest of a folder can be appended; else a LibraryError."""
        try:
            if spec.name in self:
                raise LibraryError(f"it has two skills {spec.name!r}")
            self.callees(spec)
        except LibraryError as error:
            raise LibraryError(
                f"{folder / MANIFEST} describes no library: {error.message}; {repair(folder)}"
            ) from None


def repair(folder: Path) -> str:
    """What helps if the library in a folder is not as it should be: only the bundled one comes with the package."""
    again = "make the library again with `reckon train`"
    return f"reinstall the package, or {again}" if folder == BUNDLED else again


def _is_awaited(folder: Path) -> bool:
    """Whether a training will write its library there when all is learned."""
    return folder.name == "library" and (folder.parent / "run.json").exists()


def names_below(spec: SkillSpec, calls: Mapping[str, tuple[str, ...]]) -> set[str]:
    """All that a skill needs besides itself: what it calls, and what that calls in turn."""
    found: set[str] = set()
    waiting = list(spec.calls)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += calls.get(name, ())
    return found - {spec.name}


def file_name(number: int, skill: str) -> str:
    """The weights file of the skill at this place in the order."""
    return f"{number:02d}-{spell_out(skill)}.safetensors"


def spell_out(skill: str) -> str:
    """A skill's name without operators, which file names and others do not allow."""
    words = {"+": "plus", "*": "times", "/": "over", "%": "mod"}
    return "".join(words.get(c, c) for c in skill)


def write_manifest(folder: Path, entries: list[dict[str, Any]]) -> None:
    """Write the manifest with a hash of its own entries, so that a changed or reordered one is noticed."""
    manifest = {"format": FORMAT, "sha256": digest(entries), "skills": entries}
    write_atomically(folder / MANIFEST, json.dumps(manifest, indent=1).encode())


def spec_of(folder: Path, entry: Mapping[str, Any]) -> SkillSpec:
    """The specification in a manifest entry."""
    try:
        return SkillSpec.from_json(dict(entry))
    except NONSENSE as error:
        raise nonsense(folder, error) from None


def nonsense(folder: Path, error: Exception) -> LibraryError:
    reason = f"there is no {error}" if isinstance(error, KeyError) else str(error)
    return LibraryError(f"{folder / MANIFEST} does not describe a skill ({reason}); {repair(folder)}")


def write_atomically(file: Path, data: bytes) -> None:
    """Write a file so that a reader, or a kill at any moment, finds the old or the new one, never half."""
    import tempfile

    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, file)
    except BaseException as error:
        os.unlink(temporary)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(file)  # a full disk does not say of itself what it could not take
        raise


def digest(entries: list[dict[str, Any]]) -> str:
    """A hash of a manifest's entries."""
    return hashlib.sha256(json.dumps(entries, sort_keys=True).encode()).hexdigest()


def read_manifest(folder: Path) -> list[dict[str, Any]]:
    """The entries of the manifest in a folder."""
    file = folder / MANIFEST
    try:
        manifest = json.loads(read_regular(file))
        entries = manifest["skills"]
        if manifest["format"] != FORMAT or not isinstance(entries, list) or not entries:
            raise ValueError(f"format {manifest['format']!r}")
        if manifest["sha256"] != digest(entries):
            raise ValueError("its entries were changed or reordered after it was written")
        if not all(isinstance(entry, dict) for entry in entries):
            raise ValueError("an entry is no object")
    except OSError as error:
        if isinstance(error, FileNotFoundError) and _is_awaited(folder):
            run = folder.parent
            raise LibraryError(
                f"the training in {run} is not finished, so it has no library yet; `reckon train --out {run}`, with "
                "the options it had, goes on"
            ) from None
        raise LibraryError(
            f"{folder} is not a library: {MANIFEST} cannot be read ({error.strerror or error}); {repair(folder)}"
        ) from None
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise LibraryError(f"{file} is damaged or of another format ({error}); {repair(folder)}") from None
    return entries


def manifest_hash(folder: Path, without: Collection[str] = ()) -> str:
    """What tells one library from another, some skills left out of account."""
    return digest([entry for entry in read_manifest(folder) if entry.get("name") not in without])


def read_regular(file: Path, most: int = 2**26) -> bytes:
    """The content of a file; OSError if it is none (a pipe would hang us, a device never end) or too large."""
    handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(file))
        if status.st_size > most:
            raise OSError(errno.EFBIG, f"larger than {most:,} bytes", str(file))
        with os.fdopen(handle, "rb", closefd=False) as stream:
            return stream.read(most)
    finally:
        os.close(handle)


def read_weights(folder: Path, entry: Mapping[str, Any]) -> bytes:
    """The weights file of a manifest entry, if it is the one that the entry describes."""
    name = entry["file"]
    if name != Path(name).name:
        raise ValueError(f"{name} is not in this folder")
    file = folder / name
    try:
        data = read_regular(file)
    except OSError as error:
        raise LibraryError(
            f"weights file {file} cannot be read ({error.strerror}); {repair(folder)}"
        ) from None
    if hashlib.sha256(data).hexdigest() != entry["sha256"]:
        raise LibraryError(
            f"weights file {file} is damaged (its hash is not the manifest's); {repair(folder)}"
        )
    return data
