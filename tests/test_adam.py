"""Our Adam takes the steps that PyTorch's takes, and leaves a network what it was for everybody else."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch
from torch import nn

from reckoner.training.adam import Adam

torch.set_num_threads(1)


def make() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(5, 7), nn.Tanh(), nn.Linear(7, 3))


@pytest.mark.parametrize("clip", [0.05, 1e9])
def test_steps_are_those_of_pytorch(clip):
    ours, theirs = make(), make()
    mine = Adam(ours.parameters(), 1e-2, epsilon=1e-5)
    other = torch.optim.Adam(theirs.parameters(), lr=1e-2, eps=1e-5)
    start = [p.clone() for p in ours.parameters()]
    for step in range(30):
        x = torch.randn(8, 5, generator=torch.Generator().manual_seed(step))
        mine.rate = other.param_groups[0]["lr"] = 1e-2 / (1 + step)
        ours(x).square().sum().backward()
        mine.step(clip)
        other.zero_grad()
        theirs(x).square().sum().backward()
        nn.utils.clip_grad_norm_(theirs.parameters(), clip)
        other.step()
    for p, q, before in zip(ours.parameters(), theirs.parameters(), start, strict=True):
        torch.testing.assert_close(p, q)
        assert not torch.allclose(p, before)


def test_what_is_loaded_into_the_network_is_what_is_trained():
    network = make()
    optimizer = Adam(network.parameters(), 1e-2)
    network.load_state_dict({name: torch.ones_like(value) for name, value in network.state_dict().items()})
    assert (optimizer.values == 1).all()
    network(torch.ones(1, 5)).sum().backward()
    assert optimizer.gradient.abs().sum() > 0
    optimizer.step()
    assert not optimizer.gradient.any()
    assert all((p != 1).any() for p in network.parameters())


def test_pytorchs_compiler_is_not_imported():
    code = (
        "import sys, torch; from reckoner.training.adam import Adam; n = torch.nn.Linear(2, 2); "
        "a = Adam(n.parameters(), 0.1); n(torch.ones(1, 2)).sum().backward(); a.step(); "
        "sys.exit('torch._dynamo' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
