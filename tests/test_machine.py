"""The machine, with scripted skills and no weights."""

from __future__ import annotations

import gc
import time
from random import Random
from typing import Any
from weakref import ref

import numpy as np
import pytest

from reckoner.alphabet import Perception
from reckoner.errors import (
    CallLimit,
    DepthLimit,
    DidNotHalt,
    MemoryLimit,
    MessageRefused,
    TimeLimit,
    UnknownSkill,
)
from reckoner.machine import Limits, Machine, Outcome, Refusal
from reckoner.skills.base import Choice, SkillSpec
from reckoner.skills.library import Library
from tests.scripted import (
    STOP,
    ScriptedDecider,
    addition,
    answerer,
    call,
    decider,
    library_of,
    random_skill,
)


def numbers(rng: Random, digits: int) -> tuple[str, str]:
    """Two numbers, now and then with long carries."""
    if rng.random() < 0.3:
        return "9" * digits, rng.choice(["1", "9" * digits])
    x, y = (str(rng.randrange(10 ** rng.randint(1, digits))) for _ in range(2))
    return x, y


def exact(pairs: list[tuple[str, str]]) -> list[str]:
    return [str(int(x) + int(y)) for x, y in pairs]


def scripted(library: Library, name: str) -> Any:
    """A skill of `addition`, which counts."""
    return library[name]


def one(library: Library, skill: str, x: str, y: str = "", limits: Limits | None = None) -> Outcome:
    """The outcome of one message, with its trace."""
    return Machine(library, limits).run(skill, [(x, y)], trace=True)[0]


# --- long addition ---


@pytest.mark.parametrize("digits", [1, 2, 50, 2000])
@pytest.mark.parametrize("cache", [True, False], ids=["cache", "no cache"])
def test_long_addition_with_carries(digits, cache):
    rng = Random(digits)
    count = 2 if digits == 2000 else 40
    pairs = [("9" * digits, "1"), ("1", "9" * digits), *(numbers(rng, digits) for _ in range(count))]
    outcomes = Machine(addition(), cache=cache).run("M+M", pairs)
    assert [o.answer for o in outcomes] == exact(pairs)
    assert all(o.error is None and o.refusal is None for o in outcomes)


def test_a_batch_answers_as_one_by_one_does():
    rng = Random(7)
    questions = [numbers(rng, rng.randint(1, 30)) for _ in range(300)] * 2
    batch = Machine(addition()).run("M+M", questions)
    single = Machine(addition())
    assert batch == [single.run("M+M", [q])[0] for q in questions]
    assert [o.answer for o in batch] == exact(questions)


def test_skills_nested_in_one_batch_answer_as_one_by_one():
    """Strip and M+M frames, short and long, wait for one another in one run."""

    def policy(depth: int, text: str) -> Choice:  # strip x, strip y, then add them
        comma = text.index(",") if "," in text else 0
        if depth == 0:
            return call(1, (0, comma), (0, 0), (0, comma))
        if depth == 1:
            return call(1, (comma + 1, len(text)), (0, 0), (comma + 1, len(text)))
        return call(2, (0, comma), (comma + 1, len(text)), (0, len(text))) if depth == 2 else STOP

    def make() -> Machine:
        library = addition()
        library.append(decider("untidy-add", ("strip", "M+M"), policy, accepts_x=r"\d+", accepts_y=r"\d+"))
        return Machine(library)

    rng = Random(3)
    pairs = [
        ("0" * rng.randint(0, 9) + x, "0" * rng.randint(0, 9) + y)
        for x, y in (numbers(rng, 12) for _ in range(80))
    ]
    batch = make().run("untidy-add", pairs)
    assert [o.answer for o in batch] == exact(pairs)
    single = make()
    assert batch == [single.run("untidy-add", [p])[0] for p in pairs]


def test_caches_on_and_off_give_the_same_answers_and_traces():
    rng = Random(11)
    pairs = [numbers(rng, 9) for _ in range(25)] * 2
    runs = [Machine(addition(), cache=cache).run("M+M", pairs, trace=True) for cache in (True, False)]
    assert runs[0] == runs[1]
    traces = [outcome.trace for outcome in runs[0]]
    assert all(t is not None and t.count() == o.calls + 1 for t, o in zip(traces, runs[0], strict=True))


def test_a_trace_does_not_depend_on_what_was_remembered():
    machine = Machine(addition())
    before = machine.run("M+M", [("123456", "987")], trace=True)
    machine.run("M+M", [("123456", "987"), ("23456", "987")])
    assert machine.run("M+M", [("123456", "987")], trace=True) == before


def test_calls_count_as_if_nothing_was_remembered():
    machine = Machine(addition())
    first, again = (machine.run("M+M", [("98765", "43219")])[0] for _ in range(2))
    forgetful = Machine(addition(), cache=False).run("M+M", [("98765", "43219")])[0]
    assert first.calls == again.calls == forgetful.calls > 10


# --- equal work once ---


def test_equal_messages_are_answered_once():
    library = addition()
    machine = Machine(library)
    machine.run("M+M", [("4444444444", "5555555555")] * 50)
    column = scripted(library, "add-column")
    assert column.asked == ["4,50"]  # ten columns, fifty questions, one message
    machine.run("M+M", [("4444444444", "5555555555")])
    assert len(column.asked) == 1


def test_without_a_cache_nothing_is_answered_twice_from_memory():
    library = addition()
    Machine(library, cache=False).run("M+M", [("44", "55")] * 3)
    assert scripted(library, "add-column").asked == ["4,50"] * 6


def test_decisions_are_remembered_per_view():
    library = addition()
    machine = Machine(library)
    machine.run("M+M", [("1" * n, "2" * n) for n in range(1, 30)])
    skill = scripted(library, "add-columns")
    assert len(skill.decided) < 20  # sequences of views, not lengths
    known = len(skill.decided)
    machine.run("M+M", [("1" * 300, "2" * 300), ("7" * 40, "2" * 40)])
    assert len(skill.decided) == known


def test_decisions_of_different_frames_are_one_batch():
    library = addition()
    Machine(library).run("M+M", [("1", "2"), ("34", "4"), ("567", "3")])  # three lengths, three views
    assert [len(batch) for batch in scripted(library, "M+M").batches][:1] == [3]


def test_forget_empties_the_caches():
    library = addition()
    machine = Machine(library)
    machine.run("M+M", [("12", "34")])
    machine.forget()
    machine.run("M+M", [("12", "34")])
    assert scripted(library, "add-column").asked == ["2,40", "1,30"] * 2
    assert scripted(library, "M+M").decided[:3] == scripted(library, "M+M").decided[3:]


def test_what_is_remembered_stays_bounded():
    def policy(depth: int, text: str) -> Choice:
        return call(1, (0, 1), (0, 0), (0, 1)) if depth == 0 else STOP

    whole = Perception(kind="characters")  # every memory is another view
    library = library_of(NINE, decider("caller", ("nine",), policy, perception=whole))
    machine = Machine(library, Limits(remembered=50_000))
    rng = Random(1)
    for _ in range(20):
        pairs = [(str(rng.randrange(10**30)), "") for _ in range(50)]
        outcomes = machine.run("caller", pairs)
        assert [o.answer for o in outcomes] == ["9" + x[1:] + "," for x, _ in pairs]
        assert machine.remembered < 100_000  # the bound, and what one round can add


def test_basic_answers_are_forgotten_in_halves():
    copy = answerer("copy", lambda m: m)
    machine = Machine(library_of(copy), Limits(remembered=20_000))
    for n in range(500):
        assert machine.run("copy", [(str(n), "")])[0].answer == str(n)
    asked = len(copy.asked)
    assert machine.run("copy", [("499", "")])[0].answer == "499"
    assert len(copy.asked) == asked  # the last ones are still there
    machine.run("copy", [("0", "")])
    assert len(copy.asked) == asked + 1  # the first ones are not


def test_a_skill_that_is_dropped_is_not_kept_alive_by_the_machine():
    library = addition()
    machine = Machine(library)
    snapshot = decider(
        "strip", ("drop-zero", "strip"), scripted(library, "strip").policy, layout="{x}", accepts_y=""
    )
    assert machine.run(snapshot, [("007", "")])[0].answer == "7"
    gone = ref(snapshot)
    del snapshot
    gc.collect()
    assert gone() is None


def test_two_machines_may_share_a_skill_but_not_its_callees():
    def policy(depth: int, text: str) -> Choice:
        return call(1, (0, 1), (0, 0), (0, 1)) if depth == 0 else STOP

    asker = decider("asker", ("oracle",), policy)
    answers = []
    for reply in ("7", "8"):
        library = library_of(answerer("oracle", {"1": reply}.__getitem__), asker)
        answers.append(Machine(library).run("asker", [("1", "2")])[0].answer)
    assert answers == ["7,2", "8,2"]


# --- reads, writes, refusals ---

NINE = answerer("nine", lambda _: "9", accepts_x=r"\d*")
NOTHING = answerer("nothing", lambda _: "", accepts_x=r"\d*")
PICKY = answerer("picky", lambda _: "5", accepts_x=r"[0-4]")


def once(skill, read, write):
    """A decider that makes one call and halts."""

    def policy(depth: int, text: str) -> Choice:
        return call(1, read, (0, 0), write) if depth == 0 else STOP

    return library_of(skill, decider("caller", (skill.name,), policy, layout="{x}", accepts_y=""))


def test_insert_overwrite_delete():
    assert one(once(NINE, (0, 1), (1, 3)), "caller", "1234").answer == "194"
    assert one(once(NINE, (0, 1), (2, 2)), "caller", "1234").answer == "12934"
    assert one(once(NINE, (0, 0), (4, 4)), "caller", "1234").answer == "12349"
    assert one(once(NOTHING, (0, 1), (1, 3)), "caller", "1234").answer == "14"
    assert one(once(NOTHING, (0, 1), (0, 4)), "caller", "1234").answer == ""
    assert one(once(NOTHING, (0, 1), (2, 2)), "caller", "1234").answer == "1234"


def test_reads_may_overlap_and_come_in_either_order():
    def policy(depth: int, text: str) -> Choice:
        return call(1, (3, 5), (0, 4), (0, 5)) if depth == 0 else STOP

    echo = answerer("echo", lambda m: m, layout="{x},{y}", accepts_y=r"[\d,]*")
    outcome = one(library_of(echo, decider("caller", ("echo",), policy)), "caller", "12", "34")
    assert outcome.answer == "34,12,3"


def test_halt_at_once_returns_the_memory():
    library = library_of(NINE, decider("idle", ("nine",), lambda depth, text: STOP))
    assert one(library, "idle", "12", "345").answer == "12,345"
    assert one(library, "idle", "12", "345").calls == 0


def test_a_refused_message_leaves_the_memory():
    library = once(PICKY, (1, 2), (0, 3))
    good, bad = Machine(library).run("caller", [("142", ""), ("192", "")])
    assert (good.answer, good.refusal) == ("5", None)
    assert (bad.answer, bad.refusal) == ("192", Refusal("picky", "9", ""))
    assert bad.calls == good.calls == 1  # a refused call is a call
    outcome = one(library, "caller", "192")
    assert outcome.trace is not None
    (step,) = outcome.trace.steps
    assert step.refused
    assert (step.before, step.after, step.call.answer) == ("192", "192", None)


def test_a_refusal_deep_below_is_reported_at_the_top():
    def outer(depth: int, text: str) -> Choice:
        return call(1, (0, len(text)), (0, 0), (0, len(text))) if depth == 0 else STOP

    library = once(PICKY, (0, 1), (0, 1))
    library.append(decider("outer", ("caller",), outer, layout="{x}", accepts_y=""))
    machine = Machine(library)
    for _ in range(2):  # worked out, then remembered
        fine, refused = machine.run("outer", [("12", ""), ("82", "")])
        assert (fine.answer, fine.refusal) == ("52", None)
        assert (refused.answer, refused.refusal) == ("82", Refusal("picky", "8", ""))


def test_a_message_that_the_skill_itself_refuses():
    outcomes = Machine(addition()).run(
        "M+M", [("1", "2"), ("1", "x"), ("1|2", "3"), ("", "3"), ("1\ud800", "2")]
    )
    assert [o.answer for o in outcomes] == ["3", None, None, None, None]
    assert all(isinstance(o.error, MessageRefused) and "M+M" in o.error.message for o in outcomes[1:])


def test_an_unknown_skill():
    with pytest.raises(UnknownSkill, match="'M\\^M'"):
        Machine(addition()).run("M^M", [("1", "2")])


@pytest.mark.parametrize("cache", [True, False])
def test_self_calls_must_shrink(cache):
    """On the whole memory a self-call is refused, on a shorter part it is answered."""

    def shrinking(depth: int, text: str) -> Choice:
        return call(1, (0, len(text) - 1), (0, 0), (0, len(text) - 1)) if depth == 0 and text else STOP

    def stubborn(depth: int, text: str) -> Choice:
        return call(1, (0, len(text)), (0, 0), (0, len(text))) if depth == 0 else STOP

    whole = Perception(kind="characters")
    for policy, refused in ((shrinking, False), (stubborn, True)):
        skill = decider("self", ("self",), policy, layout="{x}", accepts_y="", perception=whole)
        outcome = Machine(library_of(skill), cache=cache).run("self", [("123", "")])[0]
        assert outcome.answer == "123"
        assert (outcome.refusal is not None) == refused
        assert outcome.calls == (1 if refused else 3)


def test_layout_cells_count_for_shrinking():
    def policy(depth: int, text: str) -> Choice:  # a shorter message, but the layout makes it as long again
        return call(1, (0, len(text) - 1), (0, 0), (0, len(text))) if depth == 0 else STOP

    outcome = one(library_of(decider("grow", ("grow",), policy, layout="{x}0", accepts_y="")), "grow", "12")
    assert outcome.answer == "120"
    assert outcome.refusal is not None


# --- budgets ---


def repeater(*calls: str, write: tuple[int, int] = (0, 0), name: str = "repeater") -> ScriptedDecider:
    return decider(
        name, calls, lambda depth, text: call(1, (0, 1), (0, 0), write), layout="{x}", accepts_y=""
    )


@pytest.mark.parametrize("cache", [True, False])
def test_a_skill_that_does_not_halt(cache):
    machine = Machine(library_of(NINE, repeater("nine")), Limits(steps=5), cache=cache)
    (outcome,) = machine.run("repeater", [("7", "")])
    assert isinstance(outcome.error, DidNotHalt)
    assert "repeater" in outcome.error.message
    assert "'9999997'" in outcome.error.message
    assert outcome.answer is None


def test_an_error_below_ends_those_above_and_nobody_else():
    def outer(depth: int, text: str) -> Choice:  # only long memories call the skill that never halts
        return call(1, (0, 1), (0, 0), (0, 1)) if depth == 0 and len(text) > 2 else STOP

    library = library_of(
        NINE, repeater("nine"), decider("outer", ("repeater",), outer, layout="{x}", accepts_y="")
    )
    fine, bad = Machine(library).run("outer", [("12", ""), ("123", "")])
    assert fine.answer == "12"
    assert isinstance(bad.error, DidNotHalt)


def test_errors_are_not_remembered():
    library = library_of(NINE, repeater("nine"))
    machine = Machine(library)
    for _ in range(2):
        assert isinstance(machine.run("repeater", [("7", "")])[0].error, DidNotHalt)


@pytest.mark.parametrize("cache", [True, False])
def test_memory_limit_where_it_grows(cache):
    double = answerer("double", lambda m: m + m)
    policy = lambda depth, text: call(1, (0, len(text)), (0, 0), (0, len(text)))  # noqa: E731
    library = library_of(double, decider("doubler", ("double",), policy, layout="{x}", accepts_y=""))
    machine = Machine(library, Limits(memory=20, steps=100), cache=cache)
    (outcome,) = machine.run("doubler", [("123", "")])
    assert isinstance(outcome.error, MemoryLimit)
    assert "doubler" in outcome.error.message


def test_memory_limit_of_the_question_itself():
    machine = Machine(addition(), Limits(memory=20))
    outcomes = machine.run("M+M", [("1" * 30, "2"), ("1", "2"), ("1" * 10, "2" * 8), ("1" * 10, "2" * 9)])
    assert [type(o.error) for o in outcomes] == [MemoryLimit, type(None), type(None), MemoryLimit]
    assert [o.answer for o in outcomes[1:3]] == ["3", "1133333333"]


def test_memory_limit_of_overlapping_reads():
    """Each skill reads its whole memory twice for the next: sixteen of these are more than a computer has."""
    skills: list = [NINE]
    for i in range(16):
        policy = lambda depth, text: call(1, (0, len(text)), (0, len(text)), (0, 0))  # noqa: E731
        skills.append(decider(f"twice-{i}", (skills[-1].name,), policy))
    (outcome,) = Machine(library_of(*skills), Limits(memory=5000)).run("twice-15", [("1234", "1234")])
    assert isinstance(outcome.error, MemoryLimit)


@pytest.mark.parametrize("cache", [True, False])
def test_depth_limit(cache):
    machine = Machine(addition(), Limits(depth=50), cache=cache)
    fine, deep, also_fine = machine.run("M+M", [("1" * 30, "2"), ("1" * 90, "2"), ("1" * 40, "2")])
    assert fine.answer == "1" * 29 + "3"
    assert also_fine.answer == "1" * 39 + "3"
    assert isinstance(deep.error, DepthLimit)
    assert "'add-column" in deep.error.message
    machine.limits = Limits()
    assert machine.run("M+M", [("1" * 90, "2")])[0].answer == "1" * 89 + "3"  # not remembered


def test_depth_limit_of_all_that_a_group_asks():
    """Every message of a group may fail on the spot; it goes on once, and to the error."""
    rng = Random(0)
    pairs = [(str(rng.randrange(10**19, 10**20)), str(rng.randrange(10**19, 10**20))) for _ in range(100)]
    outcomes = Machine(addition(), Limits(depth=5)).run("M+M", pairs)
    assert all(isinstance(o.error, DepthLimit) for o in outcomes)


@pytest.mark.parametrize("cache", [True, False])
@pytest.mark.parametrize("trace", [True, False])
def test_call_limit_of_one_leaves_the_others(cache, trace):
    machine = Machine(addition(), Limits(calls=60), cache=cache)
    rng = Random(5)
    small = [numbers(rng, 4) for _ in range(3)]
    big = (str(rng.randrange(10**299, 10**300)), str(rng.randrange(10**299, 10**300)))
    outcomes = machine.run("M+M", [small[0], big, *small[1:]], trace)
    assert [o.answer for o in outcomes] == [exact(small)[0], None, *exact(small)[1:]]
    assert isinstance(outcomes[1].error, CallLimit)
    assert "60 calls" in outcomes[1].error.message
    assert isinstance(machine.run("M+M", [big])[0].error, CallLimit)  # nor does asking again help


def test_call_limit_counts_what_is_remembered():
    machine = Machine(addition(), Limits(calls=100))
    assert machine.run("M+M", [("1" * 20, "1" * 20)])[0].answer == "2" * 20
    machine.limits = Limits(calls=10)
    assert isinstance(machine.run("M+M", [("1" * 20, "1" * 20)])[0].error, CallLimit)


@pytest.mark.parametrize("cache", [True, False])
def test_time_limit_keeps_what_is_finished(cache):
    """The time is each question's own: others of the batch are answered."""
    library = addition()
    column = scripted(library, "add-column")
    quick = column.function

    def slow(memory: str) -> str:
        if memory.startswith("7"):
            time.sleep(1.2)
        return quick(memory)

    machine = Machine(library, cache=cache)
    assert machine.run("M+M", [("1", "2"), ("3", "4")])[0].answer == "3"
    column.function = slow
    machine.limits = Limits(seconds=0.5)
    outcomes = machine.run("M+M", [("1", "2"), ("77", "1"), ("3", "4")])
    assert [o.answer for o in outcomes] == ["3", None, "7"]
    late = outcomes[1].error
    assert isinstance(late, TimeLimit)
    assert "0.5 seconds" in late.message
    assert "add-column" in late.message
    assert "--timeout" in late.message
    machine.limits = Limits()
    column.function = quick
    assert [o.answer for o in machine.run("M+M", [("1", "2"), ("77", "1")])] == ["3", "78"]


# --- random networks ---

SPECS = [
    SkillSpec("first", "{x},{y}0", r"[\d,-]*", r"[\d,-]*", ("nine", "copy", "first")),
    SkillSpec("second", "{x},{y}", r"[\d,-]*", r"[\d,-]*", ("copy", "first", "second"), Perception(fovea=0)),
    SkillSpec(
        "third", "{x}{y}", r"[\d,-]*", r"[\d,-]*", ("nine", "second", "third"), Perception("characters")
    ),
]


def random_library(seed: int) -> Library:
    rng = np.random.default_rng(seed)
    nine = answerer("nine", lambda _: "9")
    copy = answerer("copy", lambda m: m + m, layout="{x}{y}", accepts_x=r"[\d-]*", accepts_y=r"[\d-]*")
    return library_of(nine, copy, *(random_skill(spec, rng) for spec in SPECS))


@pytest.mark.parametrize("seed", range(12))
def test_with_random_networks_every_run_ends(seed):
    limits = Limits(calls=2000, depth=100, memory=500, steps=6, seconds=20)
    machine = Machine(random_library(seed), limits)
    rng = Random(seed)
    pairs = [numbers(rng, rng.randint(1, 12)) for _ in range(20)]
    outcomes = machine.run("third", pairs)
    assert all((o.answer is None) == (o.error is not None) for o in outcomes)


def test_random_networks_answer_alike_in_any_company():
    """Greedy runs of random networks: batch or alone, remembered or not, the same answers and errors."""
    limits = Limits(calls=500, depth=60, memory=120, steps=4)
    for seed in range(6):
        pairs = [(str(n), str(7 * n)) for n in range(8)]
        batch = Machine(random_library(seed), limits).run("second", pairs)
        single = Machine(random_library(seed), limits)
        alone = [single.run("second", [p])[0] for p in pairs]
        plain = Machine(random_library(seed), limits, cache=False).run("second", pairs)
        for a, b, c in zip(batch, alone, plain, strict=True):
            assert a.answer == b.answer == c.answer
            assert type(a.error) is type(b.error) is type(c.error)
            if a.error is None:
                assert a.calls == b.calls == c.calls
                assert a.refusal == b.refusal == c.refusal
