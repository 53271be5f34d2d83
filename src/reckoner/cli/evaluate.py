"""`reckon eval`: how often the networks are right, by kind of problem and length, with exact intervals."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from reckoner.cli.results import check_folder, save_results
from reckoner.errors import ReckonerError
from reckoner.evaluation.bc import compare, find_bc
from reckoner.evaluation.decimals import NEGATIVE_POWER, POWER, ProblemSet, decimal_sets
from reckoner.evaluation.marking import Score, mark
from reckoner.evaluation.problems import KINDS, LENGTHS, SPECIAL, problems_by_length, special_problems
from reckoner.evaluation.table import markdown
from reckoner.provenance import provenance

if TYPE_CHECKING:
    from reckoner.calculator import Calculator

_SHOWN = 20  # differences
_SHOWN_STEPS = 5  # mistakes with their steps


class UnknownKindError(ReckonerError):
    """No problems of that kind are asked."""

    kind = "unknown-kind"
    exit_code = 2


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
    p.add_argument(
        "--only", nargs="+", metavar="WORD", help="only kinds of problems with one of these words in them"
    )
    p.add_argument(
        "--against-bc",
        type=int,
        metavar="N",
        help="instead, compare N random expressions at scales 0 to 20 with what bc answers, if it is installed",
    )
    p.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="also write eval.json and eval.md there; with --only, other rows that are there already stay",
    )
    return p


def main(argv: list[str]) -> int:
    """Run the command."""
    options = parser().parse_args(argv)
    from reckoner.calculator import Calculator

    calculator = Calculator(options.library)
    _check(options, calculator.knows_decimals)
    if options.against_bc:
        return compare_with_bc(calculator, options)
    scores = []
    for problems in problem_sets(options.lengths, options.count, options.seed, calculator.knows_decimals):
        kind, length, pairs = problems
        if options.only and not any(word in kind for word in options.only):
            continue
        score = mark(calculator, kind, length, [text for text, _ in pairs], [scale for _, scale in pairs])
        scores.append(score)
        where = kind if length is None else f"{kind}, length {length}"
        print(
            f"{where}: {score.right} of {score.count} in {score.seconds:.1f} s", file=sys.stderr, flush=True
        )
    text = tables(scores)
    print(text)
    show_mistakes(calculator, scores)
    if options.out:
        kept = read_scores(options.out / "eval.json", options.seed) if options.only else []
        save_scores(options.out, options.seed, kept, scores)
    return 5 if any(score.mistakes for score in scores) else 0


def _check(options: argparse.Namespace, decimals: bool) -> None:
    """Refuse what would come to nothing, before anything is measured."""
    kinds = list_kinds(decimals)
    for word in options.only or ():
        if not any(word in kind for kind in kinds):
            raise UnknownKindError(
                f"no kind of problems has {word!r} in its name; there are: {'; '.join(kinds)}"
            )
    if options.out:
        check_folder(options.out)


def list_kinds(decimals: bool) -> list[str]:
    """The names of all kinds of problems there are to ask."""
    new = [problems.kind for problems in decimal_sets((5,), 1, 0)] if decimals else []
    return list(dict.fromkeys([*KINDS, *SPECIAL, *new]))


def read_scores(file: Path, seed: int) -> list[Score]:
    """The rows that an earlier evaluation on the same problems left."""
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
        return [Score(**score) for score in record["scores"]] if record["seed"] == seed else []
    except (OSError, ValueError, KeyError, TypeError):
        return []


def save_scores(folder: Path, seed: int, kept: Sequence[Score], scores: Sequence[Score]) -> None:
    """Write the rows; new ones take the place of old ones."""
    rows = {(score.kind, score.length): score for score in [*kept, *scores]}
    record = {"seed": seed, "provenance": provenance(), "scores": [asdict(score) for score in rows.values()]}
    save_results(folder, "eval", record, tables(list(rows.values())))


def problem_sets(lengths: Sequence[int], count: int, seed: int, decimals: bool) -> Iterator[ProblemSet]:
    """Everything there is to ask, one set after the other."""
    for kind in KINDS:
        for length in lengths:
            yield ProblemSet(kind, length, [(t, 0) for t in problems_by_length(kind, length, count, seed)])
    for family in SPECIAL:
        yield ProblemSet(family, None, [(t, 0) for t in special_problems(family, min(200, count), seed)])
    if decimals:
        yield from decimal_sets(lengths, count, seed)
    else:
        print("this library has not learned decimals", file=sys.stderr)


def compare_with_bc(calculator: Calculator, options: argparse.Namespace) -> int:
    """Print how often we and bc agree."""
    if find_bc() is None:
        print("bc is not installed here (Debian's package bc has it), so there is nothing to compare with")
        return 0
    found = compare(calculator, options.against_bc, options.seed)
    for text in found.differences[:_SHOWN]:
        print(f"different: {text}")
    text = (
        f"{found.count - len(found.differences):,} of {found.count:,} random expressions at scales 0 to 20 as bc has "
        f"them ({found.without_value:,} of them divisions by zero, which both refuse).\n"
    )
    print(text, end="")
    if options.out:
        record = {"seed": options.seed, "provenance": provenance(), **asdict(found)}
        save_results(options.out, "bc", record, text)
    return 5 if found.differences else 0


def tables(scores: Sequence[Score]) -> str:
    """The results as Markdown: by length, powers by the digits of what is raised, then the special families."""
    powers = [s for s in scores if s.kind in (POWER, NEGATIVE_POWER)]
    by_length = [s for s in scores if s.length is not None and s not in powers]
    special = [
        [s.kind, f"{s.right} of {s.count}", f"{s.low:.2%} to {s.high:.2%}"]
        for s in scores
        if s.length is None
    ]
    found = [
        _table("right, of 1,000 unless stated", "length {}", by_length),
        _table("powers of numbers", "up to {} digits", powers),
        markdown(["special problems", "right", "95 % interval"], special) if special else "",
    ]
    return "\n".join(table for table in found if table)


def _table(head: str, column: str, scores: Sequence[Score]) -> str:
    """One row per kind, one column per length."""
    by_place = {(s.kind, s.length): s for s in scores}
    lengths = sorted({s.length for s in scores if s.length is not None})
    rows = [
        [kind, *(_share(by_place.get((kind, n))) for n in lengths)]
        for kind in dict.fromkeys(s.kind for s in scores)
    ]
    return markdown([head, *(column.format(n) for n in lengths)], rows) if rows else ""


def _share(score: Score | None) -> str:
    if score is None:
        return ""
    of = "" if score.count == 1000 else f" of {score.count}"
    return f"{score.right / score.count:.1%}{of} (≥ {score.low:.2%})"


def show_mistakes(calculator: Calculator, scores: Sequence[Score]) -> None:
    """Print the first mistakes with their steps."""
    mistakes = [mistake for score in scores for mistake in score.mistakes]
    for text, scale in mistakes[:_SHOWN_STEPS]:
        print(f"\nwrong: {text}" + (f" at scale {scale}" if scale else ""))
        try:
            answer = calculator(text, scale=scale, trace=True)
            if answer.trace is not None:
                print(answer.trace.render(depth=2))
        except ReckonerError as error:
            print(f"  {error.message}")
