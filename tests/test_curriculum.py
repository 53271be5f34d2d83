"""The teacher's formulas by hand, the splits, the oracle, and the table itself."""

from __future__ import annotations

import math
import re
from random import Random
from typing import Any

import numpy as np
import pytest

from reckoner.curriculum import oracle
from reckoner.curriculum.expression import by_size
from reckoner.curriculum.problems import Problem, Split, less
from reckoner.curriculum.stage import distinct
from reckoner.curriculum.tasks import BASIC, BY_NAME, CURRICULA, INTERACTIVE, ON_TOP, TASKS, TEXT_MODULO
from reckoner.curriculum.teacher import Teacher, TeacherConfig
from reckoner.skills.base import Skill
from reckoner.skills.library import Library
from reckoner.training.reward import reward
from tests.reference import reference_value


def teacher(problems: int = 3, **fields: Any) -> Teacher:
    return Teacher(problems, TeacherConfig(**fields), np.random.default_rng(0))


def mark(t: Teacher, chosen: list[int], is_right: list[bool]) -> None:
    t.mark(np.array(chosen), np.array(is_right))


def test_difficulty_counts_wrong_attempts_and_softmax_samples_by_them():
    t = teacher(uniform_share=0.0, forgets=False)
    assert t.difficulty.tolist() == [0, 0, 0]
    mark(t, [0, 0, 1, 2], [False, False, True, False])
    assert t.difficulty.tolist() == [2, 0, 1]
    weights = [math.exp(0.2), 1.0, math.exp(0.1)]
    assert t.probabilities() == pytest.approx([w / sum(weights) for w in weights])


def test_a_moving_share_of_wrong_attempts_forgets():
    t = teacher(memory=0.9, consecutive=64)
    assert t.difficulty.tolist() == [64, 64, 64]  # not tried yet: as hard as can be
    mark(t, [0, 1, 1], [True, True, False])
    assert t.difficulty == pytest.approx([0.9 * 64, 0.81 * 64 + 0.19 * 64 * 0.5, 64])
    for _ in range(100):
        mark(t, [0, 1], [True, False])
    assert t.difficulty == pytest.approx([0, 64, 64], abs=0.01)
    mark(t, [0] * 100, [False] * 100)
    assert t.difficulty[0] == pytest.approx(64, abs=0.01)


def test_problems_that_come_later_are_hard_until_they_are_tried():
    for forgets, unknown in ((True, 64.0), (False, 0.0)):
        t = teacher(2, forgets=forgets)
        mark(t, [0, 1], [True, True])
        t.add(2)
        assert t.difficulty[2:].tolist() == [unknown] * 2
        assert len(t.probabilities()) == 4


def test_uniform_share_is_mixed_in():
    t = teacher(uniform_share=0.5, forgets=False)
    mark(t, [0] * 400, [False] * 400)
    assert t.probabilities() == pytest.approx([0.5 + 0.5 / 3, 0.5 / 3, 0.5 / 3])


def test_sampling_switched_off_is_uniform():
    t = teacher(difficulty_sampling=False, forgets=False)
    mark(t, [0] * 50, [False] * 50)
    assert t.probabilities() == pytest.approx([1 / 3] * 3)


def test_entropy_coefficient_is_the_papers():
    t = teacher(entropy_cap=0.5, entropy_slope=0.01, forgets=False, by_view=False)
    groups = np.array([4, 4, 9])
    assert t.entropy_coefficients(groups).tolist() == [0.0] * 3
    mark(t, [1] * 7, [False] * 7)
    assert t.entropy_coefficients(groups) == pytest.approx([0.07] * 3)
    mark(t, [1] * 100, [False] * 100)
    assert t.entropy_coefficients(groups).tolist() == [0.5] * 3
    fixed = teacher(parameter_adjustment=False, entropy_cap=0.3)
    assert fixed.entropy_coefficients(groups).tolist() == [0.3] * 3


def test_entropy_coefficients_are_those_of_what_looks_alike():
    t = teacher(4, entropy_cap=0.5, entropy_slope=0.01, forgets=False)
    mark(t, [1] * 7 + [3] * 2, [False] * 9)
    assert t.entropy_coefficients(np.array([4, 4, 9, 2])) == pytest.approx([0.07, 0.07, 0, 0.02])


def test_hard_problems_are_drawn_more_often():
    t = teacher(uniform_share=0.2, forgets=False)
    mark(t, [2] * 30, [False] * 30)
    shares = np.bincount(t.choose(4000), minlength=3) / 4000
    assert shares == pytest.approx(t.probabilities(), abs=0.05)
    assert shares[2] > 0.6


@pytest.mark.parametrize("task", INTERACTIVE.values(), ids=lambda t: t.spec.name)
def test_training_validation_and_test_problems_are_disjoint(task):
    splits: tuple[Split, ...] = ("training", "validation", "test")
    sides = {
        split: {p.key for p in distinct(task, task.stages[-1], 100, Random(seed), split)}
        for seed, split in enumerate(splits)
    }
    assert all(sides.values())
    assert not sides["training"] & sides["validation"]
    assert not sides["training"] & sides["test"]
    assert not sides["validation"] & sides["test"]


def test_of_ten_problems_eight_are_for_training_and_the_shortest_all():
    count: dict[str, int] = {"training": 0, "validation": 0, "test": 0}
    for n in range(5000):
        count[Problem(str(n), "7", "").split] += 1
    assert count["training"] == pytest.approx(4000, abs=120)
    assert count["validation"] == pytest.approx(500, abs=90)
    assert count["test"] == pytest.approx(500, abs=90)
    short = [Problem("", "", ""), *(Problem(c, "", "") for c in "0123456789"), Problem("", "5", "")]
    assert {p.split for p in short} == {"training"}
    # the answer plays no part in it
    assert all(Problem(str(n), "7", "1").split == Problem(str(n), "7", "2").split for n in range(100))


@pytest.mark.parametrize("task", INTERACTIVE.values(), ids=lambda t: t.spec.name)
def test_every_problem_is_one_the_skill_accepts_and_longer_ones_are_longer(task):
    class Plain(Skill):
        @property
        def tensors(self):
            return {}

    skill = Plain(task.spec)
    rng = Random(1)
    for size in (*task.stages, task.longer):
        for _ in range(50):
            problem = task.sampler(rng, size)
            assert skill.is_accepted(problem.x.encode(), problem.y.encode()), problem
    is_bounded = task.spec.name == "power-marks"  # there are no more than ten marks
    assert task.longer >= 3 * task.stages[-1] or is_bounded


def test_skills_call_only_earlier_ones_and_themselves():
    seen: set[str] = set()
    for task in TASKS:
        assert set(task.spec.calls) <= seen | {task.spec.name}
        seen.add(task.spec.name)


def test_tables_of_facts_are_complete_and_accepted():
    for task in BASIC.values():
        assert len({(p.x, p.y) for p in task.table()}) == len(task.table())
    assert {(p.x, p.y): p.answer for p in BASIC["multiply-column"].table()}["9", "98"] == "89"
    assert {(p.x, p.y): p.answer for p in BASIC["subtract-column"].table()}["3", "71"] == "15"


def test_the_oracle_agrees_with_an_independent_implementation():
    rng = Random(7)
    checked = 0
    while checked < 1000:
        text = by_size(rng, rng.randint(0, 8), "+-*/%", 8)
        try:
            exact = reference_value(text)
        except ZeroDivisionError:
            with pytest.raises(ZeroDivisionError):
                oracle.evaluate(text)
            continue
        assert oracle.evaluate(text) == str(exact)
        checked += 1


def test_expressions_of_the_last_stage_have_all_that_is_to_be_learned():
    task = INTERACTIVE["expression-modulo"]
    texts = [p.x for p in distinct(task, task.stages[-1], 2000, Random(3), "training")]
    lengths = {len(n) for text in texts for n in re.findall(r"\d+", text)}
    assert lengths == set(range(1, 9))
    assert max(len(re.findall(r"[\d)][-+*/%]", text)) for text in texts) >= 5
    for feature in (r"\(\(", r"\([^()]+\([^()]+\)", r"-\d+--\d", r"\*-", r"\d-\d+\*", r"^-", r"%\("):
        assert any(re.search(feature, text) for text in texts), feature


@pytest.mark.parametrize(
    ("text", "accepted"),
    [("12*(3+45)", True), ("-1--2)%3", True), ("((5", True), ("229+4+", False), ("+4", False), ("()", False),
     ("3(4)", False), ("2*)", False), ("(", False), ("1+-2", True), ("1---2", False)],
)  # fmt: skip
def test_operators_stand_between_operands(text, accepted):
    assert bool(re.fullmatch(TEXT_MODULO, text)) == accepted


def test_division_is_cut_toward_zero():
    assert [oracle.evaluate(t) for t in ("7/2", "-7/2", "7/-2", "-7/-2")] == ["3", "-3", "-3", "3"]
    assert [oracle.evaluate(t) for t in ("7%3", "-7%3", "7%-3", "-7%-3")] == ["1", "-1", "1", "-1"]
    assert oracle.evaluate_up_to_bracket("3+4)*5") == ("7", ")*5")
    with pytest.raises(ZeroDivisionError):
        oracle.evaluate("1/(2-2)")


def test_reward_is_one_for_the_exact_answer_and_negative_otherwise():
    assert reward(b"123", b"123") == 1.0
    assert reward(None, b"123") == -1.0
    assert reward(b"124", b"123") == pytest.approx(-1 + 0.8 * 2 / 3)
    assert reward(b"923", b"123") == pytest.approx(-1 + 0.8 * 2 / 3)
    assert reward(b"123999", b"123") == pytest.approx(-1 + 0.8 - 0.02 * 3)
    assert -1.2 < reward(b"9" * 50, b"1") < 0
    assert Problem("1", "2", "3").key == b"1|2"


@pytest.mark.parametrize(
    ("skill", "refused"),
    [
        ("shift-add", [("05", "1"), ("5", "01")]),
        ("multiply-accumulate", [("05", "12"), ("5", "012"), ("5", "1")]),
        ("M*M", [("05", "3"), ("3", "05")]),
        ("quotient-digit", [("0,5", "03"), ("0,5", "0")]),
        ("divide-digits", [("05", "123"), ("5", "0"), ("5", "03")]),
        ("M/M", [("08299", "74317"), ("5", "0")]),
        ("M%M", [("05", "123"), ("5", "0")]),
        ("signed-add", [("-0", "5"), ("05", "5"), ("5", "-05")]),
        ("signed-divide", [("-0", "5"), ("5", "-0"), ("5", "05")]),
        ("expression-modulo", [("05+1", ""), ("1+-0", ""), ("(-0)", "")]),
    ],
)
def test_what_was_never_taught_is_refused(skill, refused):
    """The bundled weights answered some of these wrongly when they still accepted them."""
    for skill_spec in (BY_NAME[skill].spec, Library.load()[skill].spec):
        accepts = re.compile(f"(?:{skill_spec.accepts_x})!(?:{skill_spec.accepts_y})").fullmatch
        assert [(x, y) for x, y in refused if accepts(f"{x}!{y}")] == []


def test_comparisons_are_taught_with_leading_zeros():
    rng = Random(5)
    problems = [less(rng, 4) for _ in range(500)]
    assert any(p.x != str(int(p.x)) for p in problems)
    assert all(len(p.x) <= 5 and p.answer == ("-" if int(p.x) < int(p.y) else "") for p in problems)


def test_every_curriculum_has_what_it_calls_and_the_skills_for_whole_expressions():
    for name, tasks in CURRICULA.items():
        known = {t.spec.name for t in CURRICULA["full"]} if name in ON_TOP else set()
        for task in tasks:
            known.add(task.spec.name)
            assert known.issuperset(task.spec.calls), name
    skills = {name: [t.spec.name for t in tasks] for name, tasks in CURRICULA.items()}
    assert [n for n in skills["full"] if n.startswith("expression")] == [
        "expression-modulo",
        "expression-decimal",
    ]
    assert skills["full"] == [*skills["whole"], *skills["decimals"]]
    assert [n for n in skills["paper"] if n.startswith("expression") or "%" in n] == ["expression"]
    assert {*skills["full"], *skills["paper"], *skills["decimals"]} == {t.spec.name for t in TASKS}
