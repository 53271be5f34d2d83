"""A whole training as a unit of an experiment: its lessons go through the engine, its folder stays here."""

from __future__ import annotations

import json
from typing import Any

from reckoner.baselines.standard import slowness
from reckoner.curriculum.lesson import NotLearned
from reckoner.curriculum.plan import Plan
from reckoner.curriculum.school import teach
from reckoner.engine import Engine
from reckoner.reproduction.records import Record

_SUMS = ("updates", "attempts", "steps", "tried", "restarts")


def train_whole(plan: Plan, engine: Engine) -> Record:
    """Train until all is mastered, the time is up or a skill is given up: what it came to and what it cost."""
    reason = ""
    try:
        if teach(plan, lambda event: None, engine) is None:
            reason = "time is up"
    except NotLearned as error:
        reason = error.message
    learned = {task.spec.name: plan.skill_folder(task) for task in plan.mastered()}
    records = {name: folder.record() for name, folder in learned.items()}
    interactive = [r for r in records.values() if "attempts" in r]
    page: dict[str, Any] = json.loads((plan.folder / "run.json").read_bytes())
    library = plan.frozen()
    return {
        "seed": plan.seed,
        "hidden": plan.config.hidden,
        "mastered": not reason,
        "reason": reason,
        "skills": len(learned),
        "tasks": len(plan.tasks),
        "parameters": sum(int(t.size) for skill in library for t in skill.tensors.values()),
        "wall_clock": round(page["seconds"], 1),
        # of a standard core
        "learning_seconds": round(sum(r["seconds"] for r in records.values()) / slowness(), 1),
        "processor_seconds": round(sum(r["seconds"] for r in records.values()), 1),
        **{name: sum(int(r.get(name) or 0) for r in records.values()) for name in _SUMS},
        "failures": [reason for r in interactive for reason in r.get("failures", [])],
        "margin": min((r["margin"] for r in interactive if r.get("margin") is not None), default=None),
        "proved": sum(r.get("proved") is True for r in interactive),
        "proofs_asked": sum(r.get("proved") is not None for r in interactive),
    }
