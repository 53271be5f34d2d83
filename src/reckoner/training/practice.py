"""Deliberate practice: search for solutions of problems the student fails, and vote among them.

Practice sees what the student sees: problems, their right answers, and what frozen skills answer when called.
For problems that share a first view it tries every accepted call as the last one, from the problem itself and
from memories after one other call; since the same view means the same action, a vote over all problems of the
view keeps the program that solves most of them. No gradient and no policy network is needed for that.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from reckoner.alphabet import View
from reckoner.machine import Machine
from reckoner.machine.outcome import Reply
from reckoner.nn.config import HALT
from reckoner.skills.base import Choice, Decider, Skill

Gaps = tuple[int, int]
Pointers = tuple[int, int, int, int, int, int]  # a choice without its module
STOP = Choice(HALT, 0, 0, 0, 0, 0, 0)


@dataclass(frozen=True)
class PracticeConfig:
    """How much to try; all chosen here."""

    enabled: bool = False
    vote: bool = True  # off: the first solution found is kept, accident or not
    voters: int = 24  # problems of one view that a program is tried on
    probes: int = 4  # of them, tried before the others are
    guesses: int = 256  # random first calls per round
    majority: float = 0.9  # share of the voters a program must solve to be kept: accidents solve fewer
    trials: int = 16  # promising first calls per round that all voters try
    classes: int = 3  # views per update for which first calls are guessed
    reviews: int = 24  # views per update for which the policy's own and other views' first calls are tried
    own: int = 8  # first calls drawn from the policy
    familiar: int = 12  # sets of pointers that other views' programs begin with
    passes: int = 2  # over all kept programs per update
    batch: int = 64  # decisions per step: few at a time are learned twice as fast as all at once


class Question(NamedTuple):
    """A problem laid out in the student's memory."""

    memory: bytes
    target: bytes


Program = dict[tuple[bytes, ...], Choice]  # sequence of views -> action


class Candidate(NamedTuple):
    """A program for one first view, and how many of the voters it solves."""

    program: Program
    support: int


class Practice:
    """Keeps one voted program per first view."""

    def __init__(
        self, machine: Machine, student: Decider, config: PracticeConfig, rng: np.random.Generator
    ) -> None:
        self.machine = machine
        self.perception = student.spec.perception
        self.name = student.name
        self.callees = machine.callees(student)
        calls = student.spec.calls
        self.own = (
            1 + calls.index(student.name) if student.name in calls else None
        )  # the module that is itself
        self.config = config
        self.rng = rng
        self.kept: dict[bytes, Program] = {}
        self.tried = 0  # calls, each of which is a step of the environment

    # --- what is kept ---

    def solved(self, questions: Sequence[Question]) -> list[bool]:
        """Whether the kept programs solve each question."""
        memories: list[bytes | None] = [q.memory for q in questions]
        paths: list[tuple[bytes, ...]] = [()] * len(questions)
        done = [False] * len(questions)
        for _ in range(4):
            todo = [i for i, m in enumerate(memories) if m is not None and not done[i]]
            steps = []
            for i in todo:
                memory = memories[i]
                assert memory is not None
                view = self.perception.view(memory)
                paths[i] = (*paths[i], view.tokens)
                choice = self.kept.get(paths[i][0], {}).get(paths[i])
                if choice == STOP:
                    done[i] = True
                elif choice is None:
                    memories[i] = None
                else:
                    steps.append((i, view, choice))
            self._apply(questions, memories, steps)
        return [d and m == q.target for d, m, q in zip(done, memories, questions, strict=True)]

    def familiar(self, view: bytes) -> list[Choice]:
        """Pointers that other views' programs begin with, the most frequent first, with every skill."""
        gaps = len(view) - 1
        pointers = [p for p, _ in self._usual().most_common() if max(p) < gaps][: self.config.familiar]
        return [Choice(module, *p) for p in pointers for module in range(1, len(self.callees))]

    # --- finding programs ---

    def study(self, questions: Sequence[Question], firsts: Sequence[Choice] | None = None) -> bool:
        """Find the program for questions of one first view; true if it solves them all.

        `firsts` are first actions worth trying, such as the policy's own; without them random ones are tried.
        """
        first_view = self.perception.view(questions[0].memory).tokens
        everyone = len(questions)
        best, hard = self._best_in_one(questions, first_view)
        if best.support < everyone:
            guesses = self._guess(questions[hard].memory) if firsts is None else firsts
            candidates = list(self._candidates_in_two(questions, guesses, hard))
            usual = self._usual()
            for candidate in sorted(candidates, key=lambda c: self._rank(c.program, first_view, usual)):
                if candidate.support > best.support:
                    best = candidate
        known = sum(self.solved(questions)) if first_view in self.kept else 0
        if best.support > known and best.support >= self.config.majority * everyone:
            old = self.kept.get(first_view, {})
            if old.get((first_view,)) == best.program[first_view,]:  # what other questions led to stays known
                best = Candidate({**old, **best.program}, best.support)
            self.kept[first_view] = best.program
        return best.support == everyone

    def _rank(self, program: Program, view: bytes, usual: Counter[Pointers]) -> tuple[int, ...]:
        """Order among programs that do equally well: fewest special ends, the usual pointers, then the tidiest.

        An end is special if it is not a self-call. A program that hands over to itself whatever its first call
        leads to is one rule; one that ends in another way for each view has a gap for every view not met.
        """
        ends = {action for seen, action in program.items() if len(seen) == 2 and action != STOP}
        first = program[view,]
        return (sum(end[0] != self.own for end in ends), -usual[first[1:]], *_untidiness(first))

    def _usual(self) -> Counter[Pointers]:
        """How often kept programs begin with each set of pointers."""
        return Counter(program[view,][1:] for view, program in self.kept.items() if program[view,] != STOP)

    def _elect(
        self,
        questions: Sequence[Question],
        start: tuple[bytes, Choice],
        memories: Sequence[bytes | None],
        finishes: Sequence[list[Choice]],
    ) -> Candidate:
        """Vote on the last action after a first one, view by view."""
        view, first = start
        program: Program = {(view,): first}
        groups: dict[bytes, list[int]] = defaultdict(list)
        for i, memory in enumerate(memories):
            if finishes[i] and memory is not None:
                groups[self.perception.view(memory).tokens].append(i)
        if not self.config.vote:  # the first solution found stands alone
            groups = {v: members[:1] for v, members in list(groups.items())[:1]}
        support = 0
        for seen, members in groups.items():
            winner = _vote([finishes[i] for i in members], self.own)
            program[view, seen] = winner
            for i in members:
                if winner in finishes[i]:
                    support += 1
                    if winner != STOP:
                        program[view, seen, self.perception.view(questions[i].target).tokens] = STOP
        return Candidate(program, support)

    def _best_in_one(self, questions: Sequence[Question], view: bytes) -> tuple[Candidate, int]:
        """The best program of no or one call, and a question it does not solve."""
        few = questions[: self.config.probes]
        found = self._finish([(q.memory, q.target, self.perception.measure(q.memory)) for q in few])
        common = max(Counter(c for f in found for c in f).values(), default=0)
        if common < self.config.majority * len(few):  # no single call can win the vote
            return Candidate({}, 0), next((i for i, f in enumerate(found) if not f), 0)
        finishes = self._finish([(q.memory, q.target, self.perception.measure(q.memory)) for q in questions])
        hard = next((i for i, found in enumerate(finishes) if not found), 0)
        if not any(finishes):
            return Candidate({}, 0), hard
        winner = _vote(finishes if self.config.vote else [next(f for f in finishes if f)], self.own)
        program: Program = {(view,): winner}
        if winner != STOP:
            solved = [q for q, ends in zip(questions, finishes, strict=True) if winner in ends]
            program |= {(view, self.perception.view(q.target).tokens): STOP for q in solved}
        unsolved = [i for i, found in enumerate(finishes) if winner not in found]
        telling = [i for i in unsolved if questions[i].target != questions[i].memory]
        return Candidate(program, len(questions) - len(unsolved)), (telling or unsolved or [hard])[0]

    def _candidates_in_two(
        self, questions: Sequence[Question], guesses: Sequence[Choice], hard: int
    ) -> Iterator[Candidate]:
        """Programs that begin with one of the guesses and solve the hard question, voted on by all questions."""
        view = self.perception.view(questions[hard].memory)
        afterwards: list[bytes | None] = [questions[hard].memory] * len(guesses)
        self._apply(
            [questions[hard]] * len(guesses), afterwards, [(i, view, g) for i, g in enumerate(guesses)]
        )
        length = self.perception.measure(questions[hard].memory)
        different = list(dict.fromkeys(m for m in afterwards if m is not None))
        ends = self._finish([(m, questions[hard].target, length) for m in different])
        finished = {m for m, end in zip(different, ends, strict=True) if end}
        promising = [guess for guess, m in zip(guesses, afterwards, strict=True) if m in finished]
        for first in promising[: self.config.trials]:
            memories: list[bytes | None] = [q.memory for q in questions]
            views = [self.perception.view(q.memory) for q in questions]
            self._apply(questions, memories, [(i, v, first) for i, v in enumerate(views)])
            few = [
                (m, q.target, self.perception.measure(q.memory))
                for m, q in zip(memories, questions, strict=True)
                if m is not None
            ]
            few = few[: self.config.probes]
            if sum(map(bool, self._finish(few))) < self.config.majority * len(few):
                continue
            open_ones = [(i, m) for i, m in enumerate(memories) if m is not None]
            ends = self._finish(
                [(m, questions[i].target, self.perception.measure(questions[i].memory)) for i, m in open_ones]
            )
            finishes: list[list[Choice]] = [[] for _ in questions]
            for (i, _), f in zip(open_ones, ends, strict=True):
                finishes[i] = f
            yield self._elect(questions, (view.tokens, first), memories, finishes)

    # --- trying calls ---

    def _apply(
        self,
        questions: Sequence[Question],
        memories: list[bytes | None],
        steps: Iterable[tuple[int, View, Choice]],
    ) -> None:
        """Carry out one call each; a refused or failed one makes the memory None."""
        wanted: dict[Skill, list[tuple[int, bytes, int, int]]] = defaultdict(list)
        for i, view, choice in steps:
            memory = memories[i]
            assert memory is not None
            callee = self.callees[choice[0]]
            a, b, c, d, w, v = (view.gaps[g] for g in choice[1:])
            x, y = memory[a:b], memory[c:d]
            if callee is None or not self._may_call(
                callee, x, y, self.perception.measure(questions[i].memory)
            ):
                memories[i] = None
            else:
                wanted[callee].append((i, x + b"|" + y, w, v))
        for callee, calls in wanted.items():
            self.tried += len(calls)
            results = self.machine.answer(callee, [key for _, key, _, _ in calls])
            for (i, _, w, v), result in zip(calls, results, strict=True):
                memory = memories[i]
                assert memory is not None
                answer = _clean(result)
                memories[i] = None if answer is None else memory[:w] + answer + memory[v:]

    def _may_call(self, callee: Skill, x: bytes, y: bytes, length: int) -> bool:
        if callee.name == self.name and callee.measure(x, y) >= length:
            return False
        return callee.is_accepted(x, y)

    def _calls(self, memory: bytes, view: View) -> list[tuple[int, Skill, list[Gaps], list[Gaps]]]:
        """Per callee: the spans that it accepts as first and as second read."""
        gaps = view.gaps
        spans = [(0, 0, b"")]
        spans += [
            (i, j, memory[gaps[i] : gaps[j]]) for i in range(len(gaps)) for j in range(i + 1, len(gaps))
        ]
        found = []
        for module, callee in enumerate(self.callees):
            if callee is not None:
                xs = [(i, j) for i, j, text in spans if callee.accepts_first(text)]
                ys = [(i, j) for i, j, text in spans if callee.accepts_second(text)]
                if xs and ys:
                    found.append((module, callee, xs, ys))
        return found

    def _finish(self, items: Sequence[tuple[bytes, bytes, int]]) -> list[list[Choice]]:
        """For each (memory, target, length of the first memory): every action that gives exactly the target."""
        plans: list[list[tuple[int, Skill, Gaps, Gaps, bytes]]] = []
        wanted: dict[Skill, dict[bytes, bytes | None]] = defaultdict(dict)
        for memory, _, length in items:
            view, plan = self.perception.view(memory), []
            for module, callee, xs, ys in self._calls(memory, view):
                for a, b in xs:
                    x = memory[view.gaps[a] : view.gaps[b]]
                    for c, d in ys:
                        y = memory[view.gaps[c] : view.gaps[d]]
                        if callee.name == self.name and callee.measure(x, y) >= length:
                            continue
                        key = x + b"|" + y
                        wanted[callee][key] = None
                        plan.append((module, callee, (a, b), (c, d), key))
            plans.append(plan)
            self.tried += len(plan)
        for callee, answers in wanted.items():
            results = self.machine.answer(callee, list(answers))
            answers.update(zip(answers, map(_clean, results), strict=True))
        finishes = []
        for (memory, target, _), plan in zip(items, plans, strict=True):
            writes = _Writes(memory, target, self.perception.view(memory).gaps)
            # a solved memory may still have to be called on: another one of the same view may need that call
            found = [STOP] if memory == target else []
            for module, callee, read1, read2, key in plan:
                for write in writes.fitting(wanted[callee][key]):
                    found.append(Choice(module, *read1, *read2, *write))
            finishes.append(sorted(found, key=_untidiness))
        return finishes

    def _guess(self, memory: bytes) -> list[Choice]:
        """Accepted calls in random order; three of four write over what was read (of either, or of both reads)."""
        view = self.perception.view(memory)
        options = self._calls(memory, view)
        count = len(view.gaps)
        guesses: dict[Choice, None] = {}
        for _ in range(self.config.guesses if options else 0):
            module, _, xs, ys = options[self.rng.integers(len(options))]
            read1, read2 = xs[self.rng.integers(len(xs))], ys[self.rng.integers(len(ys))]
            kind = self.rng.integers(4)
            if kind == 0:
                write = read1
            elif kind == 1:
                write = read2
            elif kind == 2:
                write = (min(read1[0], read2[0]), max(read1[1], read2[1]))
            else:
                w = int(self.rng.integers(count))
                write = (w, int(self.rng.integers(w, count)))
            guesses[Choice(module, *read1, *read2, *write)] = None
        return list(guesses)


class _Writes:
    """Write spans that turn a memory into a target, given what is written."""

    def __init__(self, memory: bytes, target: bytes, gaps: Sequence[int]) -> None:
        self.memory, self.target = memory, target
        self.index = {gap: i for i, gap in enumerate(gaps)}
        self.starts = [gap for gap in gaps if target.startswith(memory[:gap])]

    def fitting(self, answer: bytes | None) -> list[tuple[int, int]]:
        """Spans (as gap indices) for which writing `answer` gives the target."""
        if answer is None:
            return []
        found = []
        for start in self.starts:
            tail = len(self.target) - start - len(answer)
            end = len(self.memory) - tail
            if tail < 0 or end < start or end not in self.index:
                continue
            if (
                self.target.startswith(answer, start)
                and self.memory[end:] == self.target[start + len(answer) :]
            ):
                found.append((self.index[start], self.index[end]))
        return found


def _clean(result: Reply) -> bytes | None:
    """An answer on whose way nothing was refused: the others are accidents."""
    return result.answer if result.refusal is None else None


def _untidiness(choice: Choice) -> tuple[int, ...]:
    """Order among equals: less read, reads in order, just what was read written over, then the lower numbers."""
    _, a, b, c, d, w, v = choice
    start, end = (min(a, c), max(b, d)) if c < d else (a, b)
    return ((b - a) + (d - c), int(c < a), abs(w - start) + abs(v - end), *choice)


def _vote(finishes: Sequence[list[Choice]], own: int | None) -> Choice:
    """The last action that most questions can end with; among equals HALT, then the most general, then the tidiest.

    Most general is a self-call (`own`) that hands on as much as possible: it is one rule for many views, where a
    direct call is another one for each, and a self-call on less is often an accident.
    """
    tally: Counter[Choice] = Counter()
    for found in finishes:
        tally.update(found)

    def order(choice: Choice) -> tuple[int, ...]:
        _, a, b, c, d, _, _ = choice
        handed_on = (b - a) + (d - c) if choice[0] == own else 0
        return (-tally[choice], choice != STOP, choice[0] != own, -handed_on, *_untidiness(choice))

    return min(tally, key=order)
