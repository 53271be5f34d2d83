"""Basic skills: cross-entropy until every entry of the table is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from reckoner.nn.config import TranscriberConfig
from reckoner.nn.forward import pad
from reckoner.nn.modules import TranscriberModule
from reckoner.skills.base import BASIC_IDS, SkillSpec
from reckoner.skills.basic import BasicSkill, encode_message
from reckoner.skills.storage import round_to_half
from reckoner.training.adam import Adam

Entry = tuple[bytes, bytes, bytes]  # x, y, answer


def _targets(answers: Sequence[bytes], lengths: Sequence[int]) -> Tensor:
    """Answers at the right end of each message, blanks (0) before: the units digit is then where all was read."""
    rows = np.zeros((len(answers), max(lengths)), np.int64)
    for i, (answer, length) in enumerate(zip(answers, lengths, strict=True)):
        rows[i, length - len(answer) : length] = [BASIC_IDS[c] for c in answer]
    return torch.from_numpy(rows)


def train_basic(
    spec: SkillSpec,
    table: Sequence[Entry],
    seed: int,
    config: TranscriberConfig | None = None,
    most_epochs: int = 2000,
) -> tuple[BasicSkill, int]:
    """Learn a table by heart; returns the frozen skill and how many epochs it took."""
    torch.manual_seed(seed)
    network = TranscriberModule(replace(config or TranscriberConfig(), symbols=spec.symbols))
    optimizer = Adam(network.parameters(), 5e-3)  # rate and batches of 128 are chosen here
    probe = BasicSkill(spec, network.tensors())
    memories = [probe.lay_out(x, y) for x, y, _ in table]
    answers = [a for _, _, a in table]
    padded, counts = pad([encode_message(m) for m in memories])
    tokens, lengths = torch.from_numpy(padded), torch.from_numpy(counts)
    targets = _targets(answers, counts.tolist())
    inside = torch.arange(tokens.shape[1]) < lengths[:, None]
    for epoch in range(1, most_epochs + 1):
        for rows in torch.randperm(len(table)).split(128):
            scores = network(tokens[rows], lengths[rows])
            loss = functional.cross_entropy(scores[inside[rows]], targets[rows][inside[rows]])
            loss.backward()
            optimizer.step()
        if epoch % 5 == 0:
            skill = BasicSkill(spec, round_to_half(network.tensors()))
            if skill.answer(memories) == answers:
                return skill, epoch
    raise RuntimeError(f"basic skill {spec.name!r} did not learn its table in {most_epochs} epochs")
