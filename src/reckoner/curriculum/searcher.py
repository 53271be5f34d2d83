"""The search that reinforcement is compared with: practice finds programs, the network imitates them.

Kept as an ablation. It tries calls against the known answer, which the other learners may not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from reckoner.curriculum.problems import Problem
from reckoner.curriculum.stage import Stage
from reckoner.skills.base import Choice
from reckoner.training.policy import Node, Policy
from reckoner.training.ppo import PPO
from reckoner.training.practice import Practice, PracticeConfig, Program, Question
from reckoner.training.world import STOP, pack, unpack_one

CALLS = 2  # decisions of a program that a network has to learn; after them it halts by itself


class Searcher:
    """Practice on one stage, and what it has found."""

    def __init__(self, stage: Stage, config: PracticeConfig, memory: dict[str, Any]) -> None:
        self.stage = stage
        self.world = stage.world
        self.config = config
        self.practice = Practice(self.world.machine, self.world.student, config, stage.rng)
        self.practice.kept = programs_from_json(memory.get("programs", []))

    def to_json(self) -> dict[str, Any]:
        """What the next stage begins with."""
        return {"programs": programs_to_json(self.practice.kept)}

    def search(self, missed: Sequence[Problem], policy: Policy, ppo: PPO) -> int:
        """Study some of the views that fail, imitate all programs known; how many calls were tried."""
        self._practise(missed, policy)
        found = list(self._decisions())
        for _ in range(self.config.passes if found else 0):
            order = self.stage.rng.permutation(len(found))
            for chosen in np.array_split(order, -(-len(found) // self.config.batch)):
                ppo.imitate([found[i] for i in chosen], self.world.views, passes=1)
        tried, self.practice.tried = self.practice.tried, 0
        return tried

    def _decisions(self) -> list[tuple[Node, int, float]]:
        """The kept programs, decision by decision."""
        decisions = []
        for program in self.practice.kept.values():
            for views, choice in program.items():
                if len(views) <= CALLS:
                    node = tuple(self.world.view_number(view) for view in views)
                    decisions.append((node, int(pack(np.array([choice]))[0]), 1.0))
        return decisions

    def _practise(self, missed: Sequence[Problem], policy: Policy) -> None:
        """Study some of the views on which the greedy test failed and for which no program is known."""
        by_view: dict[bytes, list[Question]] = defaultdict(list)
        for problem, start in zip(self.stage.training, self.stage.start, strict=True):
            question = Question(self.world.memories[start], problem.answer.encode())
            by_view[self.stage.look(problem)].append(question)
        practice, reviewed, guessed = self.practice, 0, 0
        failing = list(dict.fromkeys(self.stage.look(p) for p in missed))
        for place in practice.rng.permutation(len(failing)):
            view = failing[place]
            questions = self._voters(by_view.get(view, []))
            if not questions:
                continue
            reviewed += 1
            rows = np.zeros(self.config.own, np.int64)
            drawn = policy.draw([(self.world.view_number(view),)], rows, practice.rng)
            own = [unpack_one(code) for code in dict.fromkeys(drawn.tolist()) if code != STOP]
            if not practice.study(questions, own) and not practice.study(questions, practice.familiar(view)):
                practice.study(questions, None)
                guessed += 1
            if guessed == self.config.classes or reviewed == self.config.reviews:
                break

    def _voters(self, questions: list[Question]) -> list[Question]:
        """Some questions of one view, half of them such as the kept program fails on; none if it fails on none."""
        solved = self.practice.solved(questions)
        if all(solved):
            return []
        order = self.practice.rng.permutation(len(questions))
        failed = [questions[i] for i in order if not solved[i]]
        others = [questions[i] for i in order if solved[i]]
        half = self.config.voters // 2
        return (failed[:half] + others + failed[half:])[: self.config.voters]


def programs_to_json(kept: dict[bytes, Program]) -> list[Any]:
    """Programs as JSON has them: views as hexadecimal text, in the order they were found."""
    return [
        [view.hex(), [[[v.hex() for v in views], list(choice)] for views, choice in program.items()]]
        for view, program in kept.items()
    ]


def programs_from_json(data: Sequence[Any]) -> dict[bytes, Program]:
    """The inverse of `programs_to_json`."""
    return {
        bytes.fromhex(view): {
            tuple(bytes.fromhex(v) for v in views): Choice(*choice) for views, choice in steps
        }
        for view, steps in data
    }
