"""A frozen skill as an agent, for comparison with others in the same environment."""

from __future__ import annotations

from reckoner.gym.space import Ints, encode, views_of
from reckoner.skills.base import Decider


class SkillAgent:
    """Chooses as the skill would: it knows no more than the observation."""

    def __init__(self, skill: Decider) -> None:
        self.skill = skill

    def act(self, observation: Ints) -> Ints:
        """The skill's action after what the observation shows."""
        now, before = views_of(observation)
        past = self.skill.root
        if before:
            (decision,) = self.skill.decide([(past, before)])
            past = decision.recollection
        (decision,) = self.skill.decide([(past, now)])
        return encode(decision.choice)
