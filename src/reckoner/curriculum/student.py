"""The student: learns one interactive skill on top of the frozen ones, stage by stage.

The flow of learning: the teacher picks problems, the student tries them (`Machine.sample`), practice looks for
solutions of what fails, PPO with self-imitation learns from both, and a greedy test says when a stage is mastered.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
import torch

from reckoner.curriculum.problems import Problem, collect
from reckoner.curriculum.tasks import InteractiveTask
from reckoner.curriculum.teacher import Teacher, TeacherConfig
from reckoner.machine import Limits, Machine
from reckoner.machine.sampling import Episode
from reckoner.nn.config import HALT, ControllerConfig
from reckoner.nn.modules import ControllerModule
from reckoner.skills.interactive import InteractiveSkill
from reckoner.skills.library import Library, round_to_half
from reckoner.training.ppo import PPO, PPOConfig, Trajectory
from reckoner.training.practice import Practice, PracticeConfig, Program, Question
from reckoner.training.reward import REFUSED, reward

Metrics = Callable[[dict[str, Any]], None]

# In training skills are sent nonsense, on which a frozen one may go on for ever. No program needs more than two calls
# per frame (a third one is idle, and would be paid for at every use), and no problem of any stage memories of 300
# characters or 30,000 calls.
CAUTIOUS = Limits(calls=30_000, memory=300, steps=2)
# Much longer problems must not take calls without measure either: a skill that calls itself twice per digit would.
SPARING = Limits(calls=1_000_000, steps=2)


@dataclass(frozen=True)
class StudentConfig:
    """How a student learns. An ablation is a field here, never a second script."""

    hidden: int = 64  # the paper's is 100; 64 is enough for every skill here, and faster
    blocks: int = 4  # per update: so many times the teacher's `consecutive` samples
    self_imitation: bool = True
    patience: int = 60  # updates without a better greedy accuracy before the student is given up
    most_updates: int = 400  # per stage
    restarts: int = 4
    surprises: int = (
        3  # fresh problems, in training sets, that must all be right before a stage counts as mastered
    )
    teacher: TeacherConfig = field(default_factory=TeacherConfig)
    ppo: PPOConfig = field(default_factory=PPOConfig)
    practice: PracticeConfig = field(default_factory=PracticeConfig)


class Stuck(Exception):
    """No progress for the patience: to be tried again with another seed."""


@dataclass
class Stage:
    """The problems of one stage."""

    size: int
    training: list[Problem]
    held_out: list[Problem]


@dataclass
class Progress:
    """Where an attempt stands between two stages: all that is needed to go on exactly as if never interrupted."""

    stage: int = 0  # how many stages are mastered
    updates: int = 0
    episodes: int = 0
    steps: int = 0  # of the environment: decisions in sampled attempts …
    tried: int = 0  # … and calls tried in practice
    seconds: float = 0.0
    tensors: dict[str, np.ndarray] | None = None
    memory: dict[str, Any] = field(default_factory=dict)  # what else the learner keeps, as JSON has it


class Student:
    """One attempt at one task."""

    def __init__(
        self,
        task: InteractiveTask,
        library: Library,
        config: StudentConfig,
        seed: int,
        log: Metrics | None = None,
        save: Callable[[Progress], None] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> None:
        self.task = task
        self.config = config
        self.machine = Machine(library, CAUTIOUS)
        self.seed = seed
        self.log = log or (lambda record: None)
        self.save = save or (lambda progress: None)
        self.should_stop = should_stop or (lambda: False)
        torch.manual_seed(seed)
        perception = task.spec.perception
        self.network_config = ControllerConfig(
            perception.vocabulary,
            len(task.spec.calls),
            config.hidden,
            positional=perception.kind == "characters",
        )
        self.network = ControllerModule(self.network_config)
        self.snapshot: InteractiveSkill | None = None
        self._layout = self._freeze()
        self.progress = Progress()
        self._since = time.monotonic()

    def learn(self, progress: Progress | None = None) -> InteractiveSkill | None:
        """Master all stages (from where `progress` left off): the final skill, which calls itself.

        None if `should_stop` said so between two updates; Stuck if this attempt is not worth going on.
        """
        if progress is not None and progress.tensors is not None:
            self.progress = progress
            self.network.load_tensors(progress.tensors)
            self.snapshot = self._freeze()
        for number, size in enumerate(self.task.stages):
            if number < self.progress.stage:
                continue
            if not self._learn_stage(number, size):
                return None
            self.progress.stage = number + 1
            self.progress.tensors = self.network.tensors()
            self.progress.seconds = self.seconds
            self._since = time.monotonic()
            self.save(self.progress)
        return self._final()

    @property
    def seconds(self) -> float:
        """Time spent on this attempt, in this process and before."""
        return self.progress.seconds + time.monotonic() - self._since

    # --- one stage ---

    def _learn_stage(self, number: int, size: int) -> bool:
        """Whether the stage was mastered; if not, the student was asked to stop."""
        rng = np.random.default_rng([self.seed, number])
        problem_rng = Random(f"{self.task.spec.name} {number}")
        stage = make_stage(self.task, size, problem_rng)
        teacher = Teacher(len(stage.training), self.config.teacher, rng)
        ppo = PPO(self.network, self.config.ppo)
        policy = self._policy()
        practice = Practice(self.machine, policy, self.config.practice, rng)
        practice.kept = programs_from_json(self.progress.memory.get("programs", []))
        best, since = -1.0, 0
        successes: dict[tuple[bytes, ...], Trajectory] = {}
        for _ in range(self.config.most_updates):
            policy = self._policy()
            right, missed = self._test(policy, stage)
            accuracy = right / (len(stage.training) + len(stage.held_out))
            if not missed:
                missed = self._surprise(policy, stage, teacher, problem_rng)
                best, since = -1.0, 0  # harder problems: the accuracies are of another set
            if not missed:
                break
            if accuracy > best:
                best, since = accuracy, 0
            since += 1
            if since > self.config.patience:
                raise Stuck(f"{self.task.spec.name}: stage {size} stays at {best:.2%}")
            self._gather(stage, teacher, missed, problem_rng)
            trajectories = self._try(policy, stage, teacher, rng)
            practised = self._practise(practice, stage, missed, policy) if self.config.practice.enabled else 0
            self.progress.tried, practice.tried = self.progress.tried + practice.tried, 0
            imitated = self._imitated(practice, trajectories, successes)
            figures = ppo.update(trajectories, imitated, teacher.entropy_coefficient, rng)
            self.progress.updates += 1
            self.log(
                {
                    "stage": size,
                    "update": self.progress.updates,
                    "accuracy": accuracy,
                    "return": float(np.mean([sum(t.rewards) for t in trajectories])),
                    "entropy_coefficient": teacher.entropy_coefficient,
                    "buffer": len(imitated),
                    "practised": practised,
                    "problems": len(stage.training),
                    "seconds": self.seconds,
                    "steps_per_second": (self.progress.steps + self.progress.tried) / self.seconds,
                    **figures,
                }
            )
            if self.should_stop():
                return False
        else:
            raise Stuck(
                f"{self.task.spec.name}: stage {size} not mastered in {self.config.most_updates} updates"
            )
        self.snapshot = self._freeze()
        self.log(
            {
                "stage": size,
                "update": self.progress.updates,
                "accuracy": 1.0,
                "mastered": True,
                "seconds": self.seconds,
            }
        )
        self.progress.memory = {"programs": programs_to_json(practice.kept)}
        return True

    def _try(
        self, policy: InteractiveSkill, stage: Stage, teacher: Teacher, rng: np.random.Generator
    ) -> list[Trajectory]:
        """Sampled attempts at the problems the teacher picks."""
        trajectories: list[Trajectory] = []
        for _ in range(self.config.blocks):
            chosen = teacher.choose()
            problems = [stage.training[i] for i in chosen]
            episodes = self.machine.sample(policy, [p.key for p in problems], rng, self.task.calls)
            teacher.mark(
                chosen, [e.answer == p.answer.encode() for e, p in zip(episodes, problems, strict=True)]
            )
            for episode, problem in zip(episodes, problems, strict=True):
                trajectories.append(_trajectory(episode, problem.answer.encode()))
        self.progress.episodes += len(trajectories)
        self.progress.steps += sum(len(t.views) for t in trajectories)
        return trajectories

    def _imitated(
        self,
        practice: Practice,
        tried: Sequence[Trajectory],
        successes: dict[tuple[bytes, ...], Trajectory],
    ) -> list[Trajectory]:
        """What to imitate: the voted programs, or without practice the policy's own successes, by what it saw."""
        if not self.config.self_imitation:
            return []
        if self.config.practice.enabled:
            return practice.trajectories()
        successes.update((tuple(t.views), t) for t in tried if sum(t.rewards) == 1.0)
        return list(successes.values())

    def _practise(
        self, practice: Practice, stage: Stage, missed: Sequence[Problem], policy: InteractiveSkill
    ) -> int:
        """Study some of the views on which the greedy test failed and for which no program is known."""
        by_view: dict[bytes, list[Question]] = defaultdict(list)
        for problem in stage.training:
            question = Question(self._memory(problem), problem.answer.encode())
            by_view[self._look(problem)].append(question)
        config, reviewed, guessed = self.config.practice, 0, 0
        failing = list(dict.fromkeys(self._look(p) for p in missed))
        for place in practice.rng.permutation(len(failing)):
            view = failing[place]
            questions = self._voters(practice, by_view.get(view, []))
            if not questions:
                continue
            reviewed += 1
            drawn = policy.decide([(policy.root, view, config.own)], practice.rng)[0]
            own = dict.fromkeys(d.choice for d in drawn if d.choice[0] != HALT)
            if not practice.study(questions, list(own)) and not practice.study(
                questions, practice.familiar(view)
            ):
                practice.study(questions, None)
                guessed += 1
            if guessed == config.classes or reviewed == config.reviews:
                break
        return reviewed

    def _voters(self, practice: Practice, questions: list[Question]) -> list[Question]:
        """Some questions of one view, half of them such as the kept program fails on; none if it fails on none."""
        solved = practice.solved(questions)
        if all(solved):
            return []
        order = practice.rng.permutation(len(questions))
        failed = [questions[i] for i in order if not solved[i]]
        others = [questions[i] for i in order if solved[i]]
        half = self.config.practice.voters // 2
        return (failed[:half] + others + failed[half:])[: self.config.practice.voters]

    def _memory(self, problem: Problem) -> bytes:
        return self._layout.lay_out(problem.x.encode(), problem.y.encode())

    def _look(self, problem: Problem) -> bytes:
        """The first view of a problem."""
        return self.task.spec.perception.view(self._memory(problem)).tokens

    def _gather(self, stage: Stage, teacher: Teacher, missed: Sequence[Problem], rng: Random) -> None:
        """Views on which only held-out problems fail: find more training problems of those views."""
        trained = {self._look(p) for p in missed if not p.is_held_out}
        wanted = {self._look(p) for p in missed if p.is_held_out} - trained
        known = set(stage.training)
        found: list[Problem] = []
        for _ in range(4000 if wanted else 0):
            problem = self.task.sampler(rng, stage.size)
            if not problem.is_held_out and problem not in known and self._look(problem) in wanted:
                found.append(problem)
                known.add(problem)
        stage.training += found
        teacher.add(len(found))

    def _surprise(
        self, policy: InteractiveSkill, stage: Stage, teacher: Teacher, rng: Random
    ) -> list[Problem]:
        """All known problems are right: what of fresh ones? Those that fail join the stage."""
        fresh = [
            self.task.sampler(rng, stage.size) for _ in range(self.config.surprises * self.task.problems)
        ]
        missed = wrong(self.machine, policy, list(dict.fromkeys(fresh)))
        training = [p for p in missed if not p.is_held_out]
        stage.training += training
        teacher.add(len(training))
        stage.held_out += [p for p in missed if p.is_held_out]
        return missed

    # --- testing and freezing ---

    def _policy(self) -> InteractiveSkill:
        """The network as it is now (in the precision it will be stored in), self-calls to the last snapshot."""
        tensors = round_to_half(self.network.tensors())
        return InteractiveSkill(self.task.spec, self.network_config, tensors, delegate=self.snapshot)

    def _freeze(self) -> InteractiveSkill:
        return InteractiveSkill(self.task.spec, self.network_config, round_to_half(self.network.tensors()))

    def _test(self, policy: InteractiveSkill, stage: Stage) -> tuple[int, list[Problem]]:
        """Greedy accuracy on training and held-out problems: how many are right, and which are not."""
        problems = stage.training + stage.held_out
        missed = wrong(self.machine, policy, problems)
        return len(problems) - len(missed), missed

    def _final(self) -> InteractiveSkill:
        """The frozen skill, if it also does what is much longer than anything it trained on."""
        skill = self._freeze()
        rng = Random(f"{self.task.spec.name} longer")
        longer = distinct(self.task, self.task.longer, 200, rng, held_out=None)
        machine = Machine(self.machine.library, SPARING)
        missed = wrong(machine, skill, longer)
        if missed:
            raise Stuck(f"{self.task.spec.name}: {len(missed)} of {len(longer)} longer problems wrong")
        return skill


def wrong(machine: Machine, skill: InteractiveSkill, problems: Sequence[Problem]) -> list[Problem]:
    """The problems that a skill does not answer exactly, or only after a refused call, or too many calls."""
    results = machine.answer(skill, [p.key for p in problems])
    return [
        p
        for p, r in zip(problems, results, strict=True)
        if r.answer != p.answer.encode() or r.refusal or r.calls > machine.limits.calls
    ]


def distinct(
    task: InteractiveTask, size: int, count: int, rng: Random, held_out: bool | None
) -> list[Problem]:
    """Up to `count` different problems of one side of the split (or of both)."""

    def draw() -> Problem | None:
        problem = task.sampler(rng, size)
        return problem if held_out is None or problem.is_held_out == held_out else None

    return collect(draw, count, 5 * count)


def make_stage(task: InteractiveTask, size: int, rng: Random) -> Stage:
    """Training and held-out problems up to a size."""
    training = distinct(task, size, task.problems, rng, held_out=False)
    held_out = distinct(task, size, task.problems // 2, rng, held_out=True)
    return Stage(size, training, held_out)


def _trajectory(episode: Episode, target: bytes) -> Trajectory:
    """An episode with its rewards: only the last one depends on the answer."""
    rewards = [0.0] * len(episode.views)
    for i, refused in enumerate(episode.refused):
        if refused:
            rewards[i] = REFUSED
    rewards[-1] += reward(episode.answer, target)
    return Trajectory(episode.views, episode.choices, rewards)


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
            tuple(bytes.fromhex(v) for v in views): tuple(choice) for views, choice in steps
        }
        for view, steps in data
    }
