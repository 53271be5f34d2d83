"""The bound of float arithmetic's error: above what is measured, and noticed where it reaches a margin."""

from __future__ import annotations

import numpy as np
import pytest

from reckoner.nn.forward import Cell
from reckoner.program.decision import Learned
from reckoner.program.proof import prove_skill
from reckoner.program.rounding import EXP, ExactCell, bound_decisions
from reckoner.skills.interactive import InteractiveSkill
from reckoner.skills.library import Library

LIBRARY = Library.load()


def interactive(name: str) -> InteractiveSkill:
    skill = LIBRARY[name]
    assert isinstance(skill, InteractiveSkill)
    return skill


@pytest.mark.parametrize("name", ["M+M", "strip", "M*M", "signed-divide", "quotient-digit"])
def test_what_single_precision_changes_is_within_the_bound(name):
    """In a batch of all decisions, and one by one."""
    proof = prove_skill(interactive(name), LIBRARY)
    assert proof.is_proved
    assert proof.bounds
    for visit in proof.visits:
        if visit.history in proof.bounds:
            bound = proof.bounds[visit.history]
            (alone,) = Learned(interactive(name)).choose([visit.history])
            assert alone.choice == visit.choice
            if visit.margin < 1e8:  # more than one choice is allowed
                assert abs(visit.margin - bound.lead) <= bound.error
                assert abs(alone.margin - bound.lead) <= bound.error
            assert 0 < bound.room <= bound.lead


def test_a_step_stays_within_its_bound_whatever_was_off_before():
    rng = np.random.default_rng(0)
    size = 24
    weight = rng.normal(0, 0.3, (3 * size, size)).astype(np.float32)
    bias = rng.normal(0, 0.2, 3 * size).astype(np.float32)
    fast, exact = Cell(weight.T, bias), ExactCell(weight.astype(np.float64), bias.astype(np.float64))
    reached = 0.0
    for off in (0.0, 1e-5, 1e-3):
        inputs, hidden = rng.normal(0, 1, 3 * size), rng.uniform(-1, 1, size)
        wrong = np.full(size, off + 1e-7), np.full(3 * size, off + 1e-6)
        step = exact.step(inputs, hidden, wrong[1], wrong[0])
        most = (
            np.abs(step.from_state) @ wrong[0]
            + (np.abs(step.from_inputs) * wrong[1].reshape(3, -1)).sum(0)
            + step.added
        )
        for _ in range(50):
            h = (hidden + off * rng.choice([-1, 1], size)).astype(np.float32)
            i = (inputs + off * rng.choice([-1, 1], 3 * size)).astype(np.float32)
            found = fast.step(fast.scale(i)[None], h[None])[0]
            share = np.abs(found - step.state) / most
            assert share.max() <= 1
            reached = max(reached, float(share.max()))
    assert reached > 0.05  # a bound a hundred times too wide would say little


@pytest.mark.parametrize("routine", [np.exp, np.tanh])
def test_routines_are_as_exact_as_assumed(routine):
    x = np.concatenate([np.linspace(-80, 80, 400_001), np.linspace(-1, 1, 200_001)]).astype(np.float32)
    right = routine(x.astype(np.float64))
    off = np.abs(routine(x).astype(np.float64) - right)
    assert (off <= EXP * np.abs(right) + 1e-37).all()


def test_a_tie_is_not_proved():
    """Two skills to call that score alike: whatever is chosen, rounding could choose the other."""
    skill = interactive("M+M")
    tensors = {name: tensor.copy() for name, tensor in skill.tensors.items()}
    tensors["modules.weight"][2] = tensors["modules.weight"][1] * (1 + 1e-6)
    spoiled = InteractiveSkill(skill.spec, skill.config, tensors, LIBRARY.callees(skill.spec))
    proof = prove_skill(spoiled, LIBRARY, examples=False, most_failures=100)
    assert any("error of float arithmetic" in failure.obligation for failure in proof.failures)


def test_decisions_that_no_network_makes_have_no_bound():
    skill = interactive("M+M")
    proof = prove_skill(skill, LIBRARY)
    bounds = bound_decisions(skill, {visit.history: visit.choice for visit in proof.visits})
    assert {len(history) for history in bounds} == {1, 2}
    assert {len(visit.history) for visit in proof.visits} == {1, 2, 3}
