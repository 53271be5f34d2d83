"""A small decoder-only transformer, as people would try it now: question, END, answer with the units digit first, END.

Positions are none at all (Haviv and others, 2022: causal attention can count), or places: a digit is told its place in
its number, counted from the units digit, as in Abacus embeddings (McLeish and others, 2024). In training places start
at a random number, so that those of longer numbers are met as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

from reckoner.baselines.base import BLANK, END, VOCABULARY, Baseline, decode, encode

DIGITS = frozenset("0123456789")


@dataclass(frozen=True)
class TransformerConfig:
    """Sizes, chosen here for one core."""

    size: int = 64
    layers: int = 3
    heads: int = 4
    positions: Literal["places", "none"] = "places"
    places: int = 128  # that can be told apart
    farthest: int = 24  # random start of places in training
    longest: int = 110  # characters of an answer before the decoder is stopped


class _Block(nn.Module):
    """Causal attention, then a hidden layer four times as wide, both on normalised input."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        size = config.size
        self.heads = config.heads
        self.before_attention, self.before_hidden = nn.LayerNorm(size), nn.LayerNorm(size)
        self.queries_keys_values, self.joined = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.wide, self.narrow = nn.Linear(size, 4 * size), nn.Linear(4 * size, size)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, size = x.shape
        parts = self.queries_keys_values(self.before_attention(x))  # B, L, 3S
        parts = parts.view(batch, length, 3, self.heads, size // self.heads).permute(2, 0, 3, 1, 4)
        queries, keys, values = parts.unbind()
        seen = functional.scaled_dot_product_attention(
            queries, keys, values, is_causal=True
        )  # B, heads, L, S/heads
        x = x + self.joined(seen.transpose(1, 2).reshape(batch, length, size))
        hidden: Tensor = x + self.narrow(functional.gelu(self.wide(self.before_hidden(x))))
        return hidden


class Transformer(Baseline):
    """Blocks over the question and the answer so far."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(VOCABULARY, config.size)
        self.place = nn.Embedding(config.places, config.size) if config.positions == "places" else None
        for table in (self.embedding, self.place):
            if table is not None:
                nn.init.normal_(table.weight, std=0.1)
        self.blocks = nn.ModuleList(_Block(config) for _ in range(config.layers))
        self.last = nn.LayerNorm(config.size)
        self.output = nn.Linear(config.size, VOCABULARY)

    def attempt(self, questions: Sequence[str], answers: Sequence[str]) -> tuple[Tensor, list[bool]]:
        """Teacher forcing: the answer so far is given. If every symbol is then right, greedy decoding is too."""
        texts = [answer[::-1] for answer in answers]
        scores, starts = self._scores(questions, texts)
        target = torch.full(scores.shape[:2], BLANK)
        for row, (start, symbols) in enumerate(zip(starts, encode(texts, end=True), strict=True)):
            symbols = symbols[symbols != BLANK]
            target[row, start : start + len(symbols)] = symbols
        loss = functional.cross_entropy(scores.flatten(0, 1), target.flatten(), ignore_index=BLANK)
        return loss, ((scores.argmax(-1) == target) | (target == BLANK)).all(1).tolist()

    @torch.no_grad()
    def answer(self, questions: Sequence[str]) -> list[str]:
        """Greedy decoding, without remembering what was computed for the symbol before."""
        written = [""] * len(questions)
        is_done = [False] * len(questions)
        for _ in range(self.config.longest):
            scores, starts = self._scores(questions, written)
            for row, start in enumerate(starts):
                if not is_done[row]:
                    (symbol,) = decode(scores[row, start + len(written[row])].argmax(-1).view(1, 1))
                    is_done[row] = not symbol
                    written[row] += symbol
            if all(is_done):
                break
        return [text[::-1] for text in written]

    def _scores(self, questions: Sequence[str], written: Sequence[str]) -> tuple[Tensor, list[int]]:
        """Scores of the next symbol everywhere, and where that is the answer's first one."""
        tokens = [
            [*encode([q])[0].tolist(), END, *encode([w])[0].tolist()]
            for q, w in zip(questions, written, strict=True)
        ]
        width = max(map(len, tokens))
        x = self.embedding(torch.tensor([row + [BLANK] * (width - len(row)) for row in tokens]))  # B, L, S
        if self.place is not None:
            x = x + self.place(self._places(questions, written, width))
        for block in self.blocks:
            x = block(x)
        scores: Tensor = self.output(self.last(x))  # B, L, V
        return scores, [len(question) for question in questions]

    def _places(self, questions: Sequence[str], written: Sequence[str], width: int) -> Tensor:
        """0 for what is no digit; units are 1 (in training plus a random number, one for the whole text)."""
        rows = []
        for question, text in zip(questions, written, strict=True):
            row = [*_from_units(question), 0, *_from_units(text[::-1])[::-1]]
            rows.append(row + [0] * (width - len(row)))
        places = torch.tensor(rows)
        if self.training:
            shift = torch.randint(self.config.farthest, (len(rows), 1))
            places = torch.where(places > 0, places + shift, 0)
        return places.clamp(max=self.config.places - 1)


def _from_units(text: str) -> list[int]:
    """Each digit's place in its number, the units digit's being 1; 0 for all else."""
    places: list[int] = []
    for is_number, run in groupby(text, key=DIGITS.__contains__):
        length = len(list(run))
        places += range(length, 0, -1) if is_number else [0] * length
    return places
