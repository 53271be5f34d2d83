"""Gymnasium environments, one per interactive skill; importing this registers them (docs/gym.md)."""

try:
    import gymnasium
except ModuleNotFoundError:
    raise ModuleNotFoundError("reckoner.gym needs Gymnasium: pip install 'neural-reckoner[gym]'") from None

from reckoner.curriculum.tasks import INTERACTIVE
from reckoner.gym.agent import SkillAgent
from reckoner.gym.environment import SkillEnv, make_world
from reckoner.skills.library import spell_out


def env_id(skill: str) -> str:
    """A skill's environment; Gymnasium's names have no operators, so these are spelled out: M+M is MplusM."""
    return f"reckoner/{spell_out(skill)}-v0"


for _skill in INTERACTIVE:
    gymnasium.register(env_id(_skill), "reckoner.gym.environment:SkillEnv", kwargs={"skill": _skill})

__all__ = ["SkillAgent", "SkillEnv", "env_id", "make_world"]
