"""The specification against the patterns, the samplers and the oracle, in both directions."""

from __future__ import annotations

import itertools
import re
from random import Random

import pytest

from reckoner import grammar
from reckoner.curriculum import oracle
from reckoner.curriculum.tasks import BASIC, BY_NAME, INTERACTIVE, TASKS
from reckoner.program import specification
from reckoner.program.concrete import all_messages, sample
from reckoner.program.grammar_check import check_grammar, is_step
from reckoner.program.lengths import is_short
from reckoner.program.memory import Names, State
from reckoner.program.polynomial import ZERO, Polynomial
from reckoner.program.solver import Solver
from reckoner.program.specification import ROWS
from reckoner.program.text_row import EXPRESSIONS
from reckoner.program.value import NotAnExpression, evaluate

WHOLE = EXPRESSIONS["expression-modulo"]
FORMS = {form.pattern: form for row in ROWS for form in (row.x, row.y)}


def test_every_skill_of_the_curriculum_is_specified_with_the_patterns_it_has():
    for task in TASKS:
        spec = task.spec
        if spec.name in EXPRESSIONS:
            assert (spec.accepts_x, spec.accepts_y) == EXPRESSIONS[spec.name].patterns
            assert spec.layout == EXPRESSIONS[spec.name].layout
        else:
            row = specification.BY_NAME[spec.name]
            assert (spec.accepts_x, spec.accepts_y) == (row.x.pattern, row.y.pattern), spec.name


@pytest.mark.parametrize("pattern", FORMS)
def test_a_form_is_what_its_pattern_says(pattern):
    """A pattern is for the machine, a form for the proof: they must not disagree about any text."""
    letters = ("0189,-", "01.,-^+")
    texts = ["".join(t) for some in letters for n in range(5) for t in itertools.product(some, repeat=n)]
    assert all((re.fullmatch(pattern, t) is None) == (FORMS[pattern].read(t) is None) for t in texts)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_sampler_asks_what_is_specified_and_nothing_else_is_right(row):
    task, rng = BY_NAME[row.name], Random(row.name)
    if row.name in BASIC:
        problems = BASIC[row.name].table()
        assert {(p.x, p.y) for p in problems} == set(all_messages(row))
    else:
        sizes = (*task.stages, task.longer)  # type: ignore[union-attr]
        problems = [INTERACTIVE[row.name].sampler(rng, size) for size in sizes for _ in range(40)]
    for p in problems:
        assert row.holds(p.x, p.y, p.answer), p
        assert row.answer(p.x, p.y) == p.answer
        for wrong in spoil(p.answer, rng):
            assert not row.holds(p.x, p.y, wrong), (p, wrong)


def spoil(text: str, rng: Random) -> list[str]:
    """Wrong answers made from a right one."""
    made = [text + "0", "0" + text, "-" + text, text[1:], text[:-1], text + ","]
    for i, character in enumerate(text):
        if character.isdigit():
            made.append(text[:i] + str((int(character) + rng.randint(1, 9)) % 10) + text[i + 1 :])
    return [wrong for wrong in made if wrong != text]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_cases_exclude_one_another_and_leave_nothing_out(row):
    rng, answered = Random(row.name), 0
    for i in range(2000):
        x, y = sample(row, rng, 1 + i % 6)
        if row.read(x, y) is not None:
            row.answer(x, y)  # finds exactly one case, or raises
            answered += 1
    assert answered > 20


def test_the_parser_of_the_proof_agrees_with_the_oracle():
    rng = Random(4)
    for i in range(3000):
        text = WHOLE.phrases.text(rng, i % 9)
        try:
            value, rest = evaluate(text)
        except ZeroDivisionError:
            with pytest.raises(ZeroDivisionError):
                oracle.evaluate_up_to_bracket(text)
        else:
            assert (str(value), rest) == oracle.evaluate_up_to_bracket(text), text


@pytest.mark.parametrize("text", ["", "1+", "(1", "1(2)", "(1)2", "+1", "1++2", ")", "1+(", "()"])
def test_what_is_no_expression_has_no_value(text):
    with pytest.raises(NotAnExpression):
        evaluate(text)


@pytest.mark.parametrize("name", WHOLE.operations)
def test_an_operation_is_its_operator(name):
    """What the proof of expressions assumes of an operation is what its row says."""
    row, rng = specification.BY_NAME[name], Random(name)
    for _ in range(500):
        x, y = sample(row, rng, 4)
        assert row.answer(x, y) == str(evaluate(f"{x}{WHOLE.operations[name]}{y}")[0])


@pytest.mark.parametrize("name", WHOLE.operations)
def test_an_answer_is_not_longer_than_its_operands(name):
    row = specification.BY_NAME[name]
    assert is_short(row, Solver())
    rng = Random(name)
    for _ in range(500):
        x, y = sample(row, rng, 3)
        assert len(row.answer(x, y)) <= len(x) + len(y)


def test_the_grammar_keeps_the_value():
    grammar = check_grammar()
    assert grammar.is_right, grammar.wrong
    assert grammar.texts > 5000


@pytest.mark.parametrize("operand", ["5", "0", "(5)", "(-5)"])
@pytest.mark.parametrize("before", ["", "7-8*", "("])
def test_each_minus_sign_more_is_one_more_subtraction_from_zero(before, operand):
    assert all(is_step(before, operand, minuses) for minuses in range(2, 300, 7))


def test_a_grammar_that_loses_a_sign_is_noticed(monkeypatch):
    """From the seventh minus sign on: more than what is looked at sign by sign."""
    write = grammar._Scanner.write_minuses

    def forgetful(self, **how):
        del self.minuses[7:]
        return write(self, **how)

    monkeypatch.setattr(grammar._Scanner, "write_minuses", forgetful)
    assert not check_grammar().is_right


def test_lengths_are_compared_case_by_case():
    """Whatever two lengths are, exactly one case stands for them, and says which is longer and by how much."""
    fresh = Names()
    first, second = fresh.length(), fresh.length()
    problem = {"first": first, "second": second}
    start = State(((),), (), {}, problem, ZERO, names=fresh)

    def measure(state: State) -> Polynomial:
        return state.problem["first"] + 1 - state.problem["second"]

    found = []
    for case in start.compare(measure):
        terms = measure(case).terms.values()
        assert all(n > 0 for n in terms) or all(n < 0 for n in terms)
        names = sorted(case.problem["first"].variables | case.problem["second"].variables)
        for values in itertools.product(range(7), repeat=len(names)):
            known = dict(zip(names, values, strict=True))
            found.append(tuple(case.problem[name].evaluate(known) for name in ("first", "second")))
    assert len(set(found)) == len(found)
    assert set(itertools.product(range(6), repeat=2)) <= set(found)
