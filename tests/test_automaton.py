"""Automata of patterns against Python's `re`."""

from __future__ import annotations

import re
import time
from random import Random

import pytest

from reckoner.alphabet import ALPHABET, DIGITS
from reckoner.curriculum.tasks import TASKS
from reckoner.errors import MessageRefused
from reckoner.machine import Limits, Machine
from reckoner.machine.kernel import VARIABLE
from reckoner.skills import Library, SkillSpec
from reckoner.skills.automaton import NO_SKIP, compile_pattern
from tests.scripted import answerer
from tests.test_agreement import CORES

TAUGHT = sorted({p for task in TASKS for p in (task.spec.accepts_x, task.spec.accepts_y)})
OTHERS = [
    "",
    "0|1|",
    "(0|1)*",
    r"(?:12|1)2*",
    r"[-+]?\d+",
    r"\(+\d*\)+",
    r"[1-35-]*",
    r"(\d\d)*",
    r"(0*1)*2",
    ".*",
    "a|1",
    r"\d{2}",
    r"\d{2,4}-?",
    r"(1|23){1,3}",
    r"\d{3,}",
    r"0{0,2}1",
    "[^1]*2",
    r"[^\d]+",
]
REFUSED = [
    r"\d{70}",
    r"\d{2}{3}",
    r"\d{3,2}",
    r"((\d{60}){60}){60}",
    "(" * 140 + "1" + ")*" * 140 + "{",
    "(?=1).*",
    "^1$",
    r"(\d)\1",
    r"\w",
    "1*?",
    "1*+",
    r"\Z",
    "(?i:1)",
    "é",
    "[]1]",
]


def texts(rng: Random, count: int) -> list[str]:
    kinds = [ALPHABET, DIGITS, "01", "12", "(-1)", "0", "+3*"]
    return ["".join(rng.choice(rng.choice(kinds)) for _ in range(rng.randint(0, 9))) for _ in range(count)]


@pytest.mark.parametrize("pattern", TAUGHT + OTHERS)
def test_automata_accept_what_patterns_match(pattern):
    automaton = compile_pattern(pattern)
    assert automaton is not None
    matches = re.compile(pattern).fullmatch
    for text in texts(Random(pattern), 2000):
        assert automaton.accepts(text.encode()) == (matches(text) is not None), text


@pytest.mark.parametrize("pattern", REFUSED)
def test_what_is_not_understood_is_no_pattern_of_a_skill(pattern):
    assert compile_pattern(pattern) is None
    with pytest.raises((ValueError, re.error)):
        SkillSpec("odd", "{x}", pattern)


@pytest.mark.parametrize("pattern", [r"(0*)*1", r"(\d|\d\d)*-", r"\d*\d*\d*\d*\d*\d*-", r"(\d+)+(\d+)+-"])
def test_patterns_that_take_re_for_ever_take_no_time(pattern):
    """A manifest may come from anybody: the length of a message bounds what it costs to refuse it."""
    skill, text = answerer("slow", lambda m: m, accepts_x=pattern), b"0" * 100_000
    start = time.process_time()
    assert not skill.is_accepted(text, b"")
    for core in CORES:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, core)
            library = Library()
            library.append(skill)
            machine = Machine(library, Limits(seconds=20))
            assert isinstance(machine.run("slow", [(text.decode(), "")])[0].error, MessageRefused)
            assert isinstance(machine.run("slow", [(text.decode(), "")], trace=True)[0].error, MessageRefused)
    assert time.process_time() - start < 5


@pytest.mark.parametrize("pattern", TAUGHT + OTHERS)
def test_a_long_number_may_be_skipped_up_to_its_tail(pattern):
    automaton = compile_pattern(pattern)
    assert automaton is not None
    width = len(ALPHABET)

    def follow(state: int, text: str) -> int:
        for character in text:
            state = automaton.following[state * width + ALPHABET.index(character)]
        return state

    rng = Random(pattern)
    for state, tail in enumerate(automaton.tails):
        for _ in range(50 if tail != NO_SKIP else 0):
            number = "".join(rng.choice(DIGITS) for _ in range(rng.randint(tail, 12)))
            assert follow(state, number) == follow(state, number[len(number) - tail :])
