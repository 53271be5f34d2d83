"""The memory of own attempts: worth by hand, and nothing in it that was not attempted."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest

from reckoner.training.experience import Experience, ExperienceConfig
from reckoner.training.rollout import RolloutConfig
from reckoner.training.world import STOP
from tests.toys import FEW, make_stage, policy_of

A, B, C = 101, 102, 103  # actions
Row = tuple[int, int, int, int, int, float]


def remembered(rows: list[Row], **fields: Any) -> Experience:
    experience = Experience(ExperienceConfig(**fields))
    experience.record(rows)
    return experience


def test_the_worth_of_a_history_by_hand():
    halted: list[Row] = [(0, 5, STOP, -1, STOP, 0.2), (1, 5, STOP, -1, STOP, 0.2)]
    went_on: list[Row] = [
        (0, 5, A, 9, B, 1.0),
        (1, 5, A, 9, B, 1.0),
        (2, 5, A, 9, B, -0.5),
        (3, 5, A, 10, STOP, -1.0),
    ]
    experience = remembered(halted + went_on)
    good, bad, root = experience.place(5, A, 9), experience.place(5, A, 10), experience.place(5)
    assert good is not None
    assert bad is not None
    assert root is not None
    assert good.best == B
    assert good.worth == pytest.approx(0.5 - 0.5 / sqrt(3))
    assert (bad.best, bad.worth) == (None, -1.0)  # counted down, it is below the worst there is
    called = 0.99 * (3 * (0.5 - 0.5 / sqrt(3)) + 1 * -1.0) / 4
    assert root.actions[A].worth(0.99) == pytest.approx(called)
    assert root.actions[STOP].worth(0.99) == pytest.approx(0.2)
    assert root.best == STOP
    assert root.worth == pytest.approx(0.2 - 0.5 / sqrt(2))
    assert root.worth > called - 0.5 / sqrt(4)
    # with more of the same the margin shrinks, and the longer way is found to be worth more
    experience.record([(0, 5, A, 9, B, 1.0)] * 97)
    assert good.worth == pytest.approx((97 + 1.5) / 100 - 0.5 / 10)
    assert root.best == A
    assert root.worth == pytest.approx(0.99 * (100 * good.worth - 1) / 101 - 0.5 / sqrt(101))


def test_refused_calls_count_where_they_were_made():
    experience = remembered([(0, 5, A, -1, STOP, -1.0), (1, 5, A, 9, STOP, 1.0)])
    root = experience.place(5)
    assert root is not None
    assert root.actions[A].worth(0.5) == pytest.approx((-1.0 + 0.5 * (1.0 - 0.5)) / 2)


def test_a_call_less_is_better():
    short: list[Row] = [(0, 5, STOP, -1, STOP, 1.0)] * 50
    long: list[Row] = [(0, 5, A, 9, B, 1.0)] * 50
    experience = remembered(short + long, margin=0.0)
    root = experience.place(5)
    assert root is not None
    assert (root.best, root.worth) == (STOP, 1.0)
    assert root.actions[A].worth(0.99) == pytest.approx(0.99)


def test_hope_goes_down_with_attempts():
    rows: list[Row] = [(0, 5, A, 9, B, -1.0)] * 100 + [(0, 5, C, 9, B, -1.0)]
    experience = remembered(rows)
    worn, fresh = experience.place(5, A, 9), experience.place(5, C, 9)
    assert worn is not None
    assert fresh is not None
    assert worn.hope == pytest.approx(-1 + 0.5 * 100 / 200)
    assert fresh.hope == pytest.approx(-1 + 0.5 * 100 / 101)
    root = experience.place(5)
    assert root is not None
    assert root.hopes == [C, A]


def test_old_attempts_fade():
    experience = remembered([(0, 5, A, 9, B, -1.0)] * 401, recent=400)
    experience.record([(0, 5, A, 9, B, 1.0)] * 150)
    place = experience.place(5, A, 9)
    assert place is not None
    assert place.actions[B].count == 350.5
    assert place.actions[B].total == pytest.approx(-200.5 + 150)
    experience.record([(0, 5, A, 9, B, 1.0)] * 1100)
    root = experience.place(5)
    assert root is not None
    # what went through an action is what ended with it and what went on to the places after it
    assert root.actions[A].count == sum(p.count for p in root.actions[A].after.values())


def log_of(tried: Any) -> set[tuple[int, int, int, int]]:
    """What `walk` may give, from the log of attempts."""
    columns = (tried.first_view, tried.first, tried.second_view, tried.second)
    rows = set(zip(*(c.tolist() for c in columns), strict=True))
    return {(v, a, -1, -1) for v, a, _, _ in rows} | {row for row in rows if row[2] >= 0}


@pytest.mark.parametrize("fields", [{}, {"most": 8, "spread": 4, "recent": 10}], ids=["all", "pruned"])
def test_nothing_is_remembered_that_was_not_attempted(fields):
    stage = make_stage(**fields)
    attempted: set[tuple[int, int, int, int]] = set()
    for _ in range(4):
        tried, rewards, _ = stage.attempt(policy_of(stage.world), FEW)
        assert len(rewards) == sum(FEW.counts)
        attempted |= log_of(tried)
    walked = set(stage.experience.walk())
    assert len(walked) > (8 if fields else 20)
    assert walked <= attempted
    if not fields:
        assert walked == attempted
    else:
        assert len(walked) < len(attempted)
        assert all(len(p.actions) <= 8 for p in stage.experience.roots.values())
    for node, code, _ in stage.experience.best():
        where = (node[0], -1, -1) if len(node) == 1 else None
        assert where is None or (node[0], code, -1, -1) in attempted
    for place in stage.experience.roots.values():
        assert set(place.hopes) <= set(place.actions)
        assert place.best is None or place.best in place.actions


def test_the_best_known_is_never_forgotten():
    """Many lucky single attempts do not push out what has proved itself."""
    proven: list[Row] = [(0, 5, A, -1, STOP, 1.0)] * 99 + [(0, 5, A, -1, STOP, -1.0)]
    experience = remembered(proven, most=20)
    experience.record([(0, 5, 1000 + i, -1, STOP, 1.0) for i in range(40)])
    root = experience.place(5)
    assert root is not None
    assert root.best == A
    assert len(root.actions) <= 20


def test_rewards_are_all_that_is_known_of_the_answers():
    stage = make_stage()
    seen: list[list[Any]] = []
    record = stage.experience.record
    stage.experience.record = lambda rows: (seen.append(list(rows)), record(seen[-1]))[1]  # type: ignore
    tried, rewards, _ = stage.attempt(policy_of(stage.world), RolloutConfig(8, 0, 0, 0, 0, 0))
    assert [row[0] for row in seen[0]] == tried.problem.tolist()
    assert [row[5] for row in seen[0]] == rewards.tolist()
    assert {type(value) for row in seen[0] for value in row} == {int, float}
    assert np.isfinite(rewards).all()
