"""Attempts: only what may be chosen is, one part is changed at a time, and the world does what the machine does."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random

import numpy as np
import pytest

from reckoner.alphabet import Perception
from reckoner.curriculum.student import CAUTIOUS
from reckoner.machine import Machine
from reckoner.machine.outcome import Reply
from reckoner.skills.base import Choice, Skill, SkillSpec
from reckoner.skills.forms import Forms
from reckoner.training.experience import Experience, ExperienceConfig
from reckoner.training.policy import ALL, COLD, PARTS, count_up_to, number
from reckoner.training.reward import FAILED, IDLE
from reckoner.training.rollout import (
    GUIDED,
    HOPEFUL,
    NEAR_BEST,
    NEAR_OWN,
    OWN_WAY,
    WILD,
    Attempts,
    attempt,
    attempt_greedily,
    decisions,
)
from reckoner.training.world import REFUSED, World, pack, unpack, unpack_one
from reckoner.training.world import STOP as HALTED
from tests.scripted import STOP, ScriptedDecider, answerer, call, library_of
from tests.toys import (
    FEW,
    ORDER,
    PACK,
    SPEC,
    WHOLE,
    enter,
    library,
    make_stage,
    make_world,
    policy_of,
    random_student,
)

KINDS = np.repeat([OWN_WAY, GUIDED, HOPEFUL, NEAR_OWN, NEAR_BEST, WILD], 64)


def _act_once(action: Choice, depth: int, seen: str) -> Choice:
    return STOP if depth else action


def code_of(choice: Choice) -> int:
    return int(pack(np.array([choice]))[0])


def try_all(world: World, experience: Experience, seed: int = 0) -> Attempts:
    """Attempts of every kind at one problem."""
    start = np.repeat(enter(world, b"72,5"), len(KINDS))
    rng = np.random.default_rng(seed)
    return attempt(world, policy_of(world), experience, np.zeros_like(start), start, KINDS, rng)


def is_allowed(world: World, view: int, choice: Choice) -> bool:
    masks = world.student.forms.masks(world.views[view])
    module, a, b, c, d, w, v = choice
    if module == 0:
        return choice == STOP
    gaps = masks.shape[2]
    return bool(masks[module, 0, a, b] and masks[module, 1, c, d] and w <= v < gaps)


def guide(world: World) -> Experience:
    """A memory that knows the way."""
    experience = Experience(ExperienceConfig())
    first, second = (world.view_number(WHOLE.view(m).tokens) for m in (b"72,5", b"(72,5)"))
    experience.record([(0, first, code_of(PACK), second, code_of(ORDER), 1.0)] * 20)
    return experience


@pytest.mark.parametrize("compares", [True, False])
def test_where_every_character_is_seen_what_differs_in_digits_only_is_remembered_together(compares):
    student = random_student(perception=Perception("characters"), positional=True)
    world = make_world(student, compares)
    known, other, longer = (enter(world, memory)[0] for memory in (b"72,5", b"48,3", b"480,3"))
    views = world.look(np.array([known, other, longer]))
    likeness = world.likeness(np.array([known, other, longer]))
    assert len(set(views.tolist())) == 3  # the network sees every digit
    assert likeness.tolist() == ([views[0], views[0], views[2]] if compares else views.tolist())
    experience = Experience(ExperienceConfig())
    pack_them = code_of(call(1, (0, 2), (3, 4), (0, 4)))
    experience.record([(0, int(likeness[0]), pack_them, -1, HALTED, 1.0)] * 20)
    start, kind = np.repeat([other], 64), np.full(64, GUIDED)
    rng = np.random.default_rng(0)
    tried = attempt(world, policy_of(world), experience, np.zeros_like(start), start, kind, rng)
    is_guided = tried.first == pack_them
    assert is_guided.all() if compares else not is_guided.all()


def test_a_view_without_digits_is_its_own_likeness():
    world = make_world()
    memories = np.concatenate([enter(world, memory) for memory in (b"72,5", b"480,3", b"(72,5)")])
    assert world.likeness(memories).tolist() == world.look(memories).tolist()


def test_a_frozen_skill_is_asked_the_same_message_once(monkeypatch):
    world = make_world()
    asked: list[bytes] = []
    answer = world.machine.answer

    def listen(skill: Skill, messages: Sequence[bytes]) -> list[Reply]:
        asked.extend(messages)
        return answer(skill, messages)

    monkeypatch.setattr(world.machine, "answer", listen)
    wide, narrow = code_of(PACK), code_of(call(1, (0, 1), (2, 3), (0, 1)))  # the same reads, other writes
    start = enter(world, b"72,5")
    results = [world.act(start, np.array([code]), world.measure(start)) for code in (wide, narrow, wide)]
    assert [world.memories[r[0]] for r in results] == [b"(72,5)", b"(72,5),5", b"(72,5)"]
    assert asked == [b"72|5"]


@pytest.mark.parametrize("knows", [False, True])
def test_every_action_is_allowed(knows):
    world = make_world()
    experience = guide(world) if knows else Experience(ExperienceConfig())
    for seed in range(3):
        tried = try_all(world, experience, seed)
        for view, code in zip(tried.first_view.tolist(), tried.first.tolist(), strict=True):
            assert is_allowed(world, view, unpack_one(code))
        for view, code in zip(tried.second_view.tolist(), tried.second.tolist(), strict=True):
            assert code == HALTED if view < 0 else is_allowed(world, view, unpack_one(code))
        rows = zip(tried.first_view.tolist(), tried.first.tolist(), tried.second_view.tolist(), strict=True)
        experience.record(
            [(0, v, a, b, s, 0.0) for (v, a, b), s in zip(rows, tried.second.tolist(), strict=True)]
        )


def parts(codes: np.ndarray) -> list[tuple[tuple[int, ...], ...]]:
    """Module, both reads and the write of each action."""
    return [((m,), (a, b), (c, d), (w, v)) for m, a, b, c, d, w, v in unpack(codes).tolist()]


@pytest.mark.parametrize("part", range(PARTS))
def test_a_forced_action_is_changed_in_one_part_only(part):
    world = make_world()
    node = (world.view_number(WHOLE.view(b"72,5").tokens),)
    rows, rng = np.zeros(200, np.int64), np.random.default_rng(0)
    forced = np.full(200, code_of(PACK))
    policy = policy_of(world)
    hot, heat = np.full(200, part), np.full(200, 1e6, np.float32)
    changed = policy.draw([node], rows, rng, forced, hot, heat)
    base = parts(forced)[0]
    others = [k for k in range(PARTS) if k != part]
    if part == 0:  # another module may not take the same reads, but writes there
        taken = [p for p in parts(changed) if p[0] != (0,)]
        assert all(p[3] == base[3] for p in taken)
        assert all(p == base for p in taken if p[0] == base[0])
        assert {p[0] for p in parts(changed)} == {
            (0,),
            (1,),
            (3,),
            (4,),
            (5,),
        }  # there is nothing here for `order`
    else:
        assert all(p[k] == base[k] for p in parts(changed) for k in others)
        assert len({p[part] for p in parts(changed)}) > 1
    cold = policy.draw([node], rows, rng, forced, np.full(200, COLD), heat)
    assert set(cold.tolist()) == {code_of(PACK)}
    anything = policy.draw([node], rows, rng, forced, np.full(200, ALL), heat)
    assert len(set(anything.tolist())) > 30


def test_attempts_near_the_best_differ_from_it_in_one_part_of_one_step():
    world = make_world()
    tried = try_all(world, guide(world))
    near = np.flatnonzero(KINDS == NEAR_BEST)
    base, after = parts(np.array([code_of(PACK)]))[0], parts(np.array([code_of(ORDER)]))[0]
    same_first = tried.first[near] == code_of(PACK)
    assert 10 < same_first.sum() < 60
    for action in parts(tried.first[near]):
        if action[0] == base[0]:
            assert sum(p != q for p, q in zip(action, base, strict=True)) <= 1
    for row, action in zip(near, parts(tried.second[near]), strict=True):
        if tried.first[row] == code_of(PACK) and action[0] == after[0]:
            assert sum(p != q for p, q in zip(action, after, strict=True)) <= 1


def test_attempts_near_the_own_way_differ_from_it_in_one_part_of_one_step():
    """With a policy so sure of itself that its own way is one way."""
    world = make_world(random_student(seed=4, scale=12.0))
    tried = try_all(world, Experience(ExperienceConfig()))
    own = set(tried.first[KINDS == OWN_WAY].tolist())
    assert len(own) == 1
    base = parts(np.array([*own]))[0]
    near = [p for p in parts(tried.first[KINDS == NEAR_OWN]) if p[0] == base[0]]
    assert all(sum(p != q for p, q in zip(action, base, strict=True)) <= 1 for action in near)
    assert len(set(tried.first[KINDS == NEAR_OWN].tolist())) > 3


def test_guided_attempts_follow_the_best_that_is_remembered():
    world = make_world()
    tried = try_all(world, guide(world))
    guided = KINDS == GUIDED
    assert set(tried.first[guided].tolist()) == {code_of(PACK)}
    assert set(tried.second[guided].tolist()) == {code_of(ORDER)}
    assert {world.memories[m] for m in tried.answer[guided].tolist()} == {b"5,72"}
    # where nothing is remembered they are the policy's own
    fresh = try_all(world, Experience(ExperienceConfig()))
    assert len(set(fresh.first[guided].tolist())) > 10


def test_wild_attempts_begin_alike_in_groups():
    world = make_world()
    tried = try_all(world, Experience(ExperienceConfig()))
    wild = tried.first[KINDS == WILD].reshape(-1, 16)
    assert (wild == wild[:, :1]).all()
    assert len(set(wild[:, 0].tolist())) > 1


def test_in_a_stage_wild_groups_look_alike():
    stage = make_stage()
    for _ in range(3):
        tried, _, _ = stage.attempt(policy_of(stage.world), FEW)
        for kind, view, code in zip(
            *(c.tolist() for c in (tried.kind, tried.first_view, tried.first)), strict=True
        ):
            assert kind != WILD or is_allowed(stage.world, view, unpack_one(code))


@pytest.mark.parametrize("seed", range(4))
def test_greedy_attempts_are_what_the_skill_decides(seed):
    student = random_student(seed, scale=2.0)
    world = make_world(student)
    memories = [b"72,5", b"1,22", b"7,(5", b"(1,2)", b"", b"1,2,3", b"-"]
    tried = attempt_greedily(world, policy_of(world), enter(world, *memories))
    for row in range(len(memories)):
        view = world.views[tried.first_view[row]]
        (decision,) = student.decide([(student.root, view)])
        assert decision.choice == unpack_one(tried.first[row])
        if tried.second_view[row] >= 0:
            after = world.views[tried.second_view[row]]
            (later,) = student.decide([(decision.recollection, after)])
            assert later.choice == unpack_one(tried.second[row])


def test_greedy_attempts_end_as_the_machine_does():
    for seed in range(6):
        student = random_student(seed, scale=2.0)
        world = make_world(student)
        pairs = [(str(3 * n), str(50 - n)) for n in range(30)]
        start = enter(world, *(student.lay_out(x.encode(), y.encode()) for x, y in pairs))
        tried = attempt_greedily(world, policy_of(world), start)
        for outcome, m in zip(world.machine.run(student, pairs), tried.answer.tolist(), strict=True):
            if m == REFUSED:
                assert outcome.refusal is not None or outcome.answer is None
            else:
                assert outcome.answer == world.memories[m].decode()


def test_a_refused_call_ends_the_attempt_with_the_worst_reward():
    stage = make_stage()
    world = stage.world
    refusing = np.array([code_of(call(2, (0, 3), (0, 0), (0, 3)))])  # `order` wants brackets
    start = enter(world, b"72,5")
    assert world.act(start, refusing, np.array([4])).tolist() == [REFUSED]
    assert stage.reward_of(0, REFUSED) == FAILED == -1.0
    ended = 0
    for _ in range(3):
        tried, rewards, _ = stage.attempt(policy_of(world), FEW)
        refused = tried.answer == REFUSED
        assert (rewards[refused] == -1.0).all()
        early = refused & (tried.second_view < 0)
        assert (tried.second[early] == HALTED).all()
        ended += refused.sum()
    assert ended > 0


def test_a_second_call_that_changes_nothing_costs_a_little():
    stage = make_stage()
    seen = 0
    for _ in range(6):
        tried, rewards, _ = stage.attempt(policy_of(stage.world), FEW)
        for row in np.flatnonzero(tried.is_idle):
            full = stage.reward_of(int(tried.problem[row]), int(tried.answer[row]))
            assert rewards[row] == pytest.approx(full - IDLE)
            seen += 1
    assert seen > 0


def test_attempts_in_a_batch_come_out_as_one_by_one():
    world = make_world()
    tried = try_all(world, guide(world))
    for row in range(0, len(KINDS), 3):
        alone = World(world.machine, world.student)
        memory = enter(alone, b"72,5")
        assert alone.views[alone.look(memory)[0]] == world.views[tried.first_view[row]]
        if tried.first[row] == HALTED:
            assert tried.answer[row] == enter(world, b"72,5")[0]
            continue
        memory = alone.act(memory, tried.first[row : row + 1], np.array([4]))
        if memory[0] == REFUSED:
            assert tried.answer[row] == REFUSED
            continue
        assert alone.views[alone.look(memory)[0]] == world.views[tried.second_view[row]]
        if tried.second[row] != HALTED:
            memory = alone.act(memory, tried.second[row : row + 1], np.array([4]))
        if memory[0] == REFUSED:
            assert tried.answer[row] == REFUSED
        else:
            assert alone.memories[memory[0]] == world.memories[tried.answer[row]]


def test_a_seed_fixes_what_is_tried():
    one, other, third = (try_all(make_world(), Experience(ExperienceConfig()), seed) for seed in (0, 0, 1))
    assert all((a == b).all() for a, b in zip(one, other, strict=True))
    assert (one.first != third.first).any()


def any_action(rng: Random, memory: bytes, forms: Forms) -> Choice:
    """Any action at all, or one that is accepted by form."""
    masks = forms.masks(WHOLE.view(memory).tokens)
    gaps, module = masks.shape[2], rng.randint(1, 6)
    spans = [tuple(sorted((rng.randrange(gaps), rng.randrange(gaps)))) for _ in range(3)]
    if rng.random() < 0.7 and masks[module].any(axis=(1, 2)).all():
        spans[:2] = [tuple(rng.choice(np.argwhere(masks[module, read]).tolist())) for read in (0, 1)]
    return Choice(module, *(g for span in spans for g in span))


def test_the_world_does_what_the_machine_does():
    """One call each, accepted or not, self-calls included: carried out by a scripted skill on the machine."""
    rng = Random(0)
    spec = SPEC.__class__(SPEC.name, SPEC.layout, r"[\d(),]*", r"[\d(),]*", (*SPEC.calls, SPEC.name), WHOLE)
    snapshot = ScriptedDecider(spec, lambda depth, seen: STOP)
    callees = [spec if name == spec.name else library()[name].spec for name in spec.calls]
    forms = Forms(WHOLE, [(c.accepts_x, c.accepts_y) for c in callees], 6)
    outcomes = {"refused": 0, "answered": 0, "itself": 0}
    for _ in range(1200):
        x, y = (
            "".join(rng.choice(["1", "23", "97", "(4,5)", ","]) for _ in range(rng.randint(0, 4)))
            for _ in "xy"
        )
        memory = f"{x},{y}".encode()
        action = any_action(rng, memory, forms)
        student = ScriptedDecider(spec, partial(_act_once, action))
        student.delegate = snapshot
        machine = Machine(library(), CAUTIOUS)
        world = World(machine, student)  # type: ignore[arg-type]
        after = world.act(enter(world, memory), np.array([code_of(action)]), np.array([len(memory)]))[0]
        outcome = machine.run(student, [(x, y)])[0]
        if outcome.refusal is not None or outcome.answer is None:
            assert after == REFUSED, (memory, action)
            outcomes["refused"] += 1
        else:
            assert world.memories[after].decode() == outcome.answer, (memory, action)
            outcomes["itself" if action[0] == 6 else "answered"] += 1
    assert min(outcomes.values()) > 10, outcomes


def _commas(count: int, memory: str) -> str:
    return "," * count


def test_a_memory_of_which_too_much_is_seen_is_refused():
    """An action could not point at its end: commas are seen one by one."""
    for count, is_refused in ((120, False), (255, False), (256, True), (290, True)):
        many = answerer("many", partial(_commas, count), accepts_x=r"\d")
        spec = SkillSpec("sort", "{x}", r"\d", "", ("many",), WHOLE)
        world = World(Machine(library_of(many), CAUTIOUS), ScriptedDecider(spec, lambda depth, seen: STOP))  # type: ignore[arg-type]
        action = np.array([code_of(call(1, (0, 1), (0, 0), (0, 1)))])
        after = world.act(enter(world, b"7"), action, np.array([1]))[0]
        assert (after == REFUSED) == is_refused, count


def test_without_a_snapshot_self_calls_are_refused():
    spec = SPEC.__class__(SPEC.name, SPEC.layout, r"\d*", r"\d*", (*SPEC.calls, SPEC.name), WHOLE)
    student = ScriptedDecider(spec, lambda depth, seen: STOP)
    student.delegate = None
    world = World(Machine(library(), CAUTIOUS), student)  # type: ignore[arg-type]
    shorter = code_of(call(6, (0, 1), (0, 0), (0, 1)))
    assert world.act(enter(world, b"72,5"), np.array([shorter]), np.array([4])).tolist() == [REFUSED]


def test_with_another_snapshot_what_was_known_is_void():
    spec = SPEC.__class__(SPEC.name, SPEC.layout, r"\d*", r"\d*", (*SPEC.calls, SPEC.name), WHOLE)
    before, after = (ScriptedDecider(spec, lambda depth, seen: STOP) for _ in range(2))
    before.delegate, after.delegate = None, ScriptedDecider(spec, lambda depth, seen: STOP)
    world = World(Machine(library(), CAUTIOUS), before)  # type: ignore[arg-type]
    call_itself = np.array([code_of(call(6, (0, 1), (0, 0), (0, 1)))])
    start, length = enter(world, b"72,5"), np.array([4])
    assert world.act(start, call_itself, length).tolist() == [REFUSED]
    world.renew(after)  # type: ignore[arg-type]
    assert world.memories[world.act(start, call_itself, length)[0]] == b"72,,5"


def test_calls_are_counted_each_time_and_worked_out_once():
    world = make_world()
    start = np.repeat(enter(world, b"72,5"), 10)
    codes = np.full(10, code_of(PACK))
    for _ in range(3):
        assert len(set(world.act(start, codes, np.full(10, 4)).tolist())) == 1
    assert world.calls == 30
    assert world.callees[1].asked == ["72,5"]  # type: ignore[union-attr]


def test_own_and_guided_attempts_are_learned_from_and_no_others():
    world = make_world()
    tried = try_all(world, guide(world))
    reward = np.arange(len(KINDS), dtype=float)
    made = decisions(tried, reward, reward / 1000)
    rows = np.flatnonzero(KINDS <= GUIDED)
    assert made.is_last.sum() == len(rows)
    assert made.reward[made.is_last].tolist() == reward[rows].tolist()
    assert not made.reward[~made.is_last].any()
    place = 0
    for row in rows:
        steps = 1 + (tried.second_view[row] >= 0)
        assert made.nodes[made.node[place]] == (tried.first_view[row],)
        assert made.code[place] == tried.first[row]
        if steps == 2:
            assert made.nodes[made.node[place + 1]] == (tried.first_view[row], tried.second_view[row])
            assert made.code[place + 1] == tried.second[row]
        assert (made.is_own[place : place + steps] == (KINDS[row] == OWN_WAY)).all()
        assert (made.entropy[place : place + steps] == row / 1000).all()
        place += steps
    assert place == len(made.code)


def test_a_skill_decides_on_views_of_any_length():
    student = random_student()
    view = WHOLE.view(b",".join([b"7"] * 200)).tokens
    (decision,) = student.decide([(student.root, view)])
    assert max(decision.choice[1:]) < len(view)


@pytest.mark.parametrize("width", [1, 2, 3, 7, 8, 9, 64, 121])
def test_bisection_counts_what_counting_counts(width):
    rng = np.random.default_rng(width)
    table = np.cumsum(np.where(rng.random((20, width)) < 0.5, 0, rng.random((20, width))), axis=1)
    rows = rng.integers(20, size=500)
    most = rng.random(500) * table[rows, -1]
    most[:100] = table[rows[:100], rng.integers(width, size=100)]  # just as large as an entry
    most[100:110] = 0
    assert count_up_to(table, rows, most).tolist() == (table[rows] <= most[:, None]).sum(1).tolist()


def test_only_wanted_rows_are_worked_out():
    wanted, at = number(np.array([5, 2, 5, 9]), 12)
    assert wanted.tolist() == [2, 5, 9]
    assert wanted[at].tolist() == [5, 2, 5, 9]
