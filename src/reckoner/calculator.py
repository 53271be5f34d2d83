"""Text in, Answer out: the one way in for the command line, the web page and evaluations.

All arithmetic happens in the machine. What stands here checks the grammar, hands the networks the text,
and checks that what comes back has the form of a number.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, Protocol

from reckoner.answer import Answer, Failure, Result
from reckoner.division import find_zero
from reckoner.errors import (
    DivisionByZero,
    LibraryError,
    MemoryLimit,
    MessageRefused,
    ReckonerError,
    WrongAnswer,
)
from reckoner.grammar import Parsed, TextLimits, parse

if TYPE_CHECKING:
    from reckoner.machine import Limits, Outcome
    from reckoner.machine.trace import Call
    from reckoner.skills import Library

_NATURAL = re.compile("0|[1-9][0-9]*")
_NUMBER = re.compile("0|-?[1-9][0-9]*")
_DIVISIONS = ("signed-divide", "signed-modulo")  # these refuse a divisor of zero
_EXPRESSION = "expression"  # how the names of the skills for whole expressions begin
_NO_ROOM = "the computer's memory is full"
_STRIP = "strip"  # the skill that takes leading zeros off a number


class Runner(Protocol):
    """What the calculator needs of a machine; tests bring a scripted one."""

    @property
    def library(self) -> Library: ...

    @property
    def evaluations(self) -> int: ...

    def run(self, skill: str, pairs: Sequence[tuple[str, str]], /, trace: bool = False) -> list[Outcome]: ...


class Calculator:
    """Calculates expressions with the skills of a library.

    One calculator may be used from several threads: the machine works for one of them at a time.
    """

    def __init__(
        self,
        library: Library | Path | str | None = None,
        *,
        cache: bool = True,
        limits: Limits | None = None,
        text_limits: TextLimits | None = None,
        machine: Runner | None = None,
    ) -> None:
        """Load the bundled library, or the one in folder `library`; or work on a ready `machine`."""
        self.text_limits = text_limits or TextLimits()
        self._machine = machine if machine is not None else _make_machine(library, limits, cache)
        self._skill = _choose_skill(self._machine.library)
        self._lock = Lock()

    @property
    def library(self) -> Library:
        """The skills this calculator works with."""
        return self._machine.library

    def __call__(self, text: str, *, trace: bool = False) -> Answer:
        """The answer to one expression; raises a ReckonerError if there is none."""
        result = self.results([text], trace=trace)[0]
        if isinstance(result, Failure):
            raise result.error
        return result

    def many(
        self, texts: Iterable[str], *, batch: int = 1_000, trace: bool = False
    ) -> Iterator[Answer | ReckonerError]:
        """For each expression, in order, its Answer or the error it met; reads `batch` of them at a time."""
        if batch < 1:
            raise ValueError("a batch holds at least one expression")
        waiting = iter(texts)
        while chunk := list(islice(waiting, batch)):
            for result in self.results(chunk, trace=trace):
                yield result.error if isinstance(result, Failure) else result

    def results(self, texts: Sequence[str], *, trace: bool = False) -> list[Result]:
        """All expressions as one batch; a failure comes with its expression and what it cost."""
        start = time.perf_counter()
        checked = [self._check(text) for text in texts]
        accepted = [parsed for parsed in checked if isinstance(parsed, Parsed)]
        with self._lock:
            before = self._machine.evaluations
            worked = iter(self._work_or_fail(accepted, trace))
            evaluations = self._machine.evaluations - before if len(texts) == 1 else None
        seconds = (time.perf_counter() - start) / max(1, len(texts))

        results: list[Result] = []
        for text, parsed in zip(texts, checked, strict=True):
            work = next(worked) if isinstance(parsed, Parsed) else _Work(parsed)
            if isinstance(work.verdict, ReckonerError):
                results.append(Failure(text, work.verdict, work.calls, seconds, work.trace))
            else:
                results.append(Answer(text, work.verdict, work.calls, seconds, evaluations, work.trace))
        return results

    def _check(self, text: str) -> Parsed | ReckonerError:
        if not isinstance(text, str):
            raise TypeError(f"an expression is a str, not {type(text).__name__}")
        try:
            return parse(text, self.text_limits)
        except ReckonerError as error:
            return error

    def _work_or_fail(self, accepted: list[Parsed], trace: bool) -> list[_Work]:
        """As `_work`; if a limit ends the whole batch, each expression gets a run of its own."""
        try:
            return self._work(accepted, trace) if accepted else []
        except (ReckonerError, MemoryError) as error:
            if len(accepted) == 1:
                return [_Work(error if isinstance(error, ReckonerError) else MemoryLimit(_NO_ROOM))]
        return [self._work_or_fail([parsed], trace)[0] for parsed in accepted]

    def _work(self, accepted: list[Parsed], trace: bool) -> list[_Work]:
        """Let the networks take leading zeros off, then work out the expressions; two runs at most."""
        stripped = self._strip(accepted)
        ready = [parsed for parsed, _ in stripped if isinstance(parsed, Parsed)]
        outcomes = iter(self._machine.run(self._skill, [(parsed.text, "") for parsed in ready], trace=trace))
        worked = []
        for parsed, calls in stripped:
            if isinstance(parsed, ReckonerError):
                worked.append(_Work(parsed, calls))
            else:
                outcome = next(outcomes)
                worked.append(_Work(self._judge(parsed, outcome), calls + outcome.calls, outcome.trace))
        return worked

    def _judge(self, parsed: Parsed, outcome: Outcome) -> str | ReckonerError:
        """The answer, or the error that the outcome means for the person who typed the expression."""
        refusal = outcome.refusal
        if refusal is not None and refusal.skill in _DIVISIONS and refusal.y == "0":
            return DivisionByZero("division by zero", self._find_zero(parsed))
        return _check_outcome(outcome, _NUMBER)

    def _find_zero(self, parsed: Parsed) -> int | None:
        """Where the first operator with a divisor of zero stands; the networks work out each divisor."""

        def work_out(texts: Sequence[str]) -> list[str | None]:
            outcomes = self._machine.run(self._skill, [(text, "") for text in texts])
            return [outcome.answer if outcome.refusal is None else None for outcome in outcomes]

        at = find_zero(parsed.text, work_out)
        return None if at is None else parsed.places[at]

    def _strip(self, accepted: list[Parsed]) -> list[tuple[Parsed | ReckonerError, int]]:
        """Each expression without leading zeros, or the error met; and the calls it took."""
        messages = [(number, "") for parsed in accepted for number in parsed.padded_numbers]
        if not messages:
            return [(parsed, 0) for parsed in accepted]
        outcomes = iter(self._machine.run(_STRIP, messages))
        stripped: list[tuple[Parsed | ReckonerError, int]] = []
        for parsed in accepted:
            own = list(islice(outcomes, len(parsed.padded)))
            verdicts = [_check_outcome(outcome, _NATURAL) for outcome in own]
            errors = [verdict for verdict in verdicts if isinstance(verdict, ReckonerError)]
            numbers = [verdict for verdict in verdicts if isinstance(verdict, str)]
            calls = sum(outcome.calls for outcome in own)
            stripped.append((errors[0] if errors else parsed.with_numbers(numbers), calls))
        return stripped


class _Work(NamedTuple):
    """What the machine made of one expression."""

    verdict: str | ReckonerError
    calls: int = 0
    trace: Call | None = None


def _check_outcome(outcome: Outcome, form: re.Pattern[str]) -> str | ReckonerError:
    """Only a clean run that ends in a number is an answer."""
    if outcome.error is not None:
        return outcome.error
    if outcome.refusal is not None:
        return MessageRefused(
            f"the networks lost their way: {outcome.refusal.skill} refused what it was asked"
        )
    if outcome.answer is None:
        return MessageRefused("the networks of this library have not learned this kind of expression")
    if not form.fullmatch(outcome.answer):
        return WrongAnswer("the networks lost their way: their answer is not a number")
    return outcome.answer


def _choose_skill(library: Library) -> str:
    """The newest skill for whole expressions: it knows the most operations."""
    for name in reversed(library.names):
        if name.startswith(_EXPRESSION):
            return name
    raise LibraryError("this library has not learned expressions yet; go on with `reckon train`")


def _make_machine(library: Library | Path | str | None, limits: Limits | None, cache: bool) -> Runner:
    # Imported here, so that `from reckoner import Calculator` does not yet load numpy.
    from reckoner.machine import Limits, Machine
    from reckoner.skills import Library

    if not isinstance(library, Library):
        library = Library.load(library)
    return Machine(library, limits=limits or Limits(), cache=cache)
