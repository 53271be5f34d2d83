"""The student: learns one interactive skill on top of the frozen ones, stage by stage.

The flow of learning: the teacher picks problems, the student tries them (`Stage.attempt`), remembers what came of it,
PPO learns from own and guided attempts, and a greedy test says when a stage is mastered. `StudentConfig` says which
learner it is: `reinforcement` (ours), `paper` (the paper's, nothing else) or `search` (programs found by trying calls
against the known answer, then imitated: a comparison).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Literal

import numpy as np
import torch

from reckoner.alphabet import Perception
from reckoner.curriculum.problems import Problem
from reckoner.curriculum.progress import Progress, Stuck
from reckoner.curriculum.prover import judge
from reckoner.curriculum.searcher import Searcher
from reckoner.curriculum.stage import Stage, distinct
from reckoner.curriculum.tasks import InteractiveTask
from reckoner.curriculum.teacher import TeacherConfig
from reckoner.machine import Limits, Machine
from reckoner.nn.config import ControllerConfig
from reckoner.nn.modules import ControllerModule
from reckoner.skills.interactive import InteractiveSkill
from reckoner.skills.library import Library
from reckoner.skills.storage import round_to_half
from reckoner.training.analogy import Analogies
from reckoner.training.experience import ExperienceConfig
from reckoner.training.policy import Policy
from reckoner.training.ppo import PPO, PPOConfig
from reckoner.training.practice import PracticeConfig
from reckoner.training.reward import IDLE
from reckoner.training.rollout import ANALOGOUS, GUIDED, OWN_WAY, RolloutConfig
from reckoner.training.world import STOP, World, pack

Metrics = Callable[[dict[str, Any]], None]
Learner = Literal["reinforcement", "paper", "search"]

# In training skills are sent nonsense, on which a frozen one may go on for ever. No program needs more than two calls
# per frame, and no problem of any stage memories of 300 characters; how many calls at most, its row says.
CAUTIOUS = Limits(calls=30_000, memory=300, steps=2)
# Much longer problems must not take calls without measure either: a skill that calls itself twice per digit would.
SPARING = Limits(calls=1_000_000, steps=2)
RENEWAL = 8  # updates without a better accuracy after which the snapshot is looked at …
NEARLY = 0.98  # … if so much is right
OFTEN = 0.02  # share of fresh problems wrong without the snapshot, from which on it is no help
MOST_PROOFS = 20  # of one skill, with its decisions repeated in between until they are clear
MOST_REPETITIONS = 200  # of own decisions that are to become clear
MOST_SAVINGS = 10  # tries at halting where a call changes nothing, before attempts go on
TEST_PROBLEMS = 1000
LONGER_PROBLEMS = 200


@dataclass(frozen=True)
class StudentConfig:
    """How a student learns. An ablation is a field here, never a second script."""

    learner: Learner = "reinforcement"
    hidden: int = 64  # the paper's is 100; 64 is enough for every skill here, and faster
    characters: bool = False  # see every character, as in the paper, whatever the task says
    # attempts at problems that differ in digits only are remembered together, whatever the network sees of digits
    compares_forms: bool = True
    by_form: bool = True  # choose only among calls that the callee may accept by form
    self_imitation: bool = False  # imitate the best own attempts as well (Oh et al., 2018)
    patience: int = 250  # updates without a better greedy accuracy before the student is given up
    stall: int = 16  # updates without a better accuracy after which what was right elsewhere is tried …
    desperation: int = 8  # … so many times as often
    most_updates: int = 2000  # per stage
    restarts: int = 4
    # fresh problems, in training sets, that must all be right before a stage counts as mastered
    surprises: int = 5
    # the paper's rule for going on: when the training problems are right (at the end, all must be)
    trusts_training: bool = False
    # … and so many of them may do; in the last stage, from so many on, fresh problems that are wrong join it
    enough: float = 1.0
    idle_cost: float = IDLE  # of a second call that changes nothing: it would be paid for at every use
    margin: float = 1.0  # by which every decision must beat its next best, in log-probability
    prove: bool = False  # a skill is mastered when it is proved, and learns from counterexamples until then
    rollout: RolloutConfig = field(default_factory=RolloutConfig)
    experience: ExperienceConfig = field(default_factory=ExperienceConfig)
    teacher: TeacherConfig = field(default_factory=TeacherConfig)
    ppo: PPOConfig = field(default_factory=PPOConfig)
    practice: PracticeConfig = field(default_factory=PracticeConfig)


LEARNERS: dict[Learner, StudentConfig] = {
    "reinforcement": StudentConfig(),
    # characters, PPO and the teacher with the paper's values; what the paper leaves open is as in ours
    "paper": StudentConfig(
        learner="paper",
        hidden=100,
        characters=True,
        compares_forms=False,
        by_form=False,
        trusts_training=True,
        idle_cost=0.0,
        margin=0.0,
        rollout=RolloutConfig(own=2048, guided=0, hopeful=0, near_own=0, near_best=0, wild=0, analogous=0),
        teacher=TeacherConfig(uniform_share=0.0, entropy_cap=0.5, by_view=False, forgets=False),
    ),
    "search": StudentConfig(
        learner="search",
        rollout=RolloutConfig(own=256, guided=0, hopeful=0, near_own=0, near_best=0, wild=0, analogous=0),
        practice=PracticeConfig(enabled=True),
    ),
}


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
        self.spec = (
            replace(task.spec, perception=Perception("characters")) if config.characters else task.spec
        )
        self.machine = Machine(library, replace(CAUTIOUS, calls=task.calls))
        self.callees = library.callees(self.spec)
        self.seed = seed
        self.log = log or (lambda record: None)
        self.save = save or (lambda progress: None)
        self.should_stop = should_stop or (lambda: False)
        torch.manual_seed(seed)
        perception = self.spec.perception
        self.network_config = ControllerConfig(
            perception.vocabulary,
            len(self.spec.calls),
            config.hidden,
            positional=perception.kind == "characters",
            by_form=config.by_form,
        )
        self.network = ControllerModule(self.network_config)
        # who answers self-calls: it mastered the stage before, or (makeshift) was put in its place in the middle of one
        self.snapshot: InteractiveSkill | None = None
        self.is_makeshift = False
        self.margin = float("inf")  # the smallest of all decisions met at the end of the last stage
        self.proved: bool | None = None  # None: not asked, or nothing is specified
        self.proof_seconds = 0.0  # of this process, part of its seconds
        self.taught: set[Problem] = set()  # counterexamples, of whatever side of the split
        self.analogies = Analogies(self.spec.perception)
        self.progress = Progress()
        self._since = time.monotonic()

    def learn(self, progress: Progress | None = None) -> InteractiveSkill | None:
        """Master all stages (from where `progress` left off): the final skill, which calls itself.

        None if `should_stop` said so between two updates; Stuck if this attempt is not worth going on.
        """
        if progress is not None and progress.tensors is not None:
            self.progress = progress
            self.network.load_tensors(progress.tensors)
            self.snapshot = self.freeze()
            self.margin = progress.memory.get("margin", self.margin)
            self.proved = progress.memory.get("proved", self.proved)
            self.analogies.from_json(progress.memory.get("analogies", []))
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

    def freeze(self, delegate: InteractiveSkill | Literal["itself"] | None = "itself") -> InteractiveSkill:
        """The network as it is now, in the precision it will be stored in."""
        tensors = round_to_half(self.network.tensors())
        return InteractiveSkill(self.spec, self.network_config, tensors, self.callees, delegate)

    def _policy(self, world: World) -> Policy:
        """The network as it is now, as it acts in a world."""
        tensors = round_to_half(self.network.tensors())
        return Policy(self.network_config, tensors, world.student.forms, world.views)

    # --- one stage ---

    def _learn_stage(self, number: int, size: int) -> bool:
        """Whether the stage was mastered; if not, the student was asked to stop."""
        config, progress = self.config, self.progress
        stage = self._enter(number, size)
        ppo = PPO(self.network, config.ppo, stage.world.student.forms)
        searcher = Searcher(stage, config.practice, progress.memory) if config.practice.enabled else None
        is_end = number + 1 == len(self.task.stages)
        best, since = -1.0, 0
        for _ in range(config.most_updates):
            if self.should_stop():
                return False
            started = time.monotonic()
            policy = self._policy(stage.world)
            missed = stage.test(policy)
            accuracy = stage.accuracy(missed)
            if self._seems_mastered(stage, ppo, missed, is_end):
                missed = self._look_closer(stage, ppo, is_end)
                if not missed:
                    self._leave(stage, searcher, accuracy, is_end)
                    return True
                # more problems came: another measure
                accuracy = stage.accuracy(missed)
                best, since = -1.0, 0
            if accuracy > best:
                best, since = accuracy, 0
            since += 1
            if since > config.patience:
                raise Stuck(f"{self.spec.name}: stage {size} stays at {best:.2%}")
            if since % RENEWAL == 0 and searcher is None and (self.is_makeshift or accuracy > NEARLY):
                self._renew_snapshot(stage, missed)
            if is_end and config.enough < 1 and accuracy >= config.enough and progress.updates % RENEWAL == 0:
                self._surprises(stage)
            stage.gather(missed)
            before = progress.attempts
            figures = self._update(stage, policy, ppo, self._rollout(since))
            if searcher is not None:
                progress.tried += searcher.search(missed, policy, ppo)
            elif config.self_imitation:
                ppo.imitate([found for found in stage.experience.best() if found[2] > 0], stage.world.views)
            self.log(
                {
                    "stage": size,
                    "update": progress.updates,
                    "attempts": progress.attempts,
                    "accuracy": accuracy,
                    "problems": len(stage.training),
                    "seconds": self.seconds,
                    "attempts_per_second": (progress.attempts - before) / (time.monotonic() - started),
                    **figures,
                }
            )
        raise Stuck(f"{self.spec.name}: stage {size} not mastered in {config.most_updates} updates")

    def _enter(self, number: int, size: int) -> Stage:
        """A stage, with problems of its size."""
        config = self.config
        world = World(self.machine, self.freeze(self.snapshot), config.compares_forms)
        seed = self.seed, number
        return Stage(
            self.task, size, world, config.teacher, config.experience, seed, config.idle_cost, self.analogies
        )

    def _leave(self, stage: Stage, searcher: Searcher | None, accuracy: float, is_end: bool) -> None:
        """The stage is mastered: the student becomes its own snapshot, and what the next stage begins with is kept."""
        clear = {"margin": self.margin, "proved": self.proved} if is_end else {}
        known = {"stage": stage.size, "update": self.progress.updates, "accuracy": accuracy}
        self.log({**known, "mastered": True, "seconds": self.seconds, **clear})
        self.snapshot, self.is_makeshift = self.freeze(), False
        self.analogies.close()
        carried = {"analogies": self.analogies.to_json()} if self.analogies.programs else {}
        searched = searcher.to_json() if searcher is not None else {}
        self.progress.memory = {**searched, **carried, **clear}

    def _update(self, stage: Stage, policy: Policy, ppo: PPO, rollout: RolloutConfig) -> dict[str, float]:
        """Attempts at what the teacher picks, and what is learned from them."""
        progress, before = self.progress, stage.world.calls
        tried, rewards, made = stage.attempt(policy, rollout)
        own = rewards[tried.kind == OWN_WAY]
        figures = ppo.update(made, stage.world.views, float((own < 0).mean()))
        progress.updates += 1
        progress.attempts += len(rewards)
        progress.steps += stage.world.calls - before
        shares = np.bincount(tried.kind, minlength=ANALOGOUS + 1) / len(rewards)
        return {
            "return": float(own.mean()),
            "own": float(shares[OWN_WAY]),
            "guided": float(shares[GUIDED]),
            "explored": float(shares[GUIDED + 1 :].sum()),
            **figures,
        }

    def _seems_mastered(self, stage: Stage, ppo: PPO, missed: Sequence[Problem], is_end: bool) -> bool:
        """Whether enough of the known problems are right, with no call in vain."""
        trusts = self._trusts_training(is_end)
        wanting = [p for p in missed if p.split == "training"] if trusts else missed
        most = (1 - self.config.enough) * len(stage.training) if trusts else 0
        return len(wanting) <= most and self._is_sparing(stage, ppo, len(missed))

    def _trusts_training(self, is_end: bool) -> bool:
        """Whether the training problems alone decide, as with the paper's teacher; never at the end."""
        return self.config.trusts_training and not is_end

    def _rollout(self, since: int) -> RolloutConfig:
        """Attempts of this update: where numbers are one symbol nothing can be counted from their ends."""
        config, perception = self.config, self.spec.perception
        if perception.kind == "foveal" and perception.fovea == 0:
            return replace(config.rollout, analogous=0)
        times = config.desperation if since > config.stall else 1
        return replace(config.rollout, analogous=config.rollout.analogous * times)

    def _look_closer(self, stage: Stage, ppo: PPO, is_end: bool) -> list[Problem]:
        """All known problems are right: what of fresh ones and, at the end, of all there can be? Those that fail."""
        if self._trusts_training(is_end):
            return []
        if is_end:
            self._make_clear(stage, ppo)
        missed = self._surprises(stage)
        if not missed and is_end and self.config.prove:
            missed = self._prove(stage, ppo)
        return missed

    def _prove(self, stage: Stage, ppo: PPO) -> list[Problem]:
        """Counterexamples of a proof that failed, which join the stage; none if it went through and all is clear.

        Where a proof fails and no counterexample is found, tests have to do: the record says so.
        """
        for number in range(MOST_PROOFS):
            started = time.monotonic()
            verdict = judge(self.freeze(), self.machine.library)
            self.proof_seconds += time.monotonic() - started
            self.proved = verdict.is_proved
            if not verdict.is_proved:
                stage.add(verdict.counterexamples, to_training=True)
                self.taught.update(verdict.counterexamples)
                return verdict.counterexamples
            self.margin = verdict.margin
            if self.margin >= self.config.margin or number + 1 == MOST_PROOFS:
                break  # what was proved is not changed any more
            decided = [(h, c) for h, c in verdict.visits if len(h) <= self.network_config.calls]
            codes = pack(np.array([choice for _, choice in decided], np.int64))
            nodes = [tuple(stage.world.view_number(view) for view in history) for history, _ in decided]
            ppo.clarify(list(zip(nodes, codes.tolist(), strict=True)), stage.world.views)
        return []

    def _make_clear(self, stage: Stage, ppo: PPO) -> None:
        """All is right: repeat the own decisions until each beats its next best by the margin.

        This is self-imitation of what the student does anyway; it learns nothing new by it. Today's smallest margin
        would otherwise be that of the moment at which the last problem came out right.
        """
        found = [(node, code, 1.0) for node, code in stage.decided()]
        for _ in range(MOST_REPETITIONS):
            self.margin = stage.margin(self.freeze())
            if self.margin >= self.config.margin:
                break
            ppo.imitate(found, stage.world.views, passes=2)

    def _is_sparing(self, stage: Stage, ppo: PPO, missed: int) -> bool:
        """Whether no call is made in vain: where one changes nothing, halting is learned in its place.

        What such a call left as it was is right, so the student has seen that halting is, too; by exploring it comes to
        try that but seldom. All other decisions are repeated as they are.
        """
        for _ in range(MOST_SAVINGS):
            wasted = set(stage.wasted())
            if not wasted:
                return True
            found = [(node, STOP if node in wasted else code, 1.0) for node, code in stage.decided()]
            ppo.imitate(found, stage.world.views, passes=5)
            if len(stage.test(self._policy(stage.world))) > missed:
                break
        return False

    def _renew_snapshot(self, stage: Stage, missed: Sequence[Problem]) -> None:
        """What little is missing may be the fault of the snapshot, which met some views too seldom.

        Then no decision of the student's can be right; the student itself, calling itself, does better there. A
        makeshift one has mastered nothing: it is renewed whenever the student has become better than it was.
        """
        if not missed or self.snapshot is None:
            return
        skill = self.freeze()
        is_better = len(wrong(self.machine, skill, missed)) < len(missed)
        if not is_better and self.is_makeshift:
            now, then = (wrong(self.machine, s, stage.training) for s in (skill, self.snapshot))
            is_better = len(now) < len(then)
        if is_better:
            self.snapshot = skill
            stage.renew(self.freeze(skill))

    def _surprises(self, stage: Stage) -> list[Problem]:
        """Fresh problems that are wrong when the skill calls itself; they join the stage."""
        fresh = stage.sample(self.config.surprises * self.task.problems)
        skill = self.freeze()
        missed = wrong(self.machine, skill, fresh)
        stage.add(missed)
        old = self.snapshot
        is_often = len(missed) > OFTEN * len(fresh)
        if is_often and old is not None and not wrong(self.machine, self.freeze(old), missed):
            # Right only as long as the snapshot is asked, by something that that one has never learned. As long as it
            # answers, nothing here is ever wrong, and so nothing is mended. Where little is wrong, the snapshot stays:
            # it knows more than this student, which knows its way by that one alone.
            self.snapshot, self.is_makeshift = skill, True
            stage.renew(self.freeze(skill))
        return missed

    def _final(self) -> InteractiveSkill:
        """The frozen skill, if it also does what nothing looked at before, and what is much longer."""
        skill = self.freeze()
        rng = Random(f"{self.spec.name} longer")
        drawn = distinct(self.task, self.task.stages[-1], TEST_PROBLEMS, rng, "test")
        test = [p for p in drawn if p not in self.taught]
        longer = distinct(self.task, self.task.longer, LONGER_PROBLEMS, rng, None)
        machine = Machine(self.machine.library, SPARING)
        for name, problems in (("test", test), ("longer", longer)):
            missed = wrong(machine, skill, problems)
            if missed:
                raise Stuck(f"{self.spec.name}: {len(missed)} of {len(problems)} {name} problems wrong")
        return skill


def wrong(machine: Machine, skill: InteractiveSkill, problems: Sequence[Problem]) -> list[Problem]:
    """The problems that a skill does not answer exactly, or only after a refused call, or too many calls."""
    results = machine.answer(skill, [p.key for p in problems])
    return [
        p
        for p, r in zip(problems, results, strict=True)
        if r.answer != p.answer.encode() or r.refusal or r.calls > machine.limits.calls
    ]
