"""PPO proves itself: advantages against a closed form, the clipped loss by hand, a trivial task learned."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from reckoner.alphabet import Perception
from reckoner.nn.config import ControllerConfig
from reckoner.nn.modules import ControllerModule
from reckoner.skills.forms import Forms
from reckoner.training.policy import Node, Policy
from reckoner.training.ppo import PPO, Decisions, PPOConfig, clipped_loss, evaluate, gae, make_pairs
from reckoner.training.world import pack, unpack

torch.set_num_threads(1)
SEES = Perception(fovea=0)
VIEWS = [SEES.view(m).tokens for m in (b"1,2", b"-1,2", b"1,-2", b"-1,-2")]
FORMS = Forms(SEES, None, 3)
NODES: list[Node] = [(i,) for i in range(4)]


def network(seed: int = 0, hidden: int = 16) -> ControllerModule:
    torch.manual_seed(seed)
    return ControllerModule(ControllerConfig(SEES.vocabulary, 3, hidden, embedding=8, by_form=False))


def advantages(reward, value, ends, discount, decay):
    columns = (np.array(reward, float), np.array(value, float), np.array(ends, bool))
    return gae(*columns, discount, decay).tolist()


def test_advantages_are_returns_minus_values_without_decay():
    exact = [0.0 + 0.9 * -0.05 + 0.81 * 1.0 - 0.3, -0.05 + 0.9 * 1.0 - 0.1, 1.0 + 0.2]
    assert advantages([0.0, -0.05, 1.0], [0.3, 0.1, -0.2], [0, 0, 1], 0.9, 1.0) == pytest.approx(exact)


def test_advantages_are_one_step_errors_with_full_decay():
    exact = [0.9 * 0.25 - 0.5, 1.0 - 0.25]
    assert advantages([0.0, 1.0], [0.5, 0.25], [0, 1], 0.9, 0.0) == pytest.approx(exact)


def test_advantages_in_between_by_hand():
    late = 1.0 - 0.25
    early = 0.9 * 0.25 - 0.5 + 0.9 * 0.5 * late
    assert advantages([0.0, 1.0], [0.5, 0.25], [0, 1], 0.9, 0.5) == pytest.approx([early, late])


def test_episodes_laid_end_to_end_do_not_touch_one_another():
    rng = np.random.default_rng(0)
    lengths = [1, 3, 2, 1, 1, 4]
    reward, value = rng.normal(size=sum(lengths)), rng.normal(size=sum(lengths))
    ends = np.zeros(sum(lengths), bool)
    ends[np.cumsum(lengths) - 1] = True
    starts = np.cumsum([0, *lengths[:-1]])
    alone = []
    for start, length in zip(starts, lengths, strict=True):
        part = slice(start, start + length)
        alone += advantages(reward[part], value[part], [0] * (length - 1) + [1], 0.9, 0.7)
    assert advantages(reward, value, ends, 0.9, 0.7) == pytest.approx(alone)


def total(ratio: list[float], advantage: list[float], clip: float = 0.2, dual: float = 3.0) -> float:
    a = torch.tensor(advantage)
    return clipped_loss(torch.tensor(ratio).log(), a.clamp(min=0), a.clamp(max=0), clip, dual).item()


def test_clipped_loss_by_hand():
    # min(1.5, 1.2) + min(0.5, 0.8) + min(-1.5, -1.2) + min(-0.5, -0.8)
    expected = -(1.2 + 0.5 - 1.5 - 0.8)
    assert total([1.5, 0.5, 1.5, 0.5], [1.0, 1.0, -1.0, -1.0]) == pytest.approx(expected)


def test_what_others_made_likelier_counts_against_itself_only_so_much():
    assert total([5.0], [-2.0]) == pytest.approx(6.0)
    assert total([5.0], [-2.0], dual=100.0) == pytest.approx(10.0)
    assert total([5.0], [2.0]) == pytest.approx(-2.4)


def test_the_summed_loss_is_that_of_the_samples_and_so_is_its_gradient():
    rng = np.random.default_rng(1)
    pairs, samples = 12, 400
    pair, advantage = rng.integers(pairs, size=samples), rng.normal(size=samples)
    spread = torch.from_numpy(rng.normal(0, 0.8, pairs))
    one, other = (spread.clone().requires_grad_() for _ in range(2))
    ratio, a = one.exp()[torch.from_numpy(pair)], torch.from_numpy(advantage)
    plain = torch.minimum(ratio * a, ratio.clamp(0.8, 1.2) * a)
    single = -torch.where(a < 0, torch.maximum(plain, 3.0 * a), plain).sum()

    def sums(values):
        return torch.from_numpy(np.bincount(pair, values, pairs))

    summed = clipped_loss(other, sums(np.maximum(advantage, 0)), sums(np.minimum(advantage, 0)), 0.2, 3.0)
    assert summed.item() == pytest.approx(single.item())
    single.backward()
    summed.backward()
    torch.testing.assert_close(one.grad, other.grad)


def codes_of(*actions: tuple[int, ...]) -> np.ndarray:
    return pack(np.array(actions, np.int64))


def test_actions_are_packed_without_loss():
    actions = np.random.default_rng(0).integers(0, 256, (50, 7))
    actions[:, 0] %= 100
    assert (unpack(pack(actions)) == actions).all()
    assert codes_of((0,) * 7).tolist() == [0]


def test_shared_work_gives_the_same_scores_as_one_by_one():
    net = network()
    rng = np.random.default_rng(0)
    nodes: list[Node] = [(0,), (1,), (2,), (0, 1), (0, 3), (2, 0), (3, 0, 1)]
    node = rng.integers(len(nodes), size=60)
    calls = np.stack([rng.integers(1, 4, 60), *(np.full(60, g) for g in (0, 1, 1, 2, 0, 2))], axis=1)
    code = np.where(rng.random(60) < 0.3, 0, pack(calls))
    pairs = make_pairs(nodes, node, code, VIEWS, FORMS)
    assert len(pairs.views) == 4
    assert pairs.count == 9  # the nodes, and what comes before them
    together = evaluate(net, pairs)
    for i in range(60):
        alone = evaluate(
            net, make_pairs([nodes[node[i]]], np.zeros(1, np.int64), code[i : i + 1], VIEWS, FORMS)
        )
        for whole, single in zip(together, alone, strict=True):
            assert torch.allclose(whole[i], single[0], atol=1e-5)


def test_each_beginning_of_an_action_is_scored_once():
    """Five actions on one view: a HALT and four calls, of two modules, three first reads and three second ones."""
    calls = [(1, 0, 1, 1, 2, 0, 2), (1, 0, 1, 1, 2, 0, 1), (1, 0, 2, 1, 2, 0, 2), (2, 0, 1, 1, 2, 0, 2)]
    actions = np.array([(0,) * 7, *calls], np.int64)
    pairs = make_pairs(NODES[:1], np.zeros(5, np.int64), pack(actions), VIEWS, FORMS)
    assert pairs.tree.calls.tolist() == [1, 2, 3, 4]
    assert [len(fork.parent) for fork in pairs.tree.spans] == [2, 3, 3]
    assert [fork.row.tolist() for fork in pairs.tree.spans] == [[0, 0, 0, 1], [0, 0, 1, 2], [0, 0, 1, 2]]
    halts = make_pairs(NODES[:1], np.zeros(1, np.int64), pack(actions[:1]), VIEWS, FORMS)
    assert [len(fork.parent) for fork in halts.tree.spans] == [0, 0, 0]
    assert all(torch.isfinite(part).all() for part in evaluate(network(), halts))


def wanted(node: np.ndarray) -> np.ndarray:
    """The trivial task: each view has its own right module."""
    return node % 3 + 1


def attempts(net: ControllerModule, rng: np.random.Generator, count: int) -> Decisions:
    policy = Policy(net.config, net.tensors(), FORMS, VIEWS)
    node = np.arange(count) % 4
    code = policy.draw(NODES, node, rng)
    reward = np.where(unpack(code)[:, 0] == wanted(node), 1.0, -1.0)
    everyone = np.ones(count, bool)
    return Decisions(NODES, node, code, everyone, reward, everyone, np.zeros(count))


def greedy(net: ControllerModule) -> np.ndarray:
    return unpack(Policy(net.config, net.tensors(), FORMS, VIEWS).draw(NODES, np.arange(4), None))


def test_ppo_learns_a_trivial_task():
    net = network(seed=3)
    learner = PPO(net, PPOConfig(learning_rate=5e-3), FORMS)
    rng = np.random.default_rng(0)
    right = wanted(np.arange(4)).tolist()
    assert greedy(net)[:, 0].tolist() != right
    for _ in range(100):
        figures = learner.update(attempts(net, rng, 128), VIEWS)
    assert greedy(net)[:, 0].tolist() == right
    assert set(figures) >= {"entropy", "kl", "clip_fraction", "explained_variance"}
    assert all(np.isfinite(list(figures.values())))


def test_without_its_gradient_own_attempts_teach_the_value_alone():
    net = network(seed=3)
    learner = PPO(net, PPOConfig(learning_rate=5e-3, enabled=False), FORMS)
    before, rng = greedy(net)[:, 0].tolist(), np.random.default_rng(0)
    for _ in range(40):
        figures = learner.update(attempts(net, rng, 64), VIEWS)
    assert greedy(net)[:, 0].tolist() != wanted(np.arange(4)).tolist()
    assert figures["entropy"] > 1.0
    assert before != wanted(np.arange(4)).tolist()


def test_an_update_ends_where_the_policy_has_changed_enough(monkeypatch):
    steps: dict[float, int] = {}
    for most_change in (0.001, 1e9):
        net = network(seed=3)
        learner = PPO(net, PPOConfig(learning_rate=2e-2, epochs=10, most_change=most_change), FORMS)
        taken: list[float] = []
        step = learner._step
        monkeypatch.setattr(learner, "_step", lambda loss, s=step, t=taken: (t.append(0.0), s(loss)))
        figures = learner.update(attempts(net, np.random.default_rng(0), 64), VIEWS)
        steps[most_change] = len(taken)
    assert 1 <= steps[0.001] < steps[1e9] == 10
    assert figures["kl"] > 0.001


def guided(actions: np.ndarray, reward: float) -> Decisions:
    """Guided actions beside own attempts at HALT that fail."""
    count = len(actions)
    node = np.concatenate([np.arange(count), np.arange(count)])
    code = np.concatenate([pack(actions), np.zeros(count, np.int64)])
    is_own = np.arange(2 * count) >= count
    everyone = np.ones(2 * count, bool)
    return Decisions(NODES, node, code, everyone, np.where(is_own, -1.0, reward), is_own, np.zeros(2 * count))


def test_guided_attempts_teach_where_they_are_better_than_own_ones():
    actions = np.array([(m, 0, 1, 2, 3, 0, 3) for m in wanted(np.arange(4))])
    for reward, learned in ((1.0, True), (-1.0, False)):
        net = network(seed=3)
        learner = PPO(net, PPOConfig(learning_rate=5e-3, enabled=False), FORMS)
        for _ in range(30):
            learner.update(guided(actions, reward), VIEWS)
        assert (greedy(net).tolist() == actions.tolist()) == learned


def test_self_imitation_learns_a_trivial_task():
    net = network(seed=3)
    learner = PPO(net, PPOConfig(learning_rate=5e-3), FORMS)
    actions = np.array([(m, 0, 1, 2, 3, 0, 3) for m in wanted(np.arange(4))])
    found = [(node, int(code), 1.0) for node, code in zip(NODES, pack(actions), strict=True)]
    for _ in range(40):
        learner.imitate(found, VIEWS)
    assert greedy(net).tolist() == actions.tolist()


def test_unclear_decisions_become_clear_and_clear_ones_stay():
    net = network(seed=3)
    learner = PPO(net, PPOConfig(learning_rate=5e-3), FORMS)
    actions = np.array([(m, 0, 1, 2, 3, 0, 3) for m in wanted(np.arange(4))])
    codes = [int(code) for code in pack(actions)]
    found = list(zip(NODES, codes, strict=True))
    for _ in range(40):
        learner.imitate([(node, code, 1.0) for node, code in found[1:]], VIEWS)
    pairs = make_pairs(NODES, np.arange(4), np.array(codes), VIEWS, FORMS)

    def doubts() -> np.ndarray:
        with torch.no_grad():
            return (1 - evaluate(net, pairs)[1].exp()).numpy()

    before = doubts()
    least = int(before.argmax())  # the one that was never repeated
    assert least == 0
    learner.clarify(found, VIEWS, passes=60, most=1)
    assert doubts()[0] < min(0.1, before[0] / 2)
    learner.clarify(found, VIEWS, passes=60)
    assert doubts().max() < 0.1
    assert greedy(net).tolist() == actions.tolist()
