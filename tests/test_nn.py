"""The networks: numpy and PyTorch choose alike, and a choice is scored as it was made."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
import torch

from reckoner.alphabet import Perception
from reckoner.nn import forward
from reckoner.nn.config import ACTION, HALT, SPANS, ControllerConfig, TranscriberConfig
from reckoner.nn.modules import ControllerModule, TranscriberModule
from reckoner.nn.tree import Tree, grow
from reckoner.skills.base import Recollection, SkillSpec
from reckoner.skills.forms import open_modules
from reckoner.skills.interactive import InteractiveSkill, pick_best, upper
from reckoner.training.policy import Policy
from reckoner.training.world import unpack

torch.set_num_threads(1)
FOVEAL = Perception(fovea=2)
SPEC = SkillSpec("skill", "{x},{y}", ".*", ".*", ("a", "b", "c"), FOVEAL)
CALLEES = (
    SkillSpec("a", "{x},{y}", r"\d+", r"\d*[01]"),
    SkillSpec("b", "{x}{y}", r"-?\d+", ""),
    SkillSpec("c", "{x}", r"[-+(),\d]*", ""),
)
Both = tuple[ControllerModule, forward.Controller]
TOP = 1e6  # beyond it a margin is that over what may not be chosen


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


def skill_of(network: forward.Controller) -> InteractiveSkill:
    return InteractiveSkill(SPEC, network.config, network.tensors, CALLEES)


def random_views(rng: np.random.Generator, count: int, longest: int = 14) -> list[bytes]:
    """Views of memories of random text."""
    texts = ["".join(rng.choice(list("0123456789,-+("), rng.integers(0, longest))) for _ in range(count)]
    return [FOVEAL.view(text.encode()).tokens for text in texts]


def run_torch(module: ControllerModule, views: list[bytes], hidden: np.ndarray) -> tuple[Any, Any, Any]:
    """States, keys and gap counts by PyTorch."""
    encoded = module.encode(views)
    return module.advance(encoded.summary, torch.from_numpy(hidden)), encoded.keys, encoded.gaps


def run_numpy(network: forward.Controller, views: list[bytes], hidden: np.ndarray) -> tuple[Any, Any, Any]:
    encoded = network.encode(views)
    return network.advance(encoded.summary, hidden), encoded.keys, encoded.gaps


def masks_of(skill: InteractiveSkill, views: list[bytes]) -> tuple[Any, Any, Any]:
    """Which modules, reads (of each module) and writes may be chosen, padded."""
    single = [skill.forms.masks(view) for view in views]
    gaps = max(m.shape[2] for m in single)
    reads = np.zeros((len(views), 1 + len(SPEC.calls), 2, gaps, gaps), np.bool_)
    writes = np.zeros((len(views), gaps, gaps), np.bool_)
    for i, m in enumerate(single):
        size = m.shape[2]
        reads[i, :, :, :size, :size] = m
        writes[i, :size, :size] = upper(size)
    return torch.from_numpy(open_modules(reads)), torch.from_numpy(reads), torch.from_numpy(writes)


def tree_of(actions: Any, masks: Any, state: list[int] | None = None) -> Tree:
    """Actions, each in a state of its own if nothing else is said; state n is on view n."""
    views = np.arange(len(masks[0]))
    return grow(
        views if state is None else np.array(state), views, actions.numpy(), *(m.numpy() for m in masks)
    )


def best_of(scores: Any, allowed: Any) -> tuple[Any, Any, Any]:
    """Column, log-probability and margin of the best, by the definition."""
    logs = torch.log_softmax(scores.masked_fill(~allowed, -torch.inf), dim=-1)
    two = torch.cat([logs, torch.full((len(logs), 1), -torch.inf)], dim=1).topk(2).values
    return logs.argmax(-1), two[:, 0], two[:, 0] - two[:, 1]


def torch_greedy(module: ControllerModule, state: Any, keys: Any, masks: Any) -> tuple[Any, Any, Any]:
    """The greedy actions, log-probabilities and smallest margins, written out once more with PyTorch."""
    modules, reads, writes = masks
    rows, gaps = torch.arange(len(state)), keys.shape[1]
    decoder = torch.tanh(module.state(state))
    chosen, log_probability, margin = best_of(
        module.select(decoder) @ module.modules_embedding.weight.T, modules
    )
    calls, columns = chosen != HALT, [chosen]
    said = module.modules_embedding(chosen)
    for k in range(len(SPANS)):
        decoder = module.decoder(said + module.roles.weight[k], decoder)
        first = (keys * module.starts(decoder)[:, None]).sum(-1)
        last = (keys * module.ends(decoder)[:, None]).sum(-1)
        allowed = reads[rows, chosen, k] if k < 2 else writes
        column, log, lead = best_of((first[:, :, None] + last[:, None]).flatten(1), allowed.flatten(1))
        log_probability = torch.where(calls, log_probability + log, log_probability)
        margin = torch.where(calls, torch.minimum(margin, lead), margin)
        a, b = column // gaps, column % gaps
        columns += [a * calls, b * calls]
        said = module.span(torch.cat([keys[rows, a], keys[rows, b]], dim=1))
    return torch.stack(columns, 1), log_probability, margin


@pytest.mark.parametrize("positional", [False, True])
@pytest.mark.parametrize("hidden", [24, 64])
@torch.no_grad()
def test_numpy_and_pytorch_make_the_same_greedy_choices(hidden, positional):
    rng = np.random.default_rng(hidden)
    for seed in range(2):
        module, network = make(hidden, positional=positional, seed=seed)
        skill = skill_of(network)
        views = random_views(rng, 400)
        state = rng.normal(0, 0.5, (len(views), hidden)).astype(np.float32)
        ours, theirs = run_numpy(network, views, state), run_torch(module, views, state)
        for mine, other in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(mine, other.numpy(), atol=2e-4)
        masks = masks_of(skill, views)
        expected, log_probability, margin = torch_greedy(module, theirs[0], theirs[1], masks)
        requests = [(Recollection(h, 0), view) for h, view in zip(state, views, strict=True)]
        decided = skill.decide(requests)
        clear = margin.numpy() > 5e-3
        assert clear.mean() > 0.9
        assert (np.array([d.choice for d in decided]) == expected.numpy())[clear].all()
        probability = np.array([d.probability for d in decided])
        np.testing.assert_allclose(probability[clear], log_probability.exp().numpy()[clear], atol=2e-3)
        lead = np.minimum([d.margin for d in decided], TOP)
        np.testing.assert_allclose(lead[clear], margin.clamp(max=TOP).numpy()[clear], atol=5e-3)
        scored, _ = module.score(theirs[0], theirs[1], tree_of(expected, masks))
        torch.testing.assert_close(scored, log_probability, atol=1e-4, rtol=1e-4)
        plain = torch_greedy(
            module, theirs[0], theirs[1], (masks[0], masks[2][:, None, None].expand_as(masks[1]), masks[2])
        )
        assert (plain[0] != expected).any()  # the masks made a difference
        assert {0, 1, 2, 3} >= set(expected[:, 0].tolist()) > {0}


def test_scores_agree_part_by_part():
    module, network = make(scale=1.0)
    views = random_views(np.random.default_rng(1), 50)
    state, _keys, _ = run_numpy(network, views, np.zeros((50, 24), np.float32))
    decoder, scores = network.begin(state)
    with torch.no_grad():
        first = torch.tanh(module.state(torch.from_numpy(state)))
        np.testing.assert_allclose(decoder, first, atol=1e-5)
        theirs = module.select(first) @ module.modules_embedding.weight.T
        np.testing.assert_allclose(scores, theirs, atol=1e-4)
        np.testing.assert_allclose(
            network.values(state), module.values(torch.from_numpy(state)).numpy(), atol=1e-5
        )


def all_actions(gaps: int, modules: int) -> np.ndarray:
    """HALT and every call without regard to form."""
    spans = [(a, b) for a in range(gaps) for b in range(a, gaps)]
    calls = [(m, *r, *s, *w) for m in range(1, 1 + modules) for r, s, w in product(spans, repeat=3)]
    return np.array([(0,) * ACTION, *calls])


@torch.no_grad()
def test_drawn_actions_have_the_probabilities_that_pytorch_scores():
    """Over all actions of a view they sum to 1, and the policy draws each as often as that."""
    for text, seed in ((b"1", 0), (b"-", 1)):
        module, network = make(scale=1.0, seed=seed)
        skill = skill_of(network)
        view = FOVEAL.view(text).tokens
        policy = Policy(network.config, network.tensors, skill.forms, [view])
        actions = torch.from_numpy(all_actions(len(view) - 1, 3))
        state, keys, _ = run_torch(module, [view], np.zeros((1, 24), np.float32))
        logs, _ = module.score(state, keys, tree_of(actions, masks_of(skill, [view]), [0] * len(actions)))
        probability = logs.exp().numpy()
        assert abs(probability.sum() - 1) < 1e-4
        count = 20_000
        drawn = unpack(policy.draw([(0,)], np.zeros(count, np.int64), np.random.default_rng(0)))
        found = {
            tuple(a): n / count for a, n in zip(*np.unique(drawn, axis=0, return_counts=True), strict=True)
        }
        share = np.array([found.pop(tuple(a), 0.0) for a in actions.tolist()])
        assert not found
        assert np.abs(share - probability).max() < 5 * np.sqrt(0.25 / count)
        assert (share[probability < 1e-8] == 0).all()
        assert 5 < (share > 0).sum() < len(actions)


def test_halt_counts_no_pointers():
    """Log-probability and entropy of a HALT are those of the module choice alone."""
    module, network = make(scale=1.0)
    views = random_views(np.random.default_rng(3), 200)
    state, keys, _ = run_torch(module, views, np.zeros((200, 24), np.float32))
    modules, _, writes = masks = masks_of(skill_of(network), views)
    scores = module.select(torch.tanh(module.state(state))) @ module.modules_embedding.weight.T
    exact = torch.distributions.Categorical(logits=scores.masked_fill(~modules, -1e9))
    halts = torch.zeros((200, ACTION), dtype=torch.long)
    log_probability, entropy = module.score(state, keys, tree_of(halts, masks))
    torch.testing.assert_close(log_probability, exact.log_prob(torch.tensor(HALT)))
    torch.testing.assert_close(entropy, exact.entropy())
    calls = halts.clone()
    calls[:, 0] = 3  # takes anything, nothing included
    log_call, entropy_call = module.score(state, keys, tree_of(calls, masks))
    several = writes.sum((1, 2)) > 1  # with a single gap the pointers have no choice
    assert (log_call < exact.log_prob(torch.tensor(3)))[several].all()
    assert (entropy_call > exact.entropy())[several].all()
    torch.testing.assert_close(entropy_call[~several], exact.entropy()[~several])


def test_a_halt_trains_no_pointer_and_a_call_does():
    module, network = make(scale=1.0)
    views = random_views(np.random.default_rng(4), 20)
    actions = torch.zeros((20, ACTION), dtype=torch.long)
    masks = masks_of(skill_of(network), views)
    for first, trained in ((HALT, False), (3, True)):
        actions[:, 0] = first
        module.zero_grad()
        state, keys, _ = run_torch(module, views, np.zeros((20, 24), np.float32))
        log_probability, entropy = module.score(state, keys, tree_of(actions, masks))
        (log_probability.sum() + entropy.sum()).backward()
        gradient = module.decoder.weight_hh.grad
        assert gradient is not None
        assert bool(gradient.abs().sum() > 0) == trained


def test_what_is_barred_is_never_chosen_and_pulls_no_gradient():
    module, network = make(scale=1.0)
    views = [FOVEAL.view(b",").tokens] * 2  # nothing there for a and b
    skill = skill_of(network)
    masks = masks_of(skill, views)
    assert masks[0].tolist() == [[True, False, False, True]] * 2
    state, keys, _ = run_torch(module, views, np.zeros((2, 24), np.float32))
    halts = torch.zeros((2, ACTION), dtype=torch.long)
    log_probability, _ = module.score(state, keys, tree_of(halts, masks))
    log_probability.sum().backward()
    gradient = module.modules_embedding.weight.grad
    assert gradient is not None
    assert (gradient.abs().sum(1) > 0).tolist() == [True, False, False, True]


def test_the_best_column_and_its_lead_by_hand():
    picked = pick_best(np.array([[1.0, 3.0, 2.5], [0.0, forward.BARRED, forward.BARRED]], np.float32))
    assert picked.column.tolist() == [1, 0]
    total = np.exp([-2, 0, -0.5]).sum()
    np.testing.assert_allclose(picked.log_probability, [-np.log(total), 0.0], atol=1e-6)
    assert picked.margin[0] == pytest.approx(0.5)
    assert picked.margin[1] > TOP


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
    state, keys, _ = run_numpy(network, views, np.zeros((50, 24), np.float32))
    skill = skill_of(network)
    decided = skill.decide([(skill.root, view) for view in views])
    assert np.isfinite(keys).all()
    assert all(d.probability is not None and 0 <= d.probability <= 1 and d.margin >= 0 for d in decided)
    assert np.abs(state).max() <= 1
    with torch.no_grad():
        np.testing.assert_allclose(
            state, run_torch(module, views, np.zeros((50, 24), np.float32))[0], atol=1e-3
        )


def test_a_skill_decides_the_same_in_large_and_small_batches():
    """Requests are sorted and cut for speed; each still gets its own decision, and after two calls none."""
    _, network = make()
    skill = skill_of(network)
    rng = np.random.default_rng(8)
    views = random_views(rng, 400) * 2
    pasts = [Recollection(rng.normal(0, 1, 24).astype(np.float32), i % 3) for i in range(len(views))]
    requests = list(zip(pasts, views, strict=True))
    together = skill.decide(requests)
    assert [d.recollection.depth for d in together] == [1 + i % 3 for i in range(len(views))]
    late = [d.choice for i, d in enumerate(together) if i % 3 == skill.config.calls]
    assert set(late) == {(HALT,) * ACTION}
    assert len({d.choice for d in together}) > 20
    differing = 0
    for request, decision in zip(requests[::7], together[::7], strict=True):
        (alone,) = skill.decide([request])
        differing += alone.choice != decision.choice
        np.testing.assert_allclose(alone.recollection.hidden, decision.recollection.hidden, atol=1e-5)
        assert alone.margin == pytest.approx(decision.margin, abs=1e-3)
        assert all(g < len(request[1]) - 1 for g in decision.choice[1:])
    assert differing == 0


@torch.no_grad()
def test_transcribers_agree():
    torch.manual_seed(0)
    module = TranscriberModule(TranscriberConfig(hidden=20, embedding=8))
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
