"""Basic skills: small networks that learn a table by heart, every entry of it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from reckoner.curriculum.tasks import TASKS, BasicTask
from reckoner.nn.config import TranscriberConfig
from reckoner.skills.base import Recollection, SkillSpec
from reckoner.skills.basic import BasicSkill
from reckoner.skills.storage import round_to_half
from reckoner.training.supervised import train_basic
from tests.scripted import random_basic

torch.set_num_threads(1)
BASIC = {task.spec.name: task for task in TASKS if isinstance(task, BasicTask)}


def entries(name: str) -> list[tuple[bytes, bytes, bytes]]:
    return [(p.x.encode(), p.y.encode(), p.answer.encode()) for p in BASIC[name].table()]


@pytest.mark.parametrize("name", ["next-digit", "borrow-sign", "drop-zero", "add-column"])
def test_every_entry_of_a_table_is_learned(name):
    """From nothing in seconds; the bundled weights of all six are checked elsewhere."""
    table = entries(name)
    skill, epochs = train_basic(BASIC[name].spec, table, seed=1)
    assert 0 < epochs < 2000
    assert skill.answer([skill.lay_out(x, y) for x, y, _ in table]) == [answer for _, _, answer in table]
    one_by_one = [skill.answer([skill.lay_out(x, y)])[0] for x, y, _ in table[:40]]
    assert one_by_one == [answer for _, _, answer in table[:40]]
    for name_, tensor in skill.tensors.items():  # what was measured is what is stored
        np.testing.assert_array_equal(tensor, round_to_half({name_: tensor})[name_])


@pytest.mark.parametrize("name", BASIC)
def test_a_table_covers_exactly_what_the_skill_accepts(name):
    """Every message that the patterns let through is an entry, so nothing is left to guessing."""
    table = entries(name)
    skill = random_basic(BASIC[name].spec, np.random.default_rng(0))
    messages = {(x, y) for x, y, _ in table}
    assert len(messages) == len(table)
    digits = [b"", *(str(d).encode() for d in range(10))]
    pairs = [a + b for a in digits for b in digits]
    possible = {(x, y) for x in pairs for y in pairs if skill.is_accepted(x, y)}
    assert possible == messages


def test_the_tables_are_right():
    """A few entries by hand, so that a wrong table is not learned to perfection."""
    facts = {
        "add-column": [("", "0", "00"), ("7", "81", "16"), ("", "91", "10"), ("9", "91", "19")],
        "subtract-column": [("7", "70", "00"), ("7", "71", "19"), ("", "10", "19"), ("9", "1", "08")],
        "multiply-column": [("9", "98", "89"), ("7", "80", "56"), ("0", "08", "08")],
        "next-digit": [("0", "", "1"), ("8", "", "9")],
        "drop-zero": [("00", "", "0"), ("07", "", "7"), ("70", "", "70")],
        "borrow-sign": [("0", "", ""), ("1", "", "-")],
        "point": [("0", "", ".0"), ("9", "", ".9")],
        "comma": [("0", "", ",0"), ("9", "", ",9")],
        "marks": [("0", "", ""), ("1", "", "^"), ("9", "", "^" * 9)],
    }
    assert facts.keys() == BASIC.keys()
    for name, some in facts.items():
        table = {(x.decode(), y.decode()): answer.decode() for x, y, answer in entries(name)}
        assert [table[x, y] for x, y, _ in some] == [answer for _, _, answer in some]


def test_a_random_network_does_not_know_a_table():
    """The answers come from the weights."""
    table = entries("add-column")
    skill = random_basic(BASIC["add-column"].spec, np.random.default_rng(3))
    right = [skill.answer([skill.lay_out(x, y)])[0] == answer for x, y, answer in table]
    assert sum(right) < 0.1 * len(table)


def test_a_seed_fixes_the_weights():
    one, other, third = (
        train_basic(BASIC["borrow-sign"].spec, entries("borrow-sign"), seed)[0] for seed in (1, 1, 2)
    )
    assert all((one.tensors[n] == other.tensors[n]).all() for n in one.tensors)
    assert any((one.tensors[n] != third.tensors[n]).any() for n in one.tensors)


def test_a_table_that_cannot_be_learned_is_an_error():
    spec = SkillSpec("impossible", "{x}", r"\d")
    with pytest.raises(RuntimeError, match="impossible"):
        train_basic(spec, [(b"1", b"", b"1"), (b"1", b"", b"2")], 0, TranscriberConfig(4, 4), most_epochs=10)


def test_answers_of_mixed_lengths_in_one_batch():
    skill = random_basic(SkillSpec("any", "{x}", r"\d+"), np.random.default_rng(1))
    messages = [b"1" * n for n in (1, 5, 2, 9, 3)]
    assert skill.answer(messages) == [skill.answer([m])[0] for m in messages]


def test_a_basic_skill_keeps_no_state():
    skill = random_basic(SkillSpec("any", "{x}", r"\d+"), np.random.default_rng(1))
    assert isinstance(skill, BasicSkill)
    assert not any(isinstance(value, Recollection) for value in vars(skill).values())
    assert skill.answer([b"123"]) == skill.answer([b"123"])
