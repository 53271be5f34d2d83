"""Text in, Answer out: the one way in for the command line, the web page and evaluations.

All arithmetic happens in the machine. What stands here checks the grammar, hands the networks the text,
and checks that what comes back has the form of a number.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, Protocol

from reckoner.answer import Answer, Failure, Result
from reckoner.errors import (
    DivisionByZero,
    LibraryError,
    MemoryLimit,
    MessageRefused,
    ReckonerError,
    TextLimit,
)
from reckoner.fault import check_exponents, find_fault, is_zero
from reckoner.grammar import Parsed, TextLimits, check_exponent, parse
from reckoner.verdict import (
    NATURAL,
    NUMBER,
    UNLEARNED,
    WHOLE,
    check_outcome,
    is_division_by_zero,
    number_or_none,
)

if TYPE_CHECKING:
    from reckoner.machine import Limits, Outcome, Refusal
    from reckoner.machine.trace import Call
    from reckoner.skills import Library

_EXPRESSION = "expression"  # how the names of the skills for whole expressions begin
_NO_SCALE = "0"  # the scale when quotients have no decimals
_DECIMAL = (b"0.0", b"0.5")  # a scale and a text that only skills accept that know decimals
_OPEN_EXPONENT = "^("  # one that has to be worked out
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
        self._skills = _choose_skills(self._machine.library)
        self._lock = Lock()

    @property
    def library(self) -> Library:
        """The skills this calculator works with."""
        return self._machine.library

    @property
    def knows_decimals(self) -> bool:
        """Whether the library has learned decimals, powers and scales."""
        return bool(self._skills.decimal)

    def __call__(self, text: str, *, scale: int = 0, trace: bool = False) -> Answer:
        """The answer to one expression, or a ReckonerError; quotients are cut after `scale` decimals."""
        result = self.results([text], scale=scale, trace=trace)[0]
        if isinstance(result, Failure):
            raise result.error
        return result

    def many(
        self, texts: Iterable[str], *, scale: int = 0, batch: int = 1_000, trace: bool = False
    ) -> Iterator[Answer | ReckonerError]:
        """For each expression, in order, its Answer or the error it met; reads `batch` of them at a time."""
        if batch < 1:
            raise ValueError("a batch holds at least one expression")
        waiting = iter(texts)
        while chunk := list(islice(waiting, batch)):
            for result in self.results(chunk, scale=scale, trace=trace):
                yield result.error if isinstance(result, Failure) else result

    def results(self, texts: Sequence[str], *, scale: int = 0, trace: bool = False) -> list[Result]:
        """All expressions as one batch; a failure comes with its expression and what it cost."""
        start = time.perf_counter()
        run = _Run(_NO_SCALE if scale == 0 and type(scale) is int else self._make_scale(scale), trace)
        checked = [self._check(text) for text in texts]
        accepted = [parsed for parsed in checked if isinstance(parsed, Parsed)]
        with self._lock:
            before = self._machine.evaluations
            worked = iter(self._work_or_fail(accepted, run))
            evaluations = self._machine.evaluations - before if len(texts) == 1 else None
        seconds = (time.perf_counter() - start) / max(1, len(texts))

        results: list[Result] = []
        for text, parsed in zip(texts, checked, strict=True):
            work = next(worked) if isinstance(parsed, Parsed) else _Work(parsed)
            if isinstance(work.verdict, ReckonerError):
                results.append(Failure(text, work.verdict, work.calls, seconds, work.trace, scale))
            else:
                # a zero is printed without its decimals, as bc does
                shown = "0" if "." in work.verdict and is_zero(work.verdict) else work.verdict
                results.append(Answer(text, shown, work.calls, seconds, evaluations, work.trace, scale))
        return results

    def _make_scale(self, scale: int) -> str:
        """The scale as the networks know it: a zero with so many decimals."""
        if not isinstance(scale, int) or isinstance(scale, bool) or scale < 0:
            raise ValueError(f"a scale is a whole number of decimals, not {scale!r}")
        if scale > self.text_limits.scale:
            raise TextLimit(f"a scale of more than {self.text_limits.scale:,}; --max-scale allows more")
        return "0." + "0" * scale if scale else _NO_SCALE

    def _check(self, text: str) -> Parsed | ReckonerError:
        if not isinstance(text, str):
            raise TypeError(f"an expression is a str, not {type(text).__name__}")
        try:
            return parse(text, self.text_limits)
        except ReckonerError as error:
            return error

    def _work_or_fail(self, accepted: list[Parsed], run: _Run) -> list[_Work]:
        """As `_work`; if a limit ends the whole batch, each expression gets a run of its own."""
        try:
            return self._work(accepted, run) if accepted else []
        except (ReckonerError, MemoryError) as error:
            if len(accepted) == 1:
                return [_Work(error if isinstance(error, ReckonerError) else MemoryLimit(_NO_ROOM))]
        return [self._work_or_fail([parsed], run)[0] for parsed in accepted]

    def _work(self, accepted: list[Parsed], run: _Run) -> list[_Work]:
        """Let the networks take leading zeros off, then work out the expressions: one run for each skill it takes."""
        stripped = self._strip(accepted)
        if run.scale == _NO_SCALE and not _have_decimals(accepted):
            return self._work_with(self._skills.whole, stripped, run)
        skills = [
            parsed if isinstance(parsed, ReckonerError) else self._choose(parsed, run)
            for parsed, _ in stripped
        ]
        worked: dict[int, _Work] = {}
        for skill in dict.fromkeys(skill for skill in skills if isinstance(skill, str)):
            rows = [row for row, chosen in enumerate(skills) if chosen == skill]
            worked |= zip(rows, self._work_with(skill, [stripped[row] for row in rows], run), strict=True)
        for row, chosen in enumerate(skills):
            if isinstance(chosen, ReckonerError):
                worked[row] = _Work(chosen, stripped[row][1])
        return [worked[row] for row in range(len(skills))]

    def _work_with(
        self, skill: str, stripped: list[tuple[Parsed | ReckonerError, int]], run: _Run
    ) -> list[_Work]:
        ready = [parsed.text for parsed, _ in stripped if isinstance(parsed, Parsed)]
        outcomes = iter(self._run(skill, ready, run, run.trace))
        worked = []
        for parsed, calls in stripped:
            if isinstance(parsed, ReckonerError):
                worked.append(_Work(parsed, calls))
            else:
                outcome = next(outcomes)
                verdict = self._judge(parsed, outcome, skill, run)
                worked.append(_Work(verdict, calls + outcome.calls, outcome.trace))
        return worked

    def _choose(self, parsed: Parsed, run: _Run) -> str | ReckonerError:
        """The skill for an expression, by its form; or why it is not worth a try."""
        if run.scale == _NO_SCALE and not _have_decimals([parsed]):
            return self._skills.whole
        if not self._skills.decimal:
            return MessageRefused(UNLEARNED)
        error = self._check_exponents(parsed, run) if _OPEN_EXPONENT in parsed.text else None
        return error or self._skills.decimal

    def _run(self, skill: str, texts: Sequence[str], run: _Run, trace: bool = False) -> list[Outcome]:
        if skill == self._skills.decimal:
            return self._machine.run(skill, [(run.scale, text) for text in texts], trace=trace)
        return self._machine.run(skill, [(text, "") for text in texts], trace=trace)

    def _check_exponents(self, parsed: Parsed, run: _Run) -> ReckonerError | None:
        """Have exponents worked out by themselves, to find one with decimals or too large before it is used."""

        def work_out(texts: Sequence[str]) -> list[str | None]:
            outcomes = self._run(self._skills.decimal, texts, run)
            for outcome in outcomes:
                if outcome.error is not None and outcome.refusal is None:
                    raise outcome.error
            return [number_or_none(outcome) for outcome in outcomes]

        def check(value: str, at: int) -> None:
            error = check_exponent(value, parsed.places[at], self.text_limits)
            if error is not None:
                raise error

        try:
            check_exponents(parsed.text, work_out, check)
        except ReckonerError as error:
            return error
        return None

    def _judge(self, parsed: Parsed, outcome: Outcome, skill: str, run: _Run) -> str | ReckonerError:
        """The answer, or the error that the outcome means for the person who typed the expression."""
        fault = None if outcome.refusal is None else self._find_fault(parsed, outcome.refusal, skill, run)
        return fault or check_outcome(outcome, WHOLE if skill == self._skills.whole else NUMBER)

    def _find_fault(self, parsed: Parsed, refusal: Refusal, skill: str, run: _Run) -> DivisionByZero | None:
        """The division by zero that a refused call comes from, if it does; the networks work out each divisor."""

        def work_out(texts: Sequence[str]) -> list[str | None]:
            return [number_or_none(found) for found in self._run(skill, texts, run)]

        fault = find_fault(parsed.text, work_out)
        if fault is not None and fault.position is not None:
            return DivisionByZero(fault.message, parsed.places[fault.position])
        if is_division_by_zero(refusal):
            return DivisionByZero("division by zero")
        return None

    def _strip(self, accepted: list[Parsed]) -> list[tuple[Parsed | ReckonerError, int]]:
        """Each expression without leading zeros, or the error met; and the calls it took."""
        messages = [(number, "") for parsed in accepted if parsed.padded for number in parsed.padded_numbers]
        if not messages:
            return [(parsed, 0) for parsed in accepted]
        outcomes = iter(self._machine.run(_STRIP, messages))
        stripped: list[tuple[Parsed | ReckonerError, int]] = []
        for parsed in accepted:
            own = list(islice(outcomes, len(parsed.padded)))
            verdicts = [check_outcome(outcome, NATURAL) for outcome in own]
            errors = [verdict for verdict in verdicts if isinstance(verdict, ReckonerError)]
            numbers = [verdict for verdict in verdicts if isinstance(verdict, str)]
            calls = sum(outcome.calls for outcome in own)
            stripped.append((errors[0] if errors else parsed.with_numbers(numbers), calls))
        return stripped


class _Skills(NamedTuple):
    """Who works out which expressions; an empty name is nobody's."""

    whole: str  # whole numbers, without powers, at scale 0
    decimal: str  # all others


class _Run(NamedTuple):
    """What holds for all expressions of a batch."""

    scale: str  # a zero with as many decimals as quotients have
    trace: bool


class _Work(NamedTuple):
    """What the machine made of one expression."""

    verdict: str | ReckonerError
    calls: int = 0
    trace: Call | None = None


def _have_decimals(expressions: list[Parsed]) -> bool:
    """Whether one of them takes a skill that knows decimals and powers."""
    for parsed in expressions:  # noqa: SIM110  (a generator takes longer than the rest of this)
        if "." in parsed.text or "^" in parsed.text:
            return True
    return False


def _choose_skills(library: Library) -> _Skills:
    """The newest skills for whole expressions, they know the most operations: with decimals and without."""
    names = [name for name in reversed(library.names) if name.startswith(_EXPRESSION)]
    if not names:
        raise LibraryError("this library has not learned expressions yet; go on with `reckon train`")
    decimal = [name for name in names if library[name].is_accepted(*_DECIMAL)]
    whole = [name for name in names if name not in decimal]
    return _Skills((whole or decimal)[0], decimal[0] if decimal else "")


def _make_machine(library: Library | Path | str | None, limits: Limits | None, cache: bool) -> Runner:
    # Imported here, so that `from reckoner import Calculator` takes no time.
    from reckoner.machine import Limits, Machine
    from reckoner.skills.library import Library
    from reckoner.skills.recall import recall

    if not isinstance(library, Library):
        library = recall(library) if cache else Library.load(library)
    return Machine(library, limits=limits or Limits(), cache=cache)
