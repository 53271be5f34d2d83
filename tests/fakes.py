"""A scripted machine that works expressions off as the expression skill does, with exact sub-answers.

It lets the calculator, the steps and the command line be tested before and without any weights.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from reckoner.curriculum.oracle import evaluate
from reckoner.errors import ReckonerError
from reckoner.machine import Call, Outcome, Refusal, Step

SKILLS = {"+": "signed-add", "-": "signed-subtract", "*": "signed-multiply", "/": "signed-divide"}
SKILLS["%"] = "signed-modulo"
NUMBER = re.compile(r"-?[0-9]+")
BRACKETED = re.compile(r"\(-?[0-9]+\)")


class FakeMachine:
    """Answers `strip` and `expression`; `script` gives fixed outcomes for some texts instead."""

    def __init__(self, script: dict[str, Outcome | ReckonerError] | None = None) -> None:
        self.library: Any = SimpleNamespace(names=("strip", "expression"))
        self.evaluations = 0
        self.script = script or {}
        self.runs: list[tuple[str, list[tuple[str, str]]]] = []

    def run(self, skill: str, pairs: Sequence[tuple[str, str]], /, trace: bool = False) -> list[Outcome]:
        self.runs.append((skill, list(pairs)))
        self.evaluations += len(pairs)
        answer = self._strip if skill == "strip" else self._work_off
        return [self._scripted(x) or answer(x, trace) for x, _ in pairs]

    def _scripted(self, text: str) -> Outcome | None:
        found = self.script.get(text)
        if isinstance(found, ReckonerError):
            raise found
        return found

    def _strip(self, text: str, trace: bool) -> Outcome:
        return Outcome(text.lstrip("0") or "0", None, 1, None)

    def _work_off(self, text: str, trace: bool) -> Outcome:
        frame = Frame(text)
        call = frame.run()
        return Outcome(call.answer, None, call.count(), frame.refusal, call if trace else None)


class Frame:
    """The expression skill at work on one memory."""

    def __init__(self, memory: str) -> None:
        self.start = self.memory = memory
        self.steps: list[Step] = []
        self.refusal: Refusal | None = None

    def run(self) -> Call:
        while self.refusal is None and self.step():
            pass
        return Call("expression", self.start, "", self.start, tuple(self.steps), self.memory)

    def step(self) -> bool:
        """One call; False to halt."""
        memory = self.memory
        if memory[0] == "(":
            return self.open_bracket(0)
        first = NUMBER.match(memory)
        assert first is not None, memory
        if memory[first.end() : first.end() + 1] in ("", ")"):
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
        if memory[at] in "+-" and following and following in "*/%":
            return self.operate(second.span())
        return self.call_operation(memory[at], first, second.span())

    def call_operation(self, sign: str, first: tuple[int, int], second: tuple[int, int]) -> bool:
        before = self.memory
        x, y = before[slice(*first)], before[slice(*second)]
        write = (first[0], second[1])
        refused = sign in "/%" and y == "0"
        if refused:
            self.refusal = Refusal(SKILLS[sign], x, y)
        answer = None if refused else evaluate(f"{x}{sign}{y}")
        call = Call(SKILLS[sign], x, y, f"{x},{y}", (), answer)
        self.write(call, first, second, write)
        return not refused and self.call_self((0, len(self.memory)), (0, len(self.memory))) and False

    def call_self(self, read: tuple[int, int], write: tuple[int, int]) -> bool:
        frame = Frame(self.memory[slice(*read)])
        call = frame.run()
        self.refusal = self.refusal or frame.refusal
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
