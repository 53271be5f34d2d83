"""`reckon program`: the programs that the networks have learned."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from reckoner.alphabet import spell
from reckoner.errors import ExpressionError, UnknownSkill
from reckoner.program.listing import list_program, summarise, to_json
from reckoner.program.proof import Proof, Visit, prove_skill
from reckoner.program.words import decision
from reckoner.skills.base import Decider
from reckoner.skills.library import Library


def parser() -> argparse.ArgumentParser:
    """The options of `reckon program`."""
    p = argparse.ArgumentParser(
        prog="reckon program",
        description="Print the program that a skill's network has learned: what it does on every view it can come to "
        "see. A digit is `d`, the inside of a long number `~`, a whole number `N`, the rest of a text `…`, any "
        "operator `∘`; `d{2+}` is a number of two digits or more.",
        epilog="example: reckon program strip",
    )
    p.add_argument("skills", nargs="*", metavar="SKILL", help="these alone (default: all that decide)")
    p.add_argument("--library", type=Path, metavar="DIR", help="other weights than the bundled ones")
    p.add_argument(
        "--compare", type=Path, metavar="DIR", help="say where the programs of another library differ"
    )
    p.add_argument("--markdown", action="store_true", help="a page for the documentation (docs/programs.md)")
    p.add_argument("--json", action="store_true", help="one JSON object per skill and line")
    return p


def main(argv: Sequence[str]) -> int:
    """Print programs, or how those of two libraries differ."""
    options = parser().parse_args(argv)
    library = Library.load(options.library)
    other = Library.load(options.compare) if options.compare is not None else None
    if options.markdown:
        print(_PAGE)
    for name in options.skills or [s.name for s in library if isinstance(s, Decider)]:
        skill = library[name]
        if not isinstance(skill, Decider):
            raise UnknownSkill(f"{name!r} is a table of facts and decides nothing")
        proof = _explore(skill, library)
        if other is not None:
            print(_compare(skill, proof, other))
        elif options.markdown:
            print(_section(skill, proof))
        elif options.json:
            print(json.dumps(to_json(skill, proof.visits)))
        else:
            print(list_program(skill, proof), end="\n\n")
    return 0


_PAGE = """# The programs that the networks have learned

Made by `reckon program --markdown > docs/programs.md` from the bundled weights: nobody wrote these programs. Each
network was asked what it does on every sequence of views that it can come to see, and views on which it does the
same were put together. That the programs are right is shown in [proof.md](proof.md).

How to read them: `d` is a digit, `~` the inside of a long number, `N` a whole number, `…` the rest of a text, `∘` any
operator, `[+-]` one of these, `d{2+}` a number of two digits or more. `add-column (a; b) in place of c` calls the skill
`add-column` with two spans of the memory and writes its answer over a third. "The operation" is that of the operator
between the two numbers read.
"""


def _section(skill: Decider, proof: Proof) -> str:
    """A skill's chapter of the page: what it does where numbers are long, and its whole program."""
    sentence = summarise(skill, proof.visits)
    listing = list_program(skill, proof)
    return f"## {skill.name}\n\nOn the longest view: {sentence}\n\n```text\n{listing}\n```\n"


def _explore(skill: Decider, library: Library) -> Proof:
    proof = prove_skill(skill, library, most_failures=10**9, examples=False)
    if not proof.visits:
        raise ExpressionError(f"nothing is known of {skill.name!r}: {proof.failures[0].obligation}")
    return proof


def _compare(skill: Decider, proof: Proof, other: Library) -> str:
    """Whether another library's skill does the same wherever this one can come."""
    twins = [skill_ for skill_ in other if skill_.name == skill.name]
    if not twins or not isinstance(twin := twins[0], Decider):
        return f"{skill.name}: the other library has none"
    theirs = {visit.history: visit for visit in _explore(twin, other).visits}
    ours = {visit.history: visit for visit in proof.visits}
    common = [history for history in ours if history in theirs]
    different = [h for h in common if ours[h].choice != theirs[h].choice]
    if not different and len(common) == len(ours) == len(theirs):
        return f"{skill.name}: the same program ({len(ours):,} paths)"
    text = f"{skill.name}: {len(common) - len(different):,} of {len(ours):,} decisions are the same"
    if different:
        history = min(different, key=len)
        views = " then ".join(f"`{spell(skill.spec.perception, view)}`" for view in history)
        text += f"\n  at {views}\n    here:  {_say(skill, ours[history])}\n    there: {_say(twin, theirs[history])}"
    return text


def _say(skill: Decider, visit: Visit) -> str:
    return decision(spell(skill.spec.perception, visit.history[-1]), visit.choice, skill.spec.calls)
