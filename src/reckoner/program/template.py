"""What a row that is written digit by digit says about numbers as a whole.

A row gives an answer case by case: with or without a sign, with or without a point. Here the parts of every case are
put together to numbers again, in units and decimals, and shown to be instances of one formula: the *template*, which
the proofs use of skills to which a number is one thing. So there is one row, whichever way it is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import final

from reckoner.program.field import Number, String, readings
from reckoner.program.figure import Figure
from reckoner.program.form import Digit, Form, amount, decimals_of, length, power, sign
from reckoner.program.formula import All, Atom, Formula, at_least, both, either, equal
from reckoner.program.polynomial import ZERO, Polynomial, lift, variable
from reckoner.program.row import Case, Quotient, Row, Run, Spread
from reckoner.program.shown import Apart, NoTemplate, Shown, minus_of, places_of, ten, units_of, whole_of
from reckoner.program.solver import Solver
from reckoner.program.term import SIGN, Cut, Term, as_term, cut, product_of, put


@final
@dataclass(frozen=True)
class Option:
    """An answer, and when it is the right one."""

    shown: Shown
    when: Formula


@final
@dataclass
class Template:
    """A row's answers in units and decimals, over `units_of` and `places_of` its fields, and its differences."""

    row: Row
    options: list[Option] = field(default_factory=list)
    terms: dict[str, Term] = field(default_factory=dict)  # what the row's names for values stand for
    counts: dict[str, Polynomial] = field(default_factory=dict)  # … and for lengths

    def __post_init__(self) -> None:
        for form in (self.row.x, self.row.y):
            self._name(form)
        for difference in self.row.differences:
            self.counts[difference.name] = variable(difference.name)
            self.terms[f"10^{difference.name}"] = ten(variable(difference.name))
        if self.row.quotient is not None:
            self._divide(self.row.quotient, {})
        groups: dict[tuple[str, ...], list[tuple[Case, Shown]]] = {}
        for case in self.row.cases:
            shown = self._shown(case)
            shown = tuple(_with(s, _signs(case)) if isinstance(s, Figure) else s for s in shown)
            groups.setdefault(tuple(s if isinstance(s, str) else "" for s in shown), []).append((case, shown))
        for alike in groups.values():
            self._merge(alike, len(groups) == 1)

    def _name(self, form: Form) -> None:
        (reading,) = readings(form)
        for each in reading:
            if isinstance(each, str):
                continue
            name, units = each.name, as_term(variable(units_of(each.name)))
            places = variable(places_of(name))
            self.terms |= {name: units, str(amount(name)): units, str(sign(name)): as_term(1)}
            if isinstance(each, String):
                self.counts[str(length(name))] = places
                self.terms[str(power(name))] = ten(places)
            elif isinstance(each, Number):
                self._name_number(each, units, places)
            elif not isinstance(each, Digit):
                raise NoTemplate(name)

    def _name_number(self, each: Number, units: Term, places: Polynomial) -> None:
        name, behind = each.name, decimals_of(each.name)
        its_sign = as_term(1)
        if any(shape.sign < 0 for shape in each.shapes):
            its_sign = product_of([(SIGN, variable(minus_of(name)))])
        whole = units
        if any(shape.has_point for shape in each.shapes):
            whole = as_term(variable(whole_of(name)))
            rest = units - whole * ten(places)
            self.terms |= {
                behind: rest,
                str(amount(behind)): its_sign * rest,
                str(power(behind)): ten(places),
            }
            self.counts[str(length(behind))] = places
        self.terms |= {name: whole, str(sign(name)): its_sign, str(amount(name)): its_sign * whole}

    # --- what a polynomial of the row is ---

    def _term(self, value: Polynomial, more: Mapping[str, Term]) -> Term:
        result = as_term(0)
        for monomial, n in value.terms.items():
            part = as_term(n)
            for name in monomial:
                found = more.get(name, self.terms.get(name))
                if found is None:
                    raise NoTemplate(name)
                part = part * found
            result = result + part
        return result

    def _count(self, value: Polynomial) -> Polynomial:
        if not value.variables <= self.counts.keys():
            raise NoTemplate(str(value))
        return value.substitute(self.counts)

    def _divide(self, quotient: Quotient, more: dict[str, Term]) -> Term:
        """A quotient of amounts. What is taken away in its dividend and stays whole, comes out: ⌊a - n⌋ = ⌊a⌋ - n.

        What is taken away is a multiple of a quotient before it, so what is left is not negative.
        """
        divisor = self._term(quotient.divisor, more)
        left, taken = as_term(0), as_term(0)
        for monomial, n in quotient.dividend.terms.items():
            part = self._term(Polynomial({monomial: n}), more)
            is_taken = n < 0 and any(v in more for v in monomial)
            is_taken = is_taken and all(v in more or v.startswith("10^") for v in monomial)
            over = part * divisor ** lift(-1)
            if is_taken and self._is_whole(over):
                taken = taken + over
            else:
                left = left + part
        found = taken + cut(left, divisor)
        (more if quotient is not self.row.quotient else self.terms)[quotient.name] = found
        return found

    def _is_whole(self, term: Term) -> bool:
        if term.single is None or term.single[1].denominator != 1:
            return False
        facts: list[Formula] = []
        for d in self.row.differences:
            more = self._count(d.longer) - self._count(d.shorter)
            name = variable(d.name)
            facts.append(either(both(equal(name, 0), at_least(0, more)), equal(name, more)))
        solver = Solver()
        return all(solver.implies(facts, {}, at_least(e, 0))[0] for b, e in term.single[0] if b != SIGN)

    # --- cases ---

    def _shown(self, case: Case) -> Shown:
        """The numbers and signs of a case."""
        names: dict[str, Term] = {}
        for quotient in case.quotients:
            self._divide(quotient, names)
        shown: list[Figure | Apart | str] = []
        factor, at = 1, 0
        while at < len(case.parts):
            part = case.parts[at]
            if isinstance(part, str):
                factor = -1 if part == "-" else 1
                shown += [part] * (part != "-")
                at += 1
                continue
            if isinstance(part, Spread):
                shown.append(Apart(self._term(part.value, names), self._count(part.length)))
                at += 1
                continue
            units, places = self._term(part.value, names), ZERO
            if case.parts[at + 1 : at + 2] == (".",):
                behind = case.parts[at + 2]
                assert isinstance(behind, Run)
                assert behind.length is not None
                places = self._count(behind.length)
                units = units * ten(places) + self._term(behind.value, names)
                at += 2
            shown.append(Figure(factor * units, places))
            factor, at = 1, at + 1
        if factor < 0:
            raise NoTemplate("a sign by itself")
        return tuple(shown)

    def _merge(self, alike: list[tuple[Case, Shown]], is_only: bool) -> None:
        """One option for cases whose answers have the same numbers; raises if one of them is not an instance."""
        general = max((shown for _, shown in alike), key=_generality)
        if _is_partial(general):
            raise NoTemplate("only a part of a number")
        for case, shown in alike:
            values = self._assumed(case)
            for figure, other in zip(shown, general, strict=True):
                if isinstance(figure, Figure) and isinstance(other, Figure):
                    self._compare(case, _with(figure, values), _with(other, values))
        if is_only:
            self.options.append(Option(general, All(())))
            return
        for case, _ in alike:  # told apart by lengths, or by the value of a digit
            self.options.append(Option(general, case.when))

    def _assumed(self, case: Case) -> dict[str, Polynomial | Term]:
        """What a case says about signs and lengths, as values of them."""
        values = _signs(case)
        for atom in _atoms(case.when):
            if atom.relation != "=" or not atom.polynomial.variables <= self.counts.keys():
                continue
            count = put(self._count(atom.polynomial), values)
            if all(n > 0 for n in count.terms.values()):
                values |= dict.fromkeys(count.variables, ZERO)
            else:  # a difference is all there is
                name = min(n for n in count.variables if n in {d.name for d in self.row.differences})
                assert abs(count.terms[(name,)]) == 1
                values[name] = variable(name) - count.terms[(name,)] * count
        for name in [
            n for n in self.counts if values.get(places_of(n.strip("|").removesuffix("_decimals"))) == ZERO
        ]:
            number = name.strip("|").removesuffix("_decimals")
            values[whole_of(number)] = as_term(variable(units_of(number)))  # without decimals
        return values

    def _compare(self, case: Case, figure: Figure, general: Figure) -> None:
        gone: set[Cut] = set()
        difference = figure.units - general.units
        for base in difference.bases:
            if isinstance(base, Cut) and self._is_small(base, case):
                gone.add(base)
        if gone:
            kept = {p: n for p, n in difference.products.items() if not any(b in gone for b, _ in p)}
            difference = Term(kept)
        if difference != as_term(0) or figure.places != general.places:
            raise NoTemplate(f"{figure} is not {general}")

    def _is_small(self, base: Cut, case: Case) -> bool:
        """Whether a case says that a dividend is smaller than its divisor."""
        if base.dividend.single is None:
            return False
        product, n = base.dividend.single
        above = product_of((b, e) for b, e in product if all(k > 0 for k in e.terms.values())) * int(n)
        below = product_of((b, -e) for b, e in product if any(k < 0 for k in e.terms.values()))
        values = self._assumed(case)
        known = [
            self._term(atom.polynomial, {}).substitute(values)
            for atom in _atoms(case.when)
            if atom.relation == ">=" and not atom.polynomial.variables & self.counts.keys()
        ]
        for amount_ in (above, -above):
            if below - amount_ - 1 in known and (amount_ in known or amount_ - 1 in known):
                return True
        return False


def _signs(case: Case) -> dict[str, Polynomial | Term]:
    """What a case says about signs."""
    values: dict[str, Polynomial | Term] = {}
    for atom in _atoms(case.when):
        name = min(atom.polynomial.variables, default="")
        if atom.relation == "=" and name.startswith("sign "):
            values[minus_of(name.removeprefix("sign "))] = lift(int(atom.polynomial.constant > 0))
    return values


def _generality(shown: Shown) -> int:
    return sum(s.places != ZERO for s in shown if isinstance(s, Figure))


def _is_partial(shown: Shown) -> bool:
    return any(
        isinstance(base, str) and base.startswith(("w_", "t_"))
        for s in shown if isinstance(s, Figure) for base in s.units.bases
    )  # fmt: skip


def _with(figure: Figure, values: Mapping[str, Polynomial | Term]) -> Figure:
    return Figure(figure.units.substitute(values), put(figure.places, values))


def _atoms(formula: Formula) -> Iterable[Atom]:
    if isinstance(formula, Atom):
        return [formula]
    return [atom for part in formula.parts for atom in _atoms(part)] if isinstance(formula, All) else []


_templates: dict[str, Template] = {}


def template_of(row: Row) -> Template:
    """Of rows that are the same, the same."""
    known = _templates.get(row.name)
    if known is None or known.row is not row:
        known = _templates[row.name] = Template(row)
    return known
