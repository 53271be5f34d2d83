"""Skills: nouns that return decisions. `Library` is the ordered set of frozen ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reckoner.skills.base import Answerer, Choice, Decider, Decision, Recollection, Skill, SkillSpec
from reckoner.skills.library import Library

if TYPE_CHECKING:
    from reckoner.skills.basic import BasicSkill
    from reckoner.skills.interactive import InteractiveSkill

__all__ = [
    "Answerer",
    "BasicSkill",
    "Choice",
    "Decider",
    "Decision",
    "InteractiveSkill",
    "Library",
    "Recollection",
    "Skill",
    "SkillSpec",
]


def __getattr__(name: str) -> Any:
    """Those with networks are imported when they are asked for: they load numpy."""
    if name == "BasicSkill":
        from reckoner.skills.basic import BasicSkill

        return BasicSkill
    if name == "InteractiveSkill":
        from reckoner.skills.interactive import InteractiveSkill

        return InteractiveSkill
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
