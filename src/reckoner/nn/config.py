"""Sizes of the networks, and the names both implementations share."""

from __future__ import annotations

from dataclasses import dataclass

POINTERS = ("read1 start", "read1 end", "read2 start", "read2 end", "write start", "write end")
HALT = 0  # module choice 0; choice i > 0 is the i-th callable skill
ACTION = 1 + len(POINTERS)  # an action is a module choice and six gaps of the view


@dataclass(frozen=True)
class ControllerConfig:
    """An interactive skill's network."""

    vocabulary: int
    modules: int  # how many skills it may call (HALT not counted)
    hidden: int = 100  # the paper's GRU size
    embedding: int = 32  # chosen here: there are fewer than 30 tokens
    positional: bool = False  # add sinusoidal positions: with the paper's `characters` perception


@dataclass(frozen=True)
class TranscriberConfig:
    """A basic skill's network: one output character or blank per input character."""

    hidden: int = 48  # the paper's GRU size is 100; 48 learns every table here in seconds
    embedding: int = 16
