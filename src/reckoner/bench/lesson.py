"""Where the time of a lesson goes: `python -m reckoner.bench.lesson SKILL …` prints a table for docs/performance.md.

Each part is one function on the way of an update; its time is processor time without that of the parts it calls.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any

from reckoner.curriculum.lesson import lesson_seed
from reckoner.curriculum.stage import Stage
from reckoner.curriculum.student import LEARNERS, Student
from reckoner.curriculum.tasks import INTERACTIVE
from reckoner.evaluation.table import markdown
from reckoner.provenance import use_one_thread
from reckoner.skills.library import Library
from reckoner.training.experience import Experience
from reckoner.training.policy import Policy
from reckoner.training.ppo import PPO
from reckoner.training.world import World

PARTS: tuple[tuple[str, Any, str], ...] = (
    ("making problems, the teacher", Stage, "__init__"),
    ("greedy test of all problems", Stage, "test"),
    ("more problems of missed views", Stage, "gather"),
    ("attempts: who tries what, rewards", Stage, "attempt"),
    ("attempts: the networks choose", Policy, "draw"),
    ("attempts: the machine carries out", World, "act"),
    ("memory of own attempts", Experience, "record"),
    ("PPO: gradients", PPO, "update"),
    ("fresh problems, margins, proof", Student, "_look_closer"),
)


class Stopwatch:
    """Processor time by part; a part that calls another one is not charged for it."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._stack: list[str] = []
        self._since = time.process_time()

    def switch(self) -> None:
        """Charge the time since the last switch to the part at work."""
        now = time.process_time()
        self.seconds[self._stack[-1] if self._stack else "the rest"] += now - self._since
        self._since = now

    @contextmanager
    def watch(self, label: str, owner: Any, name: str) -> Iterator[None]:
        """Time a method under a label while the context lasts."""
        method: Callable[..., Any] = getattr(owner, name)

        @wraps(method)
        def timed(*arguments: Any, **options: Any) -> Any:
            self.switch()
            self._stack.append(label)
            try:
                return method(*arguments, **options)
            finally:
                self.switch()
                self._stack.pop()

        setattr(owner, name, timed)
        try:
            yield
        finally:
            setattr(owner, name, method)


def measure(skill: str, seed: int = 0) -> tuple[dict[str, float], int]:
    """Processor seconds of each part of the lesson on a skill, and how many attempts were made in it."""
    task = INTERACTIVE[skill]
    library = Library.load().below(task.spec)
    watch = Stopwatch()
    with ExitStack() as stack:
        for part in PARTS:
            stack.enter_context(watch.watch(*part))
        student = Student(task, library, LEARNERS["reinforcement"], lesson_seed(seed, skill, 0))
        student.learn()
        watch.switch()
    return dict(watch.seconds), student.progress.attempts


def main(skills: Sequence[str]) -> None:
    """Print the table."""
    use_one_thread()
    measure("M+M")  # what PyTorch loads at its first use is not the lesson's
    found = [measure(skill) for skill in skills]
    labels = [*(label for label, _, _ in PARTS), "the rest"]
    totals = [sum(seconds.values()) for seconds, _ in found]
    rows = []
    for label in labels:
        shares = [f"{s.get(label, 0) / total:.0%}" for (s, _), total in zip(found, totals, strict=True)]
        rows.append([label, *shares])
    rows.append(["processor seconds", *(f"{total:.1f}" for total in totals)])
    sampling = [sum(t for label, t in s.items() if label.startswith("attempts:")) for s, _ in found]
    for name, spent in (("while sampling", sampling), ("all included", totals)):
        rates = [f"{a / t:,.0f}" for (_, a), t in zip(found, spent, strict=True)]
        rows.append([f"attempts per processor second, {name}", *rates])
    print(markdown(["part", *skills], rows))


if __name__ == "__main__":
    main(sys.argv[1:] or ["M-M", "M*M", "divide-digits"])
