"""The bundled networks: right on everything asked here, and random ones of the same shape on next to nothing."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from reckoner.calculator import Calculator
from reckoner.curriculum.expression import by_length, operation
from reckoner.curriculum.oracle import evaluate
from reckoner.curriculum.tasks import BASIC, CURRICULA, TASKS
from reckoner.errors import DivisionByZero, ReckonerError
from reckoner.evaluation.bc import compare, find_bc
from reckoner.evaluation.decimals import decimal_sets
from reckoner.evaluation.marking import mark
from reckoner.evaluation.problems import SPECIAL, special_problems
from reckoner.grammar import parse
from reckoner.machine import Limits, Machine
from reckoner.rewriting import explain
from reckoner.skills import BasicSkill, InteractiveSkill, Library
from reckoner.skills.library import BUNDLED

FIXED = {
    "1+2": "3", "12*(3+45)": "576", "-7/2": "-3", "7%-3": "1", "-7%3": "-1", "0*5": "0", "10/3": "3",
    "999999999+1": "1000000000", "1000000000-1": "999999999", "3-10": "-7", "2*-4": "-8", "3--5": "8",
    "-(2+3)": "-5", "-(5-5)": "0", "((((1))))": "1", "1-2-3-4": "-8", "2+3*4-6/2": "11", "100/7/2": "7",
    "2*(3+(4-(5*6)))": "-46", "99999*99999": "9999800001", "123456789012345678901234567890-1":
    "123456789012345678901234567889", "1000000/7": "142857", "5%5": "0", "007+00": "7", "--5": "5",
}  # fmt: skip


@pytest.fixture(scope="module")
def library() -> Library:
    return Library.load()


@pytest.fixture(scope="module")
def calculator() -> Calculator:
    return Calculator()


def test_the_bundle_is_the_curriculum_and_small(library):
    order = [t.spec.name for t in TASKS]
    assert list(library.names) == [name for name in order if name in library]
    for task in CURRICULA["full"]:
        assert library[task.spec.name].spec == task.spec
    assert sum(f.stat().st_size for f in BUNDLED.iterdir()) < 20_000_000


@pytest.mark.parametrize("task", BASIC.values(), ids=lambda t: t.spec.name)
def test_every_entry_of_every_table_is_known(library, task):
    outcomes = Machine(library).run(task.spec.name, [(p.x, p.y) for p in task.table()])
    assert [o.answer for o in outcomes] == [p.answer for p in task.table()]


def test_a_fixed_list(calculator):
    assert {text: calculator(text).text for text in FIXED} == FIXED


def test_three_hundred_random_expressions(calculator):
    rng = Random(20)
    texts: list[str] = []
    while len(texts) < 300:
        text = by_length(rng, rng.randint(5, 30), "+-*/%")
        try:
            evaluate(text)
        except ZeroDivisionError:
            with pytest.raises(DivisionByZero):
                calculator(text)
            continue
        texts.append(text)
    answers = [a.text if not isinstance(a, ReckonerError) else repr(a) for a in calculator.many(texts)]
    assert answers == [evaluate(t) for t in texts]


@pytest.mark.parametrize("operator", "+-*/%")
def test_numbers_far_longer_than_any_trained_on(calculator, operator):
    texts = [operation(Random(i), 90, operator) for i in range(10)]
    assert [a.text for a in calculator.many(texts)] == [evaluate(t) for t in texts]


@pytest.mark.parametrize("family", SPECIAL)
def test_special_families(calculator, family):
    texts = special_problems(family, 20, seed=1)
    assert [a.text for a in calculator.many(texts)] == [evaluate(parse(t).text) for t in texts]


# --- decimals, powers, scales ---

SCALED = {
    ("1.5*4", 0): "6.0", ("0.1+0.2", 0): "0.3", (".5-5.", 0): "-4.5", ("7/2", 0): "3", ("7/2", 2): "3.50",
    ("-1/3", 5): "-0.33333", ("7.5%2", 0): "1.5", ("10%.3", 4): "0.00001", ("2^10", 0): "1024", ("2^3^2", 0): "512",
    ("-2^2", 0): "4", ("3-2^2", 0): "-1", ("-(3)^2", 0): "9", ("2^-3", 5): "0.12500", ("0^0", 3): "1",
    ("(-0.1)^3", 0): "0", ("1.23-1.230", 0): "0", ("0.05*0.05", 0): "0", ("1.5^10", 20): "57.6650390625",
    ("2*(1.25+.75)^2-1/8", 3): "7.875", ("007.50+1", 0): "8.50", ("1/7", 30): "0.142857142857142857142857142857",
}  # fmt: skip


def test_a_fixed_list_with_decimals(calculator):
    assert {(text, scale): calculator(text, scale=scale).text for text, scale in SCALED} == SCALED


def test_decimals_of_every_kind(calculator):
    for kind, length, problems in decimal_sets((5, 10, 20), 15, seed=1):
        assert (
            mark(calculator, kind, length, [t for t, _ in problems], [s for _, s in problems]).mistakes == []
        )


@pytest.mark.skipif(find_bc() is None, reason="bc is not installed")
def test_bc_says_the_same(calculator):
    assert compare(calculator, 300, seed=2).differences == []


@pytest.mark.parametrize(
    ("text", "scale", "kind", "position"),
    [
        ("1/0.00", 2, "division-by-zero", 1),
        ("2+3%(1.5-1.5)", 0, "division-by-zero", 3),
        ("1+0.0^-2", 3, "division-by-zero", 5),
        ("(2-2)^(1-3)*4", 3, "division-by-zero", 5),
        ("2^(1/2)", 1, "exponent", 2),
        ("2^(9^9)", 0, "text-limit", 2),
        ("9^9^9", 0, "text-limit", 2),
    ],
)
def test_what_has_no_value_is_refused_at_its_place(calculator, text, scale, kind, position):
    with pytest.raises(ReckonerError) as caught:
        calculator(text, scale=scale)
    assert (caught.value.kind, caught.value.position) == (kind, position)


def test_the_lines_of_a_rewriting_have_the_value_of_the_first(calculator):
    trace = calculator("2*(1/3+.5^2)-1.25", scale=5, trace=True).trace
    lines = [line.text for line in explain(trace)]
    assert lines[0] == "2*(1/3+(0.5^2))-1.25"
    assert len(lines) > 3
    assert {evaluate(line, 5) for line in lines} == {"-0.08334"}


def test_whole_numbers_take_as_many_calls_as_ever(calculator):
    """Decimals changed nothing for them: the same skill, the same calls."""
    calls = {"12*(3+45)": 44, "100/7-3": 537, "-(3-9)%4": 200, "999*999": 76}
    assert {text: calculator(text).calls for text in calls} == calls


def test_without_caches_the_same_answers(calculator):
    texts = ["12*(3+45)", "100/7-3", "-9%4"]
    plain = Calculator(cache=False)
    assert [plain(t).text for t in texts] == [calculator(t).text for t in texts]
    assert plain("12*(3+45)", trace=True).trace == calculator("12*(3+45)", trace=True).trace


def test_random_weights_of_the_same_shape_get_nearly_everything_wrong(library):
    rng = np.random.default_rng(0)
    untrained = Library()
    for skill in library:
        tensors = {k: rng.normal(0, 0.1, t.shape).astype(np.float32) for k, t in skill.tensors.items()}
        if isinstance(skill, InteractiveSkill):
            untrained.append(InteractiveSkill(skill.spec, skill.config, tensors, skill.callees))
        else:
            untrained.append(BasicSkill(skill.spec, tensors))
    # such networks wander: a small budget of calls says enough
    calculator = Calculator(machine=Machine(untrained, Limits(calls=50_000)))
    texts = [operation(Random(i), 7, "+-*/%"[i % 5]) for i in range(50)]
    right = 0
    for text, answer in zip(texts, calculator.many(texts), strict=True):
        try:
            right += not isinstance(answer, ReckonerError) and answer.text == evaluate(text)
        except ZeroDivisionError:
            continue
    assert right <= 1


def test_a_read_only_folder_serves_two_processes_and_several_threads(tmp_path, calculator):
    import shutil
    import subprocess
    import sys
    from concurrent.futures import ThreadPoolExecutor

    folder = tmp_path / "library"
    shutil.copytree(BUNDLED, folder)
    for file in [*folder.iterdir(), folder]:
        file.chmod(0o555 if file.is_dir() else 0o444)
    command = [sys.executable, "-m", "reckoner.cli", "--library", str(folder), "12*(3+45)", "1000/7"]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [process.communicate()[0] for process in both] == ["576\n142\n"] * 2
    texts = [f"{i}*{i + 1}-{i}" for i in range(100, 140)]
    with ThreadPoolExecutor(4) as pool:
        assert [a.text for a in pool.map(calculator, texts)] == [evaluate(t) for t in texts]
