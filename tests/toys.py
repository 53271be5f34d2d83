"""A small skill to learn, on scripted ones: put two numbers in order.

Half of the problems are solved by halting at once, which is the local optimum; all of them by two calls of which the
first alone makes everything worse (`pack` puts brackets round, `order` takes what is in brackets and sorts it).
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import torch

from reckoner.alphabet import Perception
from reckoner.curriculum.problems import Problem
from reckoner.curriculum.stage import Stage
from reckoner.curriculum.student import CAUTIOUS, StudentConfig
from reckoner.curriculum.tasks import InteractiveTask
from reckoner.curriculum.teacher import TeacherConfig
from reckoner.machine import Machine
from reckoner.nn.config import ControllerConfig
from reckoner.nn.modules import ControllerModule
from reckoner.skills import InteractiveSkill, Library, SkillSpec
from reckoner.training.experience import ExperienceConfig
from reckoner.training.policy import Policy
from reckoner.training.rollout import RolloutConfig
from reckoner.training.world import World
from tests.scripted import answerer, call, library_of

WHOLE = Perception(fovea=0)
N = r"\d+"
SPEC = SkillSpec("sort", "{x},{y}", N, N, ("pack", "order", "same", "plus", "star"), WHOLE)
PACK = call(1, (0, 1), (2, 3), (0, 3))  # in the view N,N
ORDER = call(2, (0, 5), (0, 0), (0, 5))  # in the view (N,N)
FEW = RolloutConfig(own=192, guided=96, hopeful=96, near_own=96, near_best=96, wild=96, analogous=0)
PLAIN = RolloutConfig(own=672, guided=0, hopeful=0, near_own=0, near_best=0, wild=0, analogous=0)
SMALL = StudentConfig(hidden=16, rollout=FEW, surprises=1, most_updates=120, patience=120)


def _order(memory: str) -> str:
    return ",".join(sorted(memory.strip("()").split(","), key=int))


def library() -> Library:
    """The skills below `sort`; `same` is there to waste calls with, and refuses some numbers that look like others.

    `plus` and `star` are good for nothing.
    """
    return library_of(
        answerer("pack", lambda m: f"({m})", layout="{x},{y}", accepts_x=N, accepts_y=N),
        answerer("order", _order, accepts_x=rf"\({N},{N}\)"),
        answerer("plus", lambda m: "+", layout="{x},{y}", accepts_x=N, accepts_y=N),
        answerer("star", lambda m: "*", layout="{x},{y}", accepts_x=N, accepts_y=N),
        answerer("same", lambda m: m, accepts_x=r"[1-8]\d*"),
    )


def sample(rng: Random, size: int) -> Problem:
    x, y = (str(rng.randrange(10**size)) for _ in "xy")
    return Problem(x, y, _order(f"{x},{y}"))


TASK = InteractiveTask(SPEC, sample, stages=(2,), longer=6, problems=60)
IN_TWO_STAGES = replace(TASK, stages=(1, 2))


def random_student(
    seed: int = 0, hidden: int = 16, scale: float = 1.0, perception: Perception = WHOLE, **fields: Any
) -> InteractiveSkill:
    torch.manual_seed(seed)
    config = ControllerConfig(perception.vocabulary, len(SPEC.calls), hidden, **fields)
    tensors = {name: np.float32(scale) * t for name, t in ControllerModule(config).tensors().items()}
    spec = replace(SPEC, perception=perception)
    return InteractiveSkill(spec, config, tensors, library().callees(spec), delegate=None)


def make_world(student: InteractiveSkill | None = None, compares_forms: bool = True) -> World:
    return World(Machine(library(), CAUTIOUS), student or random_student(), compares_forms)


def policy_of(world: World) -> Policy:
    skill = world.student
    return Policy(skill.config, skill.tensors, skill.forms, world.views)


def make_stage(
    world: World | None = None, seed: int = 0, task: InteractiveTask = TASK, **fields: Any
) -> Stage:
    chosen = TeacherConfig(), ExperienceConfig(**fields)
    return Stage(task, task.stages[-1], world or make_world(), *chosen, (seed,))


def enter(world: World, *memories: bytes) -> np.ndarray:
    return np.array([world.enter(m) for m in memories], np.int64)
