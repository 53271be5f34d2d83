"""Skills as plain data, to be sent to another process or machine: specification, sizes and weights, nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from reckoner.nn.config import ControllerConfig
from reckoner.nn.forward import Floats
from reckoner.skills.base import Skill, SkillSpec
from reckoner.skills.basic import BasicSkill
from reckoner.skills.interactive import InteractiveSkill
from reckoner.skills.library import Library


@dataclass(frozen=True)
class Parcel:
    """A frozen skill on its way."""

    spec: SkillSpec
    config: ControllerConfig | None  # None: a basic skill, whose sizes its weights tell
    tensors: dict[str, Floats]

    def unpack(self, library: Library) -> Skill:
        """The skill again, to the last bit; it calls those of the library."""
        if self.config is None:
            return BasicSkill(self.spec, self.tensors)
        return InteractiveSkill(self.spec, self.config, self.tensors, library.callees(self.spec))


def pack(skill: Skill) -> Parcel:
    """A skill, ready to be sent."""
    config = skill.config if isinstance(skill, InteractiveSkill) else None
    return Parcel(skill.spec, config, dict(skill.tensors))


def pack_library(library: Library) -> tuple[Parcel, ...]:
    """All skills of a library, in order."""
    return tuple(map(pack, library))


def unpack_library(parcels: Iterable[Parcel]) -> Library:
    """The library again, without the records of how it was learned."""
    library = Library()
    for parcel in parcels:
        library.append(parcel.unpack(library))
    return library
