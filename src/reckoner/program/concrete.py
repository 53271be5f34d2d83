"""Programs on concrete problems: run on the machine, and held to the specification."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, final

from reckoner.errors import ReckonerError
from reckoner.machine import Limits, Machine
from reckoner.program.decision import History, Program
from reckoner.program.form import Alternative, Digit, Digits, Listed, Literal
from reckoner.program.row import Specified
from reckoner.program.text_row import TextRow
from reckoner.skills.base import Decider, Decision, Recollection, Request, Skill
from reckoner.skills.library import Library

_LIMITS = Limits(calls=200_000, depth=2_000, memory=20_000)


@final
@dataclass(frozen=True)
class Mistake:
    """A problem that a skill answers wrongly."""

    x: str
    y: str
    answer: str | None  # None: there is none, for the reason given
    right: str
    reason: str = ""


@final
class _Seen(Recollection):
    """A recollection that is nothing but the views themselves."""

    __slots__ = ("history",)

    def __init__(self, history: History) -> None:
        super().__init__(None, len(history))
        self.history = history


@final
class ProgramSkill(Decider):
    """A skill that decides by a program, so that the machine can run it."""

    def __init__(self, skill: Skill, program: Program) -> None:
        super().__init__(skill.spec, _Seen(()))
        self.program = program

    def decide(self, requests: Sequence[Request]) -> list[Decision]:
        """The program's decisions."""
        histories = []
        for past, view in requests:
            assert isinstance(past, _Seen)
            histories.append((*past.history, view))
        chosen = self.program.choose(histories)
        return [Decision(c.choice, 1.0, _Seen(history)) for history, c in zip(histories, chosen, strict=True)]

    @property
    def tensors(self) -> dict[str, Any]:
        return {}


def right_answer(row: Specified | TextRow, x: str, y: str) -> str | None:
    """What has to be answered, or None if the skill need not answer this."""
    return row.answer(x, y) if row.read(x, y) is not None else None


def find_mistakes(
    skill: Skill, library: Library, row: Specified | TextRow, problems: Sequence[tuple[str, str]]
) -> list[Mistake]:
    """Those of the problems that the skill answers wrongly."""
    asked = [(x, y) for x, y in problems if skill.is_accepted(x.encode(), y.encode())]
    rights = [right_answer(row, x, y) for x, y in asked]
    pairs = [(pair, right) for pair, right in zip(asked, rights, strict=True) if right is not None]
    machine = Machine(library, _LIMITS)
    mistakes = []
    try:
        outcomes = machine.run(skill, [pair for pair, _ in pairs]) if pairs else []
    except ReckonerError as error:
        ((x, y), right), *_ = pairs
        return [Mistake(x, y, None, right, str(error))]
    for ((x, y), right), outcome in zip(pairs, outcomes, strict=True):
        answer = outcome.answer
        if outcome.error is not None:
            mistakes.append(Mistake(x, y, None, right, str(outcome.error)))
        elif outcome.refusal is not None:
            refused = outcome.refusal
            reason = f"{refused.skill} refused {refused.x!r}, {refused.y!r}"
            mistakes.append(Mistake(x, y, answer, right, reason))
        elif answer is None or not row.holds(x, y, answer):
            mistakes.append(Mistake(x, y, answer, right))
    return mistakes


def sample(row: Specified, rng: Random, longest: int) -> tuple[str, str]:
    """A message of the form that a row gives; whether it is in the domain is not looked at."""
    alternatives = list(row.alternatives)
    while True:
        x, y = rng.choice(alternatives)
        common = rng.randint(0, longest)  # equal lengths, and near ones, are where things happen
        message = _fill(x, rng, longest, common, row.zeros), _fill(y, rng, longest, common, row.zeros)
        if row.is_easy(*message):
            return message


def _fill(
    alternative: Alternative, rng: Random, longest: int, common: int, zeros: Collection[str] = ()
) -> str:
    text = ""
    for element in alternative.elements:
        if isinstance(element, str):
            text += element
        elif isinstance(element, Digit):
            text += str(rng.randint(element.low, element.high))
        elif isinstance(element, Literal):
            text += element.text
        elif isinstance(element, Listed):
            text += "".join(f",{rng.choice(rng.choice(_STYLES))}" for _ in range(rng.randint(0, longest)))
        else:
            count = common if rng.random() < 0.5 else rng.randint(0, longest)
            count = max(count, element.least)
            count = min(count, element.most) if element.most is not None else count
            if element.name in zeros:
                text += "0" if element.is_canonical else "0" * count
                continue
            digits = "".join(rng.choice(rng.choice(_STYLES)) for _ in range(count))
            if element.is_canonical and count and (count > 1 or element.is_positive) and digits[0] == "0":
                digits = rng.choice("123456789") + digits[1:]
            text += digits
    return text


_STYLES = ("0123456789", "09", "0", "9", "01", "89")


def all_messages(row: Specified) -> Iterator[tuple[str, str]]:
    """Every message of a row whose forms are finite."""
    for x, y in row.alternatives:
        yield from itertools.product(_all(x), _all(y))


def _all(alternative: Alternative) -> list[str]:
    choices: list[list[str]] = []
    for element in alternative.elements:
        if isinstance(element, str):
            choices.append([element])
        elif isinstance(element, Digit):
            choices.append([str(n) for n in range(element.low, element.high + 1)])
        else:
            assert isinstance(element, Digits)
            assert element.most is not None
            lengths = range(element.least, element.most + 1)
            choices.append(["".join(d) for n in lengths for d in itertools.product("0123456789", repeat=n)])
    return ["".join(parts) for parts in itertools.product(*choices)]


def hunt(
    skill: Skill,
    library: Library,
    row: Specified,
    make: Callable[[Random, int], tuple[str, str]],
) -> Mistake | None:
    """Try random problems, longer and longer, until one is answered wrongly; the shortest of those found."""
    rng = Random(0)
    for size in range(1, row.longest + 1):
        problems = list(dict.fromkeys(make(rng, size) for _ in range(300)))
        mistakes = find_mistakes(skill, library, row, problems)
        if mistakes:
            return min(mistakes, key=lambda m: len(m.x) + len(m.y))
    return None
