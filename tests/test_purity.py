"""Purity: only the oracle computes; everything below only moves characters and runs networks."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

from reckoner.cli.docs.layers import PACKAGE, RANK, imports, own_imports, part_of, sources, tree
from reckoner.curriculum.tasks import TASKS
from reckoner.machine import Limits, Machine
from reckoner.skills.library import Library
from tests.passage import follow
from tests.scripted import random_basic, random_skill

# What may calculate, and know the oracle: problems, marking, evaluation, and what the user sees of them.
ABOVE_THE_LINE = {
    "cli",
    "reproduction",
    "bench",
    "evaluation",
    "baselines",
    "gym",
    "curriculum",
    "program",
    "__main__",
}
EXEMPT = {
    # the answer as a number, on the user's request and after the networks are done
    "answer.py": {"int", "float", "decimal"},
    "skills/forms.py": {"int"},  # of counts in patterns: it sees patterns and views, never a memory
    "web/inquiry.py": {
        "int"
    },  # of lengths and call numbers in requests: what is asked about, never what is asked
    "training/ppo.py": {"int", "float"},  # of tensors: it sees views and choices, never a memory
}
NUMBER_LIBRARIES = {"decimal", "fractions", "gmpy2", "mpmath", "sympy", "cmath", "math", "statistics"}
TEXT_METHODS = {
    "decode",
    "encode",
    "group",
    "join",
    "strip",
    "replace",
    "format",
    "translate",
    "read",
    "pop",
    "get",
}
TORCH = (
    "nn/modules.py",
    "nn/tree.py",
    "training/",
    "curriculum/",
    "baselines/",
    "reproduction/",
    "bench/",
    "evaluation/",
    "cli/train.py",
)


def place(file: Path) -> str:
    return file.relative_to(PACKAGE).as_posix()


def below() -> list[Path]:
    """The files below the line: what runs between a question and its answer, and what trains it."""
    return [file for file in sources() if part_of(file) not in ABOVE_THE_LINE]


def test_every_part_has_its_layer():
    parts = {part_of(file) for file in sources()}
    assert parts <= RANK.keys(), "a new part of the package: say in LAYERS what it may import"
    assert {"alphabet", "nn", "skills", "machine", "calculator", "training", "curriculum"} <= parts


@pytest.mark.parametrize("file", sources(), ids=place)
def test_imports_go_downward_only(file):
    own = RANK[part_of(file)]
    assert not any(name.startswith(".") for name in imports(file)), "imports are written in full"
    assert [part for part in own_imports(file) if RANK[part] > own] == []


@pytest.mark.parametrize("file", below(), ids=place)
def test_nothing_below_the_line_knows_the_oracle(file):
    assert [
        name for name in imports(file) if "oracle" in name or name.startswith("reckoner.curriculum")
    ] == []


@pytest.mark.parametrize("file", below(), ids=place)
def test_no_number_library_below_the_line(file):
    found = {name.split(".")[0] for name in imports(file)} & NUMBER_LIBRARIES
    assert found <= EXEMPT.get(place(file), set())


@pytest.mark.parametrize("file", sources(), ids=place)
def test_no_pickle_anywhere(file):
    assert {name.split(".")[0] for name in imports(file)} & {
        "pickle",
        "cPickle",
        "dill",
        "marshal",
        "shelve",
    } == set()


def calls(file: Path) -> Iterator[tuple[str, ast.Call]]:
    """All calls by the last part of what is called."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield node.func.id, node
            elif isinstance(node.func, ast.Attribute):
                yield node.func.attr, node


@pytest.mark.parametrize("file", [f for f in sources() if part_of(f) != "bench"], ids=place)
def test_no_eval(file):
    """Nowhere at all: the oracle parses too. (The benchmark measures eval and is the one exception.)"""
    builtin = {node.func.id for name, node in calls(file) if isinstance(node.func, ast.Name)}
    assert builtin & {"eval", "exec", "compile", "__import__"} == set()
    assert "literal_eval" not in {name for name, _ in calls(file)}


def is_no_text(argument: ast.expr) -> bool:
    """Whether an expression can be seen not to be text."""
    if isinstance(argument, ast.Call) and isinstance(argument.func, ast.Attribute):
        return argument.func.attr not in TEXT_METHODS
    if isinstance(argument, ast.Call) and isinstance(argument.func, ast.Name):
        return argument.func.id == "len"
    return isinstance(argument, ast.Compare)


@pytest.mark.parametrize("file", below(), ids=place)
def test_no_text_becomes_a_number_below_the_line(file):
    """`int` and `float` only of what is no text: a draw, a maximum, a length, a comparison."""
    exempt = EXEMPT.get(place(file), set())
    for name, node in calls(file):
        if name in {"int", "float", "complex"} and isinstance(node.func, ast.Name) and name not in exempt:
            (argument,) = node.args
            assert is_no_text(argument), f"{place(file)}:{node.lineno}: {ast.unparse(node)}"
        assert name not in {"from_bytes", "fromhex", "fromstring", "genfromtxt", "loadtxt", "isdigit"}


@pytest.mark.parametrize("file", sources(), ids=place)
def test_pytorch_is_for_training_only(file):
    if any(name.split(".")[0] == "torch" for name in imports(file)):
        assert place(file).startswith(TORCH)


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.[ch]")), ids=lambda file: file.name)
def test_the_compiled_core_knows_no_digit(file):
    """It copies and compares characters; none is named that is a digit, and nothing turns text into a number."""
    code = re.sub(r"/\*.*?\*/", "", file.read_text(), flags=re.DOTALL)
    assert re.search(r"'[0-9]'", code) is None
    assert re.search(r"0x3[0-9]\b|\b(4[89]|5[0-7])\b", code) is None  # their codes
    numbers = (
        r"\b(ato[a-z]+|strto[a-z]+|sscanf|isdigit|PyLong_From(Unicode|String)\w*|Py(Number|Run|Eval)_\w+)\b"
    )
    assert re.search(numbers, code) is None


def run_python(code: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def test_the_calculator_does_not_load_pytorch():
    """Not by any way round either: nothing of it is there after all of the run-time has been imported."""
    modules = "reckoner.calculator, reckoner.machine, reckoner.skills, reckoner.rewriting, reckoner.cli"
    loaded = run_python(f"import sys, {modules}; print(*sys.modules)").split()
    assert "reckoner.machine.machine" in loaded
    assert {name.split(".")[0] for name in loaded} & {"torch", "tqdm", "pandas", "matplotlib"} == set()
    assert "reckoner.curriculum.oracle" not in loaded


def test_the_calculator_runs_where_there_is_no_pytorch():
    code = "import sys; sys.modules['torch'] = None; import reckoner.calculator, reckoner.machine.machine"
    assert run_python(code) == ""


# --- swap the weights for random ones and the same code is wrong ---


def random_curriculum(seed: int) -> Library:
    """All skills of the curriculum, with the specifications they have and networks that learned nothing."""
    rng, library = np.random.default_rng(seed), Library()
    for task in TASKS:
        make = random_basic if task.spec.is_basic else random_skill
        library.append(make(task.spec, rng))
    return library


@pytest.mark.parametrize("skill", ["M+M", "M-M", "M*M"])
def test_random_weights_give_wrong_answers(skill):
    rng = Random(skill)
    pairs = [(str(rng.randrange(10, 10**4)), str(rng.randrange(10, 10**4))) for _ in range(100)]
    exact = {"M+M": int.__add__, "M-M": int.__sub__, "M*M": int.__mul__}[skill]
    limits = Limits(calls=2000, depth=100, memory=500, steps=4, seconds=20)
    outcomes = Machine(random_curriculum(1), limits).run(skill, pairs)
    right = [o.answer == str(exact(int(x), int(y))) for o, (x, y) in zip(outcomes, pairs, strict=True)]
    assert not any(right)


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["12*(3+45)"], "576"),
        (["--scale", "3", "7/2"], "3.500"),
        (["2*(.5-1.25)^2"], "1.12"),
        (["2^(3-1)"], "4"),
    ],
)
def test_no_file_that_calculates_is_on_the_way_of_an_answer(arguments, answer, capsys):
    files = follow(arguments)
    assert capsys.readouterr().out == f"{answer}\n"
    assert {"calculator.py", "machine/machine.py", "skills/library.py"} <= set(files)
    assert [file for file in files if file.split("/")[0] in ABOVE_THE_LINE - {"cli"}] == []
