"""Automata of patterns against Python's `re`."""

from __future__ import annotations

import re
from random import Random

import pytest

from reckoner.alphabet import ALPHABET, DIGITS
from reckoner.curriculum.tasks import TASKS
from reckoner.machine.automaton import NO_SKIP, compile_pattern

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
]
LEFT_TO_RE = [
    r"\d{2}",
    "(?=1).*",
    "^1$",
    r"(\d)\1",
    r"\w",
    "[^1]",
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
        assert automaton.accepts(text) == (matches(text) is not None), text


@pytest.mark.parametrize("pattern", LEFT_TO_RE)
def test_what_is_not_understood_is_left_to_re(pattern):
    assert compile_pattern(pattern) is None


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
