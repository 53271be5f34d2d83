"""Skills: nouns that return decisions. `Library` is the ordered set of frozen ones."""

from reckoner.skills.base import Answerer, Choice, Decider, Decision, Recollection, Skill, SkillSpec
from reckoner.skills.basic import BasicSkill
from reckoner.skills.interactive import InteractiveSkill
from reckoner.skills.library import Library

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
