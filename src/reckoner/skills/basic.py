"""Basic skills: single-digit facts, known by a small two-way GRU that writes one character per position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, final

from reckoner.alphabet import ALPHABET
from reckoner.nn.forward import Floats, Transcriber
from reckoner.skills.base import BASIC_IDS, Answerer, SkillSpec

_CHARACTERS = b"\0" + ALPHABET.encode()
_TO_IDS = bytes(BASIC_IDS.get(c, 0) for c in range(256))


def encode_message(memory: bytes, symbols: int = len(_CHARACTERS)) -> bytes:
    """Input ids of a laid-out message; a character that a network of so many symbols does not know is a blank."""
    ids = memory.translate(_TO_IDS)
    return ids if symbols == len(_CHARACTERS) else bytes(i if i < symbols else 0 for i in ids)


@final
class BasicSkill(Answerer):
    """A frozen basic skill."""

    def __init__(self, spec: SkillSpec, tensors: Mapping[str, Floats]) -> None:
        super().__init__(spec)
        self.network = Transcriber(tensors)

    def answer(self, memories: Sequence[bytes]) -> list[bytes]:
        """The network's answer to each laid-out message."""
        outputs = self.network([encode_message(m, self.spec.symbols) for m in memories])
        return [bytes(_CHARACTERS[i] for i in row if i) for row in outputs]

    @property
    def tensors(self) -> dict[str, Any]:
        return self.network.tensors
