"""Decimals and powers: what the new rows ask, and that what was known before was not touched."""

from __future__ import annotations

from random import Random

import pytest

from reckoner.curriculum import oracle
from reckoner.curriculum.decimal_tasks import FIRST
from reckoner.curriculum.rows import BasicTask, InteractiveTask
from reckoner.curriculum.tasks import CURRICULA
from reckoner.machine import Limits, Machine
from reckoner.skills.library import BUNDLED, Library, digest, read_manifest

NEW = CURRICULA["decimals"]
# of the entries of the 34 skills on whole numbers, as they were frozen before there were decimals
FROZEN = "560bd9ca5a1e54bd6dd609da0d84cd15dc34217e6c01f277b4824cd328f84fa5"


@pytest.fixture(scope="module")
def bundled() -> Library:
    return Library.load()


def test_nothing_known_was_trained_again():
    """Weights (by their hashes), rows and records of whole numbers are those from before."""
    names = {task.spec.name for task in NEW}
    old = [entry for entry in read_manifest(BUNDLED) if entry["name"] not in names]
    assert len(old) == 34
    assert digest(old) == FROZEN


def test_every_new_skill_belongs_to_the_operation_that_needed_it_first():
    names = [name for group in FIRST.values() for name in group]
    assert sorted(names) == sorted(task.spec.name for task in NEW)


@pytest.mark.parametrize(
    "task", [t for t in NEW if isinstance(t, InteractiveTask)], ids=lambda t: t.spec.name
)
def test_the_bundled_networks_do_what_the_rows_ask(bundled, task):
    """Fresh problems of the last stage, and longer ones than any in training."""
    rng = Random(f"{task.spec.name} bundled")
    problems = [task.sampler(rng, size) for size in (task.stages[-1], task.longer) for _ in range(40)]
    outcomes = Machine(bundled, Limits(calls=2_000_000)).run(task.spec.name, [(p.x, p.y) for p in problems])
    assert [(p, o.answer) for p, o in zip(problems, outcomes, strict=True) if o.answer != p.answer] == []
    assert [o.refusal for o in outcomes if o.refusal] == []


@pytest.mark.parametrize("task", [t for t in NEW if isinstance(t, BasicTask)], ids=lambda t: t.spec.name)
def test_the_bundled_tables_are_known(bundled, task):
    outcomes = Machine(bundled).run(task.spec.name, [(p.x, p.y) for p in task.table()])
    assert [o.answer for o in outcomes] == [p.answer for p in task.table()]


@pytest.mark.parametrize(
    ("scale", "text"),
    [
        (0, "0.1+0.2"), (0, "1.5*4"), (0, "7/2"), (2, "7/2"), (20, "1/3"), (0, "1.000-1"), (0, "-0.05*0.1"),
        (1, "-0.05*0.1"), (3, "-7.5%2"), (0, "0.0000001*10000000"), (2, "2^10"), (5, "2^-3"), (0, "-1.5^3"),
        (2, "-0.5^2"), (0, "0^0"), (0, "0.0^3"), (3, "1.05^12"), (0, "100^0"), (2, "(1-(0.25/3))*(2^-1)"),
        (0, "0.5-0.5"), (1, "-1/3"), (0, "1/0.03"), (4, "0.00/7"), (0, "10.0%0.3"),
    ],
)  # fmt: skip
def test_what_people_type(bundled, scale, text):
    """Values that lose all decimals, zeros before and behind, odd and even powers of negative numbers."""
    z = "0." + "0" * scale if scale else "0"
    [outcome] = Machine(bundled).run("expression-decimal", [(z, text)])
    assert outcome.answer == oracle.evaluate(text, scale)


@pytest.mark.parametrize(
    ("skill", "refused"),
    [
        ("decimal-divide", [("1", "0,0"), ("1", "0.00,0"), ("1", "-0,0"), ("01", "1,0"), ("1", "2,"), ("1", "2")]),
        ("decimal-power", [("2", "0.5,0"), ("2", "2.0,0"), ("2", "-0,0"), ("-0.0", "2,0")]),
        ("decimal-add", [("-0", "1"), ("-0.00", "1"), (".5", "1"), ("5.", "1"), ("00.5", "1")]),
        ("power-marks", [("2", "^" * 11)]),
        ("expression-decimal", [("", "1+1"), ("0.", "1+1"), ("0", "1+"), ("0", "1..5"), ("0", "-0.0+1")]),
    ],
)  # fmt: skip
def test_what_was_never_taught_is_refused(bundled, skill, refused):
    assert [(x, y) for x, y in refused if bundled[skill].is_accepted(x.encode(), y.encode())] == []
