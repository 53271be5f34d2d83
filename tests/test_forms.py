"""Choices by form: masks allow exactly what the pattern allows, whatever the digits are."""

from __future__ import annotations

import re
from itertools import product
from random import Random

import numpy as np
import pytest

from reckoner.alphabet import Perception, spell
from reckoner.curriculum.tasks import BY_NAME, INTERACTIVE
from reckoner.skills.forms import Forms, form_of, may_accept, open_modules

WHOLE, ENDS, DIGITS = (Perception(fovea=n) for n in (0, 1, 2))
READING = Perception(fovea=0, reach=3)
CHARACTERS = Perception("characters")
LONG = 7  # digits: the inside of a number that is elided


def allowed(perception: Perception, memory: bytes, x: str, y: str = "") -> list[set[tuple[int, int]]]:
    """The spans that a callee with these patterns may be sent, for both reads."""
    masks = Forms(perception, [(x, y)], 1).masks(perception.view(memory).tokens)
    return [{(a, b) for a, b in np.argwhere(masks[1, read]).tolist()} for read in (0, 1)]


def texts_of(seen: str, counts: bool) -> list[str]:
    """All texts that look like this, with digits 0, 1, 5 and 9 standing for all.

    The inside of a number is taken for a long one, unless the pattern `counts` digits.
    """
    digits = "0159"
    short = ["".join(p) for n in (1, 2) for p in product(digits, repeat=n)]
    numbers = short + [d + "0" * (LONG - 2) + e for d in digits for e in digits]
    inside = [d * LONG for d in digits] + (short if counts else [])
    options = {"d": list(digits), "~": inside, "N": numbers}
    return ["".join(parts) for parts in product(*(options.get(c, [c]) for c in seen))]


PATTERNS = ["", r"\d?", r"\d", r"\d\d", r"\d[0-8]", r"\d?[01]", r"\d*", r"\d*[01]", r"\d+", r"[0-8]", "[01]",
            r"0|[1-9]\d*", r"[1-9]\d*", r"(?:0|[1-9]\d*)\d", r"\d,\d+", r"0|-?[1-9]\d*", r"-?\d+", r"\d{2}",
            r"\d{2},\d{1,2}", r"[-,\d]*", r"5\d*,?", "15", r"-[1-9]"]  # fmt: skip


@pytest.mark.parametrize(
    ("perception", "memories"),
    [
        (WHOLE, [b"", b"7", b"12,3", b",", b"-5,6"]),
        (ENDS, [b"", b"7", b"12", b"1234567890", b"12,3", b"-,4"]),
        (DIGITS, [b"", b"7", b"123", b"1234", b"1,22", b"-12"]),
        (CHARACTERS, [b"", b"7", b"123", b"1,22", b"-12"]),
    ],
)
def test_a_span_is_allowed_if_and_only_if_some_digits_are_accepted(perception, memories):
    for memory in memories:
        view = perception.view(memory).tokens
        seen = spell(perception, view)
        if perception is CHARACTERS:
            seen = re.sub("[0-9]", "d", seen)
        spans = [(a, b) for a in range(len(view) - 1) for b in range(a, len(view) - 1) if a < b or a == 0]
        texts = {
            (span, counts): texts_of(seen[slice(*span)], counts) for span in spans for counts in (False, True)
        }
        for pattern in PATTERNS:
            accepts, counts = re.compile(pattern).fullmatch, "{" in pattern
            expected = {span for span in spans if any(map(accepts, texts[span, counts]))}
            assert allowed(perception, memory, pattern)[0] == expected, (memory, pattern)


@pytest.mark.parametrize("task", INTERACTIVE.values(), ids=lambda t: t.spec.name)
def test_no_call_that_a_callee_accepts_is_barred(task):
    """On the curriculum's own problems, whatever is accepted may be chosen; what is refused mostly not."""
    specs = [BY_NAME[name].spec for name in task.spec.calls]
    forms = Forms(task.spec.perception, [(s.accepts_x, s.accepts_y) for s in specs], len(specs))
    patterns = [[re.compile(p).fullmatch for p in (s.accepts_x, s.accepts_y)] for s in specs]
    before, rest = task.spec.layout.split("{x}")
    rng = Random(task.spec.name)
    for size in task.stages:
        for _ in range(4):
            problem = task.sampler(rng, size)
            memory = before + problem.x + rest.replace("{y}", problem.y)
            view = task.spec.perception.view(memory.encode())
            masks = forms.masks(view.tokens)
            gaps, seen = view.gaps, spell(task.spec.perception, view.tokens)
            # the inside of a number is taken for a long one
            short = {k for k, symbol in enumerate(seen) if symbol == "~" and gaps[k + 1] - gaps[k] < LONG}
            for module, both in enumerate(patterns, start=1):
                for read, accepts in enumerate(both):
                    for a in range(len(gaps)):
                        for b in range(a, len(gaps)):
                            if short.intersection(range(a, b)) or (a == b and a > 0):
                                continue
                            if accepts(memory[gaps[a] : gaps[b]]):
                                assert masks[module, read, a, b], (memory, module, read, a, b)
    assert not masks[0, :, 1:].any()


def test_counts_in_patterns_are_counts():
    assert form_of(r"\d{2},[1-9]\d{0,12}5") == r"0{2},[0-0]0{0,12}0"
    assert allowed(ENDS, b"12", r"\d{2}")[0] == {(0, 2)}
    assert allowed(ENDS, b"12", r"\d{2}\d")[0] == set()
    assert allowed(ENDS, b"12", r"\d{3}")[0] == set()


@pytest.mark.parametrize("pattern", [r"\d{3}", r"\d\d\d", r"\d{1}\d\d", r"[0-9]{2,4}", r"\d?\d?\d?"])
def test_numbers_of_a_length_that_the_pattern_counts_may_be_sent_whole(pattern):
    """A number is one symbol here, so how long it is cannot be seen."""
    assert (0, 1) in allowed(WHOLE, b"123", pattern)[0]


def test_an_elided_number_may_have_the_length_that_the_pattern_counts():
    assert (0, 5) in allowed(DIGITS, b"12345", r"\d{5}")[0]
    spans = allowed(DIGITS, b"12345", r"\d{4}")[0]
    assert (0, 4) in spans
    assert (0, 5) not in spans


@pytest.mark.parametrize("pattern", [r"[^0]\d*", r"(?!0)\d+", r"(\d)\1", r"(?=1)\d+", r"\w+", r"\D?\d"])
def test_patterns_whose_form_cannot_be_told_bar_nothing(pattern):
    assert (0, 2) in allowed(ENDS, b"11", pattern)[0]


def test_nothing_is_read_in_one_place_only():
    first, second = allowed(DIGITS, b"12,3", r"\d*", "")
    assert {span for span in first if span[0] == span[1]} == {(0, 0)}
    assert second == {(0, 0)}
    assert (0, 0) not in allowed(DIGITS, b"12,3", r"\d+")[0]


def test_signed_numbers_are_one_symbol_where_expressions_are_read():
    signed = r"0|-?[1-9]\d*"
    assert allowed(READING, b"-12", signed)[0] == {(0, 1)}
    assert allowed(READING, b"1--2", signed)[0] == {(0, 1), (2, 3), (1, 3)}  # it looks like 1-2
    assert allowed(READING, b"-12", r"-[1-9]\d*")[0] == {(0, 1)}
    # elsewhere the sign is a symbol of its own, and a number has none
    assert allowed(WHOLE, b"-12", signed)[0] == {(0, 2), (1, 2)}
    assert allowed(WHOLE, b"-12", r"-[1-9]\d*")[0] == {(0, 2)}
    assert not may_accept(r"-\d", "N", False)
    assert may_accept(r"-\d", "N", True)


def test_the_rest_may_be_whatever_an_expression_goes_on_with():
    text = BY_NAME["expression"].spec.accepts_x
    view = READING.view(b"1+2*3-4*(5+6)")
    assert spell(READING, view.tokens) == "N+N*N…"
    spans = allowed(READING, b"1+2*3-4*(5+6)", text)[0]
    assert {(0, 1), (0, 3), (0, 5), (0, 6), (2, 6), (4, 6)} <= spans
    assert not {(1, 3), (0, 2), (1, 6), (3, 6)} & spans
    assert (1, 2) in allowed(READING, b"(1+2)*3", text)[0]
    numbers = allowed(READING, b"1+2*3-4", r"0|-?[1-9]\d*")[0]
    assert numbers >= {(0, 1), (2, 3), (4, 5)}
    assert not numbers & {(0, 3), (0, 5)}


@pytest.mark.parametrize("rest", ["", "5", ")", "+5", "*(5", "-5)", ")+5", "))", "-(5+6)*7", ")*(1+2)"])
def test_a_rest_that_can_be_sent_is_not_barred(rest):
    """However the text goes on, if it is accepted together with what is seen, so is what is seen."""
    accepts = re.compile(BY_NAME["expression"].spec.accepts_x).fullmatch
    for start in ("1+2*3", "(", "1*(", "1)", "(1)", "1+(2)", "((", "-1-(-2)"):
        memory = start + rest
        if not accepts(memory):
            continue
        spans = allowed(READING, memory.encode(), BY_NAME["expression"].spec.accepts_x)[0]
        gaps = READING.view(memory.encode()).gaps
        for a in range(len(gaps)):
            if accepts(memory[gaps[a] :]):
                assert (a, len(gaps) - 1) in spans, (memory, a)


def test_everything_may_be_tried_without_form():
    masks = Forms(WHOLE, None, 2).masks(WHOLE.view(b"1,2").tokens)
    assert (masks[1:] == np.triu(np.ones((4, 4), bool))).all()
    assert masks[0].sum() == 2  # HALT reads nothing, twice


def test_a_module_is_open_if_both_of_its_reads_find_something():
    forms = Forms(WHOLE, [(r"\d+", ""), (r"\d+", "-"), ("-", r"\d*")], 3)
    assert forms.is_callable(WHOLE.view(b"12").tokens).tolist() == [True, True, False, False]
    assert forms.is_callable(WHOLE.view(b"-12").tokens).tolist() == [True] * 4
    assert forms.is_callable(WHOLE.view(b"").tokens).tolist() == [True, False, False, False]
    both = np.stack([forms.masks(WHOLE.view(m).tokens) for m in (b"1,2", b"-,2")])
    assert open_modules(both).tolist() == [[True, True, False, False], [True] * 4]
