"""The learned hierarchy: which skill calls which, how often, counted in traces of real expressions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from reckoner.calculator import Calculator
from reckoner.evaluation.problems import problems_by_length
from reckoner.reproduction.budget import Budget
from reckoner.reproduction.records import Record, RecordsError, Unit
from reckoner.skills.library import Library

KIND = "expression-modulo"  # all operations occur
_BATCH = 25  # traces are kept for so many expressions at a time


def hierarchy_units(budget: Budget, library: Library) -> Iterator[Unit]:
    """One count over random expressions."""
    yield Unit("calls", lambda: _count(budget, library))


def _count(budget: Budget, library: Library) -> Record:
    texts = problems_by_length(KIND, budget.traced_length, budget.traced, seed=1)
    calculator = Calculator(library)
    edges: Counter[tuple[str, str]] = Counter()
    calls = 0
    for start in range(0, len(texts), _BATCH):
        for result in calculator.results(texts[start : start + _BATCH], trace=True):
            trace = getattr(result, "trace", None)
            if trace is None:
                continue
            for _, call, _ in trace.walk():
                calls += 1
                edges.update((call.skill, step.call.skill) for step in call.steps)
    if not edges:
        raise RecordsError(
            "none of the expressions was answered with this library, so there are no calls to count"
        )
    order = {name: i for i, name in enumerate(library.names)}
    ranked = sorted(edges.items(), key=lambda item: (order[item[0][0]], order[item[0][1]]))
    return {
        "expressions": len(texts),
        "length": budget.traced_length,
        "calls": calls,
        "skills": list(library.names),
        "basic": [skill.name for skill in library if skill.spec.is_basic],
        "edges": [[caller, callee, count] for (caller, callee), count in ranked],
        "summary": f"{calls:,} calls in {len(texts)} expressions",
    }
