"""Interrupts and lack of memory at any instant: afterwards every question is answered as by a fresh machine."""

from __future__ import annotations

import gc
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Event, Thread

import pytest

from reckoner.calculator import Calculator
from reckoner.cli.options import Options
from reckoner.cli.prompt import converse
from reckoner.cli.report import Report
from reckoner.errors import MemoryLimit
from reckoner.machine import Limits, Machine, Outcome
from reckoner.machine.kernel import COMPILED, which_core
from reckoner.skills import Library
from reckoner.skills.recall import recall
from tests.scripted import addition
from tests.test_agreement import core  # noqa: F401

QUESTIONS = [("98", "7"), ("1", "12345"), ("999", "1"), ("5", "x")]
ANSWERS = ["105", "12346", "1000", None]


def ask(machine: Machine) -> list[Outcome]:
    return machine.run("M+M", QUESTIONS)


class Bolt:
    """Raises an exception at the n-th instruction of Python code in the package."""

    def __init__(self, error: type[BaseException], instruction: int) -> None:
        self.error = error
        self.left = instruction

    def __call__(self, frame, event, argument):
        if "reckoner" not in frame.f_code.co_filename:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            self.left -= 1
            if self.left == 0:
                sys.settrace(None)
                raise self.error
        return self

    def __enter__(self) -> Bolt:
        gc.disable()  # or the exception may land in somebody's __del__, where Python can only print it
        sys.settrace(self)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)
        gc.enable()


def count_instructions() -> int:
    with Bolt(KeyboardInterrupt, 10**9) as bolt:
        ask(Machine(addition()))
    return 10**9 - bolt.left


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_any_instruction_may_be_the_last(core, error):  # noqa: F811
    """Machines are struck while they learn: at 250 different instructions each time."""
    count_instructions()  # patterns are compiled once per process
    rng, most = Random(core), count_instructions()
    struck = 0
    for _ in range(250):
        machine = Machine(addition())
        try:
            with Bolt(error, rng.randint(1, most)):
                outcomes = ask(machine)
            assert all(
                o.answer == a or isinstance(o.error, MemoryLimit)
                for o, a in zip(outcomes, ANSWERS, strict=True)
            )
        except error:
            struck += 1
        assert [o.answer for o in ask(machine)] == ANSWERS
    assert struck > 150 or error is MemoryError


def test_one_machine_struck_over_and_over(core):  # noqa: F811
    rng, machine, struck = Random(7), Machine(addition()), 0
    for _ in range(500):
        if rng.random() < 0.1:
            machine.forget()
        try:
            with Bolt(KeyboardInterrupt, rng.randint(1, 3000)):
                ask(machine)
                machine.forget()
        except KeyboardInterrupt:
            struck += 1
        assert [o.answer for o in ask(machine)] == ANSWERS
    assert struck > 50


def test_no_memory_at_any_allocation(core):  # noqa: F811
    """Each allocation of the compiled core fails once: a limit error, and the same answers as ever after."""
    if core != COMPILED:
        pytest.skip("the core in Python does not allocate by itself")
    failed, pairs = 0, [("98765" * 20, "7" * 90), *QUESTIONS]
    expected = [o.answer for o in Machine(addition()).run("M+M", pairs)]
    for limits in (Limits(), Limits(steps=1)):
        for n in range(300):
            machine = Machine(addition(), limits)
            if n % 2:
                machine.run("M+M", pairs)
            machine._core.fuse = n
            outcomes = machine.run("M+M", pairs)
            machine._core.fuse = -1
            lacking = [isinstance(o.error, MemoryLimit) for o in outcomes]
            failed += any(lacking)
            if limits.steps > 1:
                wanted = [None if lacks else answer for lacks, answer in zip(lacking, expected, strict=True)]
                assert [o.answer for o in outcomes] == wanted
                assert [o.answer for o in machine.run("M+M", pairs)] == expected
    assert failed > 100


def test_what_a_question_held_is_given_back(core):  # noqa: F811
    if core != COMPILED:
        pytest.skip("Python counts for itself")
    machine = Machine(addition())
    ask(machine)
    before = machine._core.held
    machine.run("M+M", [("9" * 5000, "1"), ("1" * 3000, "2" * 4000)])
    machine.limits = Limits(depth=500)
    machine.run("M+M", [("9" * 5000, "1")] * 3)
    assert machine._core.held <= before + 500_000  # the stacks that are used again


def test_questions_that_are_too_big_do_not_end_the_others(core):  # noqa: F811
    machine = Machine(addition(), Limits(megabytes=1))
    outcomes = machine.run("M+M", [("1", "2"), ("9" * 50_000, "1"), *QUESTIONS])
    assert isinstance(outcomes[1].error, MemoryLimit)
    assert "--max-megabytes" in outcomes[1].error.message
    assert [o.answer for o in outcomes[2:]] == ANSWERS
    assert outcomes[0].answer == "3"
    machine.limits = Limits()
    assert machine.run("M+M", [("9" * 5_000, "1")])[0].answer == "1" + "0" * 5_000


# an interrupt may come inside a finaliser, where Python can only report it
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_interrupts_at_the_prompt(capsys, core):  # noqa: F811
    """Signals while the networks work: the prompt goes on, and answers as before."""
    machine = Machine(recall())
    struck, questions = [0], 1_500 if core == COMPILED else 500
    calculator, rng, left = Calculator(machine=machine), Random(3), [questions]
    lines = ["123456789123456789*987654321987654321", "12*(3+45)", "7/(5-5)", f"{'9' * 60}*{'8' * 60}"]

    def strike(number, frame):
        struck[0] += 1
        raise KeyboardInterrupt

    def read(prompt):
        signal.setitimer(signal.ITIMER_REAL, 0)
        left[0] -= 1
        if left[0] < 0:
            raise EOFError
        if left[0] % 20 == 0:
            machine.forget()
        if left[0] < 2:
            return "12*(3+45)"
        signal.setitimer(signal.ITIMER_REAL, rng.uniform(0.0001, 0.006))
        return rng.choice(lines)

    before = signal.signal(signal.SIGALRM, strike)
    try:
        while left[0] >= 0:
            try:
                assert converse(calculator, Options(), Report(), read) == 0
            except KeyboardInterrupt:
                continue  # it came between two lines, in this test's own code
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    shown = capsys.readouterr()
    assert shown.out.split()[-2:] == ["576", "576"]
    assert "interrupted" in shown.err
    assert struck[0] > questions / 30  # a quick computer is done before most of them


def test_other_threads_go_on_while_the_core_works():
    """The compiled core works without Python's lock: a thread with a calculator of its own has all of its core."""
    if which_core() != COMPILED:
        pytest.skip("the core in Python holds the lock, as all Python code does")
    calculator, done = Calculator(Library.load()), Event()
    numbers = f"{'7' * 800}/{'3' * 400}"
    calculator(numbers)

    def work() -> None:
        calculator(numbers)
        done.set()

    switches = sys.getswitchinterval()
    sys.setswitchinterval(60)  # nobody is made to let go of the lock
    try:
        thread = Thread(target=work)
        thread.start()
        turns = 0
        while not done.is_set():
            turns += 1
            time.sleep(0)
        thread.join()
    finally:
        sys.setswitchinterval(switches)
    assert turns > 100


def test_a_calculator_per_thread(core):  # noqa: F811
    """Each answers as it would alone."""
    texts = [f"{i}*{i + 3}-{i * 17}/7" for i in range(40)]
    expected = [answer.text for answer in Calculator().results(texts)]  # type: ignore[union-attr]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: [a.text for a in Calculator().results(texts)], range(8)))  # type: ignore[union-attr]
    assert found == [expected] * 8
