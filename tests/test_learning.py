"""Reinforcement learns, from own attempts and their rewards alone: a toy skill with a known local optimum."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from reckoner.curriculum import stage as stage_module
from reckoner.curriculum import student as student_module
from reckoner.curriculum.problems import Problem
from reckoner.curriculum.progress import Progress, Stuck
from reckoner.curriculum.stage import Stage
from reckoner.curriculum.student import LEARNERS, Student, StudentConfig, wrong
from reckoner.curriculum.tasks import InteractiveTask
from reckoner.machine import Machine
from reckoner.skills import InteractiveSkill
from reckoner.training import rollout
from reckoner.training.ppo import PPO
from reckoner.training.rollout import OWN_WAY
from reckoner.training.world import STOP, pack
from tests.toys import (
    FEW,
    IN_TWO_STAGES,
    ORDER,
    PACK,
    PLAIN,
    SMALL,
    TASK,
    WHOLE,
    library,
    make_stage,
    make_world,
    policy_of,
    sample,
)

torch.set_num_threads(1)
SAME = (3, 0, 1, 0, 0, 0, 1)  # in the view N,N: writes what is there


def learn(
    config: StudentConfig, seed: int = 1, task: InteractiveTask = TASK, progress: Progress | None = None
) -> tuple[Student, InteractiveSkill | None, list[dict[str, Any]], list[Progress]]:
    """A student's attempt at the toy skill: the skill if it was mastered, the log, what was saved."""
    log: list[dict[str, Any]] = []
    saved: list[Progress] = []

    def save(now: Progress) -> None:
        saved.append(replace(now, tensors={k: v.copy() for k, v in (now.tensors or {}).items()}))

    student = Student(task, library(), config, seed, log.append, save)
    try:
        skill = student.learn(progress)
    except Stuck:
        skill = None
    return student, skill, log, saved


@pytest.fixture(scope="module")
def learned() -> tuple[Student, InteractiveSkill | None, list[dict[str, Any]], list[Progress]]:
    """The full learner, once."""
    return learn(SMALL, task=IN_TWO_STAGES)


def test_the_full_learner_leaves_a_local_optimum():
    _, skill, log, _ = learn(SMALL, seed=5)
    assert skill is not None
    assert any(0.3 < record["accuracy"] < 0.6 for record in log)  # it was there
    problems = [sample(Random(n), 4) for n in range(100)]
    assert wrong(Machine(library()), skill, problems) == []


@pytest.mark.parametrize("seed", [1, 5])
def test_plain_ppo_stays_in_a_local_optimum(seed):
    _, skill, log, _ = learn(replace(SMALL, rollout=PLAIN, most_updates=25), seed)
    assert skill is None
    assert len(log) == 25
    assert all(record["own"] == 1.0 and record["explored"] == 0.0 for record in log)
    assert max(record["accuracy"] for record in log) < 0.6
    assert log[-1]["accuracy"] > 0.3  # halting at once does that


def test_a_constant_reward_teaches_nothing(monkeypatch):
    monkeypatch.setattr(stage_module, "reward", lambda answer, target: 0.0)
    _, skill, log, _ = learn(replace(SMALL, most_updates=25))
    assert skill is None
    assert max(record["accuracy"] for record in log) < 0.8


class Secret(str):
    """An answer that nobody may look at while it is closed."""

    is_open = True

    def _look(self) -> None:
        assert Secret.is_open, "an attempt looked at the answer"

    def encode(self, *arguments: Any) -> bytes:
        self._look()
        return super().encode(*arguments)

    def __eq__(self, other: object) -> bool:
        self._look()
        return super().__eq__(other)

    def __hash__(self) -> int:
        self._look()
        return super().__hash__()

    def __len__(self) -> int:
        self._look()
        return super().__len__()

    def __iter__(self) -> Iterator[str]:
        self._look()
        return super().__iter__()

    def __getitem__(self, place: Any) -> str:
        self._look()
        return super().__getitem__(place)


@pytest.fixture
def closed() -> Iterator[type[Secret]]:
    yield Secret
    Secret.is_open = True


def test_an_attempt_never_sees_the_answer(closed, monkeypatch):
    def secretly(rng: Any, size: int) -> Problem:
        problem = sample(rng, size)
        return problem._replace(answer=Secret(problem.answer))

    stage = make_stage(task=replace(TASK, sampler=secretly))
    looks: list[int] = []
    reward_of = Stage.reward_of

    def look(self: Stage, problem: int, memory: int) -> float:
        closed.is_open = True
        looks.append(problem)
        found = reward_of(self, problem, memory)
        closed.is_open = False
        return found

    monkeypatch.setattr(Stage, "reward_of", look)
    closed.is_open = False
    with pytest.raises(AssertionError, match="looked at the answer"):
        stage.training[0].answer.encode()
    for _ in range(3):
        tried, rewards, _ = stage.attempt(policy_of(stage.world), FEW)
    assert len(looks) == 3 * len(rewards)  # the reward alone looks, once an attempt has ended
    rollout.attempt_greedily(stage.world, policy_of(stage.world), np.array(stage.start))
    assert tried.answer.dtype == np.int64


def test_what_tries_has_no_way_to_an_answer():
    """By their interfaces: numbers of problems, of memories and of views are all that is handed on."""
    assert list(inspect.signature(rollout.attempt).parameters) == [
        "world", "policy", "experience", "problem", "start", "kind", "rng", "analogies",
    ]  # fmt: skip
    stage = make_stage()
    stage.attempt(policy_of(stage.world), FEW)
    texts: set[str] = set()

    def visit(thing: Any, depth: int = 0) -> None:
        if isinstance(thing, Problem) or thing is stage:
            texts.add("a problem")
        if depth > 6:
            return
        if isinstance(thing, dict):
            for key, value in thing.items():
                visit(key, depth + 1)
                visit(value, depth + 1)
        elif isinstance(thing, list | tuple | set):
            for value in thing:
                visit(value, depth + 1)
        elif type(thing).__module__.startswith("reckoner"):
            names = getattr(type(thing), "__slots__", None) or vars(thing)
            for name in names:
                visit(getattr(thing, name), depth + 1)

    for part in (stage.world, policy_of(stage.world), stage.experience):
        visit(part)
    assert texts == set()


def test_nothing_is_tried_outside_attempts(learned):
    student, _, log, _ = learned
    assert student.progress.tried == 0
    updates = [record for record in log if "return" in record]
    assert student.progress.attempts == len(updates) * sum(FEW.counts)
    assert student.progress.updates == len(updates)
    assert 0 < student.progress.steps <= 2 * student.progress.attempts


def test_the_search_tries_calls_against_the_answer():
    few = replace(LEARNERS["search"], hidden=16, most_updates=2, rollout=replace(PLAIN, own=64))
    student, _, log, _ = learn(few)
    assert student.progress.tried > 100
    assert all(record["guided"] == record["explored"] == 0.0 for record in log if "guided" in record)


def weights(skill: InteractiveSkill | None) -> dict[str, np.ndarray]:
    assert skill is not None
    return skill.tensors


def test_one_seed_twice_gives_equal_weights_and_a_resumed_student_too(learned):
    _, first, log, saved = learned
    _, again, log_again, _ = learn(SMALL, task=IN_TWO_STAGES)
    _, resumed, _, _ = learn(SMALL, task=IN_TWO_STAGES, progress=replace(saved[0]))
    for name, tensor in weights(first).items():
        np.testing.assert_array_equal(tensor, weights(again)[name])
        np.testing.assert_array_equal(tensor, weights(resumed)[name])
    assert [r["accuracy"] for r in log] == [r["accuracy"] for r in log_again]
    assert [p.stage for p in saved] == [1, 2]


def test_a_student_resumed_at_the_end_knows_its_margin(learned):
    """Killed between its last checkpoint and the last test."""
    student, skill, _, saved = learned
    resumed, again, log, _ = learn(SMALL, task=IN_TWO_STAGES, progress=replace(saved[1]))
    assert log == []
    assert resumed.margin == student.margin
    for name, tensor in weights(skill).items():
        np.testing.assert_array_equal(tensor, weights(again)[name])


def test_another_seed_gives_other_weights(learned):
    student, skill, _, _ = learned
    other = Student(TASK, library(), SMALL, seed=2)
    before = Student(TASK, library(), SMALL, seed=1)
    assert (other.network.tensors()["state.weight"] != before.network.tensors()["state.weight"]).any()
    assert (weights(skill)["state.weight"] != before.network.tensors()["state.weight"]).any()
    assert student.seed == 1


def test_a_student_is_stopped_by_a_question_between_updates():
    log: list[dict[str, Any]] = []
    stops = iter([False, False, True])
    student = Student(TASK, library(), SMALL, seed=1, log=log.append, should_stop=lambda: next(stops))
    assert student.learn() is None
    assert [record["update"] for record in log] == [1, 2]


def test_the_papers_learner_runs():
    config = replace(LEARNERS["paper"], most_updates=2, rollout=replace(PLAIN, own=128))
    assert sum(LEARNERS["paper"].rollout.counts[1:]) == 0
    student, skill, log, _ = learn(config)
    assert skill is None
    assert student.spec.perception.kind == "characters"
    assert student.network_config.positional
    assert not student.network_config.by_form
    assert [record["update"] for record in log] == [1, 2]
    assert all(record["own"] == 1.0 for record in log)
    assert student.progress.tried == 0


def test_with_every_character_visible_the_likeness_of_problems_saves_updates():
    """No two problems share a view, so that one by one each is tried seldom."""
    updates = {}
    for compares in (True, False):
        config = replace(SMALL, characters=True, margin=0.0, compares_forms=compares)
        student, skill, _, _ = learn(config, task=replace(IN_TWO_STAGES, longer=2))
        assert skill is not None
        assert student.spec.perception.kind == "characters"
        updates[compares] = student.progress.updates
    assert updates[True] < updates[False]


@pytest.mark.parametrize("trusts", [True, False])
def test_by_the_papers_rule_a_stage_ends_when_the_training_problems_are_right(trusts, monkeypatch):
    """… except the last one, and everywhere by our rule."""
    test = Stage.test

    def miss_one(stage: Stage, policy: Any) -> list[Problem]:
        test(stage, policy)
        return stage.validation[:1]

    monkeypatch.setattr(Stage, "test", miss_one)
    _, skill, _, saved = learn(replace(SMALL, most_updates=2, trusts_training=trusts), task=IN_TWO_STAGES)
    assert skill is None
    assert [progress.stage for progress in saved] == ([1] if trusts else [])


@pytest.mark.parametrize("enough", [0.9, 1.0])
def test_a_few_may_stay_wrong_where_enough_is_less_than_all(enough, monkeypatch):
    """Then the first stage ends all the same; the last does not, and problems that are wrong join it."""
    test, looked = Stage.test, list[str]()

    def miss_one(stage: Stage, policy: Any) -> list[Problem]:
        test(stage, policy)
        return stage.training[:1]

    monkeypatch.setattr(Stage, "test", miss_one)
    monkeypatch.setattr(Student, "_surprises", lambda self, stage: looked.append(f"stage {stage.size}"))
    config = replace(SMALL, most_updates=9, trusts_training=True, enough=enough)
    _, skill, _, saved = learn(config, task=IN_TWO_STAGES)
    assert skill is None
    assert [progress.stage for progress in saved] == ([1] if enough < 1 else [])
    assert set(looked) == ({f"stage {IN_TWO_STAGES.stages[-1]}"} if enough < 1 else set())


def test_a_curve_has_all_that_is_looked_at(learned):
    _, _, log, _ = learned
    wanted = {"return", "entropy", "kl", "clip_fraction", "explained_variance", "attempts_per_second"}
    for record in log:
        assert record.get("mastered") or wanted | {"own", "guided", "explored", "attempts"} <= set(record)
        assert all(np.isfinite(v) for v in record.values() if isinstance(v, float))


# --- what counts as mastered ---


class Fixed:
    """A policy with one action for each length of history; `second` may depend on the problem's row."""

    def __init__(self, first: Any, second: Any) -> None:
        self.codes = [int(pack(np.array([choice]))[0]) for choice in (first, second)]

    def draw(self, nodes: Any, rows: Any, rng: Any) -> np.ndarray:
        return np.full(len(rows), self.codes[len(nodes[0]) - 1])


def test_a_second_call_that_never_changes_anything_is_waste():
    halt = (0,) * 7
    stage = make_stage(make_world())
    assert stage.test(Fixed(PACK, ORDER)) == []  # type: ignore[arg-type]
    assert stage.wasted() == []
    stage.test(Fixed(SAME, SAME))  # type: ignore[arg-type]
    assert len(stage.wasted()) == 1  # all begin and go on alike
    stage.test(Fixed(SAME, halt))  # type: ignore[arg-type]
    assert stage.wasted() == []
    # where the same call changes something for others that look alike, it is needed
    sorted_ones = [p for p in stage.training if int(p.x) <= int(p.y)]
    assert sorted_ones
    assert len(sorted_ones) < len(stage.training)


def test_where_a_call_is_in_vain_halting_is_learned():
    world = make_world()
    stage, student = make_stage(world), Student(TASK, library(), SMALL, 1)
    ppo = PPO(student.network, SMALL.ppo, world.student.forms)
    missed = stage.test(Fixed(SAME, SAME))  # type: ignore[arg-type]
    (node,), vain = stage.wasted(), [(place, code, 1.0) for place, code in stage.decided()]
    ppo.imitate(vain, world.views, passes=100)  # a habit
    stage.test(student._policy(world))
    assert stage.wasted() == [node]
    assert student._is_sparing(stage, ppo, len(missed))
    assert student._policy(world).draw([node], np.zeros(1, np.int64), None).tolist() == [STOP]
    assert stage.wasted() == []


def test_saving_calls_ends_where_it_costs_right_answers(monkeypatch):
    stage, student = make_stage(make_world()), Student(TASK, library(), SMALL, 1)
    stage.test(Fixed(SAME, SAME))  # type: ignore[arg-type]
    imitated: list[int] = []
    ppo = SimpleNamespace(imitate=lambda found, views, passes: imitated.append(len(found)))
    monkeypatch.setattr(Stage, "test", lambda self, policy: [Problem("7", "5", "5,7")])
    assert not student._is_sparing(stage, ppo, missed=0)  # type: ignore[arg-type]
    assert len(imitated) == 1


@pytest.mark.parametrize(
    ("is_makeshift", "own", "snapshots", "is_renewed"),
    [(False, 1, 2, False), (True, 1, 2, True), (True, 2, 2, False), (False, 0, 2, True)],
)
def test_a_makeshift_snapshot_is_renewed_when_the_student_is_better(
    monkeypatch, is_makeshift, own, snapshots, is_renewed
):
    """One that mastered a stage is renewed only if the student solves, by itself, what is missed."""
    student = Student(TASK, library(), SMALL, 1)
    snapshot = student.snapshot = student.freeze()
    student.is_makeshift = is_makeshift
    problems = [sample(Random(n), 4) for n in range(3)]

    def mistakes(machine: Machine, skill: InteractiveSkill, asked: list[Problem]) -> list[Problem]:
        return asked[: snapshots if skill is snapshot else own]

    monkeypatch.setattr(student_module, "wrong", mistakes)
    renewed: list[InteractiveSkill] = []
    stage = SimpleNamespace(training=problems, renew=renewed.append)
    student._renew_snapshot(stage, problems[:1])  # type: ignore[arg-type]
    assert (student.snapshot is not snapshot) == is_renewed
    assert len(renewed) == is_renewed


def test_a_snapshot_in_the_middle_of_a_stage_is_makeshift(monkeypatch):
    student = Student(TASK, library(), SMALL, 1)
    old = student.snapshot = student.freeze()
    answers = iter([[Problem("7", "5", "5,7")] * 5, []])  # wrong by itself, right with the snapshot
    monkeypatch.setattr(student_module, "wrong", lambda machine, skill, asked: next(answers))
    stage = SimpleNamespace(sample=lambda n: [Problem("7", "5", "5,7")] * n, add=len, renew=id)
    student._surprises(stage)  # type: ignore[arg-type]
    assert student.snapshot is not old
    assert student.is_makeshift


def test_a_wasteful_skill_is_not_mastered(monkeypatch):
    asked: list[bool] = []
    monkeypatch.setattr(Stage, "test", lambda self, policy: [])

    def is_sparing(student: Student, stage: Stage, ppo: PPO, missed: int) -> bool:
        asked.append(True)
        return False

    monkeypatch.setattr(Student, "_is_sparing", is_sparing)
    _, skill, log, _ = learn(replace(SMALL, most_updates=3))
    assert skill is None
    assert len(asked) == 3
    assert not any(record.get("mastered") for record in log)


def test_a_mastered_skill_decides_clearly(learned):
    student, skill, log, _ = learned
    assert skill is not None
    assert student.margin >= SMALL.margin
    assert log[-1]["mastered"]
    assert log[-1]["margin"] == student.margin
    view = skill.spec.perception.view
    (first,) = skill.decide([(skill.root, view(b"72,5").tokens)])
    assert first.choice.module == PACK[0]
    assert first.margin >= SMALL.margin


def test_own_decisions_are_repeated_until_they_are_clear():
    reached = []
    for margin in (0.0, 4.0):
        student, skill, _, _ = learn(replace(SMALL, margin=margin), seed=5)
        assert skill is not None
        reached.append(student.margin)
        assert student.margin >= margin
    assert reached[0] < reached[1]


def test_what_was_proved_is_not_changed_any_more(monkeypatch):
    """However often decisions are repeated to become clear, a proof comes last."""
    events: list[str] = []
    visits = [((WHOLE.view(b"1,2").tokens,), PACK)]
    verdict = SimpleNamespace(is_proved=True, margin=0.0, visits=visits, counterexamples=[])

    def judge(skill: Any, library: Any) -> Any:
        events.append("proved")
        return verdict

    monkeypatch.setattr(student_module, "judge", judge)
    monkeypatch.setattr(PPO, "clarify", lambda self, found, views: events.append("repeated"))
    student = Student(TASK, library(), replace(SMALL, prove=True), seed=1)
    stage = make_stage()
    ppo = PPO(student.network, SMALL.ppo, stage.world.student.forms)
    assert student._prove(stage, ppo) == []
    assert events[:2] == ["proved", "repeated"]
    assert events[-1] == "proved"
    assert student.proved


def test_surprises_are_another_measure(monkeypatch):
    """After fresh problems that were wrong, progress is measured against them and not against all that was right."""
    missed = iter([[Problem("7", "5", "5,7")] * 5, []])
    monkeypatch.setattr(Stage, "test", lambda self, policy: [])
    monkeypatch.setattr(Student, "_is_sparing", lambda self, stage, ppo, missed: True)
    monkeypatch.setattr(Student, "_make_clear", lambda self, stage, ppo: None)
    monkeypatch.setattr(Student, "_surprises", lambda self, stage: next(missed))
    monkeypatch.setattr(Student, "_final", lambda self: self.freeze())
    _, skill, log, _ = learn(SMALL)
    assert skill is not None
    assert [round(record["accuracy"], 2) for record in log] == [0.94, 1.0]


def test_attempts_of_a_stage_are_at_its_training_problems():
    stage = make_stage()
    tried, _, made = stage.attempt(policy_of(stage.world), FEW)
    assert set(tried.problem.tolist()) <= set(range(len(stage.training)))
    assert {p.split for p in stage.training} == {"training"}
    assert {p.split for p in stage.validation} <= {"validation"}
    assert (tried.kind == OWN_WAY).sum() == FEW.own
    assert made.is_own.sum() >= FEW.own
