"""A peer's PPO in our environments: sb3-contrib's MaskablePPO beside our learner, on equal terms as far as they go.

Both get the same frozen skills, choices by form, reward, training problems and number of attempts. The peer has neither
our network (its own is a perceptron on the observation) nor the teacher, guidance or exploration.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

from reckoner.baselines.standard import standard_seconds
from reckoner.evaluation.table import markdown, percent, spread
from reckoner.reproduction import figures
from reckoner.reproduction.ablation import BASE
from reckoner.reproduction.budget import UNLIMITED, Budget, Cap
from reckoner.reproduction.experiment import Experiment, Setting, open_library
from reckoner.reproduction.labels import label_lines
from reckoner.reproduction.records import Point, Record, Unit, curve
from reckoner.reproduction.trial import held_out_problems, interactive, run_trial

OURS, PEER = "ours", "MaskablePPO"
# Chosen here, untuned: batches for many short attempts, and some reward for entropy, which is 0 there, since almost no
# attempt at random is right. All else is the peer's default.
ENVIRONMENTS = 16  # side by side
SETTINGS: dict[str, Any] = {"n_steps": 128, "batch_size": 256, "ent_coef": 0.01}
LOOKS = 20  # points of a curve, whose updates are attempts here


def units(setting: Setting) -> Iterator[Unit]:
    """Skill by skill and seed by seed, ours and the peer's."""
    budget = setting.budget
    for skill in budget.peer_skills:
        for seed in range(budget.peer_seeds):
            for learner, run in ((OURS, run_ours), (PEER, run_peer)):
                work = partial(run, skill, seed, budget, setting.library)
                yield Unit(f"{learner}/{skill}/{seed}", work, budget.peer_seconds)


def run_ours(skill: str, seed: int, budget: Budget, library: Path) -> Record:
    """Our learner, for at most as many attempts as the peer has."""
    task, config = interactive(skill), BASE
    per_update = sum(config.rollout.counts)
    cap = Cap(budget.peer_seconds, ceil(budget.peer_attempts / per_update))
    record, _ = run_trial(task, open_library(library).below(task.spec), config, seed, cap)
    made = zip(record["attempts_at"], record["curve"], strict=True)
    points = [point._replace(update=attempts) for attempts, point in made]
    return _describe(OURS, {**record, "curve": points})


def run_peer(skill: str, seed: int, budget: Budget, library: Path) -> Record:
    """The peer's PPO on the problems of the last stage, which has those of all sizes."""
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.vec_env import DummyVecEnv

    from reckoner.gym import SkillEnv, make_world

    class Watch(BaseCallback):
        """Counts attempts, looks at the test problems now and then, and ends the run."""

        def __init__(self) -> None:
            super().__init__()
            self.curve: list[Point] = []
            self.attempts = self.right = self.since = 0
            self.testing = 0.0
            self.started = standard_seconds()

        @property
        def seconds(self) -> float:
            return standard_seconds() - self.started - self.testing

        def _on_step(self) -> bool:
            ended = [info["is_success"] for info in self.locals["infos"] if "is_success" in info]
            self.attempts, self.since = self.attempts + len(ended), self.since + len(ended)
            self.right += sum(ended)
            is_over = self.attempts >= budget.peer_attempts or self.seconds > budget.peer_seconds
            if is_over or self.since * LOOKS >= budget.peer_attempts:
                self.look()
            return not is_over

        def look(self) -> None:
            seconds, started = round(self.seconds, 2), standard_seconds()
            training = round(self.right / max(1, self.since), 4)
            self.curve.append(Point(self.attempts, seconds, training, round(test(self.model), 4)))
            self.right = self.since = 0
            self.testing += standard_seconds() - started

    task, world = interactive(skill), make_world(skill, open_library(library))
    test = greedy_test(SkillEnv(skill, world=world, problems=held_out_problems(task)))
    environment = DummyVecEnv([partial(SkillEnv, skill, world=world)] * ENVIRONMENTS)
    torch.set_num_threads(1)
    watch = Watch()
    model = MaskablePPO("MlpPolicy", environment, seed=seed, device="cpu", **SETTINGS)
    model.learn(UNLIMITED * ENVIRONMENTS, callback=watch)
    last = watch.curve[-1]
    reached = {"accuracy": last.test, "mastered": last.test == 1.0, "seconds": last.seconds}
    cost = {"attempts": watch.attempts, "decisions": model.num_timesteps}
    return _describe(PEER, {"skill": skill, "seed": seed, **reached, **cost, "curve": watch.curve})


def greedy_test(environment: Any) -> Any:
    """The share of an environment's problems that a model's likeliest actions solve."""

    def test(model: Any) -> float:
        right = 0
        for problem in range(environment.problems):
            observation, _ = environment.reset(options={"problem": problem})
            is_over, info = False, {}
            while not is_over:
                masks = environment.action_masks()
                action, _ = model.predict(observation, action_masks=masks, deterministic=True)
                observation, _, is_over, _, info = environment.step(action)
            right += info["is_success"]
        return right / environment.problems

    return test


def _describe(learner: str, record: Record) -> Record:
    summary = f"{record['accuracy']:.1%} after {record['attempts']} attempts"
    return {"learner": learner, **record, "summary": summary}


def _reached(record: Record) -> int | None:
    """Attempts until the test problems were all right, and stayed so."""
    points = curve(record)
    if points[-1].test != 1.0:
        return None
    wrong = [i for i, p in enumerate(points) if p.test != 1.0]
    return points[wrong[-1] + 1 if wrong else 0].update


def table(records: Sequence[Record]) -> str:
    """Per skill and learner: test accuracy, and attempts until it was whole."""
    rows = []
    for skill in dict.fromkeys(r["skill"] for r in records):
        for learner in dict.fromkeys(r["learner"] for r in records):
            runs = [r for r in records if r["skill"] == skill and r["learner"] == learner]
            reached = [n for n in map(_reached, runs) if n is not None]
            each = ", ".join(percent(r["accuracy"]) for r in runs)
            attempts = spread([r["attempts"] for r in runs], 0)
            seconds = spread([r["seconds"] for r in runs], 0)
            rows.append(
                [
                    skill,
                    learner,
                    each,
                    attempts,
                    f"{len(reached)} of {len(runs)}",
                    spread(reached, 0),
                    seconds,
                ]
            )
    head = [
        "skill",
        "learner",
        "test accuracy, seed by seed",
        "attempts made",
        "all right",
        "after attempts",
        "seconds",
    ]
    return markdown(head, rows)


def figure(records: Sequence[Record]) -> Any:
    """A panel per skill: mean test accuracy over attempts, smallest and largest as a band."""
    skills = list(dict.fromkeys(r["skill"] for r in records))
    page, panels = figures.make_panels(1, len(skills), (3.8 * len(skills) + 0.5, 3.6))
    for panel, skill in zip(panels, skills, strict=True):
        runs = [r for r in records if r["skill"] == skill]
        grid = figures.grid_to(max(r["attempts"] for r in runs), is_logarithmic=False)
        lines = {OURS: figures.MODEL_LINES["ours"], PEER: (figures.COLOURS[PEER], "s", figures.DASHED)}
        for learner, line in lines.items():
            own = [r for r in runs if r["learner"] == learner]
            figures.draw_test_accuracy(panel, own, lambda p: p.update, grid, learner, line)
        panel.set_title(skill)
        panel.set_xlabel("attempts")
        panel.xaxis.set_major_formatter("{x:,.0f}")
        panel.locator_params(axis="x", nbins=5)
        figures.show_accuracy(panel)
    panels[0].set_ylabel("test accuracy (%)")
    label_lines(panels, everywhere=True)
    return page


EXPERIMENT = Experiment(
    heading="A peer's PPO in the same environments",
    claim="""
An independent check of the environments: sb3-contrib's MaskablePPO learns the same skills on the same frozen ones
([gym.md](gym.md)), with the same reward and at least as many attempts as ours needs.
""",
    units={"peer": units},
    table=table,
    figures={"accuracy": figure},
    remark="""
The peer is MaskablePPO with 16 environments of 128 steps, batches of 256 and an entropy coefficient of 0.01, all else
as it comes: a perceptron of two layers of 64 on the two views, the four parts of an action drawn independently of each
other. It meets the problems of the last stage, in which all sizes are, and has no teacher. Test problems are the same
for both. Ours ends once it has mastered the skill. The peer's masks are weaker than our choices by form: a read is open
if some skill may accept it. **A reader may conclude** that the environments can be solved by a learner that is not
ours (it was, in one run); **not** that it learns them reliably, nor how PPO compares with our learner: its settings
were not tuned, and *neither: PPO alone* in *What learns* is the line for that.
""",
    needs=("sb3_contrib",),
)
