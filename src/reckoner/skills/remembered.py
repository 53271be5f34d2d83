"""Skills that remember what their networks said: a known question needs neither numpy nor weights.

What is remembered comes from a file (`recall.py`). What is not, the networks are asked, as they would be without it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, cast, final

from reckoner.errors import LibraryError
from reckoner.skills.base import Answerer, Choice, Decider, Decision, Recollection, Request, Skill, SkillSpec

Wake = Callable[[], Skill]


@final
class Memory:
    """Texts by text, read when they are first looked at."""

    def __init__(self, unread: bytes, keeps: bool) -> None:
        self._unread = unread  # JSON
        self._texts: dict[str, str] = {}
        self.keeps = keeps  # whether more is remembered: to make the file

    @property
    def texts(self) -> dict[str, str]:
        """All that is remembered."""
        if self._unread:
            try:
                self._texts |= json.loads(self._unread)
            except (TypeError, ValueError, RecursionError):
                raise LibraryError("what is remembered of a skill cannot be read") from None
            self._unread = b""
        return self._texts


@final
class Seen(Recollection):
    """What a remembered skill has seen in this frame."""

    __slots__ = ("past", "path", "real", "view")

    def __init__(self, past: Seen | None, view: bytes, real: Recollection | None = None) -> None:
        super().__init__(None, 0 if past is None else past.depth + 1)
        self.past = past
        self.view = view  # the last one
        self.path = "" if past is None else extend(past, view)  # all of them
        self.real = real  # the network's own recollection; None: it has not been asked

    @property
    def size(self) -> int:
        """Bytes that it takes."""
        return len(self.path) + (0 if self.real is None else self.real.size)


def extend(past: Seen, view: bytes) -> str:
    """The path of views with one more."""
    return f"{past.path}/{view.hex()}" if past.path else view.hex()


@final
class RememberedDecider(Decider):
    """An interactive skill, and decisions that its network made before: a choice per path of views."""

    def __init__(
        self, spec: SkillSpec, remembered: bytes, wake: Wake, keeps: bool = False, most_calls: int = 0
    ) -> None:
        super().__init__(spec, Seen(None, b""))
        self.memory = Memory(remembered, keeps)
        self.wake = wake  # type: ignore[method-assign]
        self.most_calls = most_calls

    def decide(self, requests: Sequence[Request]) -> list[Decision]:
        """As the base class says; what is not remembered goes through the network together."""
        remembered = self.memory.texts
        decided: list[Decision | None] = []
        unknown = []
        for past, view in cast(Sequence[tuple[Seen, bytes]], requests):
            found = remembered.get(extend(past, view))
            if found is None:
                decided.append(None)
                unknown.append((past, view))
            else:
                decided.append(
                    Decision(read_choice(found, view, len(self.spec.calls)), None, Seen(past, view))
                )
        self.recalled += len(requests) - len(unknown)
        asked = iter(self._ask(unknown) if unknown else ())
        return [next(asked) if decision is None else decision for decision in decided]

    def _ask(self, requests: list[tuple[Seen, bytes]]) -> list[Decision]:
        """The network's decisions."""
        network = cast(Decider, self.wake())
        real = [(_recollect(network, past), view) for past, view in requests]
        decided = []
        for (past, view), decision in zip(requests, network.decide(real), strict=True):
            if self.memory.keeps and max(decision.choice) < 256:
                self.memory.texts[extend(past, view)] = bytes(decision.choice).hex()
            decided.append(decision._replace(recollection=Seen(past, view, decision.recollection)))
        return decided

    @property
    def tensors(self) -> dict[str, Any]:
        return self.wake().tensors


@final
class RememberedAnswerer(Answerer):
    """A basic skill, and answers that its network gave before: one per laid-out message."""

    def __init__(self, spec: SkillSpec, remembered: bytes, wake: Wake, keeps: bool = False) -> None:
        super().__init__(spec)
        self.memory = Memory(remembered, keeps)
        self.wake = wake  # type: ignore[method-assign]

    def answer(self, memories: Sequence[bytes]) -> list[bytes]:
        """As the base class says."""
        remembered = self.memory.texts
        known = [remembered.get(memory.decode()) for memory in memories]
        unknown = [memory for memory, answer in zip(memories, known, strict=True) if answer is None]
        self.recalled += len(memories) - len(unknown)
        asked = iter(self._ask(unknown) if unknown else ())
        return [next(asked) if answer is None else answer.encode() for answer in known]

    def _ask(self, memories: list[bytes]) -> list[bytes]:
        answers = cast(Answerer, self.wake()).answer(memories)
        if self.memory.keeps:
            self.memory.texts.update((m.decode(), a.decode()) for m, a in zip(memories, answers, strict=True))
        return answers

    @property
    def tensors(self) -> dict[str, Any]:
        return self.wake().tensors


def _recollect(network: Decider, past: Seen) -> Recollection:
    """The network's recollection of what was seen: it looks at the same views once more."""
    if past.real is None:
        if past.past is None:
            past.real = network.root
        else:
            before = _recollect(network, past.past)
            past.real = network.decide([(before, past.view)])[0].recollection
    return past.real


@cache
def _places() -> dict[str, int]:
    return {f"{place:02x}": place for place in range(256)}


def read_choice(text: str, view: bytes, modules: int) -> Choice:
    """A remembered choice, if it can be made on the view."""
    places, most = _places(), len(view) - 2
    try:
        choice = Choice(*(places[text[i : i + 2]] for i in range(0, len(text), 2)))
        module, a, b, c, d, w, v = choice
        if not (module <= modules and a <= b <= most and c <= d <= most and w <= v <= most):
            raise ValueError
    except (KeyError, TypeError, ValueError):
        raise LibraryError("a remembered decision is none that can be made on what was seen") from None
    return choice
