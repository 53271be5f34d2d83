"""Ablations: the same student with one thing changed, on a few skills, several seeds each.

Every variant is a configuration of the student (and, for perception, of the task), never a second script.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from reckoner.alphabet import Perception
from reckoner.curriculum.student import StudentConfig
from reckoner.curriculum.tasks import BY_NAME, InteractiveTask
from reckoner.curriculum.teacher import TeacherConfig
from reckoner.reproduction.budget import Budget
from reckoner.reproduction.pupil import Cap, watch
from reckoner.reproduction.records import Record, RecordsError, Unit
from reckoner.skills.library import Library
from reckoner.training.practice import PracticeConfig

_NO_PATIENCE = 1_000_000  # the cap alone ends a run


@dataclass(frozen=True)
class Variant:
    """One line of an ablation."""

    name: str
    student: StudentConfig = field(default_factory=StudentConfig)
    perception: Perception | None = None  # in place of the skill's own

    def task(self, name: str, stages: int | None) -> InteractiveTask:
        """The task as this variant sees it."""
        task = BY_NAME[name]
        if not isinstance(task, InteractiveTask):
            raise RecordsError(f"{name} is a basic skill; ablations are about interactive ones")
        spec = task.spec if self.perception is None else replace(task.spec, perception=self.perception)
        return replace(task, spec=spec, stages=task.stages[:stages])


_CHARACTERS = Perception(kind="characters")
_PAPERS_CAP = 0.5  # its β
_NO_PRACTICE = PracticeConfig(enabled=False)

SAMPLING = (
    Variant("both"),
    Variant("difficulty sampling only", StudentConfig(teacher=TeacherConfig(parameter_adjustment=False))),
    Variant("parameter adjustment only", StudentConfig(teacher=TeacherConfig(difficulty_sampling=False))),
    Variant(
        "neither", StudentConfig(teacher=TeacherConfig(difficulty_sampling=False, parameter_adjustment=False))
    ),
    # with our low cap the entropy coefficient reaches it at the second wrong attempt; with the paper's it does not
    Variant("both, cap 0.5", StudentConfig(teacher=TeacherConfig(entropy_cap=_PAPERS_CAP))),
    Variant(
        "neither, cap 0.5",
        StudentConfig(
            teacher=TeacherConfig(
                difficulty_sampling=False, parameter_adjustment=False, entropy_cap=_PAPERS_CAP
            )
        ),
    ),
)

OWN = (
    Variant("full"),
    Variant("no vote", StudentConfig(practice=PracticeConfig(vote=False))),
    Variant("no practice", StudentConfig(practice=_NO_PRACTICE)),
    Variant("no self-imitation", StudentConfig(self_imitation=False)),
    Variant("characters", perception=_CHARACTERS),
    Variant(
        "the paper's",
        StudentConfig(
            hidden=100,
            self_imitation=False,
            practice=_NO_PRACTICE,
            teacher=TeacherConfig(uniform_share=0.0, entropy_cap=_PAPERS_CAP),
        ),
        _CHARACTERS,
    ),
)


def sampling_units(budget: Budget, library: Library) -> Iterator[Unit]:
    """Difficulty sampling and parameter adjustment: both, one each, none."""
    return _units(SAMPLING, budget, library)


def own_units(budget: Budget, library: Library) -> Iterator[Unit]:
    """Practice, vote and self-imitation off one by one; the paper's perception; the paper's configuration."""
    return _units(OWN, budget, library)


def _units(variants: Sequence[Variant], budget: Budget, library: Library) -> Iterator[Unit]:
    """Seed by seed, so that an interrupted run has something of everything."""
    for seed in range(budget.ablation_seeds):
        for skill in budget.ablation_skills:
            for variant in variants:
                run = partial(_run, variant, skill, seed, budget, library)
                yield Unit(f"{variant.name}/{skill}/{seed}", run)


def _run(variant: Variant, skill: str, seed: int, budget: Budget, library: Library) -> Record:
    """One student of a variant, on a test set that is the same for all."""
    task = variant.task(skill, budget.ablation_stages)
    config = replace(variant.student, patience=_NO_PATIENCE, most_updates=_NO_PATIENCE)
    known = library_before(library, task)
    cap = Cap(budget.ablation_seconds, budget.ablation_updates)
    record, _ = watch(task, known, config, seed, cap)
    result = "mastered" if record["mastered"] else "not mastered"
    summary = f"{result}, {record['accuracy']:.1%} after {record['updates']} updates"
    return {"variant": variant.name, **record, "summary": summary}


def library_before(library: Library, task: InteractiveTask) -> Library:
    """Only the frozen skills that a task may call, and what those call in turn."""
    wanted = [name for name in task.spec.calls if name != task.spec.name]
    needed: set[str] = set()
    while wanted:
        name = wanted.pop()
        if name not in needed:
            needed.add(name)
            wanted += library[name].spec.calls
    part = Library()
    for skill in library:
        if skill.name in needed:
            part.append(skill, library.records[skill.name])
    return part
