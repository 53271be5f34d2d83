"""`reckon bench`: how fast the parts and the whole are, on one core; writes bench.json and bench.md."""

from __future__ import annotations

import argparse
from pathlib import Path

from reckoner.provenance import use_one_thread


def parser() -> argparse.ArgumentParser:
    """The options of `reckon bench`."""
    p = argparse.ArgumentParser(prog="reckon bench", description="Measure the speed on one core.")
    p.add_argument("--quick", action="store_true", help="fewer and shorter runs: a look, not a result")
    p.add_argument("--parts", action="store_true", help="only networks and machine; needs no weights")
    p.add_argument("--library", type=Path, metavar="DIR", help="other weights than the bundled ones")
    p.add_argument("--output", type=Path, default=Path("results"), metavar="DIR", help="default: results")
    return p


def main(argv: list[str]) -> int:
    """Measure, print the tables, and write them down."""
    options = parser().parse_args(argv)
    use_one_thread()
    from reckoner.bench.report import measure, render
    from reckoner.cli.results import save_results

    results = measure(options.library, options.quick, options.parts)
    text = render(results)
    print(text)
    save_results(options.output, "bench", results, text)
    return 0
