"""All tasks at once: students in turns, each on the others as they are."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest

from reckoner.curriculum.student import StudentConfig
from reckoner.reproduction import together
from reckoner.reproduction.budget import UNLIMITED, Cap
from reckoner.reproduction.together import Pupil, learn_together, tasks_for
from reckoner.skills import BasicSkill, Library

CONFIG = replace(StudentConfig(), patience=UNLIMITED, most_updates=UNLIMITED)


@pytest.fixture(scope="module")
def facts() -> list[BasicSkill]:
    return [skill for skill in Library.load() if isinstance(skill, BasicSkill)]


def test_a_skill_is_learned_with_all_its_helpers():
    assert [t.spec.name for t in tasks_for("M+M")] == ["add-columns", "strip", "M+M"]
    names = [t.spec.name for t in tasks_for("M*M")]
    assert names[-1] == "M*M"
    assert {"multiply-columns", "M+M", "M*S"} < set(names)


def test_helpers_are_those_of_the_moment(facts, monkeypatch):
    """Each is given the others as they are after their last turns; who is frozen gets no other."""
    turns: list[str] = []
    met: list[dict[str, object]] = []
    latest: dict[str, object] = {}

    def take_turn(pupil: Pupil, library: Library, seconds: float) -> None:
        name = pupil.task.spec.name
        turns.append(name)
        met.append({skill.name: skill for skill in library})
        pupil.skill = latest[name] = Pupil.enrol(pupil.task, library, CONFIG, len(turns)).skill
        pupil.progress.updates += 1
        pupil.is_mastered = name == "strip"

    monkeypatch.setattr(Pupil, "take_turn", take_turn)
    monkeypatch.setattr(together, "standard_seconds", count(step=0.5).__next__)  # a turn: 0.5 s
    monkeypatch.setattr(together, "held_out_test", lambda task, library: lambda skill: 0.5)
    record = learn_together("M+M", facts, CONFIG, 0, Cap(2.5), 0.5)
    assert turns == ["add-columns", "strip", "M+M", "add-columns", "M+M"]
    assert {"add-column", "drop-zero", "strip"} <= set(met[2])
    assert "M+M" not in met[2]
    assert met[4]["strip"] is met[2]["strip"] is latest["strip"]
    assert met[4]["add-columns"] is latest["add-columns"]
    assert met[4]["add-columns"] is not met[2]["add-columns"]
    assert not record["mastered"]
    assert record["learned"] == ["strip"]
    assert record["reason"] == "cap of 2.5 s reached, 1 of 3 mastered"
    assert record["updates"] == 5
    assert [(p.update, p.test) for p in record["curve"]] == [(3, 0.5), (5, 0.5)]


def test_turns_add_up_to_a_mastered_skill(facts, monkeypatch):
    """Weights are kept from turn to turn: no single one is long enough. The clock counts updates, on any machine."""
    monkeypatch.setattr(together, "standard_seconds", count(step=0.05).__next__)
    record = learn_together("strip", facts, CONFIG, 0, Cap(60.0), 0.5)
    assert record["mastered"], record["reason"]
    assert record["accuracy"] == 1.0
    assert len(record["curve"]) > 1
