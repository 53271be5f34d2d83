"""What both baselines share: texts as rows of symbol numbers, and the two things a baseline can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from reckoner.alphabet import ALPHABET

BLANK, END = 0, 1  # BLANK fills rows up and follows an answer; END closes what the LSTM writes
_IDS = {character: i for i, character in enumerate(ALPHABET, start=2)}
_CHARACTERS = ("", "", *ALPHABET)
VOCABULARY = len(_CHARACTERS)


class Baseline(nn.Module, ABC):
    """A network from question to answer, both plain text."""

    @abstractmethod
    def attempt(self, questions: Sequence[str], answers: Sequence[str]) -> tuple[Tensor, list[bool]]:
        """Cross-entropy per symbol of the answers, and which of them came out right."""

    @abstractmethod
    def answer(self, questions: Sequence[str]) -> list[str]:
        """The most likely answers, symbol by symbol."""

    def disturb(self, error: float) -> None:
        """Between gradient and optimiser step: nothing, unless a network says otherwise."""

    def consolidate(self, error: float) -> None:
        """After a test that found this share of wrong answers: nothing, unless a network says otherwise."""


def encode(texts: Sequence[str], length: int | None = None, end: bool = False) -> Tensor:
    """Symbol numbers, filled up with BLANK at the right."""
    rows = [[_IDS[c] for c in text] + [END] * end for text in texts]
    width = max(map(len, rows), default=0) if length is None else length
    return torch.tensor([row + [BLANK] * (width - len(row)) for row in rows])  # B, L


def decode(rows: Tensor) -> list[str]:
    """The text before the first BLANK or END of each row."""
    texts = []
    for row in rows.tolist():
        stop = next((i for i, symbol in enumerate(row) if symbol in (BLANK, END)), len(row))
        texts.append("".join(_CHARACTERS[symbol] for symbol in row[:stop]))
    return texts
