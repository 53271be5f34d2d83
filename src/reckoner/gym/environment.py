"""One interactive skill as a Gymnasium environment: the same world, reward and problems that our student learns from.

An episode is one attempt at one problem: at most two calls, and what the memory then holds is the answer. Only the end
is rewarded. Calls are answered by frozen networks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import MultiDiscrete

from reckoner.alphabet import spell
from reckoner.curriculum.problems import Problem
from reckoner.curriculum.stage import distinct
from reckoner.curriculum.student import CAUTIOUS
from reckoner.curriculum.tasks import INTERACTIVE, InteractiveTask
from reckoner.errors import UnknownSkill
from reckoner.gym.space import Ints, Mask, action_space, decode, mask_of, observation_space, observe
from reckoner.machine import Machine
from reckoner.nn.config import HALT, ControllerConfig
from reckoner.nn.untrained import random_controller
from reckoner.skills.base import Choice
from reckoner.skills.interactive import InteractiveSkill
from reckoner.skills.library import Library
from reckoner.training.reward import FAILED, IDLE, reward
from reckoner.training.world import REFUSED, World, pack


def make_world(skill: str, library: Library | Path | str | None = None) -> World:
    """The world of a skill that is to be learned, on a library (the bundled one by default).

    Self-calls, which must be shorter, go to the library's own skill of that name; without one they are refused.
    """
    if skill not in INTERACTIVE:
        raise UnknownSkill(f"there is no interactive skill {skill!r}; there are {', '.join(INTERACTIVE)}")
    spec = INTERACTIVE[skill].spec
    frozen = library if isinstance(library, Library) else Library.load(library)
    config = ControllerConfig(spec.perception.vocabulary, len(spec.calls), hidden=1, embedding=1)
    weights = random_controller(config, np.random.default_rng(0))  # never asked: the agent decides
    delegate = frozen[skill] if skill in frozen.names else None
    student = InteractiveSkill(spec, config, weights, frozen.callees(spec), delegate)
    return World(Machine(frozen, replace(CAUTIOUS, calls=INTERACTIVE[skill].calls)), student)


@cache
def _training_problems(task: InteractiveTask, size: int) -> tuple[Problem, ...]:
    """The problems that our student begins a stage with; often there are many environments of one skill."""
    return tuple(distinct(task, size, task.problems, Random(f"{task.spec.name} {size}"), "training"))


class SkillEnv(gymnasium.Env[Ints, Ints]):
    """Learn one interactive skill; `reckoner.gym.space` says what observations and actions are."""

    action_space: MultiDiscrete
    observation_space: MultiDiscrete
    metadata = {"render_modes": []}  # noqa: RUF012 (Gymnasium's own name and type)

    def __init__(
        self,
        skill: str,
        library: Library | Path | str | None = None,
        *,
        stage: int = -1,
        problems: Sequence[Problem] | None = None,
        world: World | None = None,
    ) -> None:
        """Problems are the training problems of one of the curriculum's stages, the last by default, or those given.

        Environments that are given one and the same `world` share what they find out about calls, which saves time.
        """
        self.world = make_world(skill, library) if world is None else world
        task = INTERACTIVE[skill]
        if problems is None:
            problems = _training_problems(task, task.stages[stage])
        self._problems = tuple(problems)
        self._start = [self._enter(p) for p in self._problems]
        # The spaces are the skill's own, whatever the problems. A call can make the view longer; twice the longest
        # first view is more than any right way needs.
        largest = [self._enter(p) for p in _training_problems(task, task.stages[-1])]
        self._gaps = 2 * max(len(self._view(memory)) - 1 for memory in largest)
        if any(len(self._view(memory)) - 1 > self._gaps for memory in self._start):
            raise ValueError(f"a problem looks longer than any of the curriculum's for {skill!r}")
        spec = task.spec
        self.observation_space = observation_space(spec.perception.vocabulary, self._gaps)
        self.action_space = action_space(1 + len(spec.calls), self._gaps)
        self._masks: dict[bytes, Mask] = {}
        self._problem = 0
        self._memory = REFUSED
        self._before = b""
        self._calls = 0
        self._is_over = True

    @property
    def problems(self) -> int:
        """How many there are."""
        return len(self._problems)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Ints, dict[str, Any]]:
        """Begin an attempt at a problem: any, or the one whose number is `options["problem"]`."""
        super().reset(seed=seed)
        chosen = (options or {}).get("problem")
        self._problem = int(self.np_random.integers(len(self._problems))) if chosen is None else chosen
        self._memory = self._start[self._problem]
        self._before, self._calls, self._is_over = b"", 0, False
        return self._observation(), self._info()

    def step(self, action: Ints) -> tuple[Ints, float, bool, bool, dict[str, Any]]:
        """Carry out a call, or halt. Between the two calls of an attempt there is no reward."""
        if self._is_over:
            raise ResetNeeded("the attempt is over: call reset() first")
        choice = decode(np.asarray(action))
        memory = self._memory
        if choice.module != HALT:
            memory = self._call(choice)
            self._calls += 1
        if choice.module != HALT and memory != REFUSED and self._calls < ControllerConfig.calls:
            self._before, self._memory = self._view(self._memory), memory
            return self._observation(), 0.0, False, False, self._info()
        return self._end(memory, is_idle=choice.module != HALT and self._calls > 1 and memory == self._memory)

    def action_masks(self) -> Mask:
        """What may be chosen now, part by part and end to end, as sb3-contrib's MaskablePPO takes it."""
        view = self._view(self._memory)
        found = self._masks.get(view)
        if found is None:
            found = self._masks[view] = mask_of(self.world.student.forms, view, self._gaps)
        return found

    def _call(self, choice: Choice) -> int:
        """The memory after a call, or REFUSED."""
        if max(choice[1:]) >= len(self._view(self._memory)) - 1:
            return REFUSED  # there is no such gap
        code = pack(np.array([choice], np.int64))
        length = self.world.measure(np.array([self._start[self._problem]]))
        (after,) = self.world.act(np.array([self._memory]), code, length).tolist()
        if after != REFUSED and len(self._view(after)) - 1 > self._gaps:
            return REFUSED
        return int(after)

    def _end(self, memory: int, is_idle: bool) -> tuple[Ints, float, bool, bool, dict[str, Any]]:
        answer = self._problems[self._problem].answer.encode()
        if memory == REFUSED:
            gain = FAILED
        else:
            gain = reward(self.world.memories[memory], answer)
            if memory != self._memory:
                self._before, self._memory = self._view(self._memory), memory
        self._is_over = True
        is_right = gain == 1.0
        return (
            self._observation(),
            gain - IDLE * is_idle,
            True,
            False,
            {**self._info(), "is_success": is_right},
        )

    def _enter(self, problem: Problem) -> int:
        return self.world.enter(self.world.student.lay_out(problem.x.encode(), problem.y.encode()))

    def _view(self, memory: int) -> bytes:
        return self.world.view(memory)

    def _observation(self) -> Ints:
        return observe(self._view(self._memory), self._before, self._gaps)

    def _info(self) -> dict[str, Any]:
        return {"seen": spell(self.world.perception, self._view(self._memory))}
