"""The trace of an answer by parts: any call of a run, with what it did, without the thousands around it.

A run is numbered: its calls in the order they were made, from 0. Every call knows how many are below it, so the
number alone leads to a call, through the outlines of the skills on the way. What was left out of an outline is run
afresh when it is looked at (`machine/outline.py`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from reckoner.answer import Failure, Result
from reckoner.calculator import Calculator
from reckoner.cut import Cut, find_cut
from reckoner.errors import ReckonerError
from reckoner.grammar import TextLimits
from reckoner.machine.limits import Limits
from reckoner.machine.outline import OutlineMachine
from reckoner.machine.trace import Call, count_each
from reckoner.result_json import result_to_json
from reckoner.rewriting import is_wipe
from reckoner.skill_json import reach, skills_to_json
from reckoner.skills import Library
from reckoner.skills.base import Decider
from reckoner.trace_json import (
    Spot,
    ancestor_to_json,
    call_to_json,
    first_spot,
    lines_to_json,
    spots_below,
    spots_of_level_1,
)

_KEPT = 50_000_000  # characters of outlines that are kept for the next question, roughly
_CALL = 500  # … that a call takes beside its texts
_MOST_CALLS, _MOST_CHARACTERS = 300, 1_000_000  # of one part
_BUNDLE_CHARACTERS = 4_000_000
_FIRST_ANCESTORS, _LAST_ANCESTORS = 20, 180
_LINE_CHARACTERS = 500_000  # of the lines that come at once
# What a person follows: the digits of a quotient or a product, the columns of a sum. The first that there are.
_GRAINS = (
    ("digit", ("quotient-next",)),
    ("digit", ("M*S", "multiply-accumulate")),
    ("column", ("add-column", "subtract-column")),
)


class NoSuchCallError(ReckonerError):
    """A run has no call of that number."""

    kind = "not-found"
    exit_code = 2


class Outline(NamedTuple):
    """A call with its steps, and how many calls each of the calls in it is."""

    call: Call
    counts: Mapping[int, int]


class Opener(Protocol):
    """What a run needs to know of the skills: those of a library, or of a trace that is at hand as a whole."""

    @property
    def skills(self) -> dict[str, Any]: ...

    def is_closed(self, call: Call) -> bool: ...

    def open(self, call: Call) -> Outline: ...

    def leads_to(self, skill: str, others: tuple[str, ...]) -> bool: ...

    def find_cut(self, result: Result) -> Cut | None: ...


class Parts:
    """Answers questions and shows how they came about, part by part; one thread at a time."""

    def __init__(
        self,
        library: Library | Path | str | None = None,
        limits: Limits | None = None,
        text_limits: TextLimits | None = None,
    ) -> None:
        loaded = library if isinstance(library, Library) else Library.load(library)
        self.machine = OutlineMachine(loaded, limits)
        self.calculator = Calculator(machine=self.machine, text_limits=text_limits)
        self._kept: OrderedDict[tuple[str, ...], tuple[Any, int]] = OrderedDict()
        self._weight = 0  # of all that is kept
        self._reach = {name: reach(loaded, name) for name in loaded.names}

    @property
    def library(self) -> Library:
        """The skills."""
        return self.machine.library

    @property
    def skills(self) -> dict[str, Any]:
        """… as JSON."""
        return skills_to_json(self.library)

    def ask(self, text: str, scale: int = 0) -> Run:
        """A run of an expression; raises the error of one that has no trace."""

        def run() -> tuple[Run, int]:
            [result] = self.calculator.results([text], scale=scale, trace=True)
            if isinstance(result, Failure) and result.trace is None:
                raise result.error
            assert result.trace is not None
            return Run(self, result, result.trace), _weigh_all(result.trace)

        kept: Run = self._keep((text, str(scale)), run)
        return kept

    def open(self, call: Call) -> Outline:
        """A call of which only the count is known, with its steps."""

        def run() -> tuple[Outline, int]:
            [outcome] = self.machine.run(call.skill, [(call.x, call.y)], trace=True)
            if outcome.trace is None:
                assert outcome.error is not None
                raise outcome.error
            return Outline(outcome.trace, count_each(outcome.trace)), _weigh_all(outcome.trace)

        kept: Outline = self._keep((call.skill, call.x, call.y), run)
        return kept

    def is_closed(self, call: Call) -> bool:
        """Whether the call has steps, or at least a decision to halt, that the trace at hand leaves out."""
        known = call.halt is not None or call.answer is None or bool(call.steps)
        return not known and isinstance(self.library[call.skill], Decider)

    def leads_to(self, skill: str, others: tuple[str, ...]) -> bool:
        """Whether a call of the skill may come to one of the others."""
        return not self._reach.get(skill, frozenset()).isdisjoint(others)

    def find_cut(self, result: Result) -> Cut | None:
        """The first quotient that was cut in an answer."""
        return find_cut(self.calculator, result)

    def _keep(self, key: tuple[str, ...], make: Callable[[], tuple[Any, int]]) -> Any:
        """What was made for the key before, or is made now; the oldest are dropped when it becomes too much."""
        if key in self._kept:
            self._kept.move_to_end(key)
        else:
            made, weight = make()
            self._kept[key] = (made, weight)
            self._weight += weight
        while len(self._kept) > 1 and self._weight > _KEPT:
            _, (_, weight) = self._kept.popitem(last=False)
            self._weight -= weight
        return self._kept[key][0]


class Run:
    """The run of one expression."""

    def __init__(self, parts: Opener, result: Result, trace: Call) -> None:
        self._parts = parts
        self.result = result
        self._first = first_spot(trace)
        self.total = self._first.below + 1

    def part(self, call: int = 0, depth: int = 1, parent: bool = False) -> dict[str, Any]:
        """Call number `call` and `depth` generations below it; with `parent` also all of the frame it is in."""
        *ancestors, spot = self._find(call)
        chosen = _Choice(self, _MOST_CALLS, _MOST_CHARACTERS)
        if parent and ancestors:
            chosen.add(ancestors[-1])
            chosen.open(ancestors.pop(), whatever=True)
        else:
            chosen.add(spot)
        chosen.open_generations(spot, depth)
        if len(ancestors) > _FIRST_ANCESTORS + _LAST_ANCESTORS:
            ancestors = ancestors[:_FIRST_ANCESTORS] + ancestors[-_LAST_ANCESTORS:]
        return {
            "total": self.total,
            "lines": [],
            "ancestors": [ancestor_to_json(each) for each in ancestors],
            "calls": chosen.to_json(),
        }

    @cached_property
    def all_lines(self) -> list[dict[str, Any]]:
        """The rewriting."""
        return lines_to_json(self._first)

    def lines(self, start: int = 0, most: int = 100) -> list[dict[str, Any]]:
        """Some lines of it: fewer than `most` if they are long, but one at least."""
        chosen: list[dict[str, Any]] = []
        room = _LINE_CHARACTERS
        for line in self.all_lines[start : start + most]:
            room -= len(line["text"])
            if chosen and room < 0:
                break
            chosen.append(line)
        return chosen

    def interesting(self, start: int = 0, most: int = 500) -> list[dict[str, Any]]:
        """The steps that a person would follow: operations, and columns or digits within them."""
        return list(islice(self._interesting(), start, start + most))

    def bundle(self, most: int = 3_000, characters: int = _BUNDLE_CHARACTERS) -> dict[str, Any]:
        """All that a page needs to show this run by itself: about `most` calls, those nearest to the question."""
        chosen = _Choice(self, most, characters)
        chosen.add(self._first)
        chosen.open_generations(self._first, self.total)
        trace = {"total": self.total, "lines": self.all_lines, "ancestors": [], "calls": chosen.to_json()}
        cut = self._parts.find_cut(self.result)
        more = {"interesting": self.interesting(), "skills": self._parts.skills, "cut": cut and asdict(cut)}
        return result_to_json(self.result) | {"trace": trace} | more

    def below(self, spot: Spot) -> list[Spot]:
        """The calls that a call made."""
        return list(spots_below(self.opened(spot), self._first.call))

    def opened(self, spot: Spot) -> Spot:
        """The same with its steps and its last decision."""
        if not self._parts.is_closed(spot.call):
            return spot
        call, counts = self._parts.open(spot.call)
        return spot._replace(call=call, counts=counts)

    def _find(self, number: int) -> list[Spot]:
        """The calls around a call, from the first one down, and itself."""
        if not 0 <= number < self.total:
            raise NoSuchCallError(f"this run has calls 0 to {self.total - 1:,}, not {number:,}")
        path = [self._first]
        while path[-1].number < number:
            path.append(next(s for s in self.below(path[-1]) if number <= s.number + s.below))
        return path

    def _interesting(self) -> Iterator[dict[str, Any]]:
        lines = {number: i for i, line in enumerate(self.all_lines) for number in line["calls"]}
        for operation in spots_of_level_1(self._first):
            if is_wipe(operation.call):
                continue
            line = lines[operation.number]
            yield _step_to_json(operation, line, "operation")
            for kind, skills in _GRAINS:
                grains = self._calls_within(operation, skills)
                if (first := next(grains, None)) is not None:
                    yield from (_step_to_json(spot, line, kind) for spot in chain([first], grains))
                    break

    def _calls_within(self, spot: Spot, skills: tuple[str, ...]) -> Iterator[Spot]:
        """The calls of some skills below a call, but not those within one another."""
        stack = [spot]
        while stack:
            spot = stack.pop()
            if spot.call.skill in skills:
                yield spot
            elif self._parts.leads_to(spot.call.skill, skills):
                stack.extend(reversed(self.below(spot)))


class _Choice:
    """The calls that a part lists, as long as there is room; of a call all steps are listed or none."""

    def __init__(self, run: Run, calls: int, characters: int) -> None:
        self.run = run
        self.calls, self.characters = calls, characters
        self.spots: dict[int, Spot] = {}
        self.open_ones: set[int] = set()

    def add(self, spot: Spot) -> None:
        """List a call."""
        self.spots[spot.number] = spot
        self.calls -= 1
        self.characters -= 3 * _weigh(spot.call)

    def open(self, spot: Spot, whatever: bool = False) -> list[Spot]:
        """List what a call made, if there is room (or whatever it takes)."""
        below = self.run.below(spot)
        weight = sum(3 * _weigh(each.call) for each in below)
        if not whatever and (len(below) > self.calls or weight > self.characters):
            self.calls = 0  # what comes later is farther away
            return []
        self.open_ones.add(spot.number)
        for each in below:
            self.add(each)
        return below

    def open_generations(self, spot: Spot, depth: int) -> None:
        """List what is below a call, the nearest first: its own steps always, deeper ones while there is room."""
        generation = [spot]
        for number in range(depth):
            generation = [each for above in generation for each in self.open(above, whatever=number == 0)]
            if not generation:
                break

    def to_json(self) -> list[dict[str, Any]]:
        """The calls in order."""
        entries = []
        for number in sorted(self.spots):
            spot = self.spots[number]
            is_open = number in self.open_ones or spot.below == 0
            if is_open:
                entries.append(call_to_json(self.run.opened(spot), 0))
            else:  # the last decision belongs to the steps
                entries.append(call_to_json(spot, spot.below) | {"halt": None})
        return entries


def _step_to_json(spot: Spot, line: int, kind: str) -> dict[str, Any]:
    call = spot.call
    sentence = call_to_json(spot, 0)["sentence"]
    return {"call": spot.number, "line": line, "kind": kind, "skill": call.skill, "sentence": sentence}


def _weigh_all(trace: Call) -> int:
    """Characters that a trace takes, roughly."""
    return sum(_weigh(call) + 2 * len(step.before if step else "") for _, call, step in trace.walk())


def _weigh(call: Call) -> int:
    return _CALL + len(call.x) + len(call.y) + len(call.memory) + len(call.answer or "")
