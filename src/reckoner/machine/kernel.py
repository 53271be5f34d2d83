"""Which core a machine has: the compiled one where it could be built, else the one in Python.

The environment variable RECKON_CORE chooses: `python`, `compiled` (an error if it is not there), or nothing.
"""

from __future__ import annotations

import os
from typing import Any

from reckoner.errors import LibraryError

VARIABLE = "RECKON_CORE"
PYTHON, COMPILED = "python", "compiled"


def which_core() -> str:
    """`compiled` or `python`."""
    wanted = os.environ.get(VARIABLE, "")
    if wanted not in ("", PYTHON, COMPILED):
        raise LibraryError(f"{VARIABLE} is {wanted!r}; it may be {PYTHON!r} or {COMPILED!r}")
    if wanted == PYTHON:
        return PYTHON
    try:
        from reckoner.machine import _core  # noqa: F401
    except ImportError:
        if wanted == COMPILED:
            raise LibraryError(
                "the compiled core is not there: install again where there is a C compiler"
            ) from None
        return PYTHON
    return COMPILED


def make_core() -> Any:
    """A core that knows nothing yet."""
    if which_core() == COMPILED:
        from reckoner.machine.compiled import CompiledCore

        return CompiledCore()
    from reckoner.machine.core import Core

    return Core()
