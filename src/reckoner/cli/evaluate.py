"""`reckon eval`: how often the networks are right, by kind of problem and length, with exact intervals."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from reckoner.cli.results import save_results
from reckoner.errors import ReckonerError
from reckoner.evaluation.marking import Score, mark
from reckoner.evaluation.problems import KINDS, LENGTHS, SPECIAL, problems_by_length, special_problems
from reckoner.evaluation.table import markdown
from reckoner.provenance import provenance


def parser() -> argparse.ArgumentParser:
    """The options of `reckon eval`."""
    p = argparse.ArgumentParser(
        prog="reckon eval",
        description="Measure how often the networks are right, at lengths nobody trained on. Percentages come with "
        "the lower end of the exact 95 % interval.",
    )
    p.add_argument("--library", metavar="DIR", help="other weights than the bundled ones")
    p.add_argument("--count", type=int, default=1000, help="problems per kind and length (default 1,000)")
    p.add_argument("--lengths", type=int, nargs="+", default=list(LENGTHS), metavar="N")
    p.add_argument("--seed", type=int, default=0)
    p.add_argument("--out", type=Path, metavar="DIR", help="also write eval.json and eval.md there")
    return p


def main(argv: list[str]) -> int:
    """Run the command."""
    options = parser().parse_args(argv)
    from reckoner.calculator import Calculator

    calculator = Calculator(options.library)
    scores = []
    for kind in (*KINDS, *SPECIAL):
        for length in options.lengths if kind in KINDS else [None]:
            if length is None:
                texts = special_problems(kind, min(200, options.count), options.seed)
            else:
                texts = problems_by_length(kind, length, options.count, options.seed)
            score = mark(calculator, kind, length, texts)
            scores.append(score)
            where = kind if length is None else f"{kind}, length {length}"
            print(
                f"{where}: {score.right} of {score.count} in {score.seconds:.1f} s",
                file=sys.stderr,
                flush=True,
            )
    text = tables(scores)
    print(text)
    mistakes = [text for score in scores for text in score.mistakes]
    show_mistakes(calculator, mistakes[:5])
    if options.out:
        record = {"seed": options.seed, "provenance": provenance(), "scores": [asdict(s) for s in scores]}
        save_results(options.out, "eval", record, text)
    return 5 if mistakes else 0


def tables(scores: Sequence[Score]) -> str:
    """The results as Markdown: by length, then the special families."""
    by_place = {(s.kind, s.length): s for s in scores}
    lengths = sorted({s.length for s in scores if s.length is not None})
    kinds = dict.fromkeys(s.kind for s in scores if s.length is not None)
    return "\n".join(
        [
            markdown(
                ["right, of 1,000 unless stated", *(f"length {n}" for n in lengths)],
                [[kind, *(_share(by_place.get((kind, n))) for n in lengths)] for kind in kinds],
            ),
            markdown(
                ["special problems", "right", "95 % interval"],
                [
                    [s.kind, f"{s.right} of {s.count}", f"{s.low:.2%} to {s.high:.2%}"]
                    for s in scores
                    if s.length is None
                ],
            ),
        ]
    )


def _share(score: Score | None) -> str:
    if score is None:
        return ""
    of = "" if score.count == 1000 else f" of {score.count}"
    return f"{score.right / score.count:.1%}{of} (≥ {score.low:.2%})"


def show_mistakes(calculator: Any, texts: Sequence[str]) -> None:
    """Print mistakes with their steps."""
    for text in texts:
        print(f"\nwrong: {text}")
        try:
            answer = calculator(text, trace=True)
            print(answer.trace.render(depth=2))
        except ReckonerError as error:
            print(f"  {error.message}")
