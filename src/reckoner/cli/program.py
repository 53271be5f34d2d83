"""`reckon program`: the programs that the networks have learned."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from reckoner.alphabet import spell
from reckoner.cli.alike import check_skills
from reckoner.errors import ExpressionError, UnknownSkill
from reckoner.program.algorithm import name_algorithm
from reckoner.program.listing import list_program, to_json
from reckoner.program.paths import Paths
from reckoner.program.proof import Visit
from reckoner.program.solver import import_z3
from reckoner.program.specification import BY_NAME
from reckoner.program.text_row import EXPRESSIONS
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
    check_skills(options.skills, library.names)
    other = Library.load(options.compare) if options.compare is not None else None
    names = options.skills or [s.name for s in library if isinstance(s, Decider) and is_specified(s.name)]
    import_z3()  # before the first line is printed
    if options.markdown:
        print(_PAGE)
    same = 0
    for name in names:
        skill = library[name]
        if not isinstance(skill, Decider):
            raise UnknownSkill(f"{name!r} is a table of facts and decides nothing")
        paths = _explore(skill, library)
        if other is not None:
            comparison = compare(paths, other)
            same += comparison.is_same
            print(comparison.text)
        elif options.markdown:
            print(_section(paths, library))
        elif options.json:
            print(json.dumps(to_json(skill, paths.visits)))
        else:
            print(f"{list_program(paths, library)}\n\n  {name_algorithm(skill, paths.visits)}\n")
    if other is not None:
        print(f"{same} of {len(names)} programs are the same in both libraries.")
    return 0


_PAGE = """# The programs that the networks have learned

Made by `reckon program --markdown > docs/programs.md` from the bundled weights: nobody wrote these programs. Each
network was asked what it does on every sequence of views that it can come to see, and views on which it does the
same were put together. That the programs are right is shown in [proof.md](proof.md). What the skills in them do is
in [skills.md](skills.md).

How to read them. A skill sees its memory in outline: `d` is a digit, `~` the inside of a long number, `N` a whole
number, `…` the rest of a text, `∘` any operator, `[+-]` one of these, `d{2+}` a number of two digits or more. A
rule says what is done where the memory looks like that: `add-column (a; b) in place of c` calls the skill add-
column with two parts of the memory and writes its answer over a third. Then the memory looks like something else,
and what is done there comes next. "The operation" is that of the operator between the two numbers. Each rule has
an example, with the memory after each call.

The sentence above each program says which algorithm that is; it is read off the program by `program/algorithm.py`.
"""


def _section(paths: Paths, library: Library) -> str:
    """A skill's chapter of the page: which algorithm it is, and the program."""
    sentence = name_algorithm(paths.skill, paths.visits)
    return f"## {paths.skill.name}\n\n{sentence}\n\n```text\n{list_program(paths, library)}\n```\n"


def _explore(skill: Decider, library: Library) -> Paths:
    if not is_specified(skill.name):
        raise ExpressionError(f"nothing is known of {skill.name!r}: it is not specified what it has to do")
    paths = Paths(skill, library, most_failures=10**9)
    if not paths.all:
        raise ExpressionError(f"nothing is known of {skill.name!r}: {paths.work.unproved[0].obligation}")
    return paths


def is_specified(name: str) -> bool:
    """Whether it is written down what a skill has to do: only then it is known what it can come to see."""
    return name in BY_NAME or name in EXPRESSIONS


class Comparison(NamedTuple):
    """Whether two libraries' skills of one name are the same program, and in words where not."""

    is_same: bool
    text: str


def compare(paths: Paths, other: Library) -> Comparison:
    """Whether another library's skill does the same wherever this one can come."""
    skill = paths.skill
    twin = next((each for each in other if each.name == skill.name), None)
    if not isinstance(twin, Decider):
        return Comparison(False, f"{skill.name}: the other library has none")
    ours = {visit.history: visit for visit in paths.visits}
    theirs = {visit.history: visit for visit in _explore(twin, other).visits}
    common = [history for history in ours if history in theirs]
    different = [h for h in common if _call(skill, ours[h]) != _call(twin, theirs[h])]
    if not different and len(common) == len(ours) == len(theirs):
        return Comparison(True, f"{skill.name}: the same program ({len(ours):,} decisions)")
    equal = len(common) - len(different)
    text = f"{skill.name}: another program; {equal:,} of {len(ours):,} decisions here are the same there"
    for history in sorted(different, key=len)[:3]:
        views = " then ".join(f"`{spell(skill.spec.perception, view)}`" for view in history)
        text += f"\n  at {views}\n    here:  {_say(skill, ours[history])}\n    there: {_say(twin, theirs[history])}"
    return Comparison(False, text)


def _call(skill: Decider, visit: Visit) -> tuple[str, ...]:
    """A decision by the callee's name: lists of callable skills may differ."""
    module, *pointers = visit.choice
    return (skill.spec.calls[module - 1], *map(str, pointers)) if module else ("halt",)


def _say(skill: Decider, visit: Visit) -> str:
    return decision(spell(skill.spec.perception, visit.history[-1]), visit.choice, skill.spec.calls)
