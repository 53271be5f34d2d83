"""Sequence to sequence with LSTMs (Sutskever, Vinyals and Le, 2014).

The encoder reads the question backwards, as in that paper; its last state starts the decoder, which writes
the answer a character at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence

from reckoner.baselines.base import BLANK, END, VOCABULARY, Baseline, decode, encode


@dataclass(frozen=True)
class LSTMConfig:
    """Sizes; the paper gives none for its baselines."""

    hidden: int = 128  # chosen here: more than the 100 of the paper's own networks
    embedding: int = 32
    layers: int = 1
    longest: int = 64  # characters of an answer before the decoder is stopped


class Seq2SeqLSTM(Baseline):
    """Encoder and decoder."""

    def __init__(self, config: LSTMConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(VOCABULARY, config.embedding)
        self.encoder = nn.LSTM(config.embedding, config.hidden, config.layers, batch_first=True)
        self.decoder = nn.LSTM(config.embedding, config.hidden, config.layers, batch_first=True)
        self.output = nn.Linear(config.hidden, VOCABULARY)

    def attempt(self, questions: Sequence[str], answers: Sequence[str]) -> tuple[Tensor, list[bool]]:
        """Teacher forcing: the decoder is given the right answer so far.

        If it then picks every symbol right, greedy decoding does too, and the other way round.
        """
        target = encode(answers, end=True)  # B, L
        start = torch.full((len(answers), 1), END)
        given = self.embedding(torch.cat([start, target[:, :-1]], dim=1))  # B, L, E
        hidden, _ = self.decoder(given, self._read(questions))
        scores = self.output(hidden)  # B, L, V
        loss = functional.cross_entropy(scores.flatten(0, 1), target.flatten(), ignore_index=BLANK)
        is_right = ((scores.argmax(-1) == target) | (target == BLANK)).all(1)
        return loss, is_right.tolist()

    @torch.no_grad()
    def answer(self, questions: Sequence[str]) -> list[str]:
        """Greedy decoding."""
        state = self._read(questions)
        symbol = torch.full((len(questions), 1), END)
        is_done = torch.zeros(len(questions), dtype=torch.bool)
        written = []
        for _ in range(self.config.longest):
            hidden, state = self.decoder(self.embedding(symbol), state)
            symbol = self.output(hidden).argmax(-1)  # B, 1
            written.append(symbol)
            is_done |= symbol[:, 0] == END
            if is_done.all():
                break
        return decode(torch.cat(written, dim=1))

    def _read(self, questions: Sequence[str]) -> tuple[Tensor, Tensor]:
        """The encoder's state after each question."""
        tokens = encode([q[::-1] for q in questions])
        lengths = torch.tensor([max(1, len(q)) for q in questions])
        packed = pack_padded_sequence(self.embedding(tokens), lengths, batch_first=True, enforce_sorted=False)
        state: tuple[Tensor, Tensor] = self.encoder(packed)[1]
        return state
