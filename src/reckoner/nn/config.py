"""Sizes of the networks, and the names both implementations share."""

from __future__ import annotations

from dataclasses import dataclass

SPANS = ("read1", "read2", "write")  # the three spans that an action points at, in this order
HALT = 0  # module choice 0; choice i > 0 is the i-th callable skill
ACTION = 1 + 2 * len(SPANS)  # an action is a module choice and two gaps of the view for each span


@dataclass(frozen=True)
class ControllerConfig:
    """An interactive skill's network."""

    vocabulary: int
    modules: int  # how many skills it may call (HALT not counted)
    hidden: int = 100  # the paper's GRU size
    embedding: int = 32  # chosen here: there are fewer than 30 tokens
    positional: bool = False  # add sinusoidal positions: with the paper's `characters` perception
    by_form: bool = True  # choose only among calls that the callee may accept by form; chosen here
    calls: int = 2  # after so many calls a frame halts; chosen here


@dataclass(frozen=True)
class TranscriberConfig:
    """A basic skill's network: one output character or blank per input character."""

    hidden: int = 48  # the paper's GRU size is 100; 48 learns every table here in seconds
    embedding: int = 16
    symbols: int = 19  # a blank and the characters it knows, as input and as output
