"""The networks: numpy and PyTorch choose alike, and a choice is scored as it was made."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from reckoner.alphabet import Perception
from reckoner.nn import forward
from reckoner.nn.config import ACTION, HALT, ControllerConfig, TranscriberConfig
from reckoner.nn.modules import ControllerModule, TranscriberModule
from reckoner.skills.base import Recollection, SkillSpec
from reckoner.skills.interactive import InteractiveSkill

torch.set_num_threads(1)
FOVEAL = Perception(fovea=2)
Both = tuple[ControllerModule, forward.Controller]


def make(
    hidden: int = 24, modules: int = 3, positional: bool = False, seed: int = 0, scale: float = 2.0
) -> Both:
    """Both versions of one random network, with weights large enough for clear choices."""
    torch.manual_seed(seed)
    config = ControllerConfig(FOVEAL.vocabulary, modules, hidden, embedding=8, positional=positional)
    module = ControllerModule(config)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.mul_(scale)
    return module, forward.Controller(config, module.tensors())


def random_views(rng: np.random.Generator, count: int, longest: int = 14) -> list[bytes]:
    """Views of memories of random text."""
    texts = ["".join(rng.choice(list("0123456789,-+("), rng.integers(0, longest))) for _ in range(count)]
    return [FOVEAL.view(text.encode()).tokens for text in texts]


def run_torch(module: ControllerModule, views: list[bytes], hidden: np.ndarray) -> tuple[Any, Any, Any]:
    """Keys, states and gap counts by PyTorch."""
    encoded = module.encode(views)
    return module.advance(encoded.summary, torch.from_numpy(hidden)), encoded.keys, encoded.gaps


def run_numpy(network: forward.Controller, views: list[bytes], hidden: np.ndarray) -> tuple[Any, Any, Any]:
    encoded = network.encode(views)
    return network.advance(encoded.summary, hidden), encoded.keys, encoded.gaps


def margin(module: ControllerModule, actions: Any, state: Any, keys: Any, gaps: Any) -> np.ndarray:
    """How far ahead, at each step of the given actions, the best choice is: rounding may turn a tie."""
    smallest = torch.full((len(actions),), torch.inf)
    module_scores = module.select(torch.tanh(module.state(state))) @ module.modules_embedding.weight.T
    smallest = torch.minimum(smallest, -module_scores.topk(2).values.diff()[:, 0])
    decoder, chosen = torch.tanh(module.state(state)), module.modules_embedding(actions[:, 0])
    slot = torch.arange(keys.shape[1])
    for k in range(1, ACTION):
        decoder = module.decoder(chosen + module.roles.weight[k - 1], decoder)
        scores = torch.matmul(keys, decoder[:, :, None])[:, :, 0]
        barred = slot >= gaps[:, None]
        if k % 2 == 0:
            barred = barred | (slot < actions[:, k - 1, None])
        scores = scores.masked_fill(barred, -1e9)
        if scores.shape[1] > 1:
            smallest = torch.minimum(smallest, -scores.topk(2).values.diff()[:, 0])
        chosen = keys[torch.arange(len(actions)), actions[:, k]]
    return smallest.numpy()


@pytest.mark.parametrize("positional", [False, True])
@pytest.mark.parametrize("hidden", [24, 100])
@torch.no_grad()
def test_numpy_and_pytorch_make_the_same_greedy_choices(hidden, positional):
    rng = np.random.default_rng(hidden)
    for seed in range(2):
        module, network = make(hidden, positional=positional, seed=seed)
        views = random_views(rng, 1000)
        state = rng.normal(0, 0.5, (len(views), hidden)).astype(np.float32)
        ours, theirs = run_numpy(network, views, state), run_torch(module, views, state)
        for mine, other in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(mine, other.numpy(), atol=2e-4)
        actions, probability = network.choose(*ours)
        expected, log_probability, _ = module.act(*theirs, greedy=True)
        clear = margin(module, expected, *theirs) > 1e-3
        assert clear.mean() > 0.9
        assert (actions == expected.numpy())[clear].all()
        np.testing.assert_allclose(probability[clear], log_probability.exp().numpy()[clear], atol=2e-3)


@torch.no_grad()
def test_numpy_samples_what_pytorch_scores():
    """The probability that comes with a drawn action is the one that PPO computes for it later."""
    rng = np.random.default_rng(1)
    module, network = make(scale=1.0)
    views = random_views(rng, 2000)
    state = np.zeros((len(views), 24), np.float32)
    ours, theirs = run_numpy(network, views, state), run_torch(module, views, state)
    actions, probability = network.choose(*ours, rng)
    again, log_probability, _ = module.act(*theirs, actions=torch.from_numpy(actions))
    assert (again.numpy() == actions).all()
    np.testing.assert_allclose(np.log(probability), log_probability.numpy(), atol=1e-3)
    assert len(np.unique(actions, axis=0)) > 500


@torch.no_grad()
def test_drawn_actions_have_the_frequencies_they_should():
    _, network = make(scale=1.0, modules=2)
    view = [FOVEAL.view(b"1").tokens]
    encoded = network.encode(view)
    count = 20_000
    state = network.advance(encoded.summary, np.zeros((1, 24), np.float32)).repeat(count, 0)
    actions, probability = network.choose(
        state, encoded.keys.repeat(count, 0), encoded.gaps.repeat(count), np.random.default_rng(0)
    )
    found, where, times = np.unique(actions, axis=0, return_index=True, return_counts=True)
    assert len(found) > 5
    expected = probability[where]
    assert abs(expected.sum() - 1) < 0.01
    assert np.abs(times / count - expected).max() < 5 * np.sqrt(0.25 / count)


def valid(actions: np.ndarray, gaps: np.ndarray) -> bool:
    starts, ends = actions[:, 1::2], actions[:, 2::2]
    return bool((ends >= starts).all() and (actions[:, 1:] < gaps[:, None]).all() and (actions >= 0).all())


@torch.no_grad()
def test_ends_are_never_before_starts():
    rng = np.random.default_rng(2)
    views = random_views(rng, 1500, longest=6)
    for seed in range(3):
        module, network = make(seed=seed, scale=1.0)
        state = rng.normal(0, 1, (len(views), 24)).astype(np.float32)
        ours, theirs = run_numpy(network, views, state), run_torch(module, views, state)
        for source in (None, rng):
            assert valid(network.choose(*ours, source)[0], ours[2])
        for greedy in (True, False):
            assert valid(module.act(*theirs, greedy=greedy)[0].numpy(), ours[2])


def test_halt_counts_no_pointers():
    """Log-probability and entropy of a HALT are those of the module choice alone."""
    module, _ = make(scale=1.0)
    views = random_views(np.random.default_rng(3), 200)
    theirs = run_torch(module, views, np.zeros((200, 24), np.float32))
    scores = module.select(torch.tanh(module.state(theirs[0]))) @ module.modules_embedding.weight.T
    modules = torch.distributions.Categorical(logits=scores)
    halts = torch.zeros((200, ACTION), dtype=torch.long)
    picked, log_probability, entropy = module.act(*theirs, actions=halts)
    assert (picked == 0).all()
    torch.testing.assert_close(log_probability, modules.log_prob(torch.tensor(HALT)))
    torch.testing.assert_close(entropy, modules.entropy())
    calls = halts.clone()
    calls[:, 0] = 1
    _, log_call, entropy_call = module.act(*theirs, actions=calls)
    several = theirs[2] > 1  # with a single gap the pointers have no choice
    assert (log_call < modules.log_prob(torch.tensor(1)))[several].all()
    assert (entropy_call > modules.entropy())[several].all()
    torch.testing.assert_close(entropy_call[~several], modules.entropy()[~several])


def test_a_halt_trains_no_pointer_and_a_call_does():
    module, _ = make(scale=1.0)
    views = random_views(np.random.default_rng(4), 20)
    actions = torch.zeros((20, ACTION), dtype=torch.long)
    for first, trained in ((HALT, False), (1, True)):
        actions[:, 0] = first
        module.zero_grad()
        theirs = run_torch(module, views, np.zeros((20, 24), np.float32))
        _, log_probability, entropy = module.act(*theirs, actions=actions)
        (log_probability.sum() + entropy.sum()).backward()
        gradient = module.decoder.weight_hh.grad
        assert gradient is not None
        assert bool(gradient.abs().sum() > 0) == trained


def test_one_method_samples_picks_and_scores():
    module, _ = make(scale=1.0)
    views = random_views(np.random.default_rng(5), 300)
    theirs = run_torch(module, views, np.zeros((300, 24), np.float32))
    generator = torch.Generator().manual_seed(0)
    greedy = module.act(*theirs, greedy=True)
    drawn = module.act(*theirs, generator=generator)
    for actions, log_probability, entropy in (greedy, drawn):
        again, log_again, entropy_again = module.act(*theirs, actions=actions)
        assert torch.equal(actions, again)
        torch.testing.assert_close(log_probability, log_again)
        torch.testing.assert_close(entropy, entropy_again)
    assert not torch.equal(greedy[0], drawn[0])
    assert torch.equal(drawn[0], module.act(*theirs, generator=generator.manual_seed(0))[0])


@pytest.mark.parametrize("positional", [False, True])
@torch.no_grad()
def test_rows_of_a_batch_do_not_touch_one_another(positional):
    """Views of different length in one batch give what each gives alone, in both versions."""
    rng = np.random.default_rng(6)
    module, network = make(positional=positional, scale=1.0)
    views = [FOVEAL.view(b"").tokens, *random_views(rng, 40, longest=25)]
    state = rng.normal(0, 1, (len(views), 24)).astype(np.float32)
    runs: list[tuple[Any, Any]] = [(run_numpy, network), (run_torch, module)]
    for run, network_of in runs:
        batch = [np.asarray(part) for part in run(network_of, views, state)]
        for i, view in enumerate(views):
            alone = [np.asarray(part) for part in run(network_of, [view], state[i : i + 1])]
            gaps = len(view) - 1
            assert batch[2][i] == alone[2][0] == gaps
            np.testing.assert_allclose(batch[0][i], alone[0][0], atol=1e-5)
            np.testing.assert_allclose(batch[1][i, :gaps], alone[1][0], atol=1e-5)


def test_large_weights_do_not_overflow():
    """Saturated gates are 0 or 1, not NaN, and no warning is given."""
    module, network = make(scale=200.0)
    views = random_views(np.random.default_rng(7), 50)
    state, keys, gaps = run_numpy(network, views, np.zeros((50, 24), np.float32))
    actions, probability = network.choose(state, keys, gaps)
    assert np.isfinite(keys).all()
    assert np.isfinite(probability).all()
    assert np.abs(state).max() <= 1
    with torch.no_grad():
        np.testing.assert_allclose(
            state, run_torch(module, views, np.zeros((50, 24), np.float32))[0], atol=1e-3
        )
    assert valid(actions, gaps)


def test_a_skill_decides_the_same_in_large_and_small_batches():
    """Requests are sorted and cut for speed; each still gets its own decision."""
    _, network = make()
    spec = SkillSpec("skill", "{x},{y}", ".*", ".*", ("a", "b", "c"))
    skill = InteractiveSkill(spec, network.config, network.tensors)
    rng = np.random.default_rng(8)
    views = random_views(rng, 700) * 2
    pasts = [Recollection(rng.normal(0, 1, 24).astype(np.float32), i) for i in range(len(views))]
    requests = [(past, view, 1) for past, view in zip(pasts, views, strict=True)]
    together = skill.decide(requests)
    assert [d[0].recollection.depth for d in together] == list(range(1, len(views) + 1))
    differing = 0
    for request, (decision,) in zip(requests[::7], together[::7], strict=True):
        ((alone,),) = skill.decide([request])
        differing += alone.choice != decision.choice
        np.testing.assert_allclose(alone.recollection.hidden, decision.recollection.hidden, atol=1e-5)
        assert decision.recollection.hidden.base is None  # owns its numbers
    assert differing == 0


def test_sampled_decisions_come_in_the_numbers_asked_for():
    _, network = make(scale=1.0)
    skill = InteractiveSkill(
        SkillSpec("skill", "{x}", ".*", "", ("a", "b", "c")), network.config, network.tensors
    )
    views = random_views(np.random.default_rng(9), 600)
    counts = [1 + i % 4 for i in range(600)]
    requests = [(skill.root, view, count) for view, count in zip(views, counts, strict=True)]
    decided = skill.decide(requests, np.random.default_rng(0))
    assert [len(d) for d in decided] == counts
    for view, decisions in zip(views, decided, strict=True):
        assert all(max(d.choice[1:]) < len(view) - 1 for d in decisions)


@torch.no_grad()
def test_transcribers_agree():
    torch.manual_seed(0)
    module = TranscriberModule(TranscriberConfig(hidden=20, embedding=8), 19)
    network = forward.Transcriber(module.tensors())
    rng = np.random.default_rng(10)
    sequences = [bytes(rng.integers(1, 19, rng.integers(1, 9)).tolist()) for _ in range(500)]
    padded, lengths = forward.pad(sequences)
    scores = module(torch.from_numpy(padded), torch.from_numpy(lengths))
    expected = [row[:n].argmax(-1).tolist() for row, n in zip(scores, lengths, strict=True)]
    assert network(sequences) == expected
    assert [network([s])[0] for s in sequences[:50]] == expected[:50]


def test_tensors_go_there_and_back():
    module, _ = make(seed=1)
    other, _ = make(seed=2)
    other.load_tensors(module.tensors())
    for name, tensor in other.tensors().items():
        np.testing.assert_array_equal(tensor, module.tensors()[name])
    assert "modules.weight" in module.tensors()
