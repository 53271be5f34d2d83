"""A scripted machine that works expressions off as the expression skill does, with exact sub-answers.

It lets the calculator, the steps and the command line be tested before and without any weights.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from reckoner.curriculum.oracle import evaluate
from reckoner.errors import CallLimit, ReckonerError
from reckoner.machine import Call, Outcome, Refusal, Step

SKILLS = {"+": "signed-add", "-": "signed-subtract", "*": "signed-multiply", "/": "signed-divide"}
SKILLS["%"] = "signed-modulo"
SKILLS["^"] = "power"
RANK = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2, "^": 3}
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
BRACKETED = re.compile(r"\(-?[0-9]+(\.[0-9]+)?\)")


class FakeLibrary:
    """Names of skills; those that end in `decimal` know decimals."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def __getitem__(self, name: str) -> Any:
        return SimpleNamespace(is_accepted=lambda x, y: name.endswith("decimal"))


class FakeMachine:
    """Answers `strip` and `expression`; `script` gives fixed outcomes for some texts instead."""

    def __init__(self, script: Mapping[str, Outcome | ReckonerError] | None = None) -> None:
        self.library: Any = FakeLibrary("strip", "expression", "expression-decimal")
        self.evaluations = 0
        self.script = script or {}
        self.runs: list[tuple[str, list[tuple[str, str]]]] = []

    def run(self, skill: str, pairs: Sequence[tuple[str, str]], /, trace: bool = False) -> list[Outcome]:
        self.runs.append((skill, list(pairs)))
        self.evaluations += len(pairs)
        if skill == "strip":
            return [self._scripted(x) or self._strip(x) for x, _ in pairs]
        return [self._scripted(y or x) or self._work_off(skill, x, y, trace) for x, y in pairs]

    def _scripted(self, text: str) -> Outcome | None:
        found = self.script.get(text)
        if isinstance(found, ReckonerError):
            raise found
        return found

    def _strip(self, text: str) -> Outcome:
        return Outcome(text.lstrip("0") or "0", None, 1, None)

    def _work_off(self, skill: str, x: str, y: str, trace: bool) -> Outcome:
        frame = Frame(y, skill, x) if y else Frame(x, skill)
        try:
            call = frame.run()
        except OverflowError:
            return Outcome(None, CallLimit("more calls than there are"), 1, None)
        return Outcome(call.answer, None, call.count(), frame.refusal, call if trace else None)


class Frame:
    """The expression skill at work on one memory; with a scale, the one for decimals, which has it before its text."""

    def __init__(self, text: str, skill: str = "expression", scale: str = "") -> None:
        self.text = text
        self.skill = skill
        self.scale = scale
        self.prefix = f"{scale}," if scale else ""
        self.start = self.memory = self.prefix + text
        self.steps: list[Step] = []
        self.refusal: Refusal | None = None

    def run(self) -> Call:
        while self.refusal is None and self.step():
            pass
        x, y = (self.scale, self.text) if self.scale else (self.text, "")
        return Call(self.skill, x, y, self.start, tuple(self.steps), self.memory)

    def step(self) -> bool:
        """One call; False to halt."""
        memory, at = self.memory, len(self.prefix)
        if memory[at] == "(":
            return self.open_bracket(at)
        first = NUMBER.match(memory, at)
        assert first is not None, memory
        if memory[first.end() : first.end() + 1] in ("", ")"):
            if self.prefix:  # the scale is wiped
                self.write(Call("strip", "", "", "", (), ""), (0, 0), (0, 0), (0, at))
                self.prefix = ""
            return False
        return self.operate(first.span())

    def open_bracket(self, at: int) -> bool:
        """Take the brackets off a number, or work off what is behind the bracket."""
        number = BRACKETED.match(self.memory, at)
        if number:
            return self.call_self((at + 1, number.end() - 1), number.span())
        inside = (at + 1, len(self.memory))
        return self.call_self(inside, inside)

    def operate(self, first: tuple[int, int]) -> bool:
        """The operation behind the number at `first`, or the one after it if that binds more strongly."""
        memory, at = self.memory, first[1]
        if memory[at + 1] == "(":
            return self.open_bracket(at + 1)
        second = NUMBER.match(memory, at + 1)
        assert second is not None, memory
        following = memory[second.end() : second.end() + 1]
        if RANK.get(following, 0) > RANK[memory[at]]:
            return self.operate(second.span())
        return self.call_operation(memory[at], first, second.span())

    def call_operation(self, sign: str, first: tuple[int, int], second: tuple[int, int]) -> bool:
        x, y = self.memory[slice(*first)], self.memory[slice(*second)]
        write = (first[0], second[1])
        is_zero = not (x if sign == "^" else y).strip("0.")
        refused = is_zero and (sign in "/%" or (sign == "^" and y[0] == "-"))
        if refused:
            self.refusal = Refusal(SKILLS[sign], x, y)
        decimals = max(len(self.scale) - 2, 0)
        answer = None if refused else evaluate(f"{x}{sign}{y}", decimals)
        if self.scale:
            call = Call("operate", f"{x}{sign}{y}", self.scale, f"{x}{sign}{y},{self.scale}", (), answer)
            self.write(call, write, (0, len(self.scale)), write)
        else:
            self.write(Call(SKILLS[sign], x, y, f"{x},{y}", (), answer), first, second, write)
        if not refused:
            self.call_self((len(self.prefix), len(self.memory)), (0, len(self.memory)))
            self.prefix = ""
        return False

    def call_self(self, read: tuple[int, int], write: tuple[int, int]) -> bool:
        frame = Frame(self.memory[slice(*read)], self.skill, self.scale)
        call = frame.run()
        self.refusal = self.refusal or frame.refusal
        if self.scale:
            self.write(call, (0, len(self.scale)), read, write)
        else:
            self.write(call, read, (read[1], read[1]), write)
        return True

    def write(
        self, call: Call, read1: tuple[int, int], read2: tuple[int, int], write: tuple[int, int]
    ) -> None:
        before = self.memory
        if call.answer is not None:
            self.memory = before[: write[0]] + call.answer + before[write[1] :]
        self.steps.append(Step(call, read1, read2, write, call.answer is None, before, self.memory))


def install() -> None:
    """Have `reckon` calculate with the scripted machine in this process."""
    from reckoner.calculator import Calculator
    from reckoner.cli import calculate

    calculate.make_calculator = lambda options: Calculator(
        machine=FakeMachine(), text_limits=options.text_limits
    )
