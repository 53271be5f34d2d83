"""The folder of a training run: one training at a time, always with the same settings.

run.json   the settings (seed, curriculum, configuration), and the time and sessions the run has taken
lock       held by the training at work; the system lets go of it when that process ends, even by a kill
"""

from __future__ import annotations

import fcntl
import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from reckoner.errors import LibraryError, ReckonerError
from reckoner.skills.library import read_regular, write_atomically

TASKS = "tasks"  # the setting that says which text of a tasks file is learned from, by its hash
_SHOWN = 4  # differences of settings that a message lists


class RunError(ReckonerError):
    """A training that must not go on in this folder."""

    kind = "run-refused"
    exit_code = 2


@contextmanager
def open_run(folder: Path, settings: Mapping[str, Any], workers: int) -> Iterator[None]:
    """Hold the folder for a training with these settings, and add the session's time to the run's."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise RunError(f"a file is in the way of the folder {folder}; choose another with --out") from None
    with locked(folder / "lock", wait=False):
        file = folder / "run.json"
        page = {"seconds": 0.0, "sessions": 0, **_read(file)}
        settings = json.loads(json.dumps(settings))
        if file.exists():
            _compare(folder, page, settings)
        page |= {**settings, "workers": workers}
        write_atomically(file, json.dumps(page).encode())
        started = time.monotonic()
        try:
            yield
        finally:
            page["seconds"] += time.monotonic() - started
            page["sessions"] += 1
            with suppress(OSError):  # a full disk has been complained of already
                write_atomically(file, json.dumps(page).encode())


@contextmanager
def locked(file: Path, wait: bool) -> Iterator[None]:
    """Hold a lock: wait for it, or refuse at once if another process has it."""
    with file.open("w") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            raise RunError(
                f"another training is at work in {file.parent}; wait for its end, or choose another folder with --out"
            ) from None
        yield


def _read(file: Path) -> dict[str, Any]:
    if not file.exists():
        return {}
    try:
        page = json.loads(read_regular(file))
        if not isinstance(page, dict) or not isinstance(page["seconds"] + page["sessions"], float | int):
            raise ValueError("it does not describe a run")
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise LibraryError(f"{file} is damaged ({error}); delete it if you know the run's settings") from None
    return page


def _compare(folder: Path, page: Mapping[str, Any], settings: Mapping[str, Any]) -> None:
    """Refuse to go on with other settings than the run began with."""
    # trainings from before tasks files were told apart go on with what they find
    known = {name: value for name, value in settings.items() if name != TASKS or TASKS in page}
    there, here = _flat({name: page.get(name) for name in known}), _flat(known)
    names = [n for n in [*here, *(n for n in there if n not in here)] if there.get(n) != here.get(n)]
    if not names:
        return
    shown = [_tell(there, here, name) for name in names[:_SHOWN]]
    more = [f"{len(names) - _SHOWN} more differences"] if len(names) > _SHOWN else []
    raise RunError(
        f"{folder} was trained with other settings: {'; '.join(shown + more)}. "
        "Choose another folder with --out, or go on with the settings of this one"
    )


def _flat(settings: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested settings by dotted names."""
    flat: dict[str, Any] = {}
    for name, value in settings.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{name}.")
        else:
            flat[prefix + name] = value
    return flat


def _tell(there: Mapping[str, Any], here: Mapping[str, Any], name: str) -> str:
    """One difference; of two hashes nobody could tell what to do."""
    if name == TASKS:
        return "the tasks file has changed since"
    return f"{name} is {_show(there, name)} there and {_show(here, name)} now"


def _show(settings: Mapping[str, Any], name: str) -> str:
    return json.dumps(settings[name]) if settings.get(name) is not None else "not given"
