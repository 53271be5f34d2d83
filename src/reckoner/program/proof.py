"""Proves skills: basic ones entry by entry, those on numbers and on expressions path by path.

`prove_skill` is quick enough to be asked during training; a failure carries a concrete problem where one was found.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, final

from reckoner.alphabet import spell
from reckoner.program.concrete import Mistake, ProgramSkill, all_messages, find_mistakes
from reckoner.program.counterexample import find_example
from reckoner.program.decision import Chosen, History, Learned, Program
from reckoner.program.exploration import Unproved
from reckoner.program.expression import ExpressionProof
from reckoner.program.figure_proof import FigureProof
from reckoner.program.figure_row import FigureRow
from reckoner.program.laws import find_broken_law
from reckoner.program.lengths import is_short
from reckoner.program.number import NumberProof
from reckoner.program.rounding import Bound, bound_decisions
from reckoner.program.row import Row, Specified
from reckoner.program.solver import Solver
from reckoner.program.specification import BY_NAME
from reckoner.program.text_row import EXPRESSIONS, TextRow
from reckoner.skills.base import Answerer, Choice, Decider, Skill
from reckoner.skills.interactive import InteractiveSkill
from reckoner.skills.library import Library

UNSPECIFIED = "it is specified what the skill has to do"
LEAST_MARGIN = (
    1e-3  # in log-probability: during training, where the error of rounding is not bounded each time
)


@final
@dataclass(frozen=True)
class Failure:
    """An obligation that was not shown, where, and a problem that is answered wrongly, if one was found."""

    obligation: str
    path: tuple[str, ...] = ()  # what was seen, view by view
    choices: tuple[Choice, ...] = ()
    history: History = ()
    mistake: Mistake | None = None


class Visit(NamedTuple):
    """A view that can be reached, after the views before it, and what is decided there."""

    history: History
    choice: Choice
    margin: float  # in log-probability, to the second best


@final
@dataclass(frozen=True)
class Proof:
    """What was shown of one skill, and what was not."""

    skill: str
    visits: tuple[Visit, ...] = ()
    entries: int = 0  # of a basic skill's table
    states: int = 0
    obligations: int = 0
    queries: int = 0
    seconds: float = 0.0  # of this process
    failures: tuple[Failure, ...] = ()
    contradictions: tuple[str, ...] = field(
        default=(), repr=False
    )  # what the solver found, for another to check
    bounds: Mapping[History, Bound] = field(
        default_factory=dict, repr=False
    )  # of decisions, what rounding can do

    @property
    def is_proved(self) -> bool:
        return not self.failures

    @property
    def is_specified(self) -> bool:
        """Whether there is something to be proved at all."""
        return all(failure.obligation != UNSPECIFIED for failure in self.failures)

    @property
    def margin(self) -> float:
        """The smallest margin of all decisions; nan if there is none that is known."""
        return min((v.margin for v in self.visits if not math.isnan(v.margin)), default=math.nan)

    @property
    def room(self) -> float:
        """The least that is left of a margin if float arithmetic is as wrong as it can be; nan if not bounded."""
        return min((bound.room for bound in self.bounds.values()), default=math.nan)


def prove_library(
    library: Library, only: Sequence[str] = (), report: Callable[[Proof], None] | None = None
) -> list[Proof]:
    """Prove the skills of a library in their order, each assuming what was specified of those before it."""
    proofs = []
    for skill in library:
        if not only or skill.name in only:
            proofs.append(prove_skill(skill, library))
            if report is not None:
                report(proofs[-1])
    return proofs


def prove_skill(
    skill: Skill,
    library: Library,
    *,
    program: Program | None = None,
    most_failures: int = 1,
    rows: Mapping[str, Specified] = BY_NAME,
    examples: bool = True,
    rounding: bool = True,
) -> Proof:
    """Prove one skill, assuming that those it calls do what is specified.

    With `program` that is proved in place of the network's.
    Up to `most_failures` are looked for, and with `examples` each comes with a problem if one is found. Without
    `rounding` the error of float arithmetic is not bounded, and a margin of LEAST_MARGIN is enough.
    """
    start = time.process_time()
    if isinstance(skill, Answerer):
        proof = _prove_basic(skill, library, rows)
    elif not isinstance(skill, Decider):
        proof = Proof(skill.name, failures=(Failure("it is a kind of skill that can be proved"),))
    elif skill.name in EXPRESSIONS or skill.name in rows:
        proof = _prove_decider(skill, library, program, most_failures, rows, examples, rounding)
    else:
        proof = Proof(skill.name, failures=(Failure(UNSPECIFIED),))
    seconds = time.process_time() - start
    return Proof(**{**proof.__dict__, "seconds": seconds})


def reachable(skill: Decider, library: Library) -> list[Visit]:
    """All views that a skill can come to see, each after those before it, with its decisions and their margins."""
    return list(prove_skill(skill, library, most_failures=10**9, examples=False, rounding=False).visits)


# --- basic skills ---


def _prove_basic(skill: Answerer, library: Library, rows: Mapping[str, Specified]) -> Proof:
    """Every entry of the table, all at once and one by one."""
    row = rows.get(skill.name)
    if row is None:
        return Proof(skill.name, failures=(Failure(UNSPECIFIED),))
    if (skill.spec.accepts_x, skill.spec.accepts_y) != (row.x.pattern, row.y.pattern):
        return Proof(skill.name, failures=(Failure("the skill accepts other messages than specified"),))
    messages = list(all_messages(row))
    mistakes = find_mistakes(skill, library, row, messages)
    memories = [skill.lay_out(x.encode(), y.encode()) for x, y in messages]
    one_by_one = [skill.answer([memory])[0].decode() for memory in memories]
    for (x, y), answer in zip(messages, one_by_one, strict=True):
        if not row.holds(x, y, answer):
            mistakes.append(Mistake(x, y, answer, row.answer(x, y)))
    failures = tuple(Failure("every entry is right", mistake=mistake) for mistake in mistakes[:1])
    return Proof(skill.name, entries=len(messages), obligations=len(messages), failures=failures)


# --- skills that decide ---


def begin_proof(
    skill: Decider, program: Program, *, most_failures: int = 1, rows: Mapping[str, Specified] = BY_NAME
) -> NumberProof | FigureProof | ExpressionProof:
    """The proof of a skill that decides, ready to run."""
    if skill.name in EXPRESSIONS:
        return ExpressionProof(skill, program, most_failures, row=EXPRESSIONS[skill.name])
    row = rows[skill.name]
    if isinstance(row, FigureRow):
        return FigureProof(skill, program, most_failures, row=row, rows=rows, solver=Solver())
    assert isinstance(row, Row)
    return NumberProof(skill, program, most_failures, row=row, rows=rows, solver=Solver())


def _prove_decider(
    skill: Decider,
    library: Library,
    program: Program | None,
    most_failures: int,
    rows: Mapping[str, Specified],
    examples: bool,
    rounding: bool,
) -> Proof:
    work = begin_proof(skill, program or Learned(skill), most_failures=most_failures, rows=rows)
    solver = Solver() if isinstance(work, ExpressionProof) else work.solver
    failures = []
    if isinstance(work, ExpressionProof):
        failures += _lemmas(skill, work.row, rows, solver)
        work.obligations += 1 + len(work.row.operations)
    work.run()
    runner = skill if program is None else ProgramSkill(skill, program)
    for unproved in work.unproved:
        mistake = find_example(unproved, runner, library, work.row) if examples else None
        failures.append(_failure(skill, unproved, mistake))
    bounds: dict[History, Bound] = {}
    if program is None:  # only what a network decides has a margin
        if rounding and isinstance(skill, InteractiveSkill) and not skill.config.positional:
            bounds = bound_decisions(skill, {h: chosen.choice for h, chosen in work.visits.items()})
        failures += _unclear(skill, work.visits, bounds)
    return Proof(
        skill.name,
        tuple(Visit(history, chosen.choice, chosen.margin) for history, chosen in work.visits.items()),
        states=work.states,
        obligations=work.obligations + len(bounds),
        queries=solver.queries,
        failures=tuple(failures),
        contradictions=tuple(solver.contradictions),
        bounds=bounds,
    )


def _lemmas(skill: Decider, row: TextRow, rows: Mapping[str, Specified], solver: Solver) -> list[Failure]:
    """What the proof of an expression skill rests on beside its paths."""
    failures = []
    if (skill.spec.accepts_x, skill.spec.accepts_y) != row.patterns:
        failures.append(Failure("the skill accepts other messages than specified"))
    if (
        row.is_scaled
    ):  # a number is one symbol, so that no answer is longer; but not all is as with whole numbers
        broken = find_broken_law(row.laws, solver)
        return failures + ([] if broken is None else [Failure(f"signs go through {broken} as assumed")])
    for name in row.operations:
        if name in skill.spec.calls and not is_short(rows[name], solver):
            failures.append(Failure(f"an answer of {name} is not longer than its operands"))
    return failures


def _failure(skill: Skill, unproved: Unproved, mistake: Mistake | None) -> Failure:
    state = unproved.state
    path = tuple(spell(skill.spec.perception, view) for view in state.history)
    return Failure(
        unproved.obligation, path, tuple(map(Choice._make, state.decisions)), state.history, mistake
    )


def _unclear(
    skill: Decider, visits: Mapping[History, Chosen], bounds: Mapping[History, Bound]
) -> list[Failure]:
    """Decisions that rounding could change. Where no bound was asked for, a small margin has to do."""
    failures = []
    for history, chosen in visits.items():
        is_clear = bounds[history].room > 0 if history in bounds else not chosen.margin < LEAST_MARGIN
        if not is_clear:
            path = tuple(spell(skill.spec.perception, view) for view in history)
            obligation = "the decision's margin exceeds the error of float arithmetic"
            failures.append(Failure(obligation, path, (chosen.choice,), history))
    return failures
