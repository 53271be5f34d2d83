"""`reckon ablate`: the ablations among the items of `reckon reproduce`."""

from __future__ import annotations

from reckoner.experiments.reproduce import run


def main(argv: list[str]) -> int:
    """Run the command."""
    return run(argv, "reckon ablate", ("continual", "sampling", "own"))
