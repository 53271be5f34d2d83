"""Practice with exact little skills: it finds programs, votes accidents down, keeps what it voted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from reckoner.alphabet import Perception
from reckoner.curriculum.problems import Problem
from reckoner.curriculum.student import Progress, Stuck, Student, StudentConfig, wrong
from reckoner.curriculum.tasks import BASIC, INTERACTIVE
from reckoner.machine import Machine
from reckoner.nn.config import ControllerConfig
from reckoner.nn.modules import ControllerModule
from reckoner.skills import Answerer, InteractiveSkill, Library, SkillSpec
from reckoner.skills.base import Choice
from reckoner.training.practice import STOP, Practice, PracticeConfig, Program, Question


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
    student = InteractiveSkill(spec, config, ControllerModule(config).tensors(), delegate=None)
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
    # swap, then the first digits of both: a program that no single call gives
    questions = [Question(b"12,34", b"31"), Question(b"56,789", b"75"), Question(b"98,10", b"19")]
    for _ in range(20):
        if practice.study(questions):
            break
    assert practice.solved([*questions, Question(b"24,68", b"62")]) == [True] * 4
    lengths = {len(t.views) for t in practice.trajectories()}
    assert lengths == {2} or lengths == {3}
    assert all(t.rewards[-1] == 1.0 and t.choices[-1] == STOP for t in practice.trajectories())


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
    first = (other, 0, 1, 2, 3, 0, 3)
    one_rule: Program = {
        (view,): first,
        (view, seen): (own, 0, 3, 0, 0, 0, 3),
        (view, also): (own, 0, 5, 0, 0, 0, 5),
    }
    special: Program = {**one_rule, (view, also): (other, 0, 1, 2, 3, 0, 3)}
    nothing = Counter[Choice]()
    assert practice._rank(one_rule, view, nothing) < practice._rank(special, view, nothing)
    # with the same ends: to write over just what was read, even if a shorter write would do
    short: Program = {**one_rule, (view,): (other, 0, 1, 2, 3, 0, 1)}
    assert practice._rank(one_rule, view, nothing) < practice._rank(short, view, nothing)


@pytest.fixture(scope="module")
def below_strip() -> Library:
    from reckoner.training.supervised import train_basic

    torch.set_num_threads(1)
    task = BASIC["drop-zero"]
    table = [(p.x.encode(), p.y.encode(), p.answer.encode()) for p in task.table()]
    library = Library()
    library.append(train_basic(task.spec, table, seed=1)[0])
    return library


def learn_strip(library: Library, **fields: Any) -> tuple[InteractiveSkill, list[Progress]]:
    task = replace(INTERACTIVE["strip"], problems=200)
    saved: list[Progress] = []

    def save(progress: Progress) -> None:
        tensors = {k: v.copy() for k, v in (progress.tensors or {}).items()}
        saved.append(replace(progress, tensors=tensors))

    student = Student(task, library, StudentConfig(hidden=32, **fields), seed=1, save=save)
    skill = student.learn()
    assert skill is not None
    return skill, saved


def test_a_student_is_stopped_by_a_question_between_updates(below_strip):
    log: list[dict[str, Any]] = []
    student = Student(
        INTERACTIVE["strip"],
        below_strip,
        StudentConfig(hidden=16),
        seed=1,
        log=log.append,
        should_stop=lambda: True,
    )
    assert student.learn() is None
    assert [record["update"] for record in log] == [1]


def test_two_equal_runs_give_equal_weights_and_a_resumed_one_too(below_strip):
    first, saved = learn_strip(below_strip)
    second, _ = learn_strip(below_strip)
    assert all(np.array_equal(first.tensors[k], second.tensors[k]) for k in first.tensors)
    task = replace(INTERACTIVE["strip"], problems=200)
    resumed = Student(task, below_strip, StudentConfig(hidden=32), seed=1).learn(saved[1])
    assert resumed is not None
    assert all(np.array_equal(first.tensors[k], resumed.tensors[k]) for k in first.tensors)


def test_a_student_learns_from_answers_what_holds_at_any_length(below_strip):
    skill, _ = learn_strip(below_strip)
    machine = Machine(below_strip)
    problems = [Problem("0" * n + "7" * m, "", "7" * m) for n in range(60) for m in (1, 2, 3, 50)]
    assert wrong(machine, skill, problems) == []


def test_the_papers_own_configuration_runs(below_strip):
    task = replace(
        INTERACTIVE["strip"],
        spec=replace(INTERACTIVE["strip"].spec, perception=Perception("characters")),
        problems=60,
        stages=(1,),
        longer=1,
    )
    config = StudentConfig(
        hidden=16, self_imitation=False, practice=PracticeConfig(enabled=False), most_updates=60
    )
    skill = Student(task, below_strip, config, seed=0).learn()
    assert skill is not None
    assert wrong(Machine(below_strip), skill, [Problem(str(d), "", str(d)) for d in range(10)]) == []


@pytest.mark.parametrize("self_imitation", [True, False])
def test_without_practice_own_successes_are_imitated(below_strip, self_imitation):
    log: list[dict[str, Any]] = []
    config = StudentConfig(
        hidden=16, self_imitation=self_imitation, practice=PracticeConfig(enabled=False), most_updates=3
    )
    with pytest.raises(Stuck):
        Student(INTERACTIVE["strip"], below_strip, config, seed=0, log=log.append).learn()
    updates = [record for record in log if "buffer" in record]
    assert {record["practised"] for record in updates} == {0}
    assert (updates[-1]["buffer"] > 0) == self_imitation
