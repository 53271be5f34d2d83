"""Ablations are what their names say: were a line's learner the full one, its table would say that nothing matters."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from reckoner.alphabet import spell
from reckoner.curriculum import student as student_module
from reckoner.curriculum.student import LEARNERS, Student
from reckoner.reproduction import ablation, analogies, learning, perception, teacher
from reckoner.reproduction.budget import STANDARD, UNLIMITED, Cap
from reckoner.reproduction.experiment import Setting, load
from reckoner.reproduction.trial import ablated
from reckoner.skills import BasicSkill, Library
from reckoner.training.ppo import PPO
from reckoner.training.rollout import RolloutConfig
from reckoner.training.world import World
from tests.toys import TASK, library

# --- variants of what learns, of the teacher and of perception: all that is not as in the full configuration ---

CARRIES = {"rollout.analogous": 1024}
NO_EXPLORING = {"rollout.hopeful": 0, "rollout.near_own": 0, "rollout.near_best": 0, "rollout.wild": 0}
NO_GUIDANCE, NO_PPO, IMITATES = {"rollout.guided": 0}, {"ppo.enabled": False}, {"self_imitation": True}
NO_GRADIENT = NO_PPO | {"ppo.guided_weight": 0.0}
SEARCH = NO_GUIDANCE | NO_EXPLORING | {"learner": "search", "rollout.own": 256, "practice.enabled": True}
EVENLY, CONSTANT = {"teacher.difficulty_sampling": False}, {"teacher.parameter_adjustment": False}
PAPERS = {"teacher.entropy_cap": 0.5}
SEES = "spec.perception"
CHANGES: dict[str, dict[str, dict[str, Any]]] = {
    "learning": {
        "full": {},
        "guided attempts alone": NO_PPO,
        "no guidance": NO_GUIDANCE,
        "no exploration": NO_EXPLORING,
        "neither: PPO alone": NO_GUIDANCE | NO_EXPLORING,
        "not by form": {"by_form": False},
        "no difficulty sampling": EVENLY,
        "no parameter adjustment": CONSTANT,
        "self-imitation in place of PPO": NO_GRADIENT | IMITATES,
        "with self-imitation": IMITATES,
        "no gradient at all": NO_GRADIENT,
        "search with PPO": SEARCH,
        "search without PPO": SEARCH | NO_PPO,
        "search without a vote": SEARCH | {"practice.vote": False},
    },
    "analogies": {
        "with analogies": CARRIES,
        "not more often in need": CARRIES | {"desperation": 1},
        "without": {},
    },
    "teacher": {
        "both": {},
        "difficulty sampling only": CONSTANT,
        "parameter adjustment only": EVENLY,
        "neither": EVENLY | CONSTANT,
        "both, the paper's β": PAPERS,
        "difficulty sampling only, the paper's β": CONSTANT | PAPERS,
        "parameter adjustment only, the paper's β": EVENLY | PAPERS,
        "neither, the paper's β": EVENLY | CONSTANT | PAPERS,
    },
    "perception": {
        **{f"C = {digits}": {f"{SEES}.fovea": digits} for digits in range(4)},
        # who sees every character has no use for a fovea or a reach
        "characters": {f"{SEES}.kind": "characters", f"{SEES}.fovea": 2, f"{SEES}.reach": None, "margin": 0.0},
    },
}  # fmt: skip
SEEN = {"C = 0": "N", "C = 1": "d~d", "C = 2": "dd~dd", "C = 3": "ddd~ddd", "characters": "1234567"}
OPERATIONS = {"M*M": ("M+M", "M-M"), "M/M": ("M+M", "M-M", "M*M")}
OPERATIONS["expression-modulo"] = (*OPERATIONS["M/M"], "M/M", "M%M")
WHOLE = Library.load()
FACTS = tuple(skill.name for skill in WHOLE if isinstance(skill, BasicSkill))
NOTHING = {"mastered": False, "accuracy": 0.0, "updates": 0}


def fields_of(thing: Any, prefix: str = "") -> dict[str, Any]:
    """Every field of a dataclass and of those in it, by its path."""
    found: dict[str, Any] = {}
    for name, value in ((f.name, getattr(thing, f.name)) for f in fields(thing)):
        found |= fields_of(value, f"{prefix}{name}.") if is_dataclass(value) else {prefix + name: value}
    return found


def full(skill: str) -> dict[str, Any]:
    """The full configuration, without analogies, which only a cap ends, and the task as it is without a change."""
    config = replace(ablation.BASE, patience=UNLIMITED, most_updates=UNLIMITED)
    return fields_of(config) | fields_of(ablated(skill))


def run_all(name: str, module: str, caps: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """All units of an experiment, without any learning: variant, skill, and all fields of who was to learn what."""
    found, given = [], list[Any]()

    def run_trial(*arguments: Any) -> tuple[dict[str, Any], None]:
        given.append(arguments)
        return NOTHING, None

    monkeypatch.setattr(f"{module}.run_trial", run_trial)
    monkeypatch.setattr(f"{module}.papers_test", lambda *arguments: None)
    for unit in load(name).units[name](Setting(STANDARD, folder)):
        if not unit.name.startswith("all tasks at once"):  # they are below
            variant, (task, _, config, seed, cap, _) = unit.run()["variant"], given[-1]
            skill = task.spec.name
            assert (unit.name, cap) == (f"{variant}/{skill}/{seed}", dict(caps)[skill])
            found.append((variant, skill, fields_of(config) | fields_of(task)))
    return found


def test_ablations_are_of_the_shipped_learner_without_analogies():
    assert replace(LEARNERS["reinforcement"], rollout=replace(RolloutConfig(), analogous=0)) == ablation.BASE


@pytest.mark.parametrize("name", CHANGES)
def test_a_variant_differs_in_what_its_name_says_and_in_nothing_else(name, tmp_path, monkeypatch):
    """Else a part would be believed to be idle that was never switched off, or to do what another part does."""
    caps = {"learning": STANDARD.learning_caps, "analogies": STANDARD.analogy_caps}.get(
        name, STANDARD.matters_caps
    )
    found = run_all(name, "reckoner.reproduction.ablation", caps, tmp_path, monkeypatch)
    for variant, skill, all_fields in found:
        changes = CHANGES[name][variant]
        assert all_fields == full(skill) | changes
        assert name == "perception" or all(full(skill)[field] != value for field, value in changes.items())
    assert {variant for variant, _, _ in found} == set(CHANGES[name])


@pytest.mark.parametrize(
    "variant", [*learning.VARIANTS, *teacher.VARIANTS, *analogies.VARIANTS], ids=lambda variant: variant.name
)
def test_a_student_learns_as_its_configuration_says(variant, monkeypatch):
    """Else a field could be changed that nobody reads."""
    made, imitated, log = dict[str, Any](), list[Any](), list[dict[str, Any]]()
    for name in ("Stage", "PPO", "Searcher"):
        make = getattr(student_module, name)
        monkeypatch.setattr(student_module, name, lambda *a, n=name, make=make: made.setdefault(n, make(*a)))
    monkeypatch.setattr(PPO, "imitate", lambda *a, **named: imitated.append(a))
    wanted, rollout = variant.student, variant.student.rollout
    few = replace(rollout, **{f.name: getattr(rollout, f.name) // 32 for f in fields(rollout)})
    config = replace(wanted, hidden=8, rollout=few)
    student = Student(TASK, library(), config, 0, log.append, should_stop=lambda: bool(log))
    student.learn()
    assert made["Stage"].teacher.config == wanted.teacher
    assert made["PPO"].config == wanted.ppo
    assert student.network.config.by_form == wanted.by_form
    rollout = replace(rollout, analogous=0)  # here numbers are one symbol
    ways = [rollout.own, rollout.guided, sum(rollout.counts[2:])]
    assert [log[0][way] for way in ("own", "guided", "explored")] == [way / sum(ways) for way in ways]
    assert ("Searcher" in made) == wanted.practice.enabled
    if wanted.practice.enabled:
        assert made["Searcher"].practice.config == wanted.practice
    else:
        assert len(imitated) == wanted.self_imitation


@pytest.mark.parametrize("variant", perception.VARIANTS, ids=lambda variant: variant.name)
def test_a_student_sees_what_the_variant_says(variant):
    """Else any C would be as good as any other."""
    for skill, _ in STANDARD.matters_caps:
        task = variant.task(skill, None)
        student = Student(task, WHOLE.below(task.spec), variant.student, 0)
        world = World(student.machine, student.freeze())
        assert spell(task.spec.perception, world.view(world.enter(b"1234567"))) == SEEN[variant.name]


# --- variants of the curriculum ---


def test_a_curriculum_differs_in_lengths_or_in_what_may_be_called(tmp_path, monkeypatch):
    """Else it would be believed that nobody needs helpers, or short problems first."""
    module = "reckoner.reproduction.curriculum_order"
    found = run_all("curriculum-order", module, STANDARD.order_caps, tmp_path, monkeypatch)
    for variant, skill, all_fields in found:
        changes: dict[str, dict[str, Any]] = {
            "in order": {},
            "all lengths at once": {"stages": (max(ablated(skill).stages),)},
            "without helper skills": {"spec.calls": (*FACTS, *OPERATIONS.get(skill, ()), skill)},
            "from scratch": {"spec.calls": (*FACTS, skill)},
        }
        assert all_fields == full(skill) | changes[variant]
    met = {(variant, skill) for variant, skill, _ in found}
    assert met == {(variant, skill) for variant in changes for skill, _ in STANDARD.order_caps} - {
        ("without helper skills", "M+M")  # there is no operation before it: that is from scratch
    }


def test_all_tasks_at_once_begin_with_facts_alone(tmp_path, monkeypatch):
    """Else helpers would be believed to have been learned that were there; how they learn: tests/test_together.py."""
    given = list[Any]()

    def learn_together(*arguments: Any) -> dict[str, Any]:
        given.append(arguments)
        return NOTHING

    monkeypatch.setattr("reckoner.reproduction.curriculum_order.learn_together", learn_together)
    for unit in load("curriculum-order").units["curriculum-order"](Setting(STANDARD, tmp_path)):
        if unit.name.startswith("all tasks at once"):
            unit.run()
            skill, facts, config, seed, cap, _ = given[-1]
            assert unit.name == f"all tasks at once/{skill}/{seed}"
            assert tuple(fact.name for fact in facts) == FACTS
            assert fields_of(config) | fields_of(ablated(skill)) == full(skill)
            assert cap == Cap(dict(STANDARD.together_caps)[skill])
    assert len(given) == len(STANDARD.together_caps) * STANDARD.matters_seeds


def test_runs_that_know_their_lengths_and_fail_beyond_are_named():
    """Else "100 %, 0 of 5 mastered" would look like a mistake of the table's."""
    run = {"variant": "characters", "skill": "add-columns", "updates": 9, "seconds": 1.0, "mastered": False}
    beyond = "add-columns: 54 of 200 longer problems wrong"
    records = [
        {**run, "seed": 0, "accuracy": 1.0, "reason": beyond},
        {**run, "seed": 1, "accuracy": 1.0, "reason": "cap of 200 s or 1,000 updates reached in stage 10"},
        {**run, "seed": 2, "accuracy": 0.9, "reason": beyond},
    ]
    *_, gap, told = perception.table(records).splitlines()
    assert gap == ""  # else it would be a row of the table
    assert told.endswith("longer problems are wrong: characters on add-columns, seed 0: 54 of 200.")
    assert "longer" not in perception.table(records[1:])
