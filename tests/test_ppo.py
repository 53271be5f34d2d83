"""PPO proves itself: advantages against a closed form, the clipped loss by hand, a trivial task learned."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from reckoner.alphabet import Perception
from reckoner.nn.config import ControllerConfig
from reckoner.nn.modules import ControllerModule
from reckoner.skills.base import Choice
from reckoner.training.ppo import PPO, PPOConfig, Trajectory, clipped_loss, collate, evaluate, gae, returns

SEES = Perception(fovea=0)
VIEWS = [SEES.view(m).tokens for m in (b"1,2", b"-1,2", b"1,-2", b"-1,-2")]


def network(seed: int = 0, hidden: int = 16) -> ControllerModule:
    torch.manual_seed(seed)
    return ControllerModule(ControllerConfig(SEES.vocabulary, 3, hidden, embedding=8))


def test_advantages_are_returns_minus_values_without_decay():
    rewards, values, discount = [0.0, -0.05, 1.0], [0.3, 0.1, -0.2], 0.9
    exact = [
        0.0 + 0.9 * -0.05 + 0.81 * 1.0 - 0.3,
        -0.05 + 0.9 * 1.0 - 0.1,
        1.0 + 0.2,
    ]
    assert gae(rewards, values, discount, 1.0) == pytest.approx(exact)
    assert [r - v for r, v in zip(returns(rewards, discount), values, strict=True)] == pytest.approx(exact)


def test_advantages_are_one_step_errors_with_full_decay():
    assert gae([0.0, 1.0], [0.5, 0.25], 0.9, 0.0) == pytest.approx([0.9 * 0.25 - 0.5, 1.0 - 0.25])


def test_advantages_in_between_by_hand():
    late = 1.0 - 0.25
    early = 0.9 * 0.25 - 0.5 + 0.9 * 0.5 * late
    assert gae([0.0, 1.0], [0.5, 0.25], 0.9, 0.5) == pytest.approx([early, late])


def test_clipped_loss_by_hand():
    ratio = torch.tensor([1.5, 0.5, 1.5, 0.5])
    advantage = torch.tensor([1.0, 1.0, -1.0, -1.0])
    # min(1.5, 1.2) + min(0.5, 0.8) + min(-1.5, -1.2) + min(-0.5, -0.8)
    expected = -(1.2 + 0.5 - 1.5 - 0.8) / 4
    assert clipped_loss(ratio.log(), advantage, 0.2).item() == pytest.approx(expected)


def test_shared_work_gives_the_same_scores_as_one_by_one():
    net = network()
    rng = np.random.default_rng(0)
    episodes = []
    for _ in range(30):
        views = [VIEWS[i] for i in rng.integers(4, size=rng.integers(1, 4))]
        choices: list[Choice] = [(int(rng.integers(1, 4)), 0, 1, 1, 2, 0, 2) for _ in views]
        choices[-1] = (0,) * 7
        episodes.append(Trajectory(views, choices, [0.0] * len(views)))
    batch = collate(episodes)
    assert len(batch.node_view) < sum(len(e.views) for e in episodes)
    values, logs, _ = evaluate(net, batch)
    start = 0
    for e in episodes:
        alone = collate([e])
        value, log, _ = evaluate(net, alone)
        rows = batch.sample_pair[start : start + len(e.views)]
        assert torch.allclose(logs[rows], log[alone.sample_pair], atol=1e-5)
        assert torch.allclose(
            values[batch.pair_node[rows]], value[alone.pair_node[alone.sample_pair]], atol=1e-5
        )
        start += len(e.views)


def wanted(view: bytes) -> int:
    """The trivial task: each view has its own right module."""
    return VIEWS.index(view) % 3 + 1


def sample_episodes(net: ControllerModule, rng: torch.Generator, count: int) -> list[Trajectory]:
    with torch.no_grad():
        views = [VIEWS[i % 4] for i in range(count)]
        encoded = net.encode(views)
        hidden = net.advance(encoded.summary, torch.zeros(count, net.config.hidden))
        actions, _, _ = net.act(hidden, encoded.keys, encoded.gaps, generator=rng)
    return [
        Trajectory([v], [tuple(a)], [1.0 if a[0] == wanted(v) else -1.0])
        for v, a in zip(views, actions.tolist(), strict=True)
    ]


def greedy_modules(net: ControllerModule) -> list[int]:
    encoded = net.encode(VIEWS)
    hidden = net.advance(encoded.summary, torch.zeros(4, net.config.hidden))
    return net.act(hidden, encoded.keys, encoded.gaps, greedy=True)[0][:, 0].tolist()


def test_ppo_learns_a_trivial_task():
    net = network(seed=3)
    learner = PPO(net, PPOConfig(learning_rate=5e-3))
    rng = torch.Generator().manual_seed(0)
    right = [wanted(v) for v in VIEWS]
    assert greedy_modules(net) != right
    for _ in range(40):
        figures = learner.update(sample_episodes(net, rng, 64), [], 0.0, np.random.default_rng(0))
    assert greedy_modules(net) == right
    assert set(figures) >= {"entropy", "kl", "clip_fraction", "explained_variance"}


def test_self_imitation_learns_a_trivial_task():
    net = network(seed=3)
    # a policy learning rate so low that PPO's own steps cannot do it in time: the kept solutions must
    learner = PPO(net, PPOConfig(learning_rate=5e-3, epochs=1))
    kept = [Trajectory([v], [(wanted(v), 0, 1, 2, 3, 0, 3)], [1.0]) for v in VIEWS]
    blank = [Trajectory([v], [(0,) * 7], [0.0]) for v in VIEWS]  # episodes that teach nothing
    for _ in range(40):
        learner.update(blank, kept, 0.0, np.random.default_rng(0))
    encoded = net.encode(VIEWS)
    hidden = net.advance(encoded.summary, torch.zeros(4, net.config.hidden))
    chosen = net.act(hidden, encoded.keys, encoded.gaps, greedy=True)[0].tolist()
    assert [tuple(c) for c in chosen] == [k.choices[0] for k in kept]
