"""What skills for whole expressions have to do: rows, as in `specification`, over texts in place of numbers.

The answer is the value of a text up to its first unmatched closing bracket, and then the rest from there on. From a row
come the state in which the proof begins, a concrete oracle (`answer`), the check of any answer (`holds`), and problems.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import final

from reckoner.program.fixed import Concrete, read
from reckoner.program.form import DECIMAL, SCALE
from reckoner.program.phrase import Phrases
from reckoner.program.symbolic import LAWS, Law
from reckoner.program.value import NotAnExpression, evaluate

_MOST_DIGITS = 60  # of a power in problems that are tried


@final
@dataclass(frozen=True)
class TextRow:
    """What one skill has to do.

    With a scale the message is a zero with so many decimals, and the text; otherwise the text and nothing.
    """

    name: str
    operators: str
    operations: Mapping[
        str, str
    ]  # skills it may call on two numbers: their operator, or all of them for `x+y` and z
    is_scaled: bool = False
    laws: Mapping[str, Law] = field(
        default_factory=lambda: LAWS
    )  # what is assumed of the operations at a scale

    @property
    def says(self) -> str:
        where = " at the scale of z" if self.is_scaled else ""
        return f"the value of a text{where} up to its first unmatched closing bracket, then the rest"

    @property
    def layout(self) -> str:
        return "{x},{y}" if self.is_scaled else "{x}"

    @property
    def patterns(self) -> tuple[str, str]:
        """What the two reads must look like: operands joined by operators, with brackets round operands."""
        signs = "-" + self.operators.replace("-", "")
        if not self.is_scaled:
            operand = r"\(*(?:0|-?[1-9]\d*)\)*"
            return rf"{operand}([{signs}]{operand})*", ""
        number, sign = f"(?:{DECIMAL})", f"[{signs}]"
        # no bracket is opened behind the last one that is closed
        return SCALE, rf"{number}({sign}{number})*|(\(*{number}\)*{sign})*\(*{number}\)+({sign}{number})*"

    @property
    def phrases(self) -> Phrases:
        """Makes texts."""
        return Phrases(self.operators, self.is_scaled)

    def message(self, rng: Random, text: str) -> tuple[str, str]:
        """A message that asks for the value of a text."""
        return (self.phrases.scale(rng), text) if self.is_scaled else (text, "")

    def sample(self, rng: Random, size: int) -> tuple[str, str]:
        """A message with a text of up to so many operators and brackets; it need not have a value."""
        return self.message(rng, self.phrases.text(rng, size))

    def read(self, x: str, y: str) -> str | None:
        """The right answer, or None if the skill need not answer this message."""
        text, z = (y, x) if self.is_scaled else (x, "0")
        if not re.fullmatch(SCALE, z) or not re.fullmatch(self.patterns[self.is_scaled], text):
            return None
        scale = read(z).places
        try:
            value, rest = evaluate(text, Concrete(scale, _MOST_DIGITS))
        except (ArithmeticError, NotAnExpression):
            return None
        return f"{value}{rest}"

    def answer(self, x: str, y: str) -> str:
        """The right answer to a message of the domain."""
        right = self.read(x, y)
        if right is None:
            raise ValueError(f"{self.name} need not answer {x!r}, {y!r}")
        return right

    def holds(self, x: str, y: str, answer: str) -> bool:
        """Whether this is the right answer."""
        return answer == self.answer(x, y)


_SIGNED = {"signed-add": "+", "signed-subtract": "-", "signed-multiply": "*", "signed-divide": "/"}
_ALL = "+-*/%^"
ROWS = (
    TextRow("expression", "+-*/", _SIGNED),
    TextRow("expression-modulo", "+-*/%", {**_SIGNED, "signed-modulo": "%"}),
    TextRow("expression-decimal", _ALL, {"operate": _ALL}, is_scaled=True),
)
EXPRESSIONS = {row.name: row for row in ROWS}
OPERATIONS = {name: signs for row in ROWS for name, signs in row.operations.items()}


def top_rows(names: Collection[str]) -> list[TextRow]:
    """Of a library's skills those that expressions are handed to: the last one for whole numbers, and for decimals."""
    tops = {row.is_scaled: row for row in ROWS if row.name in names}
    return list(tops.values())
