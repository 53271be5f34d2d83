"""In a sentence: which algorithm a program is. Read off the program, so that it holds for whatever was learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reckoner.alphabet import spell
from reckoner.nn.config import HALT
from reckoner.program.decision import History
from reckoner.program.proof import Visit
from reckoner.program.text_row import EXPRESSIONS, OPERATIONS
from reckoner.program.words import span
from reckoner.skills.base import Decider

# what a way to go is called where it has a name
_NAMES = {
    ("add-columns", "from the right"): "column addition with a carry, as in school",
    ("subtract-columns", "from the right"): "column subtraction with a borrow, as in school",
    ("multiply-columns", "from the right"): "multiplication by one digit with a carry, as in school",
    ("strip", "from the left"): "the front part first: a zero is dropped where only two digits are left",
    (
        "M*M",
        "from the left",
    ): "long multiplication, but the first digit of the multiplier first (Horner's rule), "
    "where school begins with the last",
    (
        "divide-digits",
        "from the left",
    ): "long division, as in school: the quotient so far, then one digit more",
}
# … and what calling some skills one after the other comes to
_COME_TO = {
    ("decimal-add", "level", "add-level"): "as in school: zeros behind the number with fewer decimals, then the "
    "sum without points, then the point",
    ("decimal-subtract", "negate", "decimal-add"): "the sum with the opposite number",
    ("exact-multiply", "whole-multiply", "place-both"): "as in school: the product without points, then as many "
    "decimals as both numbers have",
    ("decimal-multiply", "widest", "multiply-fit"): "the product with all its decimals, of which as many are kept "
    "as the scale or either number has",
    ("decimal-divide", "scale-dividend", "divide-scaled"): "zeros behind the dividend, so that the quotient of whole "
    "numbers has the decimals that are wanted",
    ("decimal-modulo", "decimal-divide", "take-product"): "what is left without the divisor times the quotient",
    ("digits-apart", "digits-apart", "comma"): "all digits but the first are put apart before it gets its comma",
    ("digits-apart", "comma", "digits-apart"): "a comma behind the first digit, then all others are put apart",
    ("power-digits", "power-step", "power-digits"): "Horner's rule in the exponent, from its first digit: the power so "
    "far to the tenth, times the base to the next digit",
    ("exact-power", "digits-apart", "power-digits"): "digit by digit of the exponent",
    ("power-fit", "exact-power", "fit"): "the power with all its decimals, some of which are cut off",
    ("power-scaled", "extend", "power-fit"): "as many decimals as the base or the scale has are kept",
    ("operate", "decimal-power"): "one skill for each operator, so behind `^`",
    ("decimal-power", "exact-power", "decimal-divide"): "with a negative exponent, one divided by the power",
}  # fmt: skip
_MOST_VIEWS = 12  # that are named one by one


def name_algorithm(skill: Decider, visits: Sequence[Visit]) -> str:
    """A sentence about a program."""
    known = {visit.history: visit for visit in visits}
    if skill.name in EXPRESSIONS:
        return _on_text(skill, known)
    first = [visit for visit in visits if len(visit.history) == 1]
    longest = max(first, key=lambda visit: (len(visit.history[0]), visit.history[0]))
    calls = _calls(skill, known, longest.history)
    way = _way(skill, known, longest.history)
    name = _NAMES.get((skill.name, way)) or _COME_TO.get((skill.name, *calls))
    sentence = f"{name}: {_in_order(skill, calls, way)}" if name else _in_order(skill, calls, way)
    others: dict[tuple[str, ...], list[str]] = {}
    for visit in first:
        taken = tuple(_calls(skill, known, visit.history))
        if taken != tuple(calls):
            others.setdefault(taken, []).append(spell(skill.spec.perception, visit.history[0]))
    text = sentence[0].upper() + sentence[1:] + "."
    if others:
        ways = [f"{_any(views)}: {_list(taken)}" for taken, views in others.items()]
        text += f" Other ways, {len(others)} in all: " + "; ".join(ways) + "."
    return text


def _calls(skill: Decider, known: Mapping[History, Visit], history: History) -> list[str]:
    """The skills that are called on the way on which views stay longest."""
    calls = []
    while history in known:
        module = known[history].choice.module
        if module == HALT:
            break
        calls.append(skill.spec.calls[module - 1])
        after = [h for h in known if h[:-1] == history]
        if not after:
            break
        history = max(after, key=lambda h: (len(h[-1]), h[-1]))
    return calls


def _way(skill: Decider, known: Mapping[History, Visit], history: History) -> str:
    """Whether it goes through numbers from the right (the last digit first) or from the left."""
    depth = 0
    while history in known and known[history].choice.module != HALT:
        visit = known[history]
        view = spell(skill.spec.perception, history[-1])
        if skill.spec.calls[visit.choice.module - 1] == skill.name:
            _, a, b, c, d, *_ = visit.choice
            reads = [span(view, a, b), span(view, c, d)]
            if any("without its last digit" in read for read in reads):
                return "from the right" if depth else "from the left"
            if not any("the last digit" in read for read in reads):
                return ""
        after = [h for h in known if h[:-1] == history]
        if not after:
            break
        history = max(after, key=lambda h: (len(h[-1]), h[-1]))
        depth += 1
    return ""


def _in_order(skill: Decider, calls: Sequence[str], way: str) -> str:
    """What is called one after the other."""
    names = ["itself" if name == skill.name else name for name in calls]
    if way == "from the right" and len(names) == 2:
        own = f"{names[0]} on the last digits" if names[0] != "itself" else "itself on the last digit"
        return f"{own}, then itself on all that is left of them"
    if way == "from the left" and names[0] == "itself":
        return f"itself on all but the last digit, then {_list(names[1:]) if names[1:] else 'nothing more'}"
    return _list(names)


def _any(views: Sequence[str]) -> str:
    """Some views, of which only the first are named if there are many."""
    named = [f"`{view}`" if view else "nothing" for view in views]
    if len(named) > _MOST_VIEWS:
        named = [*named[: _MOST_VIEWS - 1], f"{len(named) - _MOST_VIEWS + 1} others like them"]
    return " or ".join(named)


def _list(names: Sequence[str]) -> str:
    if not names:
        return "nothing is called"
    if len(names) == 2 and names[0] == names[1]:
        return f"{names[0]} twice"
    return ", then ".join(names)


# --- expressions ---


def _on_text(skill: Decider, known: Mapping[History, Visit]) -> str:
    """What is done first in an expression, seen from the views in which that can be told."""
    said = ["Works off one operation at a time and hands what is left, a shorter text, to itself"]
    before = "N," if skill.spec.perception.reads_decimals else ""  # the scale
    if _operates(skill, known, before, "N+N*N…") == (2, 4):
        said.append("a product behind a sum first")
    if _operates(skill, known, before, "N+N+N…") == (0, 2):
        said.append("otherwise from the left")
    for visit in _first(skill, known, f"{before}(…"):
        _, a, _, c, *_ = visit.choice
        if (
            skill.spec.calls[visit.choice.module - 1] == skill.name
            and (c if before else a) == len(before) + 1
        ):
            said.append("the inside of a bracket by calling itself on everything behind it")
    return "; ".join(said) + "."


def _first(skill: Decider, known: Mapping[History, Visit], view: str) -> list[Visit]:
    return [
        visit
        for history, visit in known.items()
        if len(history) == 1 and spell(skill.spec.perception, history[0]) == view
    ]


def _operates(
    skill: Decider, known: Mapping[History, Visit], before: str, view: str
) -> tuple[int, int] | None:
    """Where the two numbers stand on which an operation is called first."""
    for visit in _first(skill, known, before + view):
        module, a, b, c, *_ = visit.choice
        if module != HALT and skill.spec.calls[module - 1] in OPERATIONS:
            # both are read with the operator between them, or each by itself
            return (a - len(before), b - 1 - len(before)) if before else (min(a, c), max(a, c))
    return None
