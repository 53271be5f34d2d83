"""Reasons to trust the proof: changed programs, dropped obligations, weights in disorder, problems for every path."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from reckoner.cli.main import main
from reckoner.program import specification
from reckoner.program.disorder import load_bearing, shuffle
from reckoner.program.exploration import Unproved
from reckoner.program.expression import ExpressionProof
from reckoner.program.figure_proof import FigureProof
from reckoner.program.mutation import Mutation, Tally, neighbours, other_operands
from reckoner.program.number import NumberProof
from reckoner.program.paths import Paths
from reckoner.program.proof import prove_skill
from reckoner.program.replay import replay_expressions, take_every_path
from reckoner.program.text_row import EXPRESSIONS
from reckoner.skills.base import Choice, Decider
from reckoner.skills.library import Library

LIBRARY = Library.load()
TEXTS, DECIMALS = "expression-modulo", "expression-decimal"
NAMES = [name for name in load_bearing(LIBRARY, TEXTS) if isinstance(LIBRARY[name], Decider)]
BETWEEN = [name for name in LIBRARY.names if name in specification.BY_NAME and name not in NAMES]
BETWEEN = [name for name in BETWEEN if isinstance(LIBRARY[name], Decider)]


@cache
def paths_of(name: str) -> Paths:
    skill = LIBRARY[name]
    assert isinstance(skill, Decider)
    return Paths(skill, LIBRARY)


# --- changed programs ---


@pytest.mark.parametrize("name", [*NAMES, *BETWEEN, DECIMALS])
def test_a_changed_program_is_not_proved_or_is_right(name):
    """Some decisions in some ways; `reckon prove --mutations` does all of them in all ways."""
    paths = paths_of(name)
    decisions = Random(name).sample(paths.decisions, min(3, len(paths.decisions)))
    tally = Mutation(paths).run(decisions, ways=2)
    assert tally.mistakes == []
    assert tally.unreached == tally.missed == 0
    assert tally.killed > 0


def test_every_change_of_a_program_is_accounted_for():
    tally = Mutation(paths_of("M-M")).run(paths_of("M-M").decisions)
    changes = sum(len(Mutation(paths_of("M-M")).changes(h)) for h in paths_of("M-M").decisions)
    assert tally.decisions == 3
    assert tally.total == tally.killed + tally.equivalent == changes
    assert sum(tally.obligations.values()) == tally.killed


def test_neighbours_are_other_decisions_of_the_same_view():
    choice = Choice(1, 0, 1, 1, 2, 0, 2)
    found = list(neighbours(choice, 2, 3))
    assert Choice(0, 0, 0, 0, 0, 0, 0) in found
    assert Choice(2, 0, 1, 1, 2, 0, 2) in found  # another skill
    assert Choice(1, 1, 2, 0, 1, 0, 2) in found  # reads exchanged
    assert Choice(1, 0, 2, 1, 2, 0, 2) in found  # an end moved
    assert choice not in found
    assert len(set(found)) == len(found)
    assert all(c[1] <= c[2] and c[3] <= c[4] and c[5] <= c[6] and max(c[1:]) < 3 for c in found)
    assert Choice(2, 0, 2, 0, 0, 0, 2) in list(neighbours(Choice(0, 0, 0, 0, 0, 0, 0), 2, 3))


def test_other_operands_are_read_and_written_over():
    """`N,N+N*N` with the product worked off: the sum instead, or both, or a single operand."""
    found = list(other_operands(Choice(1, 4, 7, 0, 1, 4, 7), 8))
    assert Choice(1, 2, 5, 0, 1, 2, 5) in found
    assert Choice(1, 2, 7, 0, 1, 2, 7) in found
    assert Choice(1, 4, 5, 0, 1, 4, 5) in found
    assert all(max(c[1:]) < 8 and c[1] <= c[2] and c[3] <= c[4] and c[5] <= c[6] for c in found)
    assert list(other_operands(Choice(0, 0, 0, 0, 0, 0, 0), 8)) == []


# --- obligations, dropped one by one ---


def drop(monkeypatch: pytest.MonkeyPatch, obligation: str) -> None:
    """From now on this is taken for granted."""
    for kind in (NumberProof, FigureProof, ExpressionProof):
        show = kind._show

        def lenient(self: Any, *arguments: Any, show: Any = show) -> None:
            try:
                show(self, *arguments)
            except Unproved as unproved:
                if obligation not in unproved.obligation:
                    raise

        monkeypatch.setattr(kind, "_show", lenient)


@pytest.mark.parametrize(
    ("name", "obligation"),
    [
        ("strip", "the memory is the answer"),
        ("strip", "a call of itself is strictly shorter"),
        ("M-M", "M-M-natural has to answer what it is asked"),
        (TEXTS, "the number is the value of the problem"),
        (TEXTS, "a call of itself is strictly shorter"),
        (TEXTS, "the memory is a number"),
        (DECIMALS, "the number is the value of the problem"),
        (DECIMALS, "a call of itself is strictly shorter"),
        (DECIMALS, "the memory is a number"),
        ("power-step", "the memory is the answer"),
        ("power-digits", "a call of itself is strictly shorter"),
    ],
)
def test_without_an_obligation_a_wrong_program_is_proved_and_noticed(name, obligation, monkeypatch):
    """Every obligation is needed; and a hole in the proof shows as a changed program that is missed."""
    skill = LIBRARY[name]
    assert isinstance(skill, Decider)
    mutation = Mutation(Paths(skill, LIBRARY))
    drop(monkeypatch, obligation)
    tally = Tally()
    for history in mutation.paths.decisions:
        for change in mutation.changes(history):
            mutation.judge(history, change, tally)
        if tally.missed:
            return
    pytest.fail(f"no changed program of {name} needs that {obligation}: {tally}")


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("strip", "strictly shorter"),
        ("strip", "accepts what it is asked"),
        ("strip", "the memory is the answer"),
        ("M-M", "has to answer what it is asked"),
        (TEXTS, "strictly shorter"),
        (TEXTS, "the number is the value"),
        (TEXTS, "accepts what it is asked"),
        (TEXTS, "the rest of the text is not lost"),
        (TEXTS, "divides by a divisor of the problem"),
        (TEXTS, "nothing is read behind the end of the problem"),
        (TEXTS, "brackets are closed"),
        (TEXTS, "the rest of the text is not there twice"),
        (DECIMALS, "strictly shorter"),
        (DECIMALS, "the number is the value"),
        (DECIMALS, "the memory begins with a number"),
        (DECIMALS, "the rest of the text is not lost"),
        (DECIMALS, "operate is asked at the scale of the problem"),
        (DECIMALS, "expression-decimal is asked at the scale of the problem"),
        (DECIMALS, "operate accepts what it is asked"),
        (DECIMALS, "expression-decimal accepts what it is asked"),
        (DECIMALS, "strip accepts what it is asked"),
        (DECIMALS, "divides by a divisor of the problem"),
        (DECIMALS, "nothing is read behind the end of the problem"),
        ("power-digits", "strictly shorter"),
        ("operate", "a call is refused if the problem has no value"),
        ("operate", "has to answer what it is asked"),
        ("decimal-power", "there is no minus sign before a zero"),
        ("power-marks", "numbers do not run together"),
    ],
)
def test_each_obligation_stops_some_program(name, wanted):
    mutation = Mutation(paths_of(name))
    for history in mutation.paths.decisions:
        for change in mutation.changes(history):
            unproved = mutation.work.change(history, change)
            if unproved is not None and wanted in unproved.obligation:
                return
    pytest.fail(f"no changed program of {name} fails because {wanted}")


# --- weights in disorder ---


def test_every_skill_of_the_library_bears_load():
    names = list(LIBRARY.names)
    assert load_bearing(LIBRARY, TEXTS) == names[: names.index(TEXTS) + 1]


@pytest.mark.parametrize(
    "name",
    [
        *("add-column", "strip", "M-M", "M*M", "divide-digits", "signed-modulo", TEXTS),
        *("digits-apart", "decimal-power", DECIMALS),
    ],
)
def test_weights_in_disorder_are_never_proved(name):
    """`reckon prove --disorder` does this with every skill."""
    spoiled = shuffle(LIBRARY[name], LIBRARY, seed=1)
    assert not prove_skill(spoiled, LIBRARY, examples=False).is_proved


# --- paths ---


@pytest.mark.parametrize(
    "name",
    [
        *("add-columns", "strip", "shift-add", "M*M", "divide-digits", "signed-divide"),
        *(
            "digits-apart",
            "power-marks",
            "power-digits",
            "exact-power",
            "power-scaled",
            "decimal-power",
            "operate",
        ),
    ],
)
def test_every_path_of_the_proof_is_taken_by_some_problem(name):
    cover = take_every_path(paths_of(name), LIBRARY)
    assert cover.paths == len(paths_of(name).all)
    assert cover.untaken == ()
    assert cover.mistakes == ()
    assert cover.problems > cover.paths


@pytest.mark.parametrize("name", [TEXTS, DECIMALS])
def test_problems_are_made_for_paths_of_expressions(name):
    """`reckon prove --paths` does this with all of them."""
    paths = paths_of(name)
    for history in Random(3).sample(paths.all, 60):
        assert paths.problems(history)


def test_random_expressions_meet_no_path_that_the_proof_has_not():
    found = replay_expressions(LIBRARY, EXPRESSIONS[TEXTS], 1500)
    assert found[TEXTS].problems == 1500
    assert found[TEXTS].mistakes == ()
    for name in NAMES:
        replayed = found[name]
        assert replayed.unknown(paths_of(name).all) == frozenset(), name
    assert sum(len(replayed.met) for replayed in found.values()) > 1000


def test_random_expressions_with_decimals_meet_no_path_that_the_proof_has_not():
    found = replay_expressions(LIBRARY, EXPRESSIONS[DECIMALS], 1500)
    assert found[DECIMALS].mistakes == ()
    assert found[DECIMALS].unknown(paths_of(DECIMALS).all) == frozenset()
    assert len(found[DECIMALS].met) > 300


# --- the command ---


def test_findings_about_the_same_programs_are_kept(tmp_path, capsys):
    """They take long, so they may be asked for one after the other; of other programs nothing is kept."""
    assert main(["prove", "M+M", "--out", str(tmp_path), "--mutations"]) == 0
    assert main(["prove", "M+M", "--out", str(tmp_path), "--rounding"]) == 0
    page = (tmp_path / "proof.md").read_text()
    assert "decisions changed" in page
    assert "Float arithmetic" in page
    assert page.index("Float arithmetic") < page.index("decisions changed")
    assert "| M+M | 2 |" in page
    assert main(["prove", "M-M", "--out", str(tmp_path)]) == 0
    assert "decisions changed" not in (tmp_path / "proof.md").read_text()


def test_a_library_that_is_not_proved_ends_with_five(tmp_path, capsys):
    changed = Library()
    for skill in LIBRARY.below(LIBRARY["M+M"].spec):
        changed.append(skill)
    changed.append(shuffle(LIBRARY["M+M"], LIBRARY, seed=0))
    changed.save(tmp_path)
    assert main(["prove", "--library", str(tmp_path), "M+M"]) == 5
    out = capsys.readouterr().out
    assert "**not proved**" in out
    assert "M+M: not shown that" in out
    assert "right is" in out  # a concrete problem
