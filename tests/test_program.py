"""Programs as people read them: views and spans in words, an example for each rule, two libraries compared."""

from __future__ import annotations

import json

import pytest

from reckoner.cli.main import main
from reckoner.program.algorithm import name_algorithm
from reckoner.program.disorder import shuffle
from reckoner.program.listing import find_example, list_program, make_rules, name_class
from reckoner.program.paths import Paths
from reckoner.program.words import name_view, span
from reckoner.skills.base import Decider
from reckoner.skills.library import Library

LIBRARY = Library.load()


def paths_of(name: str) -> Paths:
    skill = LIBRARY[name]
    assert isinstance(skill, Decider)
    return Paths(skill, LIBRARY)


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ("d{2+},d{3+}", "the first of two digits or more, the second of three digits or more"),
        ("d~d,d~d", "both numbers of three digits or more"),
        ("dd~dd", "five digits or more"),
        ("d{1,2},d", "the first of one or two digits, the second of one digit"),
        (",dd", "the first is nothing, the second of two digits"),
        ("N[+-]N∘(N)…", "a number, + or -, a number, any operator, a number in brackets, and more"),
        ("N∘(…", "a number, any operator, a bracket with more in it than a number"),
        ("N)", "a number, the closing bracket"),
        ("N,N", ""),
    ],
)
def test_classes_of_views_have_names(shape, words):
    assert name_view(shape) == words


@pytest.mark.parametrize(
    ("view", "start", "end", "words"),
    [
        ("dd~dd,dd~dd", 0, 4, "the first number without its last digit"),
        ("dd~dd,dd~dd", 9, 11, "the last two digits of the second number"),
        ("d~d", 0, 3, "the number"),
        ("d,d", 0, 3, "everything"),
        ("d,d", 1, 1, "nothing"),
        ("N+(…", 3, 4, "everything behind the bracket"),
    ],
)
def test_spans_are_said_in_words(view, start, end, words):
    assert span(view, start, end) == words


def test_views_that_do_the_same_are_one_class():
    assert name_class(["dd,d", "d~d,d"]) == ["d{2+},d"]
    assert name_class(["N+N", "N-N", "N*N", "N/N", "N%N"]) == ["N∘N"]
    assert sorted(name_class(["d,d", "dd,dd"])) == ["d,d", "dd,dd"]


@pytest.mark.parametrize(
    "name", ["strip", "M-M", "shift-add", "expression-modulo", "digits-apart", "power-digits", "power-scaled"]
)
def test_every_rule_has_an_example_that_is_right(name):
    paths = paths_of(name)
    rules = make_rules(paths.skill, paths.visits)
    for rule in rules[:10]:
        example = find_example(paths, rule, LIBRARY)
        assert example
        memories = example.split(" → ")[::2]
        assert len(memories) <= 3
    covered = {history for rule in rules for history in rule.histories}
    assert covered == {history for history in paths.all if len(history) == 1}


def test_a_program_says_what_it_does_where():
    text = list_program(paths_of("M-M"), LIBRARY)
    assert text.startswith("M-M: x - y\n")
    assert "less (the first number; the second number) put at the start" in text
    assert "M-M-natural (the second number; the first number) in place of `N,N`" in text
    assert "example: " in text


def test_the_algorithm_is_read_off_the_program():
    def sentence(name: str) -> str:
        return name_algorithm(paths_of(name).skill, paths_of(name).visits)

    assert sentence("add-columns").startswith(
        "Column addition with a carry, as in school: add-column on the last"
    )
    assert "first digit of the multiplier first" in sentence("M*M")
    assert sentence("quotient-twice") == "Quotient-step twice."
    assert "a product behind a sum first" in sentence("expression-modulo")
    assert "Horner's rule in the exponent" in sentence("power-digits")
    assert sentence("decimal-modulo").startswith(
        "What is left without the divisor times the quotient: decimal-div"
    )
    assert sentence("operate").startswith("One skill for each operator")
    assert len(sentence("widest")) < 500
    # the same names for a program that goes another way would be wrong: it gets none
    paths = paths_of("add-columns")
    swapped = [v for v in paths.visits if len(v.history[0]) < 6]
    assert "as in school" not in name_algorithm(paths.skill, swapped)


def test_a_library_is_the_same_program_as_itself(capsys, tmp_path):
    LIBRARY.save(tmp_path)
    assert main(["program", "--compare", str(tmp_path), "strip", "M+M"]) == 0
    out = capsys.readouterr().out
    assert "strip: the same program (10 decisions)" in out
    assert out.endswith("2 of 2 programs are the same in both libraries.\n")


def test_where_two_libraries_differ_is_said_in_words(capsys, tmp_path):
    changed = Library()
    for skill in LIBRARY.below(LIBRARY["M-M"].spec):
        changed.append(skill)
    changed.append(shuffle(LIBRARY["M-M"], LIBRARY, seed=3))
    changed.save(tmp_path)
    assert main(["program", "--compare", str(tmp_path), "less", "M-M", "M*M"]) == 0
    out = capsys.readouterr().out
    assert "less: the same program" in out
    assert "M-M: another program" in out
    assert "here:  less (the first number; the second number) put at the start" in out
    assert "there: " in out
    assert "M*M: the other library has none" in out
    assert out.endswith("1 of 3 programs are the same in both libraries.\n")


def test_programs_for_other_programs(capsys):
    assert main(["program", "--json", "strip"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["skill"] == "strip"
    (first,) = [decision for decision in found["decisions"] if decision["views"] == ["d~d"]]
    spans = {"read1": [0, 0], "read2": [0, 2], "write": [0, 2]}
    assert first == {"views": ["d~d"], "call": "strip", **spans, "margin": first["margin"]}
