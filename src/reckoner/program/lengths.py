"""That an operation's answer has at most as many characters as its two operands together.

The proof of the expression skills needs it: a text in which `a op b` was replaced by its value is strictly shorter.
"""

from __future__ import annotations

from reckoner.program.form import Digits, names
from reckoner.program.formula import Formula, at_least, both, either, equal, less, substitute
from reckoner.program.memory import power
from reckoner.program.polynomial import Polynomial, lift, variable
from reckoner.program.row import Row, Run, Specified
from reckoner.program.solver import Solver


def is_short(row: Specified, solver: Solver) -> bool:
    """Whether this holds of every answer of an operation on signed numbers."""
    assert isinstance(row, Row)
    for x, y in row.alternatives:
        bound: dict[str, Polynomial] = {}
        facts: list[Formula] = []
        ranges: dict[str, Polynomial] = {}
        room = lift(0)
        for name, alternative in (("x", x), ("y", y)):
            (digits,) = [e for e in alternative.elements if isinstance(e, Digits)]
            value, more = variable(f"v{name}"), variable(f"m{name}")
            ranges[f"v{name}"] = power(more + 1)
            if digits.is_positive:
                facts.append(at_least(value, 1))
            facts.append(either(equal(more, 0), at_least(value, power(more))))
            sign = alternative.sign
            bound |= names(name, sign * value, more + 1, power(more + 1), lift(sign), value)
            room = room + more + len(alternative.elements)
        if row.quotient is not None:
            bound[row.quotient.name] = variable("vq")
            facts.append(substitute(row.quotient.definition, bound))
        for case in row.cases:
            *signs, run = case.parts
            assert isinstance(run, Run)
            goal: Formula = less(run.value.substitute(bound), power(room - len(signs)))
            given = both(*facts, substitute(case.when, bound))
            if not solver.implies([given], ranges, goal)[0]:
                return False
    return True
