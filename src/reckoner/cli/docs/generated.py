"""The list of all files that are made, by their place in the repository."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from reckoner.cli.completion import SHELLS, make_script
from reckoner.cli.docs.console import refresh
from reckoner.cli.docs.errors_page import make_errors_page
from reckoner.cli.docs.help_page import make_help_page
from reckoner.cli.docs.import_graph import make_import_graph
from reckoner.cli.docs.layers import update_layers
from reckoner.cli.docs.skills_page import make_skills_page
from reckoner.cli.docs.worked_page import make_worked_page

# Written as a whole.
GENERATED: dict[str, Callable[[], str]] = {
    "docs/cli.md": make_help_page,
    "docs/errors.md": make_errors_page,
    "docs/imports.svg": make_import_graph,
    "docs/skills.md": make_skills_page,
    "docs/worked-examples.md": make_worked_page,
    **{f"src/reckoner/cli/completions/reckon.{shell}": partial(make_script, shell) for shell in SHELLS},
}
# Written by hand, except for its table of layers.
ARCHITECTURE = "docs/architecture.md"
# Written by hand, except for what `reckon` printed in their examples.
WITH_EXAMPLES = ("README.md", "docs/package.md", "docs/reading-a-trace.md")


def write_all(folder: Path) -> None:
    """Make every file again."""
    for name, make in GENERATED.items():
        (folder / name).write_text(make(), encoding="utf-8")
    for name, update in [(ARCHITECTURE, update_layers), *((name, refresh) for name in WITH_EXAMPLES)]:
        file = folder / name
        file.write_text(update(file.read_text(encoding="utf-8")), encoding="utf-8")
