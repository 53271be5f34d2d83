"""The skills of a library as JSON: names, layouts, who may call whom, and what each does in words."""

from __future__ import annotations

from typing import Any

from reckoner.notes import NOTES
from reckoner.skills import Library
from reckoner.skills.base import SkillSpec

_EXPRESSION = "expression"  # how the names of the skills for whole expressions begin


def skills_to_json(library: Library) -> dict[str, Any]:
    """All skills in the order they were learned; `expression` is the newest for whole expressions."""
    expressions = [name for name in library.names if name.startswith(_EXPRESSION)]
    return {
        "expression": expressions[-1] if expressions else None,
        "skills": [_skill_to_json(skill.spec) for skill in library],
    }


def reach(library: Library, name: str) -> frozenset[str]:
    """The skill and all that it can call, directly or by others."""
    found, stack = {name}, [name]
    while stack:
        callees = library[stack.pop()].spec.calls if stack[-1] in library else ()
        new = set(callees) - found
        found |= new
        stack.extend(new)
    return frozenset(found)


def _skill_to_json(spec: SkillSpec) -> dict[str, Any]:
    note = NOTES.get(spec.name)
    more = {"summary": note.summary if note else None, "example": list(note.example) if note else None}
    return spec.to_json() | more
