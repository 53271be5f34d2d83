"""Answers as values of Python: compared, converted, pickled, shown in a notebook; and what the package exports."""

from __future__ import annotations

import copy
import pickle

import pytest

import reckoner
from reckoner import errors
from reckoner.answer import Answer
from reckoner.calculator import Calculator
from tests.fakes import FakeMachine, Frame


def test_answers_are_compared_by_what_they_are():
    assert Answer("1+2", "3", 1, 0.1) != Answer("1+2", "4", 1, 0.1)


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", 0), ("-17", -17), ("9" * 10_000, 10**10_000 - 1), ("-" + "9" * 5_000, 1 - 10**5_000)],
    ids=["zero", "negative", "long", "long and negative"],
)
def test_an_answer_becomes_an_int(text, value):
    answer = Answer(text, text, 1, 0.1)
    assert int(answer) == answer.value == value


def test_an_answer_with_its_trace_survives_a_deep_expression():
    answer = Calculator()("(" * 999 + "1+2" + ")" * 999, trace=True)
    again = pickle.loads(pickle.dumps(answer))
    assert (again, again.trace) == (answer, answer.trace)
    assert copy.deepcopy(answer) == answer
    assert len(repr(answer.trace)) < 100
    assert len(answer._repr_html_()) < 1_000_000


def test_a_notebook_shows_answer_and_steps():
    html = Calculator(machine=FakeMachine())("12*(3+45)", trace=True)._repr_html_()
    assert "<b>576</b>" in html
    assert html.count("<details>") == 2
    assert "signed-multiply(12, 48) = 576" in html
    assert "<script" not in html
    assert "src=" not in html
    assert 'sandbox="allow-scripts"' in html
    assert "<b>3</b>" in Answer("1+2", "3", 1, 0.1)._repr_html_()


def test_a_notebook_shows_nothing_unescaped():
    assert "<img" not in Answer("<img src=x>", "<img src=x>", 1, 0.1)._repr_html_()


def test_a_notebook_is_not_flooded():
    text = "+".join(["1"] * 120)
    answer = Answer(text, "120", 1, 0.1, trace=Frame(text).run())
    assert "… 20 lines …" in answer._repr_html_()


def test_what_people_need_is_exported():
    assert {"Answer", "Calculator", "Call", "Limits", "TextLimits", "explain"} <= set(reckoner.__all__)
    for name in reckoner.__all__:
        assert getattr(reckoner, name) is not None
        assert name in dir(reckoner)
    assert callable(reckoner.explain)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        reckoner.nonsense  # noqa: B018


def test_every_error_that_a_calculation_raises_is_exported():
    classes = {
        name
        for name, thing in vars(errors).items()
        if isinstance(thing, type) and issubclass(thing, errors.ReckonerError)
    }
    assert classes - set(reckoner.__all__) == {"FileError"}  # of the command line only
