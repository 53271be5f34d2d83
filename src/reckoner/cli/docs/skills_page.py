"""docs/skills.md: all skills of the bundled library, each with a line and an example that the networks worked out."""

from __future__ import annotations

from reckoner.machine import Machine
from reckoner.notes import NOTES
from reckoner.skills import Library
from reckoner.skills.base import Skill

_HEAD = """\
# The skills

This page is written by the program (`make docs`) with the bundled networks; a test checks that it is up to date.

A skill is called with a message, two texts x and y, and answers with a text. A *basic* skill is a network that knows
a table by heart. All others are networks that work by calling skills of earlier lines, and some also themselves on
shorter messages. `M` stands for a number of any length, `S` for a single digit. `reckon call SKILL X Y` asks any of
them. How the skills work together is shown in [worked-examples.md](worked-examples.md).

| skill | what it does | example | whom it may call |
|---|---|---|---|
"""


def make_skills_page() -> str:
    """The whole page."""
    library = Library.load()
    machine = Machine(library)
    return _HEAD + "".join(_row(machine, library[name]) for name in library.names)


def _row(machine: Machine, skill: Skill) -> str:
    note = NOTES[skill.name]
    [outcome] = machine.run(skill.name, [note.example], trace=True)
    assert outcome.trace is not None
    callees = ", ".join("itself" if name == skill.name else f"`{name}`" for name in skill.spec.calls)
    example = outcome.trace.title()
    return f"| `{skill.name}` | {note.summary} | `{example}` | {callees or 'basic'} |\n"
