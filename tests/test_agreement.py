"""Two machines, one meaning: whatever the definition does, both cores of the fast machine do too."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

import numpy as np
import pytest

from reckoner.alphabet import ALPHABET, Perception
from reckoner.machine import Limits, Machine, Reply
from reckoner.machine.definition import Definition, Networks
from reckoner.machine.kernel import COMPILED, PYTHON, VARIABLE, which_core
from reckoner.machine.message import split
from reckoner.skills import Library, Skill, SkillSpec
from tests.scripted import addition, answerer, library_of, random_basic, random_skill

CORES = [COMPILED, PYTHON] if which_core() == COMPILED else [PYTHON]


@pytest.fixture(params=CORES)
def core(request, monkeypatch):
    monkeypatch.setenv(VARIABLE, request.param)
    return request.param


def define(
    library: Library, skill: Skill, messages: list[bytes], limits: Limits, networks: Networks
) -> list[Reply]:
    """What the definition says."""
    machine = Machine(library)
    return [
        Definition(machine.callees, limits, networks).answer(skill, *split(message)) for message in messages
    ]


def tell(replies: list[Reply]) -> list[tuple]:
    """Replies in a form that can be compared: errors by kind and sentence."""
    return [
        (r.answer, r.calls, r.refusal, type(r.error), r.error.message if r.error else None) for r in replies
    ]


def hold(library: Library, name: str, messages: list[bytes], *all_limits: Limits) -> int:
    """The machine answers as defined, all at once and one by one; returns how many messages were compared."""
    skill = library[name]
    machine, networks = Machine(library), Networks(remember=True)
    for limits in all_limits:
        expected = tell(define(library, skill, messages, limits, networks))
        machine.limits = limits
        assert tell(machine.answer(skill, messages)) == expected
        assert tell([machine.answer(skill, [message])[0] for message in messages[:5]]) == expected[:5]
    return len(messages) * len(all_limits)


def random_text(rng: Random, most: int) -> str:
    kinds = [ALPHABET, "0123456789", "0123456789", "01,-", "12()+-*", "7", "5.0"]
    return "".join(rng.choice(rng.choice(kinds)) for _ in range(rng.randint(0, most)))


def random_limits(rng: Random) -> Limits:
    """Budgets so small that each is met now and then."""
    return Limits(
        calls=rng.choice([1, 3, 10, 50, 300]),
        depth=rng.choice([1, 2, 5, 30]),
        memory=rng.choice([5, 12, 30, 100]),
        steps=rng.choice([1, 2, 4]),
        seconds=None,
    )


# --- scripted skills ---


def test_additions_agree(core):
    rng = Random(1)
    pairs = [
        (rng.randrange(10 ** rng.randint(1, 40)), rng.randrange(10 ** rng.randint(1, 40))) for _ in range(150)
    ]
    messages = [f"{x}|{y}".encode() for x, y in pairs] + [
        b"",
        b"|",
        b"1",
        b"1|x",
        b"1|2|3",
        b"\xff|1",
        b"00|0",
    ]
    hold(addition(), "M+M", messages, Limits(), *(random_limits(rng) for _ in range(10)))


@pytest.mark.parametrize("digits", [300, 1000])
def test_long_additions_agree(core, digits):
    rng = Random(digits)
    pairs = [(rng.randrange(10**digits), rng.randrange(10**digits)) for _ in range(3)]
    messages = [f"{x}|{y}".encode() for x, y in pairs]
    hold(addition(), "M+M", messages, Limits(), Limits(depth=digits // 2), Limits(calls=digits))


# --- random networks ---

ANY = r"[-+*/%(),.\^\d]*"
PERCEPTIONS = [
    Perception(),
    Perception(fovea=0),
    Perception(fovea=1),
    Perception(fovea=3, reach=2),
    Perception(fovea=0, reach=3),
    Perception(fovea=1, reach=1),
    Perception("characters"),
    Perception(fovea=1, decimals=True),
    Perception(fovea=0, reach=3, decimals=True),
    Perception(fovea=0, reach=9, decimals=True),
    Perception("characters", decimals=True),
]
LAYOUTS = ["{x},{y}", "{x}{y}", "0{x},{y}", "{x},{y}0", "{x}", "({x})-{y},7"]
PATTERNS = [
    ANY,
    ANY,
    ANY,
    r"[\d,-]*",
    r"-?\d*",
    r"\d*[01]?",
    r"0|[1-9]\d*",
    r"(\d\d)*",
    r".*1.*",
    ".{0,9}",
]


def random_library(seed: int) -> Library:
    """Skills of every perception that call one another and themselves."""
    rng, draw = np.random.default_rng(seed), Random(seed)
    library = library_of(
        answerer("nine", lambda m: "9", accepts_x=r"\d*"),
        answerer("copy", lambda m: m + m, layout="{x}{y}", accepts_x=r"[\d-]*", accepts_y=ANY),
        answerer("cut", lambda m: m[1:], layout="{x}{y}", accepts_x=ANY, accepts_y=ANY),
        random_basic(SkillSpec("basic", "{x},{y}", r"\d?", r"\d?[01]"), rng),
    )
    for number, perception in enumerate(PERCEPTIONS):
        layout = draw.choice(LAYOUTS)
        calls = [*draw.sample(library.names, min(3, len(library))), f"skill-{number}"]
        draw.shuffle(calls)
        x, y = draw.choice(PATTERNS), draw.choice(PATTERNS) if "{y}" in layout else ""
        library.append(
            random_skill(SkillSpec(f"skill-{number}", layout, x, y, tuple(calls), perception), rng)
        )
    return library


@pytest.mark.parametrize("seed", range(25))
def test_random_networks_agree(core, seed):
    rng, library = Random(seed), random_library(seed)
    limits = [random_limits(rng) for _ in range(3)]
    compared = 0
    for number in range(len(PERCEPTIONS)):
        messages = [f"{random_text(rng, 12)}|{random_text(rng, 12)}".encode() for _ in range(12)]
        messages += [f"{random_text(rng, 60)}|".encode() for _ in range(2)]
        compared += hold(library, f"skill-{number}", messages, *limits)
    assert compared > 200


# --- the bundled library ---


@pytest.fixture(scope="module")
def bundled() -> Library:
    return Library.load()


def test_expressions_agree(core, bundled):
    rng = Random(11)
    signs = "+-*/%"
    texts = [
        "".join(
            f"{rng.randrange(10 ** rng.randint(1, 4))}{rng.choice(signs)}" for _ in range(rng.randint(0, 3))
        )
        + str(rng.randrange(100))
        for _ in range(30)
    ]
    texts += [
        "(1+2)*(3-(4/5))",
        "((7))",
        "1/0+2",
        "(1-1)/(2-2)",
        "-5*-6",
        "1+",
        ")(",
        "",
        "2*(3+(4/(1-1)-2)*7)-8",
    ]
    name = next(name for name in reversed(bundled.names) if name.startswith("expression"))
    limits = [Limits(seconds=None), Limits(calls=100, seconds=None), Limits(depth=4, seconds=None)]
    hold(
        bundled,
        name,
        [f"{text}|".encode() for text in texts],
        *limits,
        Limits(memory=6, steps=1, seconds=None),
    )


def test_noted_answers_count_as_if_worked_out(core, bundled):
    """Long messages that are asked twice: the calls and the limits are those of the work done again."""
    rng = Random(3)
    message = f"{rng.randrange(10**24, 10**25)}|{rng.randrange(10**23, 10**24)}".encode()
    calls = Machine(bundled).answer(bundled["M/M"], [message])[0].calls
    limits = [Limits(calls=n, seconds=None) for n in (calls, calls - 1, calls // 3)]
    limits += [Limits(depth=n, seconds=None) for n in (30, 33, 36)]
    hold(bundled, "M/M", [message], *limits)


def test_several_threads_have_machines_of_their_own(core, bundled):
    """The core works without Python's lock: what one does must not touch another."""
    pairs = [(str(7**n), str(3**n)) for n in range(1, 60)]
    expected = [str(int(x) + int(y)) for x, y in pairs]

    def work(number: int) -> list[str | None]:
        machine = Machine(bundled)
        return [o.answer for _ in range(5) for o in machine.run("M+M", pairs)]

    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(work, range(4)):
            assert found == expected * 5


@pytest.mark.skipif(
    which_core() != COMPILED, reason="the core in Python leaves this to the calculator's lock"
)
def test_one_machine_is_not_for_two_threads_at_once(bundled):
    """Whoever comes second is told so, and nothing breaks."""
    machine, pair = Machine(bundled), [("9" * 3000, "1" * 3000)]
    expected = machine.run("M+M", pair)[0].answer

    def work(number: int) -> str | None:
        try:
            return machine.run("M+M", pair)[0].answer
        except RuntimeError:
            return expected

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(work, range(40))) == {expected}
    assert machine.run("M+M", pair)[0].answer == expected
