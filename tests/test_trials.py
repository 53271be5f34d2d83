"""What other tables rest on: answers are counted, sizes and seeds are passed on, caps are long enough."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from reckoner.curriculum.plan import Plan
from reckoner.curriculum.prover import can_prove
from reckoner.curriculum.student import Student, StudentConfig
from reckoner.engine import Engine, Here
from reckoner.reproduction import continual, hidden_size, ten_seeds
from reckoner.reproduction.budget import STANDARD, UNLIMITED
from reckoner.reproduction.experiment import Setting
from reckoner.reproduction.records import Records
from reckoner.reproduction.trial import ablated
from reckoner.skills import BasicSkill, Library
from reckoner.skills.library import names_below
from tests.toys import TASK, library

WHOLE = Library.load()
FACTS = tuple(skill.name for skill in WHOLE if isinstance(skill, BasicSkill))
NOTHING: dict[str, Any] = {
    "skill": "", "mastered": False, "reason": "", "accuracy": 0.0, "updates": 0, "seconds": 0.0, "steps": 0,
    "curve": [], "skills": 0, "tasks": 0, "restarts": 0,
}  # fmt: skip


def test_a_changed_answer_is_counted_and_scratch_is_scratch(tmp_path, monkeypatch):
    """Else "earlier answers unchanged" would be said of who forgets, and "from scratch" of who has helpers."""
    given, answers = list[Any](), iter([{"a": "1", "b": "2", "c": None}, {"a": "1", "b": "3", "c": None}])

    def learn(*arguments: Any) -> tuple[None, list[dict[str, Any]]]:
        given.append(arguments)
        return None, [NOTHING]

    monkeypatch.setattr(continual, "_answers", lambda *arguments: next(answers))
    monkeypatch.setattr(continual, "_learn", learn)
    units = {unit.name: unit for unit in continual.units(Setting(STANDARD, tmp_path))}
    kept = units["with the library/modulo/0"].run()
    assert (kept["answers_before"], kept["answers_kept"]) == (3, 2)
    units["from scratch/modulo/3"].run()
    (task, _, seed, *_), (alone, facts, other_seed, *_) = given
    assert (task, seed, other_seed, tuple(facts.names)) == (ablated("M%M"), 0, 3, FACTS)
    operation = ablated("expression-modulo")
    assert alone == replace(operation, spec=replace(operation.spec, calls=(*FACTS, "expression-modulo")))


@pytest.mark.parametrize("new", continual.SUBJECTS.values())
def test_what_is_known_before_an_operation_is_all_that_does_without_it(new):
    """Else the operation would be learned with its own result at hand, or with less than there was."""
    calls = {skill.name: skill.spec.calls for skill in WHOLE}
    needs = {skill.name: {skill.name, *names_below(skill.spec, calls)} for skill in WHOLE}
    assert continual.known_before(new, WHOLE).names == tuple(n for n in calls if needs[n].isdisjoint(new))


def test_whole_trainings_get_their_size_and_their_seed(tmp_path, monkeypatch):
    """Else eight hidden units would be as good as 200, and ten seeds would be one."""
    plans = list[Plan]()

    def train_whole(plan: Plan, engine: Engine) -> dict[str, Any]:
        plans.append(plan)
        return NOTHING

    setting = Setting(replace(STANDARD, hidden_seeds=2), tmp_path)
    for experiment in (hidden_size, ten_seeds):
        monkeypatch.setattr(experiment, "train_whole", train_whole)
        for unit in experiment.units(setting):
            unit.run(Here())
    sizes = [StudentConfig(hidden=size) for size in (8, 16, 32, 64, 100, 200)]
    shipped = StudentConfig(prove=can_prove())
    wanted = [(0, config) for config in sizes] + [(1, config) for config in sizes[1:]]  # 8: once
    wanted += [(seed, shipped) for seed in range(20)]  # ten, and ten new ones
    assert [(plan.seed, plan.config) for plan in plans] == wanted
    assert len({plan.folder for plan in plans}) == len(plans)
    for config in sizes:
        tensors = Student(TASK, library(), config, 0).network.tensors()
        assert tensors["state.weight"].shape[0] == config.hidden


# --- caps ---

# Where a cap is shorter, and how many times it is what was needed. Those records are from before the learner asked each
# question once: in `teacher` the same updates took a median of 24.7 s, of which 300 s are twelve times as much.
SHORT = {("learning", "divide-digits"): 8.6}


def costs(records: str, variant: str, skill: str, cost: str) -> list[float]:
    found = Records(Path(__file__).parent.parent / f"results/reproduce/records/{records}.jsonl").read()
    return [r[cost] for r in found if (r["variant"], r["skill"]) == (variant, skill)]


def test_a_cap_is_ten_times_what_the_full_learner_needs():
    """Else "not mastered" would be believed of who was not given the time."""
    ratios = dict[tuple[str, str], float]()
    for name in ("learning", "matters", "order"):
        for skill, cap in getattr(STANDARD, f"{name}_caps"):
            cost = "seconds" if cap.updates == UNLIMITED else "updates"
            found = costs("curriculum-order", "in order", skill, cost) if name == "order" else []
            # what is not measured in order yet: as in `learning`, or as the shipped skill was learned
            found = found or costs("learning", "full", skill, cost) or [WHOLE.records[skill][cost]]
            ratios[name, skill] = getattr(cap, cost) / median(found)
    assert {where: round(ratio, 1) for where, ratio in ratios.items() if ratio < 10} == SHORT
    assert 10 * median(costs("teacher", "both", "divide-digits", "seconds")) < 300


def test_hidden_sizes_have_a_line_each_with_both_ends_of_their_seeds():
    one = {
        "hidden": 16, "seed": 0, "mastered": True, "skills": 34, "tasks": 34, "parameters": 1000, "margin": 1.0,
        "restarts": 1, "learning_seconds": 60.0, "proved": 34, "proofs_asked": 34,
    }  # fmt: skip
    stuck = {
        **one,
        "seed": 1,
        "mastered": False,
        "parameters": 900,
        "margin": None,
        "restarts": 4,
        "proofs_asked": 0,
    }
    other = {**one, "hidden": 8, "margin": 0.014}
    lines = hidden_size.table([one, stuck, other]).splitlines()[2:]
    assert lines == [
        "| 8 | 1 of 1 | 1,000 | 0.01 | 1 | 1.0 | 34 of 34 |",
        "| 16 | 1 of 2 | 1,000 | 1.00 | 1–4 | 1.0 (1.0–1.0) | 34 of 34 |",
    ]
