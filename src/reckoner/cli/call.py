"""`reckon call`: one skill of a library, by its name, on a message of one's own."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from typing import TYPE_CHECKING, Any

from reckoner.alphabet import ALPHABET
from reckoner.cli.alike import check_skills
from reckoner.cli.argument import whole_number
from reckoner.cli.terminal import count_columns
from reckoner.errors import MessageRefused, ReckonerError

if TYPE_CHECKING:
    from reckoner.machine import Outcome
    from reckoner.skills import Library

_EXAMPLES = """\
examples:
  reckon call M+M 58 67             125
  reckon call signed-add -- -58 67  after --, a minus begins no option
  reckon call strip 00120           leading zeros off
  reckon call --trace M+M 58 67     with the calls it makes"""


class NotAccepted(MessageRefused):
    """A message that the skill was never taught to answer."""

    exit_code = 2


def parser() -> argparse.ArgumentParser:
    """The options of `reckon call`."""
    p = argparse.ArgumentParser(
        prog="reckon call",
        description="Ask one skill. A message has two parts, x and y; most skills on one number leave y empty.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("skill", metavar="NAME", help="a skill of the library")
    p.add_argument("x", metavar="X", help="the first part of the message")
    p.add_argument("y", metavar="Y", nargs="?", default="", help="the second part (default: empty)")
    p.add_argument("--trace", action="store_true", help="the calls that the skill makes")
    p.add_argument(
        "--depth",
        type=whole_number(0),
        metavar="N",
        help="levels of calls (default 1, in JSON all); implies --trace",
    )
    p.add_argument("--json", action="store_true", help="one JSON object")
    p.add_argument("--library", metavar="DIR", help="weights to use instead of the bundled ones")
    return p


def main(argv: list[str]) -> int:
    """Run the command."""
    options = parser().parse_args(argv)
    try:
        outcome, seconds = _ask(options)
        error = outcome.error
    except ReckonerError as failure:
        if not options.json:
            raise
        outcome, seconds, error = None, 0.0, failure
    if options.json:
        print(json.dumps(_entry(options, outcome, error, seconds)))
        return error.exit_code if error else 0
    if error is not None:
        raise error
    assert outcome is not None
    if outcome.trace is not None:
        depth = 1 if options.depth is None else options.depth
        print(outcome.trace.render(depth, count_columns(sys.stdout)))
    else:
        print(outcome.answer)
    return 0


def _ask(options: argparse.Namespace) -> tuple[Outcome, float]:
    """What the machine makes of the message, and how long it takes."""
    # the matrices are small, and one core is the promise; set before numpy loads
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from reckoner.machine import Machine
    from reckoner.skills import Library

    library = Library.load(options.library)
    _check(library, options.skill, options.x, options.y)
    started = time.perf_counter()
    (outcome,) = Machine(library).run(options.skill, [(options.x, options.y)], trace=_wants_trace(options))
    if outcome.error is None and outcome.refusal is not None:
        refused = f"{outcome.refusal.skill} refused what it was asked"
        outcome = outcome._replace(error=MessageRefused(f"the networks lost their way: {refused}"))
    return outcome, time.perf_counter() - started


def _check(library: Library, name: str, x: str, y: str) -> None:
    """A message for a skill that is there, of a form it was taught."""
    check_skills([name], library.names)
    skill = library[name]
    for part, text, accepts in (("x", x, skill.spec.accepts_x), ("y", y, skill.spec.accepts_y)):
        alone = (skill.accepts_first if part == "x" else skill.accepts_second)(text.encode(errors="replace"))
        if not alone or not set(text) <= set(ALPHABET):
            wanted = f"the form {accepts}" if accepts else "nothing"
            raise NotAccepted(f"{name} was not taught to take {text!r} as {part}: it takes {wanted}")


def _wants_trace(options: argparse.Namespace) -> bool:
    return options.trace or options.depth is not None


def _entry(
    options: argparse.Namespace, outcome: Outcome | None, error: ReckonerError | None, seconds: float
) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "skill": options.skill,
        "x": options.x,
        "y": options.y,
        "answer": outcome.answer if outcome and error is None else None,
        "status": error.kind if error else "ok",
        "error": {"kind": error.kind, "message": error.message} if error else None,
        "calls": outcome.calls if outcome else 0,
        "seconds": round(seconds, 6),
    }
    if _wants_trace(options):
        from reckoner.trace_json import to_json

        entry["trace"] = to_json(outcome.trace, options.depth) if outcome and outcome.trace else None
    return entry
