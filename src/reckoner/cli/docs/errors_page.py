"""docs/errors.md: every error of a calculation, from the classes themselves."""

from __future__ import annotations

import inspect

from reckoner import errors
from reckoner.errors import ReckonerError

_HEAD = """\
# Errors

This page is written by the program (`make docs`); a test checks that it is up to date.

All errors are subclasses of `ReckonerError`; those of `Calculator` can be imported from `reckoner`. Each has a
`message` (one sentence), a `kind` (the word that `--json` gives as `status`), an `exit_code` (that of the command),
and a `position` in the typed text, or `None`.

| class | kind | exit code | when |
|---|---|---|---|
"""


def make_errors_page() -> str:
    """The whole page."""
    return _HEAD + "".join(_row(found) for found in list_errors())


def list_errors() -> list[type[ReckonerError]]:
    """All error classes, the general before the special."""
    return [
        found
        for found in vars(errors).values()
        if isinstance(found, type) and issubclass(found, ReckonerError)
    ]


def _row(found: type[ReckonerError]) -> str:
    parent = found.__base__
    name = f"`{found.__name__}`"
    if parent not in (ReckonerError, Exception) and parent is not None:
        name += f", a `{parent.__name__}`"
    return f"| {name} | `{found.kind}` | {found.exit_code} | {inspect.cleandoc(found.__doc__ or '')} |\n"
