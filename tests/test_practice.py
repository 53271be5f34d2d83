"""The search: practice with exact little skills finds programs, votes accidents down, keeps what it voted."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import torch

from reckoner.alphabet import Perception
from reckoner.curriculum.progress import Progress
from reckoner.curriculum.searcher import Searcher, programs_from_json, programs_to_json
from reckoner.curriculum.student import LEARNERS, Student, wrong
from reckoner.machine import Machine
from reckoner.nn.config import ControllerConfig
from reckoner.nn.modules import ControllerModule
from reckoner.skills import Answerer, InteractiveSkill, Library, SkillSpec
from reckoner.skills.base import Choice
from reckoner.training.ppo import PPO, PPOConfig
from reckoner.training.practice import STOP, Pointers, Practice, PracticeConfig, Program, Question
from tests import toys
from tests.toys import PLAIN


class Function(Answerer):
    """A skill that is a Python function; only tests have such."""

    def __init__(self, spec: SkillSpec, function: Callable[[bytes, bytes], bytes]) -> None:
        super().__init__(spec)
        self.function = function

    def answer(self, memories):
        return [self.function(*m.split(b",")) for m in memories]

    @property
    def tensors(self):
        return {}


def bench(calls: tuple[str, ...] = ("swap", "first"), **fields: Any) -> tuple[Machine, Practice]:
    library = Library()
    library.append(Function(SkillSpec("swap", "{x},{y}", r"\d+", r"\d+"), lambda x, y: y + b"," + x))
    library.append(Function(SkillSpec("first", "{x},{y}", r"\d+", r"\d+"), lambda x, y: x[:1] + y[:1]))
    library.append(Function(SkillSpec("nothing", "{x},{y}", r"\d+", ""), lambda x, y: b""))
    sees = Perception(fovea=0)
    spec = SkillSpec("student", "{x},{y}", r"\d+", r"\d+", calls, sees)
    torch.manual_seed(0)
    config = ControllerConfig(sees.vocabulary, len(calls), 16)
    tensors = ControllerModule(config).tensors()
    callees = [spec if name == spec.name else library[name].spec for name in calls]
    student = InteractiveSkill(spec, config, tensors, callees, delegate=None)
    machine = Machine(library)
    return machine, Practice(machine, student, PracticeConfig(**fields), np.random.default_rng(0))


def test_a_program_of_one_call_is_found():
    _, practice = bench()
    questions = [Question(b"12,34", b"34,12"), Question(b"5,678", b"678,5")]
    assert practice.study(questions)
    assert practice.solved(questions) == [True, True]
    assert practice.solved([Question(b"7,9", b"9,7")]) == [True]
    assert practice.solved([Question(b"7,9", b"9,9")]) == [False]


def test_a_program_of_two_calls_is_found():
    _, practice = bench()
    # the first digits of both in place of the first number, then swap: a program that no single call gives
    questions = [Question(b"12,34", b"34,13"), Question(b"56,789", b"789,57"), Question(b"98,10", b"10,91")]
    for _ in range(20):
        if practice.study(questions):
            break
    assert practice.solved([*questions, Question(b"24,68", b"68,26")]) == [True] * 4
    (program,) = practice.kept.values()
    assert {len(views) for views in program} == {1, 2, 3}
    assert {choice for views, choice in program.items() if len(views) == 3} == {STOP}


def test_the_vote_keeps_what_solves_most():
    _, practice = bench()
    # the first question is also solved by doing nothing; the others say that it is an accident
    questions = [Question(b"7,7", b"7,7"), Question(b"1,2", b"2,1"), Question(b"30,4", b"4,30")]
    assert practice.study(questions)
    assert practice.solved(questions) == [True] * 3
    _, hasty = bench(vote=False)
    hasty.study(questions)
    assert hasty.solved(questions) != [True] * 3


def test_a_solved_memory_may_still_be_called_on():
    _, practice = bench(("nothing",))
    questions = [Question(b"1,22", b","), Question(b"3,44", b",")]
    for _ in range(30):
        if practice.study(questions):
            break
    assert practice.solved(questions) == [True, True]


def test_accidents_are_not_kept():
    _, practice = bench()
    questions = [Question(b"12,34", b"34,12")] + [Question(b"%d,77" % i, b"999") for i in range(10, 20)]
    assert not practice.study(questions)
    assert practice.kept == {}


def test_among_equals_the_program_with_one_rule_is_kept():
    _, practice = bench(("swap", "student"))
    own, other = 2, 1
    view, seen, also = b"view", b"seen", b"also"
    first = Choice(other, 0, 1, 2, 3, 0, 3)
    one_rule: Program = {
        (view,): first,
        (view, seen): Choice(own, 0, 3, 0, 0, 0, 3),
        (view, also): Choice(own, 0, 5, 0, 0, 0, 5),
    }
    special: Program = {**one_rule, (view, also): Choice(other, 0, 1, 2, 3, 0, 3)}
    nothing = Counter[Pointers]()
    assert practice._rank(one_rule, view, nothing) < practice._rank(special, view, nothing)
    # with the same ends: to write over just what was read, even if a shorter write would do
    short: Program = {**one_rule, (view,): Choice(other, 0, 1, 2, 3, 0, 1)}
    assert practice._rank(one_rule, view, nothing) < practice._rank(short, view, nothing)


def test_programs_go_to_json_and_back():
    _, practice = bench()
    practice.study([Question(b"12,34", b"34,12"), Question(b"5,678", b"678,5")])
    assert practice.kept
    assert programs_from_json(json.loads(json.dumps(programs_to_json(practice.kept)))) == practice.kept


# --- the learner that rests on it ---


def test_the_search_masters_the_toy_skill_by_imitating_programs():
    """Its own attempts teach nothing here: PPO's gradient is off."""
    config = replace(
        LEARNERS["search"],
        hidden=16,
        surprises=1,
        most_updates=60,
        rollout=replace(PLAIN, own=32),
        ppo=PPOConfig(enabled=False),
    )
    saved: list[Progress] = []
    student = Student(
        toys.IN_TWO_STAGES, toys.library(), config, seed=1, save=lambda p: saved.append(replace(p))
    )
    skill = student.learn()
    assert skill is not None
    assert student.progress.tried > 0
    problems = [toys.sample(Random(n), 5) for n in range(50)]
    assert wrong(Machine(toys.library()), skill, problems) == []
    # what one stage found the next begins with
    programs = programs_from_json(saved[0].memory["programs"])
    first = toys.WHOLE.view(b"1,2").tokens
    assert programs[first][first,][0] == toys.PACK[0]
    assert student.margin >= config.margin


def test_a_searcher_counts_what_it_tries():
    stage = toys.make_stage()
    searcher = Searcher(stage, PracticeConfig(enabled=True), {})
    network = ControllerModule(stage.world.student.config)
    ppo = PPO(network, PPOConfig(), stage.world.student.forms)
    policy = toys.policy_of(stage.world)
    missed = stage.test(policy)
    assert missed
    tried = 0
    for _ in range(4):
        tried += searcher.search(missed, policy, ppo)
        assert searcher.practice.tried == 0
    assert tried > 100
    assert searcher.search([], policy, ppo) == 0
    assert searcher.to_json()["programs"]
