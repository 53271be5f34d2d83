"""What every skill has: a name, a layout for its memory, and patterns of the messages it accepts."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from reckoner.alphabet import ALPHABET, LATER, Perception
from reckoner.skills.automaton import Automaton, compile_pattern

BAR = b"|"  # joins the two reads of a message, x|y; no memory holds it


class Choice(NamedTuple):
    """What a controller decides: whom to call (module 0 halts), and gaps of its view to read and write between."""

    module: int
    read1_start: int
    read1_end: int
    read2_start: int
    read2_end: int
    write_start: int
    write_end: int


_NAME = re.compile(r"[A-Za-z0-9][-+*/%A-Za-z0-9]{0,59}")
_LONGEST = 300  # characters of a pattern
_CELLS = f"[{re.escape(ALPHABET)}]{{0,60}}"
_LAYOUT = re.compile(rf"{_CELLS}\{{x\}}{_CELLS}(\{{y\}}{_CELLS})?")


@dataclass(frozen=True)
class SkillSpec:
    """The fixed part of a skill: all of it is in the library's manifest beside the weights."""

    name: str
    layout: str  # how a message (x, y) is laid out in the skill's own memory, e.g. "{x},{y}0"
    accepts_x: str  # regular expressions that the two reads must match in full
    accepts_y: str = ""
    calls: tuple[str, ...] = ()  # skills it may call, in order; its own name allows self-calls; empty: basic
    perception: Perception = field(default_factory=Perception)

    def __post_init__(self) -> None:
        """Whatever describes no skill is a ValueError, whether a person's row or a manifest's entry says it."""
        for name in (self.name, *self.calls):
            if not isinstance(name, str) or not _NAME.fullmatch(name):
                raise ValueError(f"{name!r} is no name of a skill: letters, digits and - + * / % are")
        if len(set(self.calls)) < len(self.calls):
            raise ValueError("a skill is listed twice among those to call")
        if not _LAYOUT.fullmatch(self.layout):
            raise ValueError(
                f"{self.layout!r} is no layout: {{x}}, at most one {{y}} after it, and {ALPHABET}"
            )
        for pattern in (self.accepts_x, self.accepts_y):
            if not isinstance(pattern, str) or not pattern.isascii() or len(pattern) > _LONGEST:
                raise ValueError(f"{pattern!r} is no pattern of at most {_LONGEST} characters")
            re.compile(pattern)
            if compile_pattern(pattern) is None:
                raise ValueError(f"the pattern {pattern!r} cannot be checked in bounded time")

    @property
    def symbols(self) -> int:
        """A blank and the characters that a basic skill's network knows: those of LATER if it was made for them."""
        return 1 + len(ALPHABET) - (0 if self.perception.decimals else len(LATER))

    @property
    def is_basic(self) -> bool:
        """Basic skills call nobody."""
        return not self.calls

    def to_json(self) -> dict[str, Any]:
        """A JSON object for the manifest."""
        perception = {k: getattr(self.perception, k) for k in ("kind", "fovea", "reach")}
        if self.perception.decimals:  # what was written before there were decimals says nothing of them
            perception["decimals"] = True
        return {
            "name": self.name,
            "kind": "basic" if self.is_basic else "interactive",
            "layout": self.layout,
            "accepts": [self.accepts_x, self.accepts_y],
            "calls": list(self.calls),
            "perception": perception,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> SkillSpec:
        """The inverse of `to_json`."""
        accepts, calls = data["accepts"], data["calls"]
        if not isinstance(accepts, list) or len(accepts) != 2 or not isinstance(calls, list):
            raise ValueError("two patterns and a list of callable skills are needed")
        x, y = accepts
        spec = cls(data["name"], data["layout"], x, y, tuple(calls), Perception(**data["perception"]))
        if data["kind"] != spec.to_json()["kind"]:
            raise ValueError(
                f"{spec.name!r} is said to be of kind {data['kind']!r}, but its calls say otherwise"
            )
        return spec


class Skill(ABC):
    """A skill returns decisions or answers; the machine alone reads, calls and writes."""

    recalled = 0  # decisions or answers for which no network was asked

    def __init__(self, spec: SkillSpec) -> None:
        self.spec = spec
        self.name = spec.name
        before, rest = spec.layout.encode().split(b"{x}")
        between, _, after = rest.partition(b"{y}")
        self.layout = (before, between, after)  # the text around x and y
        self.layout_length = len(before) + len(between) + len(after)  # cells the layout adds to a message

    def is_accepted(self, x: bytes, y: bytes) -> bool:
        """Whether the skill takes this message."""
        return self.accepts_first(x) and self.accepts_second(y)

    def accepts_first(self, x: bytes) -> bool:
        """Whether x alone would do as first read."""
        return self._accepts[0].accepts(x)

    def accepts_second(self, y: bytes) -> bool:
        """Whether y alone would do as second read."""
        return self._accepts[1].accepts(y)

    @cached_property
    def _accepts(self) -> tuple[Automaton, Automaton]:
        x, y = compile_pattern(self.spec.accepts_x), compile_pattern(self.spec.accepts_y)
        assert x is not None
        assert y is not None
        return x, y

    def lay_out(self, x: bytes, y: bytes) -> bytes:
        """The memory the skill starts from."""
        before, between, after = self.layout
        return before + x + between + y + after

    def wake(self) -> Skill:
        """The skill with its networks, if this one only remembers what they said."""
        return self

    def measure(self, x: bytes, y: bytes) -> int:
        """How long a message is: a call of itself must be shorter."""
        perception = self.spec.perception
        if perception.reads_decimals:
            return perception.measure(self.lay_out(x, y))
        return len(x) + len(y) + self.layout_length

    @property
    @abstractmethod
    def tensors(self) -> dict[str, Any]:
        """The weights, by name."""


class Answerer(Skill):
    """A skill that answers its laid-out message at once."""

    @abstractmethod
    def answer(self, memories: Sequence[bytes]) -> list[bytes]:
        """The answer to each laid-out message."""


class Recollection:
    """What a decider has seen in this frame: the central GRU's state after a sequence of views.

    A frozen skill's decision depends on nothing but the views seen so far, so a machine may remember it.
    """

    __slots__ = ("depth", "hidden")

    def __init__(self, hidden: Any, depth: int) -> None:
        self.hidden = hidden  # an array; None: the decider has no network
        self.depth = depth  # how many decisions came before

    @property
    def size(self) -> int:
        """Bytes that it takes."""
        taken: int = 0 if self.hidden is None else self.hidden.nbytes
        return taken


class Decision(NamedTuple):
    """A choice, how likely the policy found it, and the recollection with the view it was made on."""

    choice: Choice
    probability: float | None  # None where only the choice is remembered
    recollection: Recollection
    margin: float = 1e999  # how much more likely (log-probability) each part was than its next best


Request = tuple[Recollection, bytes]  # what was seen before in this frame, and the view now


class Decider(Skill):
    """A skill that works by calling others: it decides, the machine carries out."""

    most_calls = 0  # after so many calls a frame halts whatever it sees; 0: when it decides to

    def __init__(self, spec: SkillSpec, root: Recollection | None = None) -> None:
        super().__init__(spec)
        self.root = root or Recollection(None, 0)
        self.delegate: Skill | None = self  # who answers self-calls

    @abstractmethod
    def decide(self, requests: Sequence[Request]) -> list[Decision]:
        """The likeliest decision on each view, after what was seen before it in this frame."""


BASIC_IDS = {ord(c): i for i, c in enumerate(ALPHABET, start=1)}  # 0: blank, or padding on the input side
