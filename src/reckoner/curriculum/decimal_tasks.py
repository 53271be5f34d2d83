"""The rows of decimals and powers, learned on top of whole numbers; what a row is, says `tasks`.

Only numbers of decimals are ever counted, and always with a string: a fraction is as long as it is. `z` in a message
is a number whose decimals alone count: the scale of a quotient is a zero with so many of them.
"""

from __future__ import annotations

from reckoner.alphabet import Perception
from reckoner.curriculum import decimal_expression_problems, power_problems
from reckoner.curriculum import decimal_problems as problems
from reckoner.curriculum.problems import Problem
from reckoner.curriculum.rows import (
    AS_WHOLE,
    AT_ENDS,
    BY_ONE,
    ENDS,
    LONG_WAY,
    WORK,
    Task,
    basic,
    interactive,
)

POINTS = Perception(fovea=1, decimals=True)  # both ends of every string of digits, and points
LIST = Perception(fovea=1, reach=3)  # both ends of the first three strings of digits, however many follow
PARTS = Perception(fovea=0, decimals=True)  # whole part and decimals are one symbol each
NUMBERS = Perception(fovea=0, reach=9, decimals=True)  # a number is one symbol with sign and decimals
FIRST_THREE = Perception(fovea=0, reach=3, decimals=True)
READING = Perception(fovea=0, reach=4, decimals=True)  # the scale, and as much as before there were decimals

S = r"\d*"  # a string of digits, or nothing
NATURAL = r"(?:0|[1-9]\d*)(?:\.\d+)?"
SCALE = r"0(?:\.0+)?"  # of powers and of expressions: they are right at no other number
DECIMAL = r"(?:0|-?[1-9]\d*)(?:\.\d+)?|-0\.\d*[1-9]\d*"  # never -0.00
DIVISOR = r"-?(?:[1-9]\d*(?:\.\d+)?|0\.\d*[1-9]\d*)"
INTEGER = r"0|-?[1-9]\d*"
_D, _I = f"(?:{DECIMAL})", f"(?:{INTEGER})"
# Operators between operands; no bracket is opened behind the last one that is closed. (Students that could send
# themselves `(5` rested on whatever that happened to give.)
_SIGN = "[-+*/%^]"
TEXT = rf"{_D}({_SIGN}{_D})*|(\(*{_D}\)*{_SIGN})*\(*{_D}\)+({_SIGN}{_D})*"


def _table(sign: str) -> list[Problem]:
    return [Problem(d, "", sign + d) for d in "0123456789"]


def _point() -> list[Problem]:
    return _table(".")


def _comma() -> list[Problem]:
    return _table(",")


def _marks() -> list[Problem]:
    return [Problem(str(d), "", "^" * d) for d in range(10)]


SHORT = (1, 2, 3)  # products and quotients of more digits take many calls, and look alike
_MARKS = (1, 2, 3, 4, 6, 8, 10)
_PAIR, _SCALED = (DECIMAL, DECIMAL), (DECIMAL, rf"{_D},{NATURAL}")

TASKS: tuple[Task, ...] = (
    basic("point", "{x},", r"\d", "", _point, POINTS),
    basic("comma", "{x},", r"\d", "", _comma, POINTS),
    basic("marks", "{x},,,,,,,,", r"\d", "", _marks, POINTS),
    interactive("pad", "{x},{y},0", (S, S), "strip pad", ENDS, problems.pad, AT_ENDS, 40),
    interactive("cut", "{x},{y}", (S, S), "strip cut", ENDS, problems.cut, BY_ONE, 40),
    interactive("place", "{x},0{y}", (S, S), "point strip place", POINTS, problems.place, BY_ONE, 40),
    interactive("extend", "{x},{y}", (DECIMAL, S), "pad place strip", PARTS, problems.extend, AS_WHOLE, 24),
    interactive("level", "{x},{y}", _PAIR, "extend", PARTS, problems.level, AS_WHOLE, 24),
    interactive("whole-pair", "{x},{y}", _PAIR, "strip", PARTS, problems.whole_pair, AS_WHOLE, 24),
    interactive("negate", "0,,{x}", (DECIMAL, ""), "strip less", PARTS, problems.negate, AS_WHOLE, 24),
    interactive(
        "whole-add", "{x},{y}", _PAIR, "whole-pair signed-add",
        NUMBERS, problems.whole_operation("+"), AS_WHOLE, 24,
    ),
    interactive("add-level", "{x},{y}", _PAIR, "whole-add place", PARTS, problems.add_level, AS_WHOLE, 24),
    interactive(
        "decimal-add", "{x},{y}", _PAIR, "level add-level",
        NUMBERS, problems.plain_operation("+"), AS_WHOLE, 24,
    ),
    interactive(
        "decimal-subtract", "{x},{y}", _PAIR, "negate decimal-add", NUMBERS, problems.plain_operation("-"), AS_WHOLE, 24
    ),
    interactive(
        "whole-multiply", "{x},{y}", _PAIR, "whole-pair signed-multiply",
        NUMBERS, problems.whole_operation("*"), SHORT, 16,
    ),
    interactive(
        "place-both", "{x},{y}", (INTEGER, rf"{_D},{_D}"), "strip place", PARTS, problems.place_both, AS_WHOLE, 24
    ),
    interactive(
        "exact-multiply", ",{x},{y}", _PAIR, "whole-multiply place-both", NUMBERS, problems.exact_multiply, SHORT, 16
    ),
    interactive("widest", "{x},{y}", _SCALED, "extend", PARTS, problems.widest, AS_WHOLE, 24),
    interactive("fit", "{x},{y}", (DECIMAL, NATURAL), "cut negate strip", PARTS, problems.fit, (2, 4, 8), 24),
    interactive("multiply-fit", "{x},{y}", _SCALED, "exact-multiply fit", NUMBERS, problems.multiply_fit, SHORT, 16),
    interactive(
        "decimal-multiply", "{x},{y}", _SCALED, "widest multiply-fit",
        NUMBERS, problems.scaled_operation("*"), SHORT, 16,
    ),
    interactive("scale-dividend", "{x},{y}", _SCALED, "level extend pad", PARTS, problems.scale_dividend, AS_WHOLE, 24),
    interactive(
        "whole-divide", "{x},{y}", (DECIMAL, DIVISOR), "whole-pair signed-divide",
        NUMBERS, problems.whole_operation("/"), SHORT, 12, calls_at_most=LONG_WAY,
    ),
    interactive("place-scale", "{x},{y}", (INTEGER, NATURAL), "strip place", PARTS, problems.place_scale, AS_WHOLE, 24),
    interactive(
        "divide-scaled", "{x},{y}", (DECIMAL, rf"{DIVISOR},{NATURAL}"), "whole-divide place-scale",
        NUMBERS, problems.divide_scaled, SHORT, 12, calls_at_most=LONG_WAY,
    ),
    interactive(
        "decimal-divide", "{x},{y}", (DECIMAL, rf"{DIVISOR},{NATURAL}"), "scale-dividend divide-scaled",
        NUMBERS, problems.scaled_operation("/"), SHORT, 12, calls_at_most=LONG_WAY,
    ),
    interactive(
        "take-product", "{x},{y}", (DECIMAL, rf"{_D},{_D}"), "exact-multiply decimal-subtract",
        NUMBERS, problems.take_product, SHORT, 16,
    ),
    interactive(
        "decimal-modulo", "{x},{y}", (DECIMAL, rf"{DIVISOR},{NATURAL}"), "decimal-divide take-product",
        NUMBERS, problems.scaled_operation("%"), SHORT, 12, calls_at_most=LONG_WAY,
    ),
    interactive(
        "digits-apart", "{x}", (r"\d+", ""), "comma digits-apart", LIST, power_problems.digits_apart, AT_ENDS, 40
    ),
    interactive(
        "power-marks", "{x}{y},1", (DECIMAL, r"\^?" * 10), "strip exact-multiply power-marks",
        NUMBERS, power_problems.power_marks, _MARKS, 10,
    ),
    interactive(
        "power-digit", "{x},{y}", (DECIMAL, r"\d"), "marks power-marks",
        NUMBERS, power_problems.power_digit, SHORT, 9, 1000, LONG_WAY,
    ),
    interactive(
        "tenth-power-times", "{x}^^^^^^^^^^,{y}", _PAIR, "power-marks exact-multiply",
        NUMBERS, power_problems.tenth_power_times, SHORT, 9, 1000, LONG_WAY,
    ),
    interactive(
        "power-step", "{x},{y}", (DECIMAL, rf"{_D},\d"), "power-digit tenth-power-times",
        NUMBERS, power_problems.power_step, SHORT, 9, 1000, LONG_WAY,
    ),
    interactive(
        "power-digits", "{x},{y}", (DECIMAL, rf"{_D}(,\d)*"), "strip power-step power-digits",
        FIRST_THREE, power_problems.power_digits, (0, 1, 2, 3), 9, 1000, LONG_WAY,
    ),
    interactive(
        "exact-power", "{x},1,{y}", (DECIMAL, r"0|[1-9]\d*"), "digits-apart power-digits",
        NUMBERS, power_problems.exact_power, (1, 2), 6, 1000, LONG_WAY,
    ),
    interactive(
        "power-fit", "{x},{y}", (DECIMAL, rf"(?:0|[1-9]\d*),{NATURAL}"), "exact-power fit",
        NUMBERS, power_problems.power_fit, (1, 3), 12, 1000, LONG_WAY,
    ),
    interactive(
        "power-scaled", "{x},{y}", (DECIMAL, rf"(?:0|[1-9]\d*),{SCALE}"), "extend power-fit",
        PARTS, power_problems.scaled_power, (2, 3), 9,
    ),
    interactive(
        "decimal-power", "{x},{y},1", (DECIMAL, rf"{_I},{SCALE}"), "exact-power power-scaled decimal-divide",
        PARTS, power_problems.decimal_power, (2, 3), 9, 1000, LONG_WAY,
    ),
    interactive(
        "operate", "{x},{y}", (rf"{_D}[-+*/%^]{_D}", SCALE),
        "decimal-add decimal-subtract decimal-multiply decimal-divide decimal-modulo decimal-power",
        NUMBERS, decimal_expression_problems.operate, SHORT, 12, 1000, LONG_WAY,
    ),
    interactive(
        "expression-decimal", "{x},{y}", (SCALE, TEXT), "operate strip expression-decimal",
        READING, decimal_expression_problems.expressions, WORK, 24, 2000, LONG_WAY,
    ),
)  # fmt: skip

# What was learned anew for each operation, in the order of learning: the first to need a skill has it.
FIRST = {
    "+": ("point", "pad", "place", "extend", "level", "whole-pair", "whole-add", "add-level", "decimal-add"),
    "−": ("negate", "decimal-subtract"),
    "×": (
        "cut", "whole-multiply", "place-both", "exact-multiply", "widest", "fit", "multiply-fit", "decimal-multiply",
    ),
    "÷": ("scale-dividend", "whole-divide", "place-scale", "divide-scaled", "decimal-divide"),
    "%": ("take-product", "decimal-modulo"),
    "^": (
        "comma", "marks", "digits-apart", "power-marks", "power-digit", "tenth-power-times", "power-step",
        "power-digits", "exact-power", "power-fit", "power-scaled", "decimal-power",
    ),
    "expressions": ("operate", "expression-decimal"),
}  # fmt: skip
