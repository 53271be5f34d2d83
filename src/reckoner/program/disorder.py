"""Weights in disorder: each of a skill's tensors with its numbers shuffled. Nothing of that kind may be proved."""

from __future__ import annotations

import numpy as np

from reckoner.skills.base import Skill
from reckoner.skills.basic import BasicSkill
from reckoner.skills.interactive import InteractiveSkill
from reckoner.skills.library import Library, names_below


def shuffle(skill: Skill, library: Library, seed: int) -> Skill:
    """The skill with its weights in disorder."""
    rng = np.random.default_rng(seed)
    tensors = {name: rng.permutation(t.ravel()).reshape(t.shape) for name, t in sorted(skill.tensors.items())}
    if isinstance(skill, InteractiveSkill):
        return InteractiveSkill(skill.spec, skill.config, tensors, library.callees(skill.spec))
    return BasicSkill(skill.spec, tensors)


def load_bearing(library: Library, top: str) -> list[str]:
    """The skills that one of them rests on, itself the last."""
    below = names_below(library[top].spec, {skill.name: skill.spec.calls for skill in library})
    return [name for name in library.names if name in below or name == top]
