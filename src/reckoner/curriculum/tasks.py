"""The curriculum as data: one row per skill, in the order they are learned.

A row says what the skill is (name, layout, accepted messages, whom it may call, what it sees), how problems are
made, and in which stages of growing size it is learned. It never says how a problem is solved. To add a skill
of one's own, see docs/add-a-skill.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from reckoner.alphabet import Perception
from reckoner.curriculum import problems
from reckoner.curriculum.problems import Problem, Sampler
from reckoner.skills.base import SkillSpec

WHOLE = Perception(fovea=0)  # numbers are one symbol and cannot be cut in two
ENDS = Perception(fovea=1)  # the first and the last digit of a number can be pointed at
DIGITS = Perception(fovea=2)
# expressions: up to the third number or the first bracket (with what is in it, if just a number)
READING = Perception(fovea=0, reach=3)

# A skill accepts what it was taught, so that anything else is refused and not answered wrongly. In each of these
# patterns 1 stands for any digit where only the form counts: text with all digits written as 1 matches if some digits do.
N = r"\d+"  # leading zeros too
C = r"0|[1-9]\d*"  # canonical: without leading zeros
POSITIVE = r"[1-9]\d*"
SIGNED = r"0|-?[1-9]\d*"
DIVISOR = r"-?[1-9]\d*"
OPERAND = (
    rf"\(*(?:{SIGNED})\)*"  # what counts of brackets cannot be said here: that they stand where they may
)
TEXT = rf"{OPERAND}([-+*/]{OPERAND})*"
TEXT_MODULO = rf"{OPERAND}([-+*/%]{OPERAND})*"


@final
@dataclass(frozen=True)
class BasicTask:
    """A table of single-digit facts, all of which are to be known."""

    spec: SkillSpec
    table: Callable[[], list[Problem]]


@final
@dataclass(frozen=True)
class InteractiveTask:
    """A skill to be learned from answers."""

    spec: SkillSpec
    sampler: Sampler
    stages: tuple[int, ...]  # sizes; self-calls of a stage go to the snapshot that mastered the one before
    # size of the problems that test what nobody trained on: at least three times the longest stage
    longer: int
    problems: int = 1000  # training problems per stage: the paper's number


Task = BasicTask | InteractiveTask


def _column(operate: Callable[[int, int, int], tuple[int, int]]) -> Callable[[], list[Problem]]:
    def table() -> list[Problem]:
        sides = ["", *"0123456789"]
        entries = []
        for x in sides:
            for y in sides:
                for c in "01":
                    high, low = operate(int(x or "0"), int(y or "0"), int(c))
                    entries.append(Problem(x, y + c, f"{high}{low}"))
        return entries

    return table


def _multiply_column() -> list[Problem]:
    ten, carries = "0123456789", "012345678"
    return [Problem(x, d + c, f"{int(x) * int(d) + int(c):02d}") for x in ten for d in ten for c in carries]


def _next_digit() -> list[Problem]:
    return [Problem(str(d), "", str(d + 1)) for d in range(9)]


def _drop_zero() -> list[Problem]:
    return [Problem(f"{n:02d}", "", f"{n:02d}"[n < 10 :]) for n in range(100)]


def _borrow_sign() -> list[Problem]:
    return [Problem("0", "", ""), Problem("1", "", "-")]


def _basic(name: str, layout: str, x: str, y: str, table: Callable[[], list[Problem]]) -> BasicTask:
    return BasicTask(SkillSpec(name, layout, x, y), table)


def _interactive(
    name: str,
    layout: str,
    accepts: tuple[str, str],
    calls: str,
    sees: Perception,
    sampler: Sampler,
    stages: tuple[int, ...],
    longer: int,
    problems_per_stage: int = 1000,
) -> InteractiveTask:
    spec = SkillSpec(name, layout, *accepts, tuple(calls.split()), sees)
    return InteractiveTask(spec, sampler, stages, longer, problems=problems_per_stage)


_BY_ONE = (1, 2, 3, 4, 5, 6, 10)  # lengths go up by one until the views stop changing, then one longer
_ENDS = (1, 2, 3, 4, 8)
_TWICE = (1, 2, 3, 4, 16)  # long enough for a skill that calls itself twice per digit to run out of calls
_WHOLE = (1, 4, 8)
_QUOTIENT = (rf"\d,{N}", POSITIVE)
_WORK = (0, 1, 2, 3, 4, 5, 6, 8)

TASKS: tuple[Task, ...] = (
    _basic("add-column", "{x},{y}", r"\d?", r"\d?[01]", _column(lambda x, y, c: divmod(x + y + c, 10))),
    _basic(
        "subtract-column", "{x},{y}", r"\d?", r"\d?[01]", _column(lambda x, y, c: (int(x < y + c), (x - y - c) % 10))
    ),
    _basic("multiply-column", "{x},{y}", r"\d", r"\d[0-8]", _multiply_column),
    _basic("next-digit", "{x}", r"[0-8]", "", _next_digit),
    _basic("drop-zero", "{x}", r"\d\d", "", _drop_zero),
    _basic("borrow-sign", "{x}", r"[01]", "", _borrow_sign),
    _interactive(
        "add-columns", "{x},{y}", (r"\d*", r"\d*[01]"), "add-column add-columns",
        DIGITS, problems.add_columns, _BY_ONE, 40,
    ),
    _interactive("strip", "{x}{y}", (r"\d*", r"\d*"), "drop-zero strip", ENDS, problems.strip, _TWICE, 48),
    _interactive("M+M", "{x},{y}0", (N, N), "add-columns strip", WHOLE, problems.add, _WHOLE, 40),
    _interactive(
        "subtract-columns", "{x},{y}", (r"\d*", r"\d*[01]"), "subtract-column subtract-columns",
        DIGITS, problems.subtract_columns, _BY_ONE, 40,
    ),
    _interactive("less", "{x},{y}0", (N, N), "borrow-sign subtract-columns", ENDS, problems.less, _ENDS, 40),
    _interactive("M-M-natural", "{x},{y}0", (N, N), "strip subtract-columns", WHOLE, problems.subtract_natural, _WHOLE, 40),
    _interactive("M-M", "{x},{y}", (N, N), "less M-M-natural", WHOLE, problems.subtract, _WHOLE, 40),
    _interactive(
        "multiply-columns", "{x},{y}", (r"\d+", r"\d[0-8]"), "multiply-column multiply-columns",
        DIGITS, problems.multiply_columns, _BY_ONE, 40,
    ),
    _interactive("M*S", "{x},{y}0", (N, r"\d"), "strip multiply-columns", WHOLE, problems.multiply_digit, _WHOLE, 40),
    _interactive("shift-add", "{x},{y}", (C, C), "strip M+M", ENDS, problems.shift_add, _ENDS, 40),
    _interactive("multiply-accumulate", "{x},{y}", (C, rf"(?:{C})\d"), "M*S shift-add", ENDS, problems.multiply_accumulate, _ENDS, 30),
    _interactive("M*M", "{x},{y}", (C, C), "M*S multiply-accumulate M*M", ENDS, problems.multiply, _ENDS, 24),
    _interactive("quotient-take", "{x},{y}", _QUOTIENT, "next-digit M-M-natural", WHOLE, problems.quotient_steps(1, 1), _WHOLE, 24),
    _interactive("quotient-step", "{x},{y}", _QUOTIENT, "less quotient-take", WHOLE, problems.quotient_steps(1), _WHOLE, 24),
    _interactive("quotient-twice", "{x},{y}", _QUOTIENT, "quotient-step", WHOLE, problems.quotient_steps(2), _WHOLE, 24),
    _interactive("quotient-four", "{x},{y}", _QUOTIENT, "quotient-twice", WHOLE, problems.quotient_steps(4), _WHOLE, 24),
    _interactive("quotient-eight", "{x},{y}", _QUOTIENT, "quotient-four", WHOLE, problems.quotient_steps(8), _WHOLE, 24),
    _interactive(
        "quotient-digit", "{x},{y}", _QUOTIENT, "quotient-twice quotient-eight", WHOLE, problems.quotient_steps(9), _WHOLE, 24
    ),
    _interactive("quotient-next", "0,{x},{y}", (N, POSITIVE), "strip quotient-digit", WHOLE, problems.quotient_next, _WHOLE, 24),
    _interactive(
        "divide-digits", "{x},{y}", (C, POSITIVE), "quotient-next divide-digits", ENDS, problems.divide_digits, _ENDS, 24
    ),
    _interactive("M/M", "{x},{y}", (C, POSITIVE), "strip divide-digits", WHOLE, problems.divide, _WHOLE, 24),
    _interactive("signed-add", "{x},{y}", (SIGNED, SIGNED), "M+M M-M", WHOLE, problems.signed_operation("+"), _WHOLE, 40),
    _interactive("signed-subtract", "{x},{y}", (SIGNED, SIGNED), "M+M M-M", WHOLE, problems.signed_operation("-"), _WHOLE, 40),
    _interactive("signed-multiply", "{x},{y},0", (SIGNED, SIGNED), "M-M M*M", WHOLE, problems.signed_operation("*"), _WHOLE, 24),
    _interactive(
        "signed-divide", "{x},{y},0", (SIGNED, DIVISOR), "M-M M/M", WHOLE, problems.signed_operation("/"), _WHOLE, 24
    ),
    _interactive(
        "expression", "{x}", (TEXT, ""), "signed-add signed-subtract signed-multiply signed-divide expression",
        READING, problems.expressions("+-*/"), _WORK, 24, 2000,
    ),
    _interactive("M%M", "{x},{y}", (C, POSITIVE), "strip divide-digits", WHOLE, problems.modulo, _WHOLE, 24),
    _interactive(
        "signed-modulo", "{x},{y},0", (SIGNED, DIVISOR), "M-M M%M", WHOLE, problems.signed_operation("%"), _WHOLE, 24
    ),
    _interactive(
        "expression-modulo", "{x}", (TEXT_MODULO, ""),
        "signed-add signed-subtract signed-multiply signed-divide signed-modulo expression-modulo",
        READING, problems.expressions("+-*/%"), _WORK, 24, 2000,
    ),
)  # fmt: skip

BY_NAME = {task.spec.name: task for task in TASKS}
BASIC = {name: task for name, task in BY_NAME.items() if isinstance(task, BasicTask)}
INTERACTIVE = {name: task for name, task in BY_NAME.items() if isinstance(task, InteractiveTask)}

MODULO = ("M%M", "signed-modulo", "expression-modulo")

# named, because worker processes look them up by name
CURRICULA: dict[str, tuple[Task, ...]] = {
    # `expression-modulo` does all that `expression` does, so nobody would call that one any more
    "full": tuple(task for task in TASKS if task.spec.name != "expression"),
    # the paper's operators: what its experiment on continual learning begins with
    "paper": tuple(task for task in TASKS if task.spec.name not in MODULO),
    "smoke": tuple(BY_NAME[name] for name in ("add-column", "drop-zero", "add-columns", "strip", "M+M")),
    "tiny": tuple(BY_NAME[name] for name in ("drop-zero", "strip")),
}
