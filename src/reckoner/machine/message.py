"""Messages: what a caller reads for its callee, `x|y` when it is one text."""

from __future__ import annotations

from reckoner.alphabet import ALPHABET
from reckoner.skills.base import BAR, Skill

_CHARACTERS = ALPHABET.encode()


def join(x: bytes, y: bytes) -> bytes:
    """The message as one text."""
    return x + BAR + y


def split(message: bytes) -> tuple[bytes, bytes]:
    """The two reads of a message."""
    x, _, y = message.partition(BAR)
    return x, y


def is_accepted(skill: Skill, x: bytes, y: bytes) -> bool:
    """Whether the skill takes the message; no memory holds other characters than the alphabet's."""
    return not (x + y).translate(None, _CHARACTERS) and skill.is_accepted(x, y)


def is_memory(text: bytes) -> bool:
    """Whether a memory could hold this text."""
    return not text.translate(None, _CHARACTERS)
