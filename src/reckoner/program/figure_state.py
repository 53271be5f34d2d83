"""Symbolic memories in which a number is one thing, or up to four: a sign, the whole part, a point and the decimals.

A memory is a sequence of signs, figures and lists of digits of which only the beginning is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, final

from reckoner.program.exploration import Unproved
from reckoner.program.field import NEGATIVE, NONZERO, WHOLE, Shapes
from reckoner.program.figure import Figure, Several
from reckoner.program.formula import at_least, equal
from reckoner.program.known import Known
from reckoner.program.polynomial import ONE, ZERO, Polynomial, total, variable
from reckoner.program.term import SIGN, Cut, as_term, product_of, put


class Whole(NamedTuple):
    """The whole part of a number with decimals."""

    of: Figure


class Behind(NamedTuple):
    """The decimals of a number."""

    of: Figure


Item = str | Figure | Several | Whole | Behind
Text = tuple[Item, ...]
Cell = tuple[Item, ...]


@final
class Names:
    """Fresh names: of signs (-1 to the t), amounts, lengths with their powers of ten, digits, and values of lists."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, kind: str) -> Polynomial:
        self.count += 1
        return variable(f"{kind}{self.count}")

    def digit(self) -> Figure:
        return Figure(as_term(self("d")), ZERO)

    def several(self) -> Several:
        self.count += 1
        value, length, power = (variable(f"{kind}{self.count}") for kind in "emP")
        return Several(value, length, power)


@final
@dataclass(frozen=True)
class State:
    """What is known at one moment of a frame."""

    texts: tuple[Text, ...]  # the memory; during a call: before and behind what is written, and the two reads
    problem: Mapping[str, Any]  # the fields of the message
    known: Known
    start: Polynomial  # how long the message was
    names: Names = field(default_factory=Names)
    history: tuple[bytes, ...] = ()
    decisions: tuple[tuple[int, ...], ...] = ()

    @property
    def memory(self) -> Text:
        return self.texts[0]

    def put(self, values: Mapping[str, Polynomial], known: Known | None = None) -> State:
        """With polynomials in place of quantities, everywhere."""
        return replace(
            self,
            texts=tuple(tuple(_put(item, values) for item in text) for text in self.texts),
            problem={name: _put(value, values) for name, value in self.problem.items()},
            known=(known or self.known).put(values),
            start=self.start.substitute(values),
        )

    # --- telling cases apart ---

    def decide(self, get: Callable[[State], Figure], shapes: Shapes) -> Iterator[tuple[State, bool]]:
        """Cases in which it is known whether a number is of one of these shapes."""
        possible = self.known.shapes(get(self))
        if possible <= shapes or not possible & shapes:
            yield self, possible <= shapes
            return
        for case in self._split(get(self), possible, shapes):
            yield from case.decide(get, shapes)

    def _split(self, x: Figure, possible: Shapes, shapes: Shapes) -> Iterator[State]:
        """Two cases or three of a number whose shape is not known."""
        signs = {shape.sign for shape in possible}
        if any((s in shapes) != (t in shapes) for s in possible for t in possible if s.sign == t.sign):
            yield from self._split_places(x.places)
        elif len(signs & {-1, 1}) == 2:
            yield from self._split_sign(x)
        else:
            yield from self._split_zero(x)

    def _split_places(self, places: Polynomial) -> Iterator[State]:
        name = places.bare
        if name is not None and name[0] == "m":
            yield self.put({name: ZERO})
            yield self.put({name: self.names("m") + 1})
        else:
            yield replace(self, known=self.known.know(equal(places, 0)))
            yield replace(self, known=self.known.know(at_least(places, 1)))

    def _split_sign(self, x: Figure) -> Iterator[State]:
        parities = {
            e for product in x.units.products for b, e in product if b == SIGN
        } - self.known.signs.keys()
        if len(parities) != 1:
            raise Unproved("it is known whether a number is negative", self)
        (parity,) = parities
        if parity.bare is None or parity.bare[0] != "t":  # a power: whether its exponent is odd
            factors = min(parity.terms) if len(parity.terms) == 1 else ()
            for sign in (-1, 1):
                known = replace(self.known, signs={**self.known.signs, parity: sign})
                for name in factors if sign < 0 else ():  # an odd number is not zero
                    known = known.know(nonzero=name)
                yield replace(self, known=known)
            return
        yield self.put({parity.bare: ZERO})
        yield self.put({parity.bare: ONE}, self.known.know(nonzero="a" + parity.bare[1:]))  # never -0

    def _split_zero(self, x: Figure) -> Iterator[State]:
        open_ = [b for b in x.units.bases if isinstance(b, Cut) or b[0] in "ade"]
        open_ = [b for b in open_ if b not in self.known.zero | self.known.nonzero]
        if not open_ or x.units.single is None:
            raise Unproved("it is known whether a number is zero", self)
        yield replace(self, known=self.known.know(zero=open_[0]))
        yield replace(self, known=self.known.know(nonzero=open_[0]))

    def unfold(self, text: int, at: int) -> Iterator[State]:
        """Cases in which a list of digits is empty, and gone, or its first digit is a figure of its own."""
        listed = self.texts[text][at]
        assert isinstance(listed, Several)
        names = [p.bare for p in (listed.value, listed.length, listed.power)]
        if None in names:
            raise Unproved("it is known how many digits there are", self)
        value, length, power = map(str, names)
        digit, rest = self.names.digit(), self.names.several()
        none = self.put({value: ZERO, length: ZERO, power: ONE})
        yield none.replaced(text, at)
        some = self.put(
            {value: digit.count * rest.power + rest.value, length: rest.length + 1, power: 10 * rest.power}
        )
        yield some.replaced(text, at, ",", digit, rest)

    def replaced(self, text: int, at: int, *items: Item) -> State:
        """With other items in place of one."""
        old = self.texts[text]
        texts = (*self.texts[:text], old[:at] + items + old[at + 1 :], *self.texts[text + 1 :])
        return replace(self, texts=texts)


def _put(item: Any, values: Mapping[str, Polynomial]) -> Any:
    match item:
        case Figure(units, places):
            return Figure(units.substitute(values), put(places, values))
        case Several(value, length, power):
            return Several(*(part.substitute(values) for part in (value, length, power)))
        case Whole(of) | Behind(of):
            return type(item)(_put(of, values))
        case _:
            return item


def negated(x: Figure) -> Figure:
    """The same number with the other sign."""
    return Figure(-x.units, x.places)


def number(shapes: Shapes, names: Names, known: Known) -> tuple[Figure, Known]:
    """Any number of these shapes."""
    amount, sign, places = names("a"), as_term(1), ZERO
    name = str(amount)
    if shapes & NEGATIVE:
        sign = product_of([(SIGN, variable("t" + name[1:]))])
    if not shapes <= WHOLE:
        places = variable("m" + name[1:])
    if not shapes & NONZERO:
        return Figure(as_term(0), places), known
    if shapes <= NONZERO:
        known = known.know(nonzero=name)
    return Figure(sign * as_term(amount), places), known


def symbols(text: Text, known: Known) -> Polynomial:
    """How long a message is where numbers are symbols: a minus sign counts. `n[…]` is 1 if a number has one."""
    return total(_symbols(item, known) for item in text)


def _symbols(item: Item, known: Known) -> Polynomial:
    if isinstance(item, Several):
        return 2 * item.length
    if not isinstance(item, Figure) or known.signs_of(item.units) <= {0, 1}:
        return ONE
    return 1 + (ONE if known.signs_of(item.units) == {-1} else variable(f"n[{item.units}]"))


def is_less(a: Polynomial, b: Polynomial) -> bool:
    """Whether a message of so many symbols is certainly shorter."""
    most = a - b
    bound = sum(n for m, n in most.terms.items() if n > 0 and m and m[0].startswith("n["))
    open_ = [n for m, n in most.terms.items() if n > 0 and m and not m[0].startswith("n[")]
    return not open_ and most.constant + bound < 0
