"""`reckon prove`: that every skill does what is specified, at every length, shown from the networks themselves."""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reckoner.cli.results import save_results
from reckoner.errors import UnknownSkill
from reckoner.program.concrete import Mistake
from reckoner.program.grammar_check import Grammar, check_grammar
from reckoner.program.mutation import Tally, mutate
from reckoner.program.proof import EXPRESSIONS, Failure, Proof, prove_library
from reckoner.program.replay import replay
from reckoner.program.solver import ask_cvc5
from reckoner.program.specification import BY_NAME
from reckoner.provenance import provenance
from reckoner.skills.base import Decider
from reckoner.skills.library import Library

_NOT_PROVED = 5
_SECOND_EFFORT = 5_000_000  # cvc5's own units per query


def parser() -> argparse.ArgumentParser:
    """The options of `reckon prove`."""
    p = argparse.ArgumentParser(
        prog="reckon prove",
        description="Prove that every skill does what is specified, at every length, from its network's decisions. "
        "Exit code 0 only if all are proved, 5 otherwise.",
        epilog="example: reckon prove add-columns M+M",
    )
    p.add_argument(
        "skills", nargs="*", metavar="SKILL", help="prove these alone (default: all, in their order)"
    )
    p.add_argument("--library", type=Path, metavar="DIR", help="other weights than the bundled ones")
    p.add_argument(
        "--second-opinion", action="store_true", help="have cvc5 check every formula that z3 decided"
    )
    p.add_argument(
        "--replay", type=int, default=0, metavar="N", help="run N problems per skill and compare their paths"
    )
    p.add_argument(
        "--mutations", type=int, default=0, metavar="N",
        help="change N decisions of every program, each in all ways near it: the proof must notice",
    )  # fmt: skip
    p.add_argument("--formulas", type=Path, metavar="DIR", help="write the formulas there, in SMT-LIB")
    p.add_argument("--out", type=Path, metavar="DIR", help="also write proof.json and proof.md there")
    return p


def main(argv: Sequence[str]) -> int:
    """Prove, print, and say by the exit code whether all is proved."""
    options = parser().parse_args(argv)
    library = Library.load(options.library)
    unknown = [name for name in options.skills if name not in library]
    if unknown:
        raise UnknownSkill(f"there is no skill {unknown[0]!r} in this library")
    start = time.process_time()
    print(_HEAD)
    proofs = prove_library(library, options.skills, report=lambda proof: print(_line(proof), flush=True))
    seconds = time.process_time() - start
    for proof in proofs:
        for failure in proof.failures[:3]:
            print(_explain(proof.skill, failure))
    grammar = None if options.skills else check_grammar()
    page = [_HEAD, *map(_line, proofs), ""]
    verdict = _verdict(proofs, grammar, library, bool(options.skills), seconds)
    extras: dict[str, Any] = {}
    page.append(_say(verdict))
    if options.formulas is not None:
        _write_formulas(options.formulas, proofs)
    if options.second_opinion:
        extras["second opinion"] = _ask_again(proofs)
        page += ["", _say(extras["second opinion"]["text"])]
    if options.replay:
        extras["replay"] = _replay(proofs, library, options.replay)
        page += ["", _say(extras["replay"]["text"])]
    if options.mutations:
        extras["mutations"] = _mutate(proofs, library, options.mutations)
        page += ["", _say(extras["mutations"]["text"])]
    if options.out is not None:
        record = {
            "proofs": [_record(proof) for proof in proofs], "verdict": verdict, **extras, "provenance": provenance(),
        }  # fmt: skip
        save_results(options.out, "proof", record, _TITLE + "\n".join(page) + "\n")
    holds = all(proof.is_proved for proof in proofs) and (grammar is None or grammar.is_right)
    return 0 if holds and all(extra["holds"] for extra in extras.values()) else _NOT_PROVED


_TITLE = """# The proof of the bundled library

Made by `reckon prove --out results`; what it means: [docs/proof.md](../docs/proof.md).

"""
_HEAD = "| skill | view paths | obligations | formulas | seconds | smallest margin | |\n|---|---|---|---|---|---|---|"


def _line(proof: Proof) -> str:
    paths = f"{len(proof.visits):,}" if proof.visits else f"{proof.entries:,} entries"
    margin = "" if math.isnan(proof.margin) else f"{proof.margin:.2f}"
    verdict = "proved" if proof.is_proved else "**not proved**"
    name = proof.skill.replace("*", "\\*")
    cells = (
        name,
        paths,
        f"{proof.obligations:,}",
        f"{proof.queries:,}",
        f"{proof.seconds:.1f}",
        margin,
        verdict,
    )
    return f"| {' | '.join(cells)} |"


def _verdict(
    proofs: list[Proof], grammar: Grammar | None, library: Library, is_part: bool, seconds: float
) -> str:
    proved = sum(proof.is_proved for proof in proofs)
    text = f"{proved} of {len(proofs)} skills proved in {seconds:.0f} s of one core"
    if grammar is not None and not grammar.is_right:
        return f"{text}; the grammar changes the value of {grammar.wrong!r}."
    if proved < len(proofs):
        return f"{text}."
    if is_part or not any(name in EXPRESSIONS for name in library.names):
        return f"{text}: each does what is specified, if those it calls do."
    return f"{text}: every accepted expression, of any length within the limits, is answered exactly."


def _say(text: str) -> str:
    print(text, flush=True)
    return text


def _explain(skill: str, failure: Failure) -> str:
    lines = [f"\n{skill}: not shown that {failure.obligation}"]
    if failure.path:
        lines.append("  seen: " + "  then  ".join(failure.path))
    if failure.mistake is not None:
        lines.append("  " + _describe(failure.mistake))
    return "\n".join(lines)


def _describe(mistake: Mistake) -> str:
    answer = f"answers {mistake.answer!r}" if mistake.answer is not None else "gives no answer"
    reason = f" ({mistake.reason})" if mistake.reason else ""
    return f"for {mistake.x!r}, {mistake.y!r} it {answer}{reason}; right is {mistake.right!r}"


def _record(proof: Proof) -> dict[str, Any]:
    failures = [
        {"obligation": f.obligation, "path": f.path, "mistake": f.mistake.__dict__ if f.mistake else None}
        for f in proof.failures
    ]
    return {
        "skill": proof.skill,
        "paths": len(proof.visits),
        "entries": proof.entries,
        "states": proof.states,
        "obligations": proof.obligations,
        "formulas": proof.queries,
        "seconds": round(proof.seconds, 2),
        "margin": None if math.isnan(proof.margin) else round(proof.margin, 4),
        "proved": proof.is_proved,
        "failures": failures,
    }


def _write_formulas(folder: Path, proofs: list[Proof]) -> None:
    """Every formula that was found contradictory, each in a file that any solver reads."""
    for proof in proofs:
        place = folder / proof.skill.replace("/", "over").replace("*", "times").replace("%", "mod")
        place.mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(proof.contradictions, start=1):
            (place / f"{number:04d}.smt2").write_text(text + "\n", encoding="utf-8")


def _ask_again(proofs: list[Proof]) -> dict[str, Any]:
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


def _replay(proofs: list[Proof], library: Library, count: int) -> dict[str, Any]:
    """Concrete problems take the paths of the proof, and no others."""
    problems = met = unmet = unknown = mistakes = 0
    for proof in proofs:
        skill = library[proof.skill]
        if isinstance(skill, Decider):
            operators = EXPRESSIONS.get(skill.name, "")
            found = replay(skill, library, BY_NAME.get(skill.name), operators, count)
            paths = [visit.history for visit in proof.visits]
            problems += found.problems
            met += len(found.met)
            unmet += len(found.unmet(paths))
            unknown += len(found.unknown(paths))
            mistakes += len(found.mistakes)
    text = (
        f"{problems:,} concrete problems took {met:,} view paths: {unknown} of them not in the proof, {mistakes} wrong "
        f"answers; {unmet:,} paths of the proof were not met."
    )
    return {
        "problems": problems, "met": met, "unmet": unmet, "unknown": unknown, "text": text,
        "holds": not unknown and not mistakes,
    }  # fmt: skip


def _mutate(proofs: list[Proof], library: Library, decisions: int) -> dict[str, Any]:
    """Changed programs are not proved, or are right."""
    total = Tally()
    missed: list[Mistake] = []
    for proof in proofs:
        skill = library[proof.skill]
        if isinstance(skill, Decider):
            tally, holes = mutate(skill, library, proof.visits, decisions=decisions)
            total.killed += tally.killed
            total.equivalent += tally.equivalent
            total.missed += tally.missed
            missed += holes
            print(f"{proof.skill}: {tally}", file=sys.stderr, flush=True)
    text = (
        f"Of {total.total:,} programs with one decision changed, {total.killed:,} are not proved; {total.equivalent:,} "
        f"are proved and gave no wrong answer; {total.missed} are proved and gave a wrong answer."
    )
    return {**total.__dict__, "text": text, "holds": not missed}
