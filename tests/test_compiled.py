"""The compiled core: how it sees, what it frees, and that nothing breaks it."""

from __future__ import annotations

from random import Random

import pytest

from reckoner.alphabet import Perception
from reckoner.machine import Machine
from reckoner.machine.kernel import COMPILED, which_core
from reckoner.skills import Library
from tests.scripted import STOP, decider
from tests.test_agreement import PERCEPTIONS, random_text

pytestmark = pytest.mark.skipif(which_core() != COMPILED, reason="there is no compiled core")


@pytest.mark.parametrize(
    "perception", [*PERCEPTIONS, Perception(fovea=5), Perception(fovea=2, reach=4)], ids=str
)
def test_it_sees_what_the_alphabet_says(perception):
    from reckoner.machine.compiled import CompiledCore

    core = CompiledCore()
    number = core.add(decider("looker", ("looker",), lambda depth, text: STOP, perception=perception))
    rng = Random(str(perception))
    for most in [3, 6, 10, 10, 20, 20, 60, 300]:
        for _ in range(400):
            memory = random_text(rng, most).encode()
            assert core.look_at(number, memory, rng.randint(0, len(memory))) == tuple(
                perception.view(memory)
            ), memory


def test_what_is_asked_twice_is_worked_out_once():
    """A long division takes the same difference again and again; most of its calls are below a noted answer."""
    library = Library.load()
    machine, skill = Machine(library), library["M/M"]
    message = b"7" * 80 + b"|" + b"3" * 40
    calls = machine.answer(skill, [message])[0].calls
    run = machine._core.begin(machine._number(skill), [message], machine.limits)
    assert run.advance() is None
    assert run.endings[0][:3] == (0, str(int("7" * 80) // int("3" * 40)).encode(), calls)
    assert run.decisions < calls / 3
