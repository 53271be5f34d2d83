"""Concrete problems that show why a proof failed: from the solver's values, from the path, or by trying."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from reckoner.program.concrete import Mistake, find_mistakes, hunt, sample
from reckoner.program.exploration import Unproved
from reckoner.program.memory import State
from reckoner.program.row import Specified
from reckoner.program.text import Filler, TextState
from reckoner.program.text_row import TextRow
from reckoner.skills.base import Decider
from reckoner.skills.library import Library


def find_example(
    unproved: Unproved, skill: Decider, library: Library, row: Specified | TextRow
) -> Mistake | None:
    """A problem that shows the failure, run on the machine, if one is found."""
    if isinstance(row, TextRow):
        mistakes = find_mistakes(skill, library, row, list(_texts(unproved.state)))
        return mistakes[0] if mistakes else None
    message = _from_model(unproved, row)
    if message is not None:
        mistakes = find_mistakes(skill, library, row, [message])
        if mistakes:
            return mistakes[0]
    return hunt(skill, library, row, lambda rng, size: sample(row, rng, size))


def _from_model(unproved: Unproved, row: Specified) -> tuple[str, str] | None:
    """The message that has the values of a model, as far as a model of products that are just named can say."""
    if not isinstance(unproved.state, State):
        return None
    problem = unproved.state.problem
    names = {name for polynomial in problem.values() for name in polynomial.variables}
    values = {name: unproved.model.get(name, 0) for name in names}
    values |= {name: 10 ** min(values.get("m" + name[1:], 0), 50) for name in names if name[0] == "P"}
    for x, y in row.alternatives:
        texts = []
        for alternative in (x, y):
            text = ""
            for element in alternative.elements:
                if isinstance(element, str):
                    text += element
                elif element.name in problem:
                    count = min(problem[f"|{element.name}|"].evaluate(values), 50)
                    amount = abs(problem[f"abs {element.name}"].evaluate(values)) % 10**count
                    text += str(amount).zfill(count) if count else ""
            texts.append(text)
        if row.read(*texts) is not None:
            return texts[0], texts[1]
    return None


def _texts(state: TextState) -> Iterator[tuple[str, str]]:
    """Problems that begin as the failed path did."""
    rng, row = Random(0), state.row
    phrases = row.phrases
    shown = [item for item in state.shown if not isinstance(item, Filler)]
    for size in (0, 1, 2, 3, 4):
        for _ in range(100):
            text = ""
            for item in shown:
                text += phrases.say(rng, item, text)
            if shown and (shown[-1] in row.operators or shown[-1] == "("):
                text += phrases.text(rng, size)
            elif rng.random() < 0.7:
                text += rng.choice(row.operators) + phrases.text(rng, size)
            missing = text.count("(") - text.count(")")
            yield row.message(rng, text + ")" * max(0, missing))
    for _ in range(300):
        yield row.sample(rng, 4)
