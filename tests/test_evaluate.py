"""`reckon eval` and `reckon seeds`: the problems are what the table says, mistakes are found and shown."""

from __future__ import annotations

import json

import pytest

from reckoner.answer import Answer
from reckoner.cli import seeds
from reckoner.cli.evaluate import tables
from reckoner.curriculum.oracle import evaluate
from reckoner.evaluation.marking import mark
from reckoner.evaluation.problems import KINDS, LENGTHS, SPECIAL, problems_by_length, special_problems
from reckoner.grammar import parse


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
    assert (score.right, score.count, score.mistakes) == (2, 4, ["11+17", "1+117"])
    assert score.low == pytest.approx(0.0676, abs=1e-3)
    assert score.high == pytest.approx(0.9324, abs=1e-3)
    assert "50.0% of 4" in tables([score])


def test_seeds_are_compared_from_their_folders(tmp_path, capsys):
    from reckoner.skills.library import BUNDLED

    run = tmp_path / "seed0"
    run.mkdir()
    (run / "library").symlink_to(BUNDLED)
    (run / "run.json").write_text(json.dumps({"seed": 0, "seconds": 600.0, "sessions": 1}))
    assert seeds.main([str(run), "--count", "3", "--lengths", "5", "--out", str(tmp_path)]) == 0
    assert "| seed0 | 0 | 10.0 |" in capsys.readouterr().out
    assert json.loads((tmp_path / "seeds.json").read_text())["runs"][0]["asked"] == 18
