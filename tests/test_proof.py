"""The proof, and reasons to trust it: changed programs, weaker assumptions, concrete runs, another solver."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from reckoner.alphabet import Perception, spell
from reckoner.calculator import Calculator
from reckoner.errors import DivisionByZero
from reckoner.program import specification
from reckoner.program.concrete import ProgramSkill, find_mistakes
from reckoner.program.decision import Changed, Learned, Recorded
from reckoner.program.field import NONZERO
from reckoner.program.figure import Figure
from reckoner.program.figure_row import FigureRow, Worth
from reckoner.program.memory import Names, Piece, State, power
from reckoner.program.polynomial import variable
from reckoner.program.proof import Proof, prove_skill, reachable
from reckoner.program.replay import replay
from reckoner.program.row import Case, Row, Run
from reckoner.program.sight import look, see
from reckoner.program.solver import Solver, ask_cvc5
from reckoner.program.text_row import EXPRESSIONS
from reckoner.program.value import evaluate
from reckoner.skills.base import Decider
from reckoner.skills.interactive import STOP
from reckoner.skills.library import Library

LIBRARY = Library.load()
SPECIFIED = [
    n for n in LIBRARY.names if n in specification.BY_NAME or n in EXPRESSIONS
]  # the others: not yet
DECIDERS = [LIBRARY[n] for n in SPECIFIED if isinstance(LIBRARY[n], Decider)]
NAMES = [skill.name for skill in DECIDERS]
ON_NUMBERS = [name for name in NAMES if name not in EXPRESSIONS]
ON_TEXTS = [name for name in NAMES if name in EXPRESSIONS]
ON_FIGURES = [name for name in ON_NUMBERS if isinstance(specification.BY_NAME[name], FigureRow)]


@cache
def proof_of(name: str) -> Proof:
    return prove_skill(LIBRARY[name], LIBRARY)


def decider(name: str) -> Decider:
    skill = LIBRARY[name]
    assert isinstance(skill, Decider)
    return skill


@pytest.mark.parametrize("name", SPECIFIED)
def test_the_bundled_skill_is_proved(name):
    proof = proof_of(name)
    assert proof.is_proved, proof.failures
    assert proof.obligations > 0


# --- the proof covers what happens ---


@pytest.mark.parametrize("name", ON_NUMBERS)
def test_concrete_runs_take_the_paths_of_the_proof_all_of_them_and_no_others(name):
    paths = [visit.history for visit in proof_of(name).visits]
    found = replay(decider(name), LIBRARY, specification.BY_NAME[name], 3000)
    assert found.unknown(paths) == frozenset()
    assert found.mistakes == ()
    assert found.unmet(paths) == frozenset()


@pytest.mark.parametrize("name", ON_TEXTS)
def test_expressions_take_no_paths_but_those_of_the_proof(name):
    paths = {visit.history for visit in proof_of(name).visits}
    found = replay(decider(name), LIBRARY, EXPRESSIONS[name], 3000)
    assert found.unknown(paths) == frozenset()
    assert found.mistakes == ()
    assert len(found.met) > len(paths) / 20


def test_all_views_of_all_skills_met_in_calculations_are_in_the_proof():
    """Every skill below an expression is run on what the skills above it ask."""
    recorded = {}
    library = Library()
    for skill in LIBRARY:
        if isinstance(skill, Decider):
            recorded[skill.name] = Recorded(Learned(skill))
            library.append(ProgramSkill(skill, recorded[skill.name]))
        else:
            library.append(skill)
    rng, row = Random(8), EXPRESSIONS["expression-modulo"]
    find_mistakes(library[row.name], library, row, [row.sample(rng, i % 7) for i in range(1500)])
    for name, program in recorded.items():
        paths = {visit.history for visit in proof_of(name).visits}
        assert program.met.keys() <= paths, name
    assert sum(len(program.met) for program in recorded.values()) > 1000


@pytest.mark.parametrize("fovea", [0, 1, 2])
def test_a_memory_cut_into_cells_is_seen_as_the_memories_it_stands_for(fovea):
    """Every text of digits and a comma has the view of exactly the cases that stand for it."""
    fresh = Names()
    pieces, ranges = [], {}
    for _ in range(3):
        value, length = fresh.value(), fresh.length()
        ranges[str(value)] = power(length)
        pieces.append(Piece(value, length))
    state = State(((pieces[0], ",", pieces[1], pieces[2]),), (), ranges, {}, variable("m1"), names=fresh)
    perception = Perception(fovea=fovea)
    views = {see(perception, cells).tokens for _, cells in look(state, perception)}
    texts = [f"{'7' * a},{'8' * b}" for a in range(8) for b in range(8)]
    assert views == {perception.view(text.encode()).tokens for text in texts}


# --- failures ---


def test_a_failure_shows_a_problem_that_is_answered_wrongly():
    skill = decider("M+M")
    last = max((v for v in proof_of("M+M").visits if v.choice[0]), key=lambda v: len(v.history))
    program = Changed(Learned(skill), {last.history: STOP})  # stops before the last call
    proof = prove_skill(skill, LIBRARY, program=program)
    (failure,) = proof.failures
    mistake = failure.mistake
    assert mistake is not None
    assert mistake.right == str(int(mistake.x) + int(mistake.y))
    assert mistake.answer != mistake.right
    assert failure.path == tuple(spell(skill.spec.perception, view) for view in last.history)


# --- weaker assumptions, and obligations one by one ---


def row_of(name: str) -> Row:
    row = specification.BY_NAME[name]
    assert isinstance(row, Row)
    return row


def with_row(name, **fields):
    return {**specification.BY_NAME, name: replace(specification.BY_NAME[name], **fields)}


def test_a_callee_that_promises_less_is_not_enough():
    strip = row_of("strip")
    loose = tuple(
        replace(case, parts=tuple(replace(p, kept="x") if isinstance(p, Run) else p for p in case.parts))
        for case in strip.cases
    )
    assert proof_of("M+M").is_proved
    assert not prove_skill(LIBRARY["M+M"], LIBRARY, rows=with_row("strip", cases=loose)).is_proved


def test_a_callee_that_asks_for_more_is_not_enough():
    narrow = specification.less(variable("x"), variable("y"))
    rows = with_row("add-columns", where=narrow)
    assert not prove_skill(LIBRARY["M+M"], LIBRARY, rows=rows).is_proved


def test_an_answer_that_was_forgotten_is_missed():
    """M-M without the case that `less` answers nothing: paths of concrete runs are then not in the proof."""
    row = row_of("less")
    proof = prove_skill(LIBRARY["M-M"], LIBRARY, rows=with_row("less", cases=row.cases[:1]), examples=False)
    paths = [visit.history for visit in proof.visits]
    found = replay(decider("M-M"), LIBRARY, specification.BY_NAME["M-M"], 300)
    assert found.unknown(paths) != frozenset()


@pytest.mark.parametrize(
    "name", ["M+M", "less", "multiply-columns", "M*M", "divide-digits", "M%M", "signed-divide"]
)
def test_another_answer_is_not_proved(name):
    """The network does what its row says, and not what is nearly the same."""
    row = row_of(name)

    def off_by_one(case: Case) -> Case:
        parts = [replace(p, value=p.value + 1) if isinstance(p, Run) else p for p in case.parts]
        return replace(case, parts=tuple(parts) or ("-",))

    rows = with_row(name, cases=tuple(map(off_by_one, row.cases)))
    assert not prove_skill(LIBRARY[name], LIBRARY, rows=rows, examples=False).is_proved


@pytest.mark.parametrize("name", ON_FIGURES)
@pytest.mark.parametrize("off", [(1, 0), (0, 1)], ids=["units", "decimals"])
def test_another_number_is_not_proved(name, off):
    """Nor with another number of decimals."""
    row = specification.BY_NAME[name]
    assert isinstance(row, FigureRow)

    def other(case: Worth) -> Worth:
        def formula(**values: Any) -> Figure:
            right = case.formula(**values)
            return Figure(right.units + off[0], right.places + off[1])

        return replace(case, formula=formula)

    rows = with_row(name, cases=tuple(map(other, row.cases)))
    assert not prove_skill(LIBRARY[name], LIBRARY, rows=rows, examples=False).is_proved


@pytest.mark.parametrize(
    ("name", "callee"),
    [
        ("multiply-fit", "exact-multiply"),
        ("decimal-modulo", "decimal-divide"),
        ("power-digits", "power-step"),
        ("decimal-power", "decimal-divide"),
        ("operate", "decimal-power"),
    ],
)
def test_a_callee_that_answers_another_number_is_not_enough(name, callee):
    row = specification.BY_NAME[callee]
    assert isinstance(row, FigureRow)
    cases = tuple(
        replace(
            case, formula=lambda case=case, **values: Figure(-(w := case.formula(**values)).units, w.places)
        )
        for case in row.cases
    )
    assert proof_of(name).is_proved
    assert not prove_skill(
        LIBRARY[name], LIBRARY, rows=with_row(callee, cases=cases), examples=False
    ).is_proved


def test_what_has_no_value_is_refused():
    """Division by zero is a case of its own: a row that promises an answer there is not proved."""
    row = specification.BY_NAME["operate"]
    assert isinstance(row, FigureRow)
    generous = tuple(replace(case, when={"o": case.when["o"]}) for case in row.cases[:-1])
    proof = prove_skill(LIBRARY["operate"], LIBRARY, rows=with_row("operate", cases=generous), examples=False)
    assert "decimal-divide accepts what it is asked" in proof.failures[0].obligation
    strict = (replace(row.cases[0], when={**row.cases[0].when, "y": NONZERO}), *row.cases[1:])
    proof = prove_skill(LIBRARY["operate"], LIBRARY, rows=with_row("operate", cases=strict), examples=False)
    assert "a call is refused if the problem has no value" in proof.failures[0].obligation


def test_at_a_scale_that_is_no_zero_powers_would_be_wrong():
    """power-scaled takes the whole part of its scale for a string of one digit: 0.1 ^ 3 at `12` would be wrong."""
    wide = specification.BY_NAME["power-fit"].y  # the same with any number for the scale
    skill = ProgramSkill(LIBRARY["power-scaled"], Learned(decider("power-scaled")))
    skill.spec = replace(skill.spec, accepts_y=wide.pattern)
    proof = prove_skill(skill, LIBRARY, rows=with_row("power-scaled", y=wide), examples=False)
    assert "the memory is the answer" in proof.failures[0].obligation


def test_a_list_of_which_all_is_seen_is_not_proved():
    """digits-apart answers lists of any length: if it saw all of one, its views would not be finite."""
    skill = ProgramSkill(LIBRARY["digits-apart"], Learned(decider("digits-apart")))
    skill.spec = replace(skill.spec, perception=Perception(fovea=1))
    proof = prove_skill(skill, LIBRARY, examples=False)
    assert "only so much is seen" in proof.failures[0].obligation


def test_a_skill_that_accepts_more_than_specified_is_not_proved():
    spec = replace(LIBRARY["M*M"].spec, accepts_x=r"\d+")
    skill = ProgramSkill(LIBRARY["M*M"], Learned(decider("M*M")))
    skill.spec = spec
    assert "accepts other messages" in prove_skill(skill, LIBRARY, examples=False).failures[0].obligation


# --- the rest ---


@pytest.mark.parametrize("name", NAMES)
def test_a_decision_does_not_depend_on_what_is_decided_beside_it(name):
    """One by one, rounding differs from a batch: no decision may be so close that this shows."""
    visits = Random(name).sample(list(proof_of(name).visits), min(60, len(proof_of(name).visits)))
    alone = Learned(decider(name))
    for visit in visits:
        (chosen,) = alone.choose([visit.history])
        assert chosen.choice == visit.choice


def test_reachable_views_come_with_their_decisions():
    visits = reachable(decider("strip"), LIBRARY)
    assert {visit.history for visit in visits} == {visit.history for visit in proof_of("strip").visits}
    perception = LIBRARY["strip"].spec.perception
    first = {spell(perception, visit.history[0]) for visit in visits if len(visit.history) == 1}
    assert first == {"", "d", "dd", "d~d"}


def test_a_division_by_zero_is_never_a_number():
    calculator, rng, phrases = Calculator(), Random(2), EXPRESSIONS["expression-modulo"].phrases
    zeros = ["0", "(5-5)", "(0*7)", "(3/4)", "(6%3)", "(1-(3-2))"]
    texts = []
    for _ in range(60):
        start, end = (phrases.text(rng, 2).replace(")", "").replace("(", "") for _ in range(2))
        texts.append(f"{start}{rng.choice('/%')}{rng.choice(zeros)}{rng.choice('+-*/%')}{end}")
    undefined = []
    for text in texts:
        try:
            evaluate(text)
        except ZeroDivisionError:
            undefined.append(text)
    assert len(undefined) > 10
    for text in undefined:
        with pytest.raises(DivisionByZero):
            calculator(text)


@pytest.mark.parametrize("name", ["add-columns", "less", "M+M", "quotient-step", "signed-divide"])
def test_another_solver_finds_the_same(name):
    texts = proof_of(name).contradictions
    assert texts
    assert {ask_cvc5(text, 5_000_000) for text in texts[:15]} == {"unsat"}


def test_the_solver_is_not_fooled():
    x, y = variable("v1"), variable("v2")
    solver = Solver()
    assert solver.implies([specification.less(x, y)], {}, specification.less(x, y + 1))[0]
    holds, model = solver.implies([specification.less(x, y)], {}, specification.less(x + 1, y))
    assert not holds
    assert model["v2"] == model["v1"] + 1
    assert not solver.implies([], {}, specification.less(x * y, x + y + 5))[0]
    assert solver.is_possible([specification.less(x, y)], {})
    assert not solver.is_possible([specification.less(x, x)], {})
