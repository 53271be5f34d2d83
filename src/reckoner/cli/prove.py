"""`reckon prove`: that every skill does what is specified, at every length, shown from the networks themselves."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from reckoner.provenance import use_one_thread


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
        "--paths", action="store_true", help="make problems for every path of the proof and run them"
    )
    p.add_argument(
        "--replay", type=int, default=0, metavar="N", help="run N random expressions and compare their paths"
    )
    p.add_argument(
        "--mutations", action="store_true",
        help="change every decision of every program in all ways near it: the proof must notice (some minutes)",
    )  # fmt: skip
    p.add_argument(
        "--rounding", action="store_true", help="measure what float arithmetic changes, beside its bound"
    )
    p.add_argument(
        "--disorder", action="store_true", help="shuffle each skill's weights: nothing of that may be proved"
    )
    p.add_argument(
        "--workers", type=int, default=2, metavar="N", help="processes for --mutations (default: 2)"
    )
    p.add_argument("--formulas", type=Path, metavar="DIR", help="write the formulas there, in SMT-LIB")
    p.add_argument("--out", type=Path, metavar="DIR", help="also write proof.json and proof.md there")
    return p


def main(argv: Sequence[str]) -> int:
    """Prove, print, and say by the exit code whether all is proved."""
    options = parser().parse_args(argv)
    use_one_thread()  # before numpy is loaded
    from reckoner.cli.proving import run

    return run(options)
