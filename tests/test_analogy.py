"""What was right at one view is told so that it means the same at others, and nothing else is carried over."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from reckoner.alphabet import Perception
from reckoner.curriculum.lesson import lesson_seed
from reckoner.curriculum.progress import Progress
from reckoner.curriculum.stage import Stage
from reckoner.curriculum.student import LEARNERS, Student, StudentConfig
from reckoner.curriculum.tasks import INTERACTIVE
from reckoner.skills import Library
from reckoner.skills.base import Choice
from reckoner.training import analogy
from reckoner.training.analogy import NOTHING, Analogies, Suggestion, Way
from reckoner.training.experience import Experience, ExperienceConfig
from reckoner.training.policy import OWN, Policy
from reckoner.training.ppo import PPO
from reckoner.training.rollout import ANALOGOUS, Attempts, RolloutConfig, attempt
from reckoner.training.world import STOP, World, pack, unpack_one
from tests.scripted import call
from tests.toys import FEW, enter, make_stage, make_world, policy_of, random_student

DIGITS, CHARACTERS = Perception(fovea=2), Perception("characters")
STRIP = INTERACTIVE["strip"]
RNG = np.random.default_rng


def view(memory: str, perception: Perception = DIGITS) -> bytes:
    return perception.view(memory.encode()).tokens


def code(choice: Choice) -> int:
    return int(pack(np.array([choice], np.int64))[0])


LAST_COLUMN = call(1, (1, 2), (4, 5), (4, 5))  # in dd,dd: the last digits of both, over the second
THE_REST = call(2, (0, 1), (3, 4), (0, 4))  # all before them


def taught(perception: Perception = DIGITS) -> Analogies:
    """Who knows one way to add two numbers of two digits."""
    analogies = Analogies(perception)
    known = view("12,34", perception)
    analogies.remember([(known, code(LAST_COLUMN), known, code(THE_REST))])
    return analogies


def suggested(analogies: Analogies, at: bytes) -> set[Suggestion]:
    return set(analogies.draw(at, 200, RNG(0)))


@pytest.mark.parametrize(
    ("memory", "first", "second"),
    [
        ("12,34", (1, 2, 4, 5, 4, 5), (0, 1, 3, 4, 0, 4)),
        ("123,4567", (2, 3, 7, 8, 7, 8), (0, 2, 4, 7, 0, 7)),
        ("12345678,1234567", (4, 5, 10, 11, 10, 11), (0, 4, 6, 10, 0, 10)),  # dd~dd,dd~dd
        ("1234,1234567", (3, 4, 9, 10, 9, 10), (0, 3, 5, 9, 0, 9)),  # dddd,dd~dd
    ],
)
def test_the_last_digits_are_the_last_digits_at_every_view(memory, first, second):
    """From two digits alone nobody can tell the last but one from the second: both are tried."""
    analogies, at = taught(), view(memory)
    programs = {
        (unpack_one(s.first)[1:], unpack_one(action)[1:])
        for s in suggested(analogies, at)
        if s.ending is not None and (action := analogies.point(s.ending, at)) is not None
    }
    assert (first, second) in programs
    assert len(programs) <= 2


def test_where_every_character_is_seen_numbers_have_ends_all_the_same():
    analogies, at = taught(CHARACTERS), view("123,4567", CHARACTERS)
    assert (1, 2, 3, 7, 8, 7, 8) in {unpack_one(s.first) for s in suggested(analogies, at)}


def test_what_is_not_seen_of_a_memory_belongs_to_no_number():
    """The third number ends where it ended when nothing came after it."""
    reading = Perception(fovea=1, reach=3)
    analogies, known = Analogies(reading), view("12,34,56", reading)
    analogies.remember([(known, code(call(1, (7, 8), (4, 5), (7, 8))), known, STOP)])
    longer = view("12,34,56,7", reading)
    assert (1, 7, 8, 4, 5, 7, 8) in {unpack_one(s.first) for s in suggested(analogies, longer)}


def test_halting_is_carried_over_and_nothing_is_pointed_at():
    analogies, known = Analogies(DIGITS), view("12,34")
    analogies.remember([(known, code(LAST_COLUMN), known, STOP)])
    (ending,) = {s.ending for s in suggested(analogies, view("1,2"))}
    assert ending == ()
    assert analogies.point(ending, view("7")) == STOP


@pytest.mark.parametrize("memory", ["1", "12345", ""])
def test_what_has_no_place_at_a_view_is_not_suggested(memory):
    """There is no second number."""
    assert suggested(taught(), view(memory)) == {NOTHING}


def test_a_span_never_ends_before_it_begins():
    analogies, known = Analogies(DIGITS), view("123456,1")
    analogies.remember([(known, code(call(1, (1, 4), (5, 6), (0, 1))), known, STOP)])  # all but the outermost
    assert suggested(analogies, view("1,2")) == {NOTHING}
    assert {unpack_one(s.first)[1:3] for s in suggested(analogies, view("123,4"))} == {(1, 2)}


def test_who_knows_nothing_suggests_nothing():
    assert Analogies(DIGITS).draw(view("1,2"), 3, RNG(0)) == [NOTHING] * 3
    assert NOTHING.first == OWN


def test_what_was_right_at_many_views_is_tried_more_often():
    analogies = Analogies(DIGITS)
    rare, general = call(3, (0, 1), (0, 1), (0, 1)), LAST_COLUMN
    analogies.remember([(view("12,34"), code(rare), view("12,34"), STOP)])
    for memory, last in (("12,34", 5), ("12,345", 6), ("12,3456", 7)):
        way = call(1, (1, 2), (last - 1, last), (last - 1, last))
        analogies.remember([(view(memory), code(way), view(memory), STOP)])
    drawn = Counter(unpack_one(s.first)[0] for s in analogies.draw(view("12,34"), 4000, RNG(0)))
    assert drawn[general[0]] > 2 * drawn[rare[0]] > 0


def test_a_way_counts_once_in_a_stage_and_again_in_the_next():
    analogies = taught()
    before = dict(analogies.programs)
    analogies.remember([(view("12,34"), code(LAST_COLUMN), view("12,34"), code(THE_REST))] * 5)
    assert analogies.programs == before
    analogies.close()
    analogies.remember([(view("12,34"), code(LAST_COLUMN), view("12,34"), code(THE_REST))])
    assert analogies.programs == {program: 2 * times for program, times in before.items()}


def test_the_most_frequent_programs_go_on_to_the_next_stage(monkeypatch):
    monkeypatch.setattr(analogy, "MOST", 2)
    analogies = taught()
    analogies.remember([(view("1"), code(call(4, (0, 1), (0, 1), (0, 1))), view("1"), STOP)])
    analogies.remember([(view("1,234"), code(LAST_COLUMN._replace(module=5)), view("1,2"), STOP)])
    analogies.programs.update(list(analogies.programs)[:1])
    (usual, _), *_ = analogies.programs.most_common(1)
    analogies.close()
    assert len(analogies.programs) == 2
    assert usual in analogies.programs


def test_a_checkpoint_has_all_of_it_in_the_same_order():
    analogies, again = taught(), Analogies(DIGITS)
    analogies.remember([(view("1,2"), code(call(3, (0, 1), (2, 3), (0, 3))), view("1"), STOP)])
    again.from_json(json.loads(json.dumps(analogies.to_json())))
    assert list(again.programs.items()) == list(analogies.programs.items())
    at = view("123,4567")
    assert again.draw(at, 50, RNG(3)) == analogies.draw(at, 50, RNG(3))


def test_remembering_anew_is_seen_by_the_next_draw():
    analogies = taught()
    assert {unpack_one(s.first)[0] for s in suggested(analogies, view("12,34"))} == {1}
    analogies.remember([(view("1,2"), code(call(3, (0, 1), (2, 3), (0, 3))), view("1"), STOP)])
    assert {unpack_one(s.first)[0] for s in suggested(analogies, view("12,34"))} == {1, 3}


# --- attempts ---


def make_digit_world() -> World:
    return make_world(random_student(perception=DIGITS))


def carry_over(
    world: World, analogies: Analogies | None, count: int = 600, memory: bytes = b"723,5"
) -> Attempts:
    start = np.repeat(enter(world, memory), count)
    kind = np.full(count, ANALOGOUS)
    experience = Experience(ExperienceConfig())
    return attempt(world, policy_of(world), experience, start * 0, start, kind, RNG(1), analogies)


def sorter() -> Analogies:
    """Who knows how to put two one-digit numbers in order: brackets round both, then what sorts them."""
    analogies = Analogies(DIGITS)
    pack_them, order = call(1, (0, 1), (2, 3), (0, 3)), call(2, (0, 5), (0, 0), (0, 5))
    analogies.remember([(view("7,5"), code(pack_them), view("(7,5)"), code(order))])
    return analogies


def test_a_program_of_one_view_solves_a_problem_of_another():
    world = make_digit_world()
    tried = carry_over(world, sorter())
    right = world.enter(b"5,723")
    assert np.mean(tried.answer == right) > 0.2
    assert np.mean(carry_over(world, None).answer == right) < 0.02


def test_a_third_of_the_attempts_changes_one_part_and_a_third_ends_like_another_program():
    world = make_digit_world()
    analogies = sorter()
    pack_them = code(call(1, (0, 3), (4, 5), (0, 5)))
    tried = carry_over(world, analogies, 3000)
    suggestions = {s.first for s in analogies.draw(world.views[tried.first_view[0]], 300, RNG(0))}
    assert pack_them in suggestions
    as_told = np.isin(tried.first, sorted(suggestions))
    assert 0.75 < as_told.mean() < 0.97  # near ones change the first or the second action
    for changed in set(tried.first[~as_told].tolist()) - {STOP}:
        near = [_parts_apart(changed, told) for told in suggestions]
        assert min(near) <= 3  # another module may not take the same reads: they are drawn anew


def _parts_apart(one: int, other: int) -> int:
    a, b = unpack_one(one), unpack_one(other)
    spans = [(a[i : i + 2], b[i : i + 2]) for i in (1, 3, 5)]
    return (a[0] != b[0]) + sum(x != y for x, y in spans)


def test_a_module_that_takes_nothing_at_a_view_is_not_forced():
    """Nothing that it may read is there; any read would be out of the memory."""
    world = make_digit_world()
    analogies = Analogies(DIGITS)
    order = code(call(2, (0, 5), (0, 0), (0, 5)))  # it takes what is in brackets
    there = DIGITS.view(b"(7,5)").tokens
    analogies.remember([(there, order, there, order)])
    told = analogies.point(next(iter(analogies.programs))[0], DIGITS.view(b"(1,2)").tokens)
    assert told == order
    tried = carry_over(world, analogies, 200, b"(,),")
    assert not np.any(unpack_modules(tried.first) == 2)


def unpack_modules(codes: np.ndarray) -> np.ndarray:
    return np.array([unpack_one(c)[0] for c in codes.tolist()])


# --- the student ---


def student(config: StudentConfig, name: str = "strip", **named: Any) -> Student:
    library = Library.load().below(INTERACTIVE[name].spec)
    return Student(INTERACTIVE[name], library, config, lesson_seed(0, name, 0), **named)


SHIPPED = LEARNERS["reinforcement"]
FEW_OF_ALL = RolloutConfig(192, 96, 96, 96, 96, 96, 96)


@pytest.mark.parametrize(
    ("name", "carries"),
    [("strip", True), ("add-columns", True), ("M+M", False), ("expression-modulo", False)],
)
def test_only_where_numbers_have_ends_something_is_carried_over(name, carries):
    made, usual = student(SHIPPED, name), SHIPPED.rollout
    assert made._rollout(0) == replace(usual, analogous=usual.analogous if carries else 0)


def test_who_stands_still_tries_what_was_right_elsewhere_more_often():
    made, usual = student(SHIPPED), SHIPPED.rollout.analogous
    assert made._rollout(SHIPPED.stall).analogous == usual
    assert made._rollout(SHIPPED.stall + 1).analogous == SHIPPED.desperation * usual


@pytest.mark.parametrize(("desperation", "expected"), [(8, {96, 768}), (1, {96})])
def test_in_need_is_when_accuracy_stands_still(desperation, expected, monkeypatch):
    tried: set[int] = set()
    update = Student._update

    def watched(self: Student, stage: Stage, policy: Policy, ppo: PPO, rollout: RolloutConfig) -> Any:
        tried.add(rollout.analogous)
        return update(self, stage, policy, ppo, rollout)

    monkeypatch.setattr(Student, "_update", watched)
    config = replace(SHIPPED, hidden=16, rollout=FEW_OF_ALL, patience=400, stall=2, desperation=desperation)
    student(config, should_stop=lambda: len(tried) > 1).learn()
    assert tried == expected


def test_a_student_keeps_its_own_right_ways_from_stage_to_stage_and_resumes_exactly():
    saved: list[str] = []

    def save(progress: Progress) -> None:
        plain = {**vars(progress), "tensors": {k: v.tolist() for k, v in (progress.tensors or {}).items()}}
        saved.append(json.dumps(plain))

    config = replace(SHIPPED, hidden=16, rollout=FEW_OF_ALL, patience=400)
    first = student(config, save=save)
    skill = first.learn()
    assert skill is not None
    assert len(saved) == len(STRIP.stages)
    assert first.analogies.programs
    page = json.loads(saved[1])
    assert page["memory"]["analogies"]
    tensors = {k: np.array(v, np.float32) for k, v in page.pop("tensors").items()}
    again = student(config)
    resumed = again.learn(Progress(**page, tensors=tensors))
    assert resumed is not None
    assert again.progress.updates == first.progress.updates
    assert all(np.array_equal(resumed.tensors[k], v) for k, v in skill.tensors.items())
    assert again.analogies.programs == first.analogies.programs


def test_only_right_attempts_are_kept_and_no_calls_in_vain(monkeypatch):
    """Rewards are all that is known of an answer: who was not right, or halted at once, has nothing to carry over."""
    kept: list[Way] = []
    monkeypatch.setattr(Analogies, "remember", lambda self, ways: kept.extend(ways))
    stage = make_stage(make_digit_world())
    stage.test(policy_of(stage.world))
    expected: set[Way] = set()
    for _ in range(12):
        tried, rewards, _ = stage.attempt(policy_of(stage.world), replace(FEW, wild=3000, analogous=96))
        views = stage.world.views
        for row in np.flatnonzero((rewards == 1.0) & (tried.first != STOP)).tolist():
            first, last = views[tried.first_view[row]], views[tried.second_view[row]]
            expected.add((first, int(tried.first[row]), last, int(tried.second[row])))
    assert set(kept) == expected != set()
    kept.clear()
    stage.attempt(
        policy_of(stage.world), replace(FEW, wild=3000)
    )  # who carries nothing over keeps nothing either
    assert not kept


def test_attempts_by_analogy_are_at_problems_like_those_that_the_last_test_missed():
    stage = make_stage(make_digit_world())
    stage.missed = stage.training[:1]
    tried, _, _ = stage.attempt(policy_of(stage.world), replace(FEW, analogous=96))
    at = set(tried.problem[tried.kind == ANALOGOUS].tolist())
    assert {stage.look(stage.training[p]) for p in at} == {stage.look(stage.training[0])}


def test_every_third_attempt_ends_as_another_program_does():
    world = make_digit_world()
    analogies = sorter()
    plus = call(4, (0, 1), (2, 3), (0, 1))
    analogies.remember([(view("7,5"), code(plus), view("7,5"), STOP)])
    tried = carry_over(world, analogies, 3000, b"7,5")
    by_pack = tried.first == code(call(1, (0, 1), (2, 3), (0, 3)))
    assert 0.1 < np.mean(tried.second[by_pack] == STOP) < 0.3


def test_a_call_in_vain_is_not_carried_over():
    stage = make_stage(make_digit_world())
    start = enter(stage.world, b"7,5", b"83,5")
    views = stage.world.look(start)
    first, second = np.array([code(LAST_COLUMN)] * 2), np.array([code(THE_REST)] * 2)
    made = Attempts(start * 0, start * 0, views, first, views, second, start, is_idle=np.array([False, True]))
    assert len(stage._ways(made, np.array([True, True]))) == 1
    assert not stage._ways(made, np.array([False, True]))
    assert not stage._ways(made._replace(first=first * 0), np.array([True, True]))  # it halted at once
