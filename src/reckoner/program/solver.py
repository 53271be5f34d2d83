"""Asks an SMT solver whether facts imply a goal, by one text in SMT-LIB that any solver can read.

All quantities are integers and none is negative. Products of quantities are first named and otherwise unknown, so
that what is left is linear; if that is not enough, what is known of products is added (a digit times something is one
of ten multiples of it; products grow with their factors); at last the solver multiplies by itself. Each step says
more about the same quantities, all of it true: whatever is found contradictory at any of them is so.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, final

from reckoner.errors import ReckonerError
from reckoner.program.formula import All, Atom, Formula, Not, Some, polynomials
from reckoner.program.polynomial import Monomial, Polynomial

LEVELS = 3
_EFFORT = (
    2_000_000,
    20_000_000,
    20_000_000,
)  # z3's own units per query, by level: time would depend on the machine

_INSTALL = "pip install 'neural-reckoner[proof]' (in a clone, `make test` does)"

Verdict = Literal["unsat", "sat", "unknown"]


class SolverMissing(ReckonerError):
    """The solver is not installed."""

    kind = "solver"


def is_digit(name: str) -> bool:
    """Whether a quantity is a single digit (names are made in `memory`)."""
    return name[0] == "d"


def length_of(power: str) -> str | None:
    """The length whose power of ten this quantity is."""
    return "m" + power[1:] if power[0] == "P" else None


def write_query(facts: Iterable[Formula], ranges: Mapping[str, Polynomial], level: int) -> str:
    """The facts as SMT-LIB; `ranges` gives upper bounds (not reached) of some quantities."""
    return _Writer(list(facts), ranges, level).text()


class _Writer:
    def __init__(self, facts: list[Formula], ranges: Mapping[str, Polynomial], level: int) -> None:
        self.facts, self.ranges, self.level = facts, ranges, level
        self.names: dict[str, None] = {}
        self.products: dict[Monomial, None] = {}
        self.bounds: dict[str, Polynomial] = {}
        waiting = [p for fact in facts for p in polynomials(fact)]
        while waiting:
            polynomial = waiting.pop()
            for name in sorted(polynomial.variables):
                if name not in self.names:
                    self.names[name] = None
                    length = length_of(name)
                    if length is not None:
                        self.names.setdefault(length)
                    if name in ranges:
                        self.bounds[name] = ranges[name]
                        waiting.append(ranges[name])
            for monomial in polynomial.terms:
                self.note(monomial)

    def note(self, monomial: Monomial) -> None:
        """A product is named; with its lemmas, so are the products in it."""
        if len(monomial) < 2 or monomial in self.products:
            return
        self.products[monomial] = None
        if self.level >= 1:
            for i in range(len(monomial)):
                self.note(monomial[:i] + monomial[i + 1 :])

    def text(self) -> str:
        lines = [f"(declare-const {name} Int)" for name in self.names]
        lines += [f"(assert {line})" for name in self.names for line in self.about(name)]
        if self.level < 2:
            lines += [f"(declare-const {_product(m)} Int)" for m in self.products]
            lines += [f"(assert (>= {_product(m)} 0))" for m in self.products]
        if self.level == 1:
            lines += [f"(assert {lemma})" for lemma in self.lemmas()]
        for name, bound in self.bounds.items():
            lines.append(f"(assert (< {name} {self.spell(bound)}))")
        lines += [f"(assert {self.formula(fact)})" for fact in self.facts]
        return "\n".join([*lines, "(check-sat)"])

    def about(self, name: str) -> list[str]:
        length = length_of(name)
        if length is not None:
            powers = [f"(=> (>= {length} {n}) (>= {name} {10**n}))" for n in (1, 2)]
            return [f"(>= {name} 1)", f"(= (= {length} 0) (= {name} 1))", *powers]
        return [f"(>= {name} 0)", *([f"(<= {name} 9)"] if is_digit(name) else [])]

    def lemmas(self) -> Iterable[str]:
        """What is known of products: multiples by digits, and that they grow with their factors."""
        cofactors: dict[Monomial, dict[str, Monomial]] = {}
        for monomial in self.products:
            for i, name in enumerate(monomial):
                cofactors.setdefault(monomial[:i] + monomial[i + 1 :], {})[name] = monomial
        for rest, products in cofactors.items():
            r = _product(rest)
            for name, monomial in products.items():
                p = _product(monomial)
                if is_digit(name):
                    yield _any(f"(and (= {name} {i}) (= {p} (* {i} {r})))" for i in range(10))
                else:
                    yield f"(=> (= {name} 0) (= {p} 0))"
                    yield f"(=> (>= {name} 1) (>= {p} {r}))"
            for (a, m), (b, n) in itertools.combinations(products.items(), 2):
                p, o = _product(m), _product(n)
                yield f"(=> (= {a} {b}) (= {p} {o}))"
                yield f"(=> (< {a} {b}) (<= (+ {p} {r}) {o}))"
                yield f"(=> (> {a} {b}) (>= {p} (+ {o} {r})))"

    def spell(self, polynomial: Polynomial) -> str:
        terms = []
        for monomial, n in polynomial.terms.items():
            if not monomial:
                terms.append(_number(n))
            elif self.level < 2:
                terms.append(f"(* {_number(n)} {_product(monomial)})")
            else:
                terms.append(f"(* {_number(n)} {' '.join(monomial)})")
        return f"(+ {' '.join(terms)} 0)" if terms else "0"

    def formula(self, formula: Formula) -> str:
        match formula:
            case Atom(polynomial, relation):
                return f"({relation} {self.spell(polynomial)} 0)"
            case All(parts):
                return f"(and true {' '.join(map(self.formula, parts))})"
            case Some(parts):
                return f"(or false {' '.join(map(self.formula, parts))})"
            case Not(part):
                return f"(not {self.formula(part)})"


def _product(monomial: Monomial) -> str:
    return monomial[0] if len(monomial) == 1 else f"|{'*'.join(monomial)}|"


def _is_of_values(monomial: Monomial) -> bool:
    """Whether at least two factors are neither lengths nor powers of ten."""
    return sum(name[0] not in "mP" for name in monomial) >= 2


def _number(n: int) -> str:
    return str(n) if n >= 0 else f"(- {-n})"


def _any(parts: Iterable[str]) -> str:
    return f"(or {' '.join(parts)})"


@final
@dataclass
class Solver:
    """Keeps what was asked: how often, and the texts that were found contradictory (for a second solver)."""

    queries: int = 0
    contradictions: dict[str, None] = field(default_factory=dict)
    _known: dict[str, tuple[Verdict, dict[str, int]]] = field(default_factory=dict)

    def is_possible(self, facts: Iterable[Formula], ranges: Mapping[str, Polynomial]) -> bool:
        """Whether the facts can hold together, as far as the solver sees: it need not, for then they imply anything."""
        listed = list(facts)
        for level in range(LEVELS):
            text = write_query(listed, ranges, level)
            if self._ask(text, level)[0] == "unsat":
                return False
            if not any(
                _is_of_values(monomial) for fact in listed for p in polynomials(fact) for monomial in p.terms
            ):
                break  # products with powers of ten alone: more about them would rarely help
        return True

    def implies(
        self, facts: Iterable[Formula], ranges: Mapping[str, Polynomial], goal: Formula
    ) -> tuple[bool, dict[str, int]]:
        """Whether the facts imply the goal; if not, values that may show why."""
        opposite = [*facts, Not(goal)]
        model: dict[str, int] = {}
        for level in range(LEVELS):
            text = write_query(opposite, ranges, level)
            verdict, found = self._ask(text, level)
            if verdict == "unsat":
                return True, {}
            model = found or model
            if "|" not in text and level == 0:
                break  # nothing is multiplied: the solver has seen all there is
        return False, model

    def _ask(self, text: str, level: int) -> tuple[Verdict, dict[str, int]]:
        if text not in self._known:
            self.queries += 1
            self._known[text] = ask_z3(text, _EFFORT[level])
            if self._known[text][0] == "unsat":
                self.contradictions[text] = None
        return self._known[text]


def import_z3() -> Any:
    """The solver, if it is installed."""
    try:
        import z3
    except ImportError:
        raise SolverMissing(f"proofs and programs need the solver z3: {_INSTALL}") from None
    return z3


def import_cvc5() -> Any:
    """The other solver, if it is installed."""
    try:
        import cvc5
    except ImportError:
        raise SolverMissing(f"a second opinion needs the solver cvc5: {_INSTALL}") from None
    return cvc5


def ask_z3(text: str, effort: int) -> tuple[Verdict, dict[str, int]]:
    """What z3 says, and a model if there is one."""
    z3 = import_z3()
    solver = z3.Solver()
    solver.set("rlimit", effort)
    solver.from_string(text)
    answer = solver.check()
    if answer == z3.unsat:
        return "unsat", {}
    if answer == z3.unknown:
        return "unknown", {}
    model: Any = solver.model()
    return "sat", {d.name(): model[d].as_long() for d in model.decls() if z3.is_int_value(model[d])}


def ask_cvc5(text: str, effort: int) -> Verdict:
    """What cvc5 says."""
    cvc5 = import_cvc5()
    solver: Any = cvc5.Solver()
    solver.setOption("rlimit-per", str(effort))
    solver.setLogic("QF_NIA" if "(* " in text else "QF_LIA")
    parser: Any = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "query")
    symbols = parser.getSymbolManager()
    while True:
        command = parser.nextCommand()
        if command.isNull():
            break
        outcome = str(command.invoke(solver, symbols)).strip()
        if outcome in ("unsat", "sat", "unknown"):
            return outcome  # type: ignore[return-value]
    return "unknown"
