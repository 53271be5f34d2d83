"""What `reckon prove` does: proves the skills in their order, asks for more where wanted, writes the page."""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reckoner.cli import distrust
from reckoner.cli.alike import check_skills
from reckoner.cli.distrust import Finding
from reckoner.cli.results import save_results
from reckoner.program.concrete import Mistake
from reckoner.program.disorder import load_bearing
from reckoner.program.grammar_check import Grammar, check_grammar
from reckoner.program.proof import Failure, Proof, prove_library
from reckoner.program.solver import import_cvc5, import_z3
from reckoner.program.text_row import top_rows
from reckoner.provenance import provenance
from reckoner.skills.base import Decider
from reckoner.skills.library import Library

_NOT_PROVED = 5


def run(options: argparse.Namespace) -> int:
    """Prove, print, and say by the exit code whether all is proved."""
    library = Library.load(options.library)
    check_skills(options.skills, library.names)
    _check_solvers(options, library)
    start = time.process_time()
    print(_HEAD)
    proofs = prove_library(library, options.skills, report=lambda proof: print(_line(proof), flush=True))
    seconds = time.process_time() - start
    for proof in proofs:
        for failure in proof.failures[:3] if proof.is_specified else ():
            print(_explain(proof.skill, failure))
    grammar = None if options.skills else check_grammar()
    page = [_HEAD, *map(_line, proofs), ""]
    verdict = _verdict(proofs, grammar, library, bool(options.skills), seconds)
    page.append(_say(verdict))
    if options.formulas is not None:
        _write_formulas(options.formulas, proofs)
    extras = _distrust(options, proofs, library)
    if options.out is not None:
        records = [_record(proof) for proof in proofs]
        extras = {**_earlier(options.out, records), **extras}
        for name in _ORDER:
            if name in extras:
                page += ["", extras[name]["text"]]
        if "mutations" in extras:
            page += ["", distrust.tables(extras["mutations"])]
        record = {"proofs": records, "verdict": verdict, **extras, "provenance": provenance()}
        save_results(options.out, "proof", record, _TITLE + "\n".join(page).rstrip() + "\n")
    holds = all(proof.is_proved for proof in proofs) and (grammar is None or grammar.is_right)
    return 0 if holds and all(extra["holds"] for extra in extras.values()) else _NOT_PROVED


def _check_solvers(options: argparse.Namespace, library: Library) -> None:
    """Find out before the first row whether the last can be reached; tables alone need no solver."""
    if any(isinstance(library[name], Decider) for name in options.skills or library.names):
        import_z3()
    if options.second_opinion:
        import_cvc5()


def _distrust(options: argparse.Namespace, proofs: list[Proof], library: Library) -> dict[str, Finding]:
    """What else was asked for, one after the other."""
    wanted: list[tuple[bool, str, Callable[[], Finding]]] = [
        (options.second_opinion, "second opinion", lambda: distrust.ask_again(proofs)),
        (options.paths, "paths", lambda: distrust.take_paths(proofs, library)),
        (options.replay > 0, "replay", lambda: distrust.replay(proofs, library, options.replay)),
        (options.rounding, "rounding", lambda: distrust.measure_rounding(proofs, library)),
        (options.disorder, "disorder", lambda: distrust.shuffle_weights(proofs, library)),
        (
            options.mutations,
            "mutations",
            lambda: distrust.mutate(proofs, library, options.library, options.workers),
        ),
    ]
    found = {}
    for is_wanted, name, look in wanted:
        if is_wanted:
            found[name] = look()
            _say(found[name]["text"])
    return found


_ORDER = ("second opinion", "paths", "replay", "rounding", "disorder", "mutations")
_SAME = ("skill", "paths", "obligations", "margin", "proved")  # of the same weights and the same proof


def _earlier(folder: Path, records: list[dict[str, Any]]) -> dict[str, Finding]:
    """What was found before of the same programs: findings take long, and may be asked for one after the other.

    Skills that came later do not change what was found of the others.
    """
    try:
        known = json.loads((folder / "proof.json").read_bytes())
        now = {r["skill"]: [r[k] for k in _SAME] for r in records}
        is_same = all(now.get(r["skill"]) == [r[k] for k in _SAME] for r in known["proofs"] if r["proved"])
        return {name: known[name] for name in _ORDER if name in known} if is_same else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


_TITLE = """# The proof of the bundled library

Made by `make proof` (`reckon prove --out results` with its other options, together or one after the other).
What it means: [docs/proof.md](../docs/proof.md).

"""
_HEAD = (
    "| skill | view paths | obligations | formulas | seconds | smallest margin | left by rounding | |\n"
    "|---|---|---|---|---|---|---|---|"
)


def _line(proof: Proof) -> str:
    if not proof.is_specified:
        return f"| {proof.skill} | | | | | | | not specified yet |"
    paths = f"{len(proof.visits):,}" if proof.visits else f"{proof.entries:,} entries"
    margin, room = ("" if math.isnan(number) else f"{number:.2f}" for number in (proof.margin, proof.room))
    verdict = "proved" if proof.is_proved else "**not proved**"
    name = proof.skill.replace("*", "\\*")
    cells = (
        name,
        paths,
        f"{proof.obligations:,}",
        f"{proof.queries:,}",
        f"{proof.seconds:.1f}",
        margin,
        room,
        verdict,
    )
    return f"| {' | '.join(cells)} |"


def _verdict(
    proofs: list[Proof], grammar: Grammar | None, library: Library, is_part: bool, seconds: float
) -> str:
    proved = sum(proof.is_proved for proof in proofs)
    text = f"{proved} of {len(proofs)} skills proved in {seconds:.0f} s of one core"
    open_ = [proof.skill for proof in proofs if not proof.is_specified]
    if open_:
        text += f" ({len(open_)} are not specified yet, {open_[0]} to {open_[-1]})"
    if grammar is not None and not grammar.is_right:
        return f"{text}; the grammar changes the value of {grammar.wrong!r}."
    tops, known = top_rows(library.names), {proof.skill for proof in proofs if proof.is_proved}
    if is_part or not tops:
        needed = {name for row in tops for name in load_bearing(library, row.name)} or set(library.names)
        is_open = any(proof.skill in needed and not proof.is_proved for proof in proofs)
        return f"{text}." if is_open else f"{text}: each does what is specified, if those it calls do."
    done = [row for row in tops if known.issuperset(load_bearing(library, row.name))]
    if not done:
        return f"{text}."
    kind = (
        "expression"
        if len(done) == len(tops)
        else "expression " + " or ".join(_KINDS[r.is_scaled] for r in done)
    )
    return f"{text}: every accepted {kind}, of any length within the limits, is answered exactly."


_KINDS = {False: "of whole numbers without powers", True: "with decimals or powers"}


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
        "room": None if math.isnan(proof.room) else round(proof.room, 4),
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
