"""A program for a person to read: views that do the same merged into classes, decisions in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, final

from reckoner.alphabet import spell
from reckoner.machine import Machine
from reckoner.program.decision import History
from reckoner.program.paths import Paths
from reckoner.program.proof import Visit
from reckoner.program.words import _OPERATOR, _RUN, ANY, decision, mask, name_view
from reckoner.skills.base import Decider
from reckoner.skills.library import Library


@final
@dataclass(frozen=True)
class Rule:
    """Views that are answered alike, what is done there, and what comes after."""

    views: tuple[str, ...]
    does: str
    then: tuple[Rule, ...]
    histories: tuple[History, ...] = ()  # where it applies


def make_rules(skill: Decider, visits: Sequence[Visit]) -> tuple[Rule, ...]:
    """The program as rules."""
    following: dict[History, list[Visit]] = defaultdict(list)
    for visit in visits:
        following[visit.history[:-1]].append(visit)
    return _rules(skill, [()], following)


def _rules(
    skill: Decider, places: Sequence[History], following: dict[History, list[Visit]]
) -> tuple[Rule, ...]:
    """What can come after any of these sequences of views."""
    alike: dict[tuple[str, str], list[Visit]] = defaultdict(list)
    for place in places:
        for visit in following.get(place, ()):
            view = spell(skill.spec.perception, visit.history[-1])
            does = decision(view, visit.choice, skill.spec.calls)
            # words that quote the view mean something else on another one
            key = mask(view) if "`" in does and ANY in mask(view) else ""
            alike[does, key].append(visit)
    rules = []
    for (does, _), group in alike.items():
        views = dict.fromkeys(spell(skill.spec.perception, visit.history[-1]) for visit in group)
        histories = tuple(visit.history for visit in group)
        rules.append(Rule(tuple(views), does, _rules(skill, histories, following), histories))
    return tuple(rules)


def describe(rule: Rule, example: str = "", depth: int = 0) -> Iterator[str]:
    """A rule and what comes after it, as lines."""
    indent = "    " * depth
    shapes = name_class(rule.views)
    words = [name for shape in shapes if (name := name_view(shape))]
    yield f"{indent}{'then ' if depth else ''}{_join(f'`{s}`' if s != 'nothing' else s for s in shapes)}"
    if words and len(words) == len(shapes) and depth == 0:
        yield f"{indent}    ({_join(words)})"
    yield f"{indent}    {rule.does}"
    if len(rule.then) == 1 and rule.then[0].does == "halt":
        yield f"{indent}    then halt"
    else:
        for following in rule.then:
            yield from describe(following, depth=depth + 1)
    if example:
        yield f"{indent}    example: {example}"


def _join(names: Iterable[str]) -> str:
    return " or ".join(names)


def name_class(views: Sequence[str]) -> list[str]:
    """Shapes that a set of views has."""
    if len(views) == 1:
        return [views[0] or "nothing"]
    shapes: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    finder = _OPERATOR if any(ANY in mask(view) for view in views) else _RUN
    for view in filter(None, views):
        shapes[finder.sub("_", view)].append(tuple(finder.findall(view)))
    names = ["nothing"] if "" in views else []
    for shape, members in shapes.items():
        for box in _boxes(members):
            names.append(_fill(shape, box, finder is _OPERATOR))
    return names


Box = tuple[tuple[str, ...], ...]  # for each place, what can stand there


def _boxes(members: Sequence[tuple[str, ...]]) -> list[Box]:
    """The members as few products of choices per place."""
    found = set(members)
    if not members[0]:
        return [()]
    choices = tuple(tuple(sorted({m[i] for m in found}, key=_rank)) for i in range(len(members[0])))
    if set(product(*choices)) == found:
        return [choices]
    rests: dict[frozenset[tuple[str, ...]], list[str]] = defaultdict(list)
    for first in choices[0]:
        rests[frozenset(m[1:] for m in found if m[0] == first)].append(first)
    return [(tuple(firsts), *box) for rest, firsts in rests.items() for box in _boxes(sorted(rest))]


def _rank(text: str) -> tuple[int, str]:
    return len(text), text


_OPERATORS = (set("+-*/"), set("+-*/%"), set("+-*/%^"))


def _fill(shape: str, box: Box, is_expression: bool) -> str:
    """A class of views: the shape with the choices of each place in it."""
    pieces = shape.split("_")
    text = pieces[0]
    for choices, piece in zip(box, pieces[1:], strict=True):
        if is_expression:
            text += (
                ANY
                if set(choices) in _OPERATORS
                else choices[0]
                if len(choices) == 1
                else f"[{''.join(choices)}]"
            )
        else:
            text += _lengths(choices)
        text += piece
    return text


def _lengths(choices: tuple[str, ...]) -> str:
    """Numbers of some lengths: `d{2+}` is one of two digits or more."""
    if choices == ("N",) or len(choices) == 1:
        return choices[0]
    lengths = [
        len(c) if "~" not in c else 0 for c in choices
    ]  # 0: any length beyond those that are seen whole
    if 0 in lengths:
        known = [n for n in lengths if n]
        return f"d{{{min(known)}+}}"
    return f"d{{{','.join(map(str, lengths))}}}"


def list_program(paths: Paths, library: Library) -> str:
    """A skill's program as text, with an example for each rule."""
    skill = paths.skill
    says = paths.row.says
    layout = skill.spec.layout.replace("{x}", "x").replace("{y}", "y")
    lines = [f"{skill.name}: {says}", "", f"  the memory at first: {layout}"]
    for rule in make_rules(skill, paths.visits):
        lines += ["", *("  " + line for line in describe(rule, find_example(paths, rule, library)))]
    return "\n".join(lines)


def find_example(paths: Paths, rule: Rule, library: Library) -> str:
    """A short problem to which a rule applies, with the memory after each call; better one where something happens."""
    problems = [p for history in rule.histories[:4] for p in paths.problems(history)]
    if not problems:
        return ""
    tried = sorted(problems, key=lambda p: (_is_dull(p[0] + p[1]), len(p[0] + p[1]), p))[:8]
    traces = [outcome.trace for outcome in Machine(library).run(paths.skill, tried, trace=True)]
    trace = min(
        (trace for trace in traces if trace is not None),
        key=lambda trace: sum(step.before == step.after for step in trace.steps),
    )
    text = trace.memory or "nothing"
    for step in trace.steps:
        call = step.call
        reads = f"{call.x or 'nothing'}; {call.y}" if call.y else call.x or "nothing"
        text += f" → {call.skill} ({reads}) = {call.answer or 'nothing'} → {step.after or 'nothing'}"
    return text


def _is_dull(text: str) -> bool:
    """Whether a digit comes twice, or all there is are zeros and ones."""
    digits = [c for c in text if c.isdigit()]
    return len(set(digits)) < len(digits) or set(digits) <= set("01")


def to_json(skill: Decider, visits: Sequence[Visit]) -> dict[str, Any]:
    """A skill's program for other programs."""
    decisions = []
    for visit in visits:
        module, a, b, c, d, w, v = visit.choice
        call = skill.spec.calls[module - 1] if module else None
        spans = {"read1": [a, b], "read2": [c, d], "write": [w, v]} if module else {}
        views = [spell(skill.spec.perception, view) for view in visit.history]
        decisions.append({"views": views, "call": call, **spans, "margin": _finite(visit.margin)})
    return {
        "skill": skill.name,
        "layout": skill.spec.layout,
        "calls": list(skill.spec.calls),
        "decisions": decisions,
    }


def _finite(margin: float) -> float | None:
    return margin if margin - margin == 0 else None  # neither infinite nor nan
