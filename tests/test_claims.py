"""Runs that got there, as README and pages of docs/ count them, are those of the committed records.

New records may change a count: then the failing sentence names what the page has to say.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from reckoner.baselines.chance import RIGHT
from reckoner.reproduction.pace import FRESH
from reckoner.reproduction.records import Record, Records
from reckoner.reproduction.ten_seeds import KNOWN

ROOT = Path(__file__).parent.parent
COLUMNS, EXPRESSIONS = "add-columns", "expression-modulo"
MATTERS = (COLUMNS, "M*M", "divide-digits", EXPRESSIONS)
PAPERS = ", the paper's β"


@cache
def records(name: str) -> list[Record]:
    return Records(ROOT / "results/reproduce/records" / f"{name}.jsonl").read()


def count(name: str, variants: str | tuple[str, ...], skills: str | tuple[str, ...] = MATTERS) -> str:
    """How many runs of some variants on some skills got there."""
    variants, skills = ((v,) if isinstance(v, str) else v for v in (variants, skills))
    found = [
        r for r in records(name) if r["variant"] in variants and r.get("skill", r.get("subject")) in skills
    ]
    assert found
    return f"{sum(r['mastered'] for r in found)} of {len(found)}"


def without_restart(found: list[Record]) -> str:
    return str(sum(r["restarts"] == 0 for r in found))


def fallen(*variants: str) -> int:
    """How many runs of the perception ablation were given up for what is longer than their lesson."""
    found = [r for r in records("perception") if r["variant"] in variants]
    return sum(r["accuracy"] == 1 and "longer problems wrong" in r["reason"] for r in found)


def capped(least: float = 0.0) -> str:
    """How many runs with every character visible were ended by their cap, so many of the test problems right."""
    found = [r for r in records("perception") if r["variant"] == "characters"]
    return str(sum(r["reason"].startswith("cap") and r["accuracy"] >= least for r in found))


def endings() -> tuple[str, ...]:
    """How many trainings of rivals on fresh problems ended, and why."""
    found = Counter(r["reason"] for r in records("rivals") if r["regime"] == FRESH)
    known, still = found[RIGHT], found["no better for a third of its time"]
    assert sum(found.values()) == known + still + found["time is up"]
    return str(sum(found.values())), str(known), str(still), str(found["time is up"])


WORDS = ("none", "one", "two", "three", "four", "five")
GUIDED = (COLUMNS, "multiply-columns", "M*M", "divide-digits")
CLAIMS: dict[str, list[tuple[str, ...]]] = {
    "docs/questions.md": [
        ("of {} trainings {} ended by the first rule, {} by the second, {} by the clock", *endings()),
        ("suffice ({} runs), and PPO without them fails ({})",
         count("learning", "guided attempts alone", GUIDED), count("learning", "no guidance", GUIDED)),
        ("Its difficulty sampling does: {} runs with it", count("teacher", ("both", "difficulty sampling only"))),
        ("{} without it", count("teacher", ("parameter adjustment only", "neither"))),
        ("ten times larger, {} get there with difficulty sampling and {} without",
         count("teacher", ("both" + PAPERS, "difficulty sampling only" + PAPERS)),
         count("teacher", ("parameter adjustment only" + PAPERS, "neither" + PAPERS))),
        ("From one-digit facts alone nobody learns addition, multiplication, division or expressions ({})",
         count("curriculum-order", "from scratch", ("M+M", "M*M", "M/M", EXPRESSIONS))),
        ("nor the last three without our helper skills ({})",
         count("curriculum-order", "without helper skills", ("M*M", "M/M", EXPRESSIONS))),
        ("as good for addition and division ({}), though not for multiplication and expressions ({})",
         count("curriculum-order", "all lengths at once", ("M+M", "M/M")),
         count("curriculum-order", "all lengths at once", ("M*M", EXPRESSIONS))),
        ("get there in {} runs on multiplication and {} on addition",
         count("curriculum-order", "all tasks at once", "M*M"), count("curriculum-order", "all tasks at once", "M+M")),
        ("not with none or one ({});", count("perception", ("C = 0", "C = 1"), COLUMNS)),
        ("not with none or three ({})", count("perception", ("C = 0", "C = 3"), "M*M")),
        ("On divide-digits one digit suffices ({}); with two {} get there within the cap, "
         "with none or three nobody ({}).",
         *(count("perception", variants, "divide-digits") for variants in ("C = 1", "C = 2", ("C = 0", "C = 3")))),
        ("one symbol ({}), nobody gets there with one, two or three digits more ({})",
         count("perception", "C = 0", EXPRESSIONS), count("perception", ("C = 1", "C = 2", "C = 3"), EXPRESSIONS)),
        ("many times as long, and {} runs on these four get there within the same caps, where {} of them ended "
         "({} of these with 99 or 100 %", count("perception", "characters"), capped(), WORDS[int(capped(0.985))]),
        ("the {} that came to the end of their lesson are right on every test problem",
         WORDS[fallen("characters")]),
    ],
    "README.md": [
        ("{} runs (33 different ones) master their skill with it, {} without.",
         count("teacher", ("both", "difficulty sampling only")),
         count("teacher", ("parameter adjustment only", "neither"))),
        ("nobody learns addition, multiplication, division or expressions ({} runs)",
         count("curriculum-order", "from scratch", ("M+M", "M*M", "M/M", EXPRESSIONS))),
        ("| seeds without a restart | {} | {} |",
         *(without_restart([r for r in records("ten-seeds") if (r["seed"] < KNOWN) == is_known])
           for is_known in (True, False))),
        ("given ten times that time and restarts, learns neither ({})",
         count("continual", "from scratch", ("modulo", "powers"))),
    ],
    "docs/learning.md": [
        ("suffice ({} runs)", count("learning", "guided attempts alone", GUIDED)),
        ("PPO without them stays below 35 % ({})", count("learning", "no guidance", GUIDED)),
        ("addition's columns are learned by {} students with them and {} without",
         count("analogies", "with analogies", COLUMNS), count("analogies", "without", COLUMNS)),
        (
            "with difficulty sampling {} runs get there, without it {}.",
            count("teacher", ("both", "difficulty sampling only")),
            count("teacher", ("parameter adjustment only", "neither")),
        ),
        (
            "With the paper's cap {} runs get there with both mechanisms and {} with neither",
            count("teacher", "both" + PAPERS),
            count("teacher", "neither" + PAPERS),
        ),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("page", "claim"), [(p, c) for p, claims in CLAIMS.items() for c in claims], ids=str)
def test_a_claim_is_what_the_records_say(page, claim):
    sentence, *counts = claim
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    assert sentence.format(*counts) in text


def test_no_run_with_foveal_views_knows_its_lengths_and_fails_beyond():
    """docs/questions.md says so, of the perception ablation and of all others with its skills."""
    assert fallen("C = 0", "C = 1", "C = 2", "C = 3") == 0
    assert not any(
        "longer problems wrong" in r["reason"] for n in ("learning", "teacher") for r in records(n)
    )
