"""Proves skills: basic ones entry by entry, those on numbers and on expressions path by path.

`prove_skill` is quick enough to be asked during training; a failure carries a concrete problem where one was found.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple, final

from reckoner.alphabet import spell
from reckoner.program.concrete import (
    Mistake,
    ProgramSkill,
    all_messages,
    find_mistakes,
    hunt,
    sample,
    sample_text,
)
from reckoner.program.decision import Chosen, History, Learned, Program
from reckoner.program.expression import OPERATIONS, ExpressionProof, UnprovedText
from reckoner.program.lengths import is_short
from reckoner.program.number import NumberProof, Unproved
from reckoner.program.solver import Solver
from reckoner.program.specification import BY_NAME, Row
from reckoner.skills.base import Answerer, Choice, Decider, Skill
from reckoner.skills.library import Library

EXPRESSIONS = {"expression": "+-*/", "expression-modulo": "+-*/%"}  # operators that each works off
LEAST_MARGIN = 1e-3  # in log-probability; rounding moves it by less than a thousandth of that


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

    @property
    def is_proved(self) -> bool:
        return not self.failures

    @property
    def margin(self) -> float:
        """The smallest margin of all decisions; nan if there is none that is known."""
        return min((v.margin for v in self.visits if not math.isnan(v.margin)), default=math.nan)


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
    rows: Mapping[str, Row] = BY_NAME,
    examples: bool = True,
    focus: History = (),
) -> Proof:
    """Prove one skill, assuming that those it calls do what is specified.

    With `program` that is proved in place of the network's; with `focus` only paths through these views are followed.
    Up to `most_failures` are looked for, and with `examples` each comes with a problem if one is found.
    """
    start = time.process_time()
    if isinstance(skill, Answerer):
        proof = _prove_basic(skill, library, rows)
    elif not isinstance(skill, Decider):
        proof = Proof(skill.name, failures=(Failure("it is a kind of skill that can be proved"),))
    elif skill.name in EXPRESSIONS:
        proof = _prove_expression(skill, library, program, most_failures, rows, examples, focus)
    elif skill.name in rows:
        proof = _prove_number(skill, library, program, most_failures, rows, examples, focus)
    else:
        proof = Proof(skill.name, failures=(Failure("it is specified what the skill has to do"),))
    seconds = time.process_time() - start
    return Proof(**{**proof.__dict__, "seconds": seconds})


def reachable(skill: Decider, library: Library) -> list[Visit]:
    """All views that a skill can come to see, each after those before it, with its decisions and their margins."""
    return list(prove_skill(skill, library, most_failures=10**9, examples=False).visits)


# --- basic skills ---


def _prove_basic(skill: Answerer, library: Library, rows: Mapping[str, Row]) -> Proof:
    """Every entry of the table, all at once and one by one."""
    row = rows.get(skill.name)
    if row is None:
        return Proof(skill.name, failures=(Failure("it is specified what the skill has to do"),))
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


# --- skills on numbers ---


def _prove_number(
    skill: Decider,
    library: Library,
    program: Program | None,
    most_failures: int,
    rows: Mapping[str, Row],
    examples: bool,
    focus: History,
) -> Proof:
    row, solver = rows[skill.name], Solver()
    chooser = program or Learned(skill)
    work = NumberProof(skill, row, rows, chooser, solver, most_failures=most_failures, focus=focus)
    work.run()
    runner = skill if program is None else ProgramSkill(skill, program)
    failures = []
    for unproved in work.unproved:
        mistake = _find_example(unproved, runner, library, row) if examples else None
        failures.append(_failure(skill, unproved, mistake))
    failures += _thin(skill, work.visits, program)
    return Proof(
        skill.name,
        _visits(work.visits),
        states=work.states,
        obligations=work.obligations,
        queries=solver.queries,
        failures=tuple(failures),
        contradictions=tuple(solver.contradictions),
    )


def _find_example(unproved: Unproved, skill: Decider, library: Library, row: Row) -> Mistake | None:
    """A problem that shows the failure: what the solver's values say, or found by trying."""
    message = _from_model(unproved, row)
    if message is not None:
        mistakes = find_mistakes(skill, library, row, [message])
        if mistakes:
            return mistakes[0]
    return hunt(skill, library, row, lambda rng, size: sample(row, rng, size))


def _from_model(unproved: Unproved, row: Row) -> tuple[str, str] | None:
    """The message that has the values of a model, as far as a model of products that are just named can say."""
    problem = unproved.state.problem
    names = {name for polynomial in problem.values() for name in polynomial.variables}
    values = {name: unproved.model.get(name, 0) for name in names}
    values |= {name: 10 ** min(values.get("m" + name[1:], 0), 50) for name in names if name[0] == "P"}
    for x, y in row.alternatives:
        texts = []
        for alternative in (x, y):
            text = ""
            for element in alternative.elements:
                if isinstance(element, str):
                    text += element
                elif element.name in problem:
                    count = min(problem[f"|{element.name}|"].evaluate(values), 50)
                    amount = abs(problem[f"abs {element.name}"].evaluate(values)) % 10**count
                    text += str(amount).zfill(count) if count else ""
            texts.append(text)
        if row.read(*texts) is not None:
            return texts[0], texts[1]
    return None


# --- skills on expressions ---


def _prove_expression(
    skill: Decider,
    library: Library,
    program: Program | None,
    most_failures: int,
    rows: Mapping[str, Row],
    examples: bool,
    focus: History,
) -> Proof:
    operators, solver = EXPRESSIONS[skill.name], Solver()
    chooser = program or Learned(skill)
    work = ExpressionProof(skill, operators, chooser, most_failures=most_failures, focus=focus)
    failures = []
    if (skill.spec.accepts_x, skill.spec.accepts_y) != (accepted_text(operators), ""):
        failures.append(Failure("the skill accepts other messages than specified"))
    for name in skill.spec.calls:
        if not focus and name in OPERATIONS and not is_short(rows[name], solver):
            failures.append(Failure(f"an answer of {name} is not longer than its operands"))
    work.run()
    runner = skill if program is None else ProgramSkill(skill, program)
    for unproved in work.unproved:
        mistake = None
        if examples:
            texts = list(_texts(unproved, operators))
            mistakes = find_mistakes(runner, library, None, texts)
            mistake = mistakes[0] if mistakes else None
        failures.append(_failure(skill, unproved, mistake))
    failures += _thin(skill, work.visits, program)
    return Proof(
        skill.name,
        _visits(work.visits),
        states=work.states,
        obligations=work.obligations + len(OPERATIONS),
        queries=solver.queries,
        failures=tuple(failures),
        contradictions=tuple(solver.contradictions),
    )


def accepted_text(operators: str) -> str:
    """The pattern of texts: operands joined by operators, with brackets round operands."""
    operand = r"\(*(?:0|-?[1-9]\d*)\)*"
    signs = "-" + operators.replace("-", "")
    return rf"{operand}([{signs}]{operand})*"


def _texts(unproved: UnprovedText, operators: str) -> Iterator[tuple[str, str]]:
    """Problems that begin as the failed path did."""
    rng = Random(0)
    shown = unproved.state.shown
    for size in (0, 1, 2, 3, 4):
        for _ in range(100):
            text = "".join(str(rng.randint(-99, 99)) if t[0] == "n" else t for t in shown)
            if shown and (shown[-1] in operators or shown[-1] == "("):
                text += sample_text(rng, operators, size)
            elif rng.random() < 0.7:
                text += rng.choice(operators) + sample_text(rng, operators, size)
            missing = text.count("(") - text.count(")")
            yield text + ")" * max(0, missing), ""
    for _ in range(300):
        yield sample_text(rng, operators, 4), ""


# --- what both have in common ---


def _visits(visits: Mapping[History, Chosen]) -> tuple[Visit, ...]:
    return tuple(Visit(history, chosen.choice, chosen.margin) for history, chosen in visits.items())


def _failure(skill: Skill, unproved: Unproved | UnprovedText, mistake: Mistake | None) -> Failure:
    state = unproved.state
    path = tuple(spell(skill.spec.perception, view) for view in state.history)
    return Failure(
        unproved.obligation, path, tuple(map(Choice._make, state.decisions)), state.history, mistake
    )


def _thin(skill: Skill, visits: Mapping[History, Chosen], program: Program | None) -> list[Failure]:
    """Decisions that rounding could change. Only what a network decides has a margin."""
    if program is not None:
        return []
    failures = []
    for history, chosen in visits.items():
        if chosen.margin < LEAST_MARGIN:
            path = tuple(spell(skill.spec.perception, view) for view in history)
            failures.append(Failure("the best choice is clearly the best", path, (chosen.choice,), history))
    return failures
