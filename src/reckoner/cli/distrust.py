"""Reasons to trust a proof, each as a sentence with its numbers: what `reckon prove` does beyond proving."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reckoner.engine import make_engine
from reckoner.program.decision import History, Learned
from reckoner.program.disorder import load_bearing, shuffle
from reckoner.program.mutation import Tally, mutate_part
from reckoner.program.paths import Paths
from reckoner.program.proof import Proof, prove_skill
from reckoner.program.replay import replay_expressions, take_every_path
from reckoner.program.solver import ask_cvc5
from reckoner.program.text_row import top_rows
from reckoner.skills.base import Decider
from reckoner.skills.library import Library

_SECOND_EFFORT = 5_000_000  # cvc5's own units per query
_SHUFFLES = 3  # of each skill's weights
_PARTS = 8  # pieces of work that the decisions of a long program are cut into

Finding = dict[str, Any]  # its sentence is "text", whether it is as it should be is "holds"


def ask_again(proofs: Sequence[Proof]) -> Finding:
    """What another solver says of the formulas."""
    start = time.process_time()
    answers = {"unsat": 0, "sat": 0, "unknown": 0}
    for proof in proofs:
        for text in proof.contradictions:
            answers[ask_cvc5(text, _SECOND_EFFORT)] += 1
    total, seconds = sum(answers.values()), time.process_time() - start
    text = (
        f"cvc5 confirms {answers['unsat']:,} of {total:,} formulas that z3 found contradictory in {seconds:.0f} s; "
        f"it contradicts {answers['sat']}, and leaves {answers['unknown']} open."
    )
    return {**answers, "seconds": round(seconds, 1), "text": text, "holds": not answers["sat"]}


def take_paths(proofs: Sequence[Proof], library: Library) -> Finding:
    """For every path of the proof concrete problems that take it, run on the machine."""
    start = time.process_time()
    paths = problems = untaken = mistakes = 0
    for proof in proofs:
        skill = library[proof.skill]
        if isinstance(skill, Decider) and proof.is_specified:
            cover = take_every_path(Paths(skill, library), library)
            paths += cover.paths
            problems += cover.problems
            untaken += len(cover.untaken)
            mistakes += len(cover.mistakes)
    seconds = time.process_time() - start
    text = (
        f"Of {paths:,} view paths of the proof {paths - untaken:,} are taken by problems made for them: {problems:,} "
        f"problems, {mistakes} wrong answers, {seconds:.0f} s."
    )
    return {
        "paths": paths, "problems": problems, "untaken": untaken, "mistakes": mistakes, "seconds": round(seconds, 1),
        "text": text, "holds": not mistakes and not untaken,
    }  # fmt: skip


def replay(proofs: Sequence[Proof], library: Library, count: int) -> Finding:
    """Random expressions take paths of the proof and no others, in every skill."""
    start = time.process_time()
    known = {proof.skill: {visit.history for visit in proof.visits} for proof in proofs}
    problems = mistakes = unknown = 0
    met: dict[str, frozenset[History]] = {}
    for row in top_rows(library.names):
        found = replay_expressions(library, row, count)
        for skill, replayed in found.items():
            met[skill] = met.get(skill, frozenset()) | replayed.met
        unknown += sum(len(found[skill].unknown(paths)) for skill, paths in known.items() if skill in found)
        mistakes += len(found[row.name].mistakes)
        problems += found[row.name].problems
    paths = sum(map(len, met.values()))
    seconds = time.process_time() - start
    text = (
        f"{problems:,} different random expressions took {paths:,} view paths of {len(met)} skills: {unknown} of them "
        f"not in the proof, {mistakes} wrong answers, {seconds:.0f} s."
    )
    return {
        "problems": problems, "met": paths, "unknown": unknown, "mistakes": mistakes, "seconds": round(seconds, 1),
        "text": text, "holds": not unknown and not mistakes,
    }  # fmt: skip


def measure_rounding(proofs: Sequence[Proof], library: Library) -> Finding:
    """What single precision changes: in batches, one decision at a time, and at most."""
    worst = {"batch": 0.0, "alone": 0.0}
    decisions, is_bounded, room, margin = 0, True, math.inf, math.inf
    for proof in proofs:
        skill = library[proof.skill]
        if not isinstance(skill, Decider) or not proof.bounds:
            continue
        together = {visit.history: visit.margin for visit in proof.visits}
        for history, bound in proof.bounds.items():
            margins = {"batch": together[history], "alone": Learned(skill).choose([history])[0].margin}
            for name, found in margins.items():
                if found < 1e8:  # where only one choice is allowed, a margin says nothing
                    worst[name] = max(worst[name], abs(found - bound.lead))
                    is_bounded &= abs(found - bound.lead) <= bound.error
            decisions += 1
            room, margin = min(room, bound.room), min(margin, bound.lead)
    text = (
        f"Float arithmetic: the smallest margin of {decisions:,} decisions is {margin:.2f} in double precision; "
        f"single precision differs by at most {worst['batch']:.1g} in batches and {worst['alone']:.1g} one by one; in "
        f"whatever order sums are added up, at least {room:.2f} of every margin is left."
    )
    return {**worst, "decisions": decisions, "room": room, "text": text, "holds": is_bounded and room > 0}


def shuffle_weights(proofs: Sequence[Proof], library: Library) -> Finding:
    """No skill with its weights in disorder is proved, wherever answers rest on it."""
    start = time.process_time()
    tops = top_rows(library.names)
    names = {name for row in tops for name in load_bearing(library, row.name)} or set(library.names)
    asked = [proof.skill for proof in proofs if proof.skill in names]
    proved = [
        (name, seed)
        for name in asked
        for seed in range(_SHUFFLES)
        if prove_skill(shuffle(library[name], library, seed), library, examples=False).is_proved
    ]
    seconds = time.process_time() - start
    text = (
        f"Weights in disorder: {len(asked)} skills that answers rest on, each shuffled {_SHUFFLES} times; "
        f"{len(proved)} of {len(asked) * _SHUFFLES} are proved, {seconds:.0f} s."
    )
    return {
        "skills": asked,
        "proved": proved,
        "seconds": round(seconds, 1),
        "text": text,
        "holds": not proved,
    }


def mutate(proofs: Sequence[Proof], library: Library, folder: Path | None, workers: int) -> Finding:
    """Every decision of every program changed: not proved, or right."""
    start = time.monotonic()
    tallies = {
        proof.skill: Tally() for proof in proofs if isinstance(library[proof.skill], Decider) and proof.visits
    }
    with make_engine(workers) as engine:
        for proof in proofs:
            if proof.skill in tallies:
                parts = _PARTS if proof.queries > 100 or len(proof.visits) > 1000 else 1
                for part in range(parts):
                    engine.submit(f"{part} {proof.skill}", mutate_part, folder, proof.skill, part, parts)
        while len(engine):
            for piece, tally in engine.collect():
                skill = piece.split()[1]
                tallies[skill].add(tally)
                print(f"{skill}: {tally.total:,} changed programs", file=sys.stderr, flush=True)
    total = Tally()
    for tally in tallies.values():
        total.add(tally)
    minutes = (time.monotonic() - start) / 60
    text = (
        f"Every one of {total.decisions:,} decisions changed, {total.total:,} programs in all: {total.killed:,} are "
        f"not proved; {total.equivalent:,} are proved and answered all problems rightly that reach the change "
        f"({total.problems:,} problems); {total.unreached} are proved and no problem reached the change; "
        f"{total.missed} are proved and gave a wrong answer. {minutes:.1f} minutes, {workers} processes."
    )
    by_skill = {
        name: {k: v for k, v in tally.__dict__.items() if k not in ("obligations", "mistakes")}
        for name, tally in tallies.items()
    }
    return {
        "skills": by_skill, "obligations": dict(total.obligations.most_common()),
        "missed": [mistake.__dict__ for mistake in total.mistakes], "minutes": round(minutes, 1),
        "text": text, "holds": not total.missed and not total.unreached,
    }  # fmt: skip


def tables(finding: Finding) -> str:
    """How the changed programs of each skill fared, and which obligation they failed by."""
    head = ("changed programs of", "decisions", "changes", "not proved", "proved and right", "missed")
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for name, t in finding["skills"].items():
        missed = t["missed"] + t["unreached"]
        cells = [t["decisions"], t["killed"] + t["equivalent"] + missed, t["killed"], t["equivalent"], missed]
        lines.append(f"| {name} | {' | '.join(f'{n:,}' for n in cells)} |")
    lines += ["", "| the obligation that failed first | programs |", "|---|---|"]
    lines += [f"| {name} | {count:,} |" for name, count in finding["obligations"].items()]
    return "\n".join(lines).replace("M*", "M\\*")


__all__ = ["Finding", "ask_again", "mutate", "replay", "shuffle_weights", "tables", "take_paths"]
