"""`reckon eval` and `reckon seeds`: the problems are what the table says, mistakes are found and shown."""

from __future__ import annotations

import json

import pytest

from reckoner.answer import Answer
from reckoner.calculator import Calculator
from reckoner.cli import evaluate as cli_evaluate
from reckoner.cli import seeds
from reckoner.cli.evaluate import tables
from reckoner.cli.main import main
from reckoner.curriculum.decimal_tasks import FIRST
from reckoner.curriculum.oracle import evaluate
from reckoner.evaluation.bc import compare, draw, find_bc, normal
from reckoner.evaluation.decimals import NEGATIVE_POWER, POWER, decimal_sets, has_value
from reckoner.evaluation.marking import mark
from reckoner.evaluation.problems import KINDS, LENGTHS, SPECIAL, problems_by_length, special_problems
from reckoner.grammar import TextLimits, parse
from reckoner.machine import Outcome
from tests.fakes import FakeMachine


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("length", LENGTHS)
def test_problems_have_the_length_of_their_column(kind, length):
    texts = problems_by_length(kind, length, 60, seed=3)
    assert len(set(texts)) == 60
    assert {len(t) for t in texts} == {length}
    for text in texts:
        evaluate(parse(text).text)
        signs = [c for c in text if c in "+-*/%"]
        if kind not in ("expression", "expression-modulo"):
            assert len(signs) == 1
    assert problems_by_length(kind, length, 60, seed=3) == texts


def test_expressions_have_about_three_operators_per_ten_characters_and_brackets():
    texts = problems_by_length("expression", 50, 200, seed=0)
    operators = sum(c in "+-*/" for t in texts for c in t) / len(texts)
    assert 13 < operators < 17
    assert sum("(" in t for t in texts) > 100
    assert all("%" in t for t in problems_by_length("expression-modulo", 20, 50, seed=0))


def test_special_families_are_what_their_names_say():
    assert all(t.count("(") == 20 for t in special_problems("20 levels of brackets", 20, 0))
    assert all(sum(c in "+-*/%" for c in t) == 50 for t in special_problems("chains of 50 operators", 20, 0))
    for family in SPECIAL:
        assert special_problems(family, 10, 0)


class Wrong:
    """A calculator that is wrong about everything that ends with a 7."""

    def many(self, texts):
        for text in texts:
            right = evaluate(parse(text).text)
            yield Answer(text, right + "1" if text.endswith("7") else right, 0, 0.0)


def test_mistakes_are_counted():
    score = mark(Wrong(), "add", 5, ["11+17", "12+12", "1+117", "13+13"])
    assert (score.right, score.count, score.mistakes) == (2, 4, [("11+17", 0), ("1+117", 0)])
    assert score.low == pytest.approx(0.0676, abs=1e-3)
    assert score.high == pytest.approx(0.9324, abs=1e-3)
    assert "50.0% of 4" in tables([score])


# --- decimals ---


@pytest.fixture(scope="module")
def sets():
    return list(decimal_sets(LENGTHS, 40, seed=3))


def test_decimal_problems_are_what_their_columns_say(sets):
    by_place = {(s.kind, s.length): s.problems for s in sets}
    for kind, length in by_place:
        problems = by_place[kind, length]
        assert len(set(problems)) == 40
        if length is None or kind in (POWER, NEGATIVE_POWER):
            continue
        assert {len(text) for text, _ in problems} == {length}
        assert all(has_value(text, scale) for text, scale in problems)
    assert {scale for _, scale in by_place["decimal-divide, scale 20", 50]} == {20}
    assert all("." in text for text, _ in by_place["decimal-multiply", 5])
    assert len({scale for _, scale in by_place["decimal-multiply", 5]}) == 4
    expressions = [text for text, _ in by_place["decimal-expression", 100]]
    assert all(any(sign in text for text in expressions) for sign in "+-*/%^.(")
    assert any("^-" in text for text in expressions)
    exponents = [int(text.rpartition("^")[2]) for text, _ in by_place[POWER, 10]]
    assert min(exponents) >= 0
    assert max(exponents) > 50
    assert all("^-" in text for text, _ in by_place[NEGATIVE_POWER, 10])
    assert next(decimal_sets((5,), 40, seed=3)).problems == by_place["decimal-add", 5]


def test_decimal_problems_are_marked(sets):
    calculator = Calculator(machine=FakeMachine())
    scores = []
    for kind, length, problems in sets:
        score = mark(calculator, kind, length, [t for t, _ in problems], [s for _, s in problems])
        assert score.mistakes == []
        scores.append(score)
    text = tables(scores)
    assert "| decimal-divide, scale 50 |" in text
    assert "| powers of numbers | up to 1 digits | up to 2 digits |" in text
    assert "| huge exponents are refused | 40 of 40 |" in text


def test_what_is_wrong_about_decimals_is_found():
    script = {"1/3": Outcome("0.34", None, 1, None), "2^99999": Outcome("7", None, 1, None)}
    calculator = Calculator(machine=FakeMachine(script), text_limits=TextLimits(exponent=9))
    score = mark(calculator, "x", None, ["1/3", "1/4", "1/0.0", "2^99999", "2^.5"], [2, 2, 2, 0, 0])
    assert score.mistakes == [("1/3", 2), ("2^99999", 0)]


@pytest.mark.skipif(find_bc() is None, reason="bc is not installed")
def test_bc_finds_differences(capsys):
    calculator = Calculator(machine=FakeMachine())
    found = compare(calculator, 600, seed=1)
    assert (found.count, found.differences) == (600, [])
    assert 10 < found.without_value < 300
    text, scale = next((t, s) for t, s in draw(600, seed=1) if s > 3)
    wrong = Calculator(machine=FakeMachine({parse(text).text: Outcome("12345.6", None, 1, None)}))
    found = compare(wrong, 600, seed=1)
    assert len(found.differences) == 1
    assert found.differences[0].startswith(f"scale={scale}; {text}: 12345.6, bc ")


def test_without_bc_a_sentence_says_so(monkeypatch, capsys):
    monkeypatch.setattr(cli_evaluate, "find_bc", lambda: None)
    assert cli_evaluate.main(["--against-bc", "5"]) == 0
    assert "bc is not installed" in capsys.readouterr().out


def test_a_kind_that_there_is_not_is_refused_with_those_there_are(capsys):
    assert main(["eval", "--only", "add", "addition"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "no kind of problems has 'addition' in its name; there are: add; subtract; " in err
    assert "carry chains; " in err
    assert POWER in err
    asked = cli_evaluate.problem_sets((5,), 1, 0, True)
    assert list(dict.fromkeys(s.kind for s in asked)) == cli_evaluate.list_kinds(True)


@pytest.mark.parametrize("more", [[], ["--against-bc", "5"]], ids=["eval", "bc"])
def test_where_nothing_can_be_written_nothing_is_measured(tmp_path, capsys, monkeypatch, more):
    monkeypatch.setattr(cli_evaluate, "mark", None)
    monkeypatch.setattr(cli_evaluate, "compare", None)
    (tmp_path / "file").write_text("")
    assert main(["eval", "--out", str(tmp_path / "file"), *more]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"reckon: results cannot be written into {tmp_path / 'file'} (File exists)\n")


@pytest.mark.parametrize(
    ("theirs", "ours"), [(".5", "0.5"), ("-.5", "-0.5"), ("0", "0"), ("-0", "0"), ("-3", "-3")]
)
def test_numbers_as_bc_prints_them(theirs, ours):
    assert normal(theirs) == ours


def test_seeds_are_compared_from_their_folders(tmp_path, capsys):
    from reckoner.skills.library import BUNDLED, Library

    run = tmp_path / "seed0"
    run.mkdir()
    (run / "library").symlink_to(BUNDLED)
    (run / "run.json").write_text(json.dumps({"seed": 0, "seconds": 600.0, "sessions": 1}))
    assert seeds.main([str(run), "--count", "3", "--lengths", "5", "--out", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "| seed0 | 0 | 10.0 |" in shown
    cost = sum(Library.load(BUNDLED).records[name]["attempts"] for name in FIRST["%"])
    assert f"| % with decimals | 2 | {cost} |" in shown
    assert "% with decimals (2 skills)" in (tmp_path / "operations.svg").read_text()
    right = json.loads((tmp_path / "seeds.json").read_text())["runs"][0]["right"]
    assert right["add"] == [3, 3]
    assert right["decimal-divide, scale 50"] == [3, 3]
    assert set(right) >= {*KINDS, *SPECIAL, POWER, NEGATIVE_POWER}
