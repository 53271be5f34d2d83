"""The curriculum as data: one row per skill, in the order they are learned.

A row says what the skill is (name, layout, accepted messages, whom it may call, what it sees), how problems are
made, and in which stages of growing size it is learned. It never says how a problem is solved. To add a skill
of one's own, see docs/add-a-skill.md.
"""

from __future__ import annotations

from collections.abc import Callable

from reckoner.curriculum import decimal_tasks, problems
from reckoner.curriculum.problems import Problem
from reckoner.curriculum.rows import (
    AS_WHOLE,
    AT_ENDS,
    BY_ONE,
    DIGITS,
    ENDS,
    LONG_WAY,
    READING,
    TWICE,
    WHOLE,
    WORK,
    BasicTask,
    InteractiveTask,
    Task,
    basic,
    interactive,
)

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


_QUOTIENT = (rf"\d,{N}", POSITIVE)

WHOLE_NUMBERS: tuple[Task, ...] = (
    basic("add-column", "{x},{y}", r"\d?", r"\d?[01]", _column(lambda x, y, c: divmod(x + y + c, 10))),
    basic(
        "subtract-column", "{x},{y}", r"\d?", r"\d?[01]", _column(lambda x, y, c: (int(x < y + c), (x - y - c) % 10))
    ),
    basic("multiply-column", "{x},{y}", r"\d", r"\d[0-8]", _multiply_column),
    basic("next-digit", "{x}", r"[0-8]", "", _next_digit),
    basic("drop-zero", "{x}", r"\d\d", "", _drop_zero),
    basic("borrow-sign", "{x}", r"[01]", "", _borrow_sign),
    interactive(
        "add-columns", "{x},{y}", (r"\d*", r"\d*[01]"), "add-column add-columns",
        DIGITS, problems.add_columns, BY_ONE, 40,
    ),
    interactive("strip", "{x}{y}", (r"\d*", r"\d*"), "drop-zero strip", ENDS, problems.strip, TWICE, 48),
    interactive("M+M", "{x},{y}0", (N, N), "add-columns strip", WHOLE, problems.add, AS_WHOLE, 40),
    interactive(
        "subtract-columns", "{x},{y}", (r"\d*", r"\d*[01]"), "subtract-column subtract-columns",
        DIGITS, problems.subtract_columns, BY_ONE, 40,
    ),
    interactive("less", "{x},{y}0", (N, N), "borrow-sign subtract-columns", ENDS, problems.less, AT_ENDS, 40),
    interactive("M-M-natural", "{x},{y}0", (N, N), "strip subtract-columns", WHOLE, problems.subtract_natural, AS_WHOLE, 40),
    interactive("M-M", "{x},{y}", (N, N), "less M-M-natural", WHOLE, problems.subtract, AS_WHOLE, 40),
    interactive(
        "multiply-columns", "{x},{y}", (r"\d+", r"\d[0-8]"), "multiply-column multiply-columns",
        DIGITS, problems.multiply_columns, BY_ONE, 40,
    ),
    interactive("M*S", "{x},{y}0", (N, r"\d"), "strip multiply-columns", WHOLE, problems.multiply_digit, AS_WHOLE, 40),
    interactive("shift-add", "{x},{y}", (C, C), "strip M+M", ENDS, problems.shift_add, AT_ENDS, 40),
    interactive("multiply-accumulate", "{x},{y}", (C, rf"(?:{C})\d"), "M*S shift-add", ENDS, problems.multiply_accumulate, AT_ENDS, 30),
    interactive("M*M", "{x},{y}", (C, C), "M*S multiply-accumulate M*M", ENDS, problems.multiply, AT_ENDS, 24),
    interactive("quotient-take", "{x},{y}", _QUOTIENT, "next-digit M-M-natural", WHOLE, problems.quotient_steps(1, 1), AS_WHOLE, 24),
    interactive("quotient-step", "{x},{y}", _QUOTIENT, "less quotient-take", WHOLE, problems.quotient_steps(1), AS_WHOLE, 24),
    interactive("quotient-twice", "{x},{y}", _QUOTIENT, "quotient-step", WHOLE, problems.quotient_steps(2), AS_WHOLE, 24),
    interactive("quotient-four", "{x},{y}", _QUOTIENT, "quotient-twice", WHOLE, problems.quotient_steps(4), AS_WHOLE, 24),
    interactive("quotient-eight", "{x},{y}", _QUOTIENT, "quotient-four", WHOLE, problems.quotient_steps(8), AS_WHOLE, 24),
    interactive(
        "quotient-digit", "{x},{y}", _QUOTIENT, "quotient-twice quotient-eight", WHOLE, problems.quotient_steps(9), AS_WHOLE, 24
    ),
    interactive("quotient-next", "0,{x},{y}", (N, POSITIVE), "strip quotient-digit", WHOLE, problems.quotient_next, AS_WHOLE, 24),
    interactive(
        "divide-digits", "{x},{y}", (C, POSITIVE), "quotient-next divide-digits", ENDS, problems.divide_digits, AT_ENDS, 24, calls_at_most=LONG_WAY
    ),
    interactive("M/M", "{x},{y}", (C, POSITIVE), "strip divide-digits", WHOLE, problems.divide, AS_WHOLE, 24, calls_at_most=LONG_WAY),
    interactive("signed-add", "{x},{y}", (SIGNED, SIGNED), "M+M M-M", WHOLE, problems.signed_operation("+"), AS_WHOLE, 40),
    interactive("signed-subtract", "{x},{y}", (SIGNED, SIGNED), "M+M M-M", WHOLE, problems.signed_operation("-"), AS_WHOLE, 40),
    interactive("signed-multiply", "{x},{y},0", (SIGNED, SIGNED), "M-M M*M", WHOLE, problems.signed_operation("*"), AS_WHOLE, 24),
    interactive(
        "signed-divide", "{x},{y},0", (SIGNED, DIVISOR), "M-M M/M", WHOLE, problems.signed_operation("/"), AS_WHOLE, 24, calls_at_most=LONG_WAY
    ),
    interactive(
        "expression", "{x}", (TEXT, ""), "signed-add signed-subtract signed-multiply signed-divide expression",
        READING, problems.expressions("+-*/"), WORK, 24, 2000, LONG_WAY,
    ),
    interactive("M%M", "{x},{y}", (C, POSITIVE), "strip divide-digits", WHOLE, problems.modulo, AS_WHOLE, 24, calls_at_most=LONG_WAY),
    interactive(
        "signed-modulo", "{x},{y},0", (SIGNED, DIVISOR), "M-M M%M", WHOLE, problems.signed_operation("%"), AS_WHOLE, 24, calls_at_most=LONG_WAY
    ),
    interactive(
        "expression-modulo", "{x}", (TEXT_MODULO, ""),
        "signed-add signed-subtract signed-multiply signed-divide signed-modulo expression-modulo",
        READING, problems.expressions("+-*/%"), WORK, 24, 2000, LONG_WAY,
    ),
)  # fmt: skip

TASKS: tuple[Task, ...] = (*WHOLE_NUMBERS, *decimal_tasks.TASKS)
BY_NAME = {task.spec.name: task for task in TASKS}
BASIC = {name: task for name, task in BY_NAME.items() if isinstance(task, BasicTask)}
INTERACTIVE = {name: task for name, task in BY_NAME.items() if isinstance(task, InteractiveTask)}

MODULO = ("M%M", "signed-modulo", "expression-modulo")

# named, because worker processes look them up by name
CURRICULA: dict[str, tuple[Task, ...]] = {
    # `expression-modulo` does all that `expression` does, so nobody would call that one any more
    "full": tuple(task for task in TASKS if task.spec.name != "expression"),
    # without decimals and powers: what the experiments on whole trainings take, a quarter of the time
    "whole": tuple(task for task in WHOLE_NUMBERS if task.spec.name != "expression"),
    # the paper's operators: what its experiment on continual learning begins with
    "paper": tuple(task for task in WHOLE_NUMBERS if task.spec.name not in MODULO),
    # what was added when whole numbers were frozen, learned on the library that knows them
    "decimals": decimal_tasks.TASKS,
    "smoke": tuple(BY_NAME[name] for name in ("add-column", "drop-zero", "add-columns", "strip", "M+M")),
    "tiny": tuple(BY_NAME[name] for name in ("drop-zero", "strip")),
}
ON_TOP = ("decimals",)  # learned on a library, not from nothing
