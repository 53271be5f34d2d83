"""Characters, and views: what a controller sees of a memory.

A memory is a byte string over ALPHABET. A *view* is a short sequence of token ids with the map from
its visible gaps to real gaps of the memory. Two perceptions exist: `characters` (the paper's: every
character is its own token) and `foveal` (digits look alike and long numbers are elided, so that a
7-digit and a 7,000-digit number give literally the same view).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

DIGITS = "0123456789"
SIGNS = ",-+*/%()"
LATER = ".^"  # came when skills were frozen that have no ids for them: theirs stand behind all others
ALPHABET = DIGITS + SIGNS + LATER

PAD, BEGIN, END = 0, 1, 2  # ids shared by both perceptions; BEGIN and END frame every view
ELIDED, REST = 3, 4  # foveal only: the inside of a long number; the rest of the memory
_FIRST_FREE = 5

CHARACTER_IDS = {ord(c): i for i, c in enumerate(ALPHABET, start=_FIRST_FREE)}
_ALIKE = bytes.maketrans(
    bytes(CHARACTER_IDS[ord(d)] for d in DIGITS), bytes([CHARACTER_IDS[ord("0")]]) * len(DIGITS)
)
SIGN_IDS = {ord(c): i for i, c in enumerate(SIGNS, start=_FIRST_FREE)}  # not those of LATER
_NUMBER = _FIRST_FREE + len(SIGNS)  # first id of the digit tokens (with fovea 0: a whole number)

MOST_FOVEA = 14  # 13 + (14 + 1)² + 2 ids are the most that fit into a byte

_DIGIT_CODES = frozenset(DIGITS.encode())
_MASK = bytes.maketrans(b"123456789", b"0" * 9)
_PIECES = re.compile(rb"[0-9]+|[^0-9]")
# reading an expression: a minus that cannot be an operator belongs to its number
_READ_PIECES = re.compile(rb"(?<![0-9)])-[0-9]+|[0-9]+|[^0-9]")
_BRACKETED = re.compile(rb"\(-?[0-9]+\)")
# … and with decimals the point and what follows does, too
_READ_DECIMALS = re.compile(rb"(?<![0-9)])-[0-9]+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?|[^0-9]")
_BRACKETED_DECIMAL = re.compile(rb"\(-?[0-9]+(?:\.[0-9]+)?\)")
_SYMBOLS = re.compile(rb"[0-9.]+|[^0-9.]")


class View(NamedTuple):
    """What the controller sees: token ids (framed by BEGIN and END) and the real gap of each visible gap."""

    tokens: bytes
    gaps: tuple[int, ...]


@dataclass(frozen=True)
class Perception:
    """How a skill looks at its memory. Chosen here, not by the paper, except kind `characters`."""

    kind: Literal["foveal", "characters"] = "foveal"
    fovea: int = 2  # digits visible at each end of a number (C); 0 shows a number as one token
    # for reading expressions: how many numbers are visible before the rest is elided (with fovea 0 each with its
    # sign); reading stops at a bracket too, or behind it if it holds just a number
    reach: int | None = None
    decimals: bool = False  # whether LATER is seen; with a reach, a number is one symbol with its decimals

    def __post_init__(self) -> None:
        """Token ids are bytes, so only few digits can be told apart."""
        if self.kind not in ("foveal", "characters"):
            raise ValueError(f"there is no perception {self.kind!r}")
        if type(self.fovea) is not int or not 0 <= self.fovea <= MOST_FOVEA:
            raise ValueError(f"a fovea has 0 to {MOST_FOVEA} digits, not {self.fovea!r}")
        if self.reach is not None and (type(self.reach) is not int or self.reach < 1):
            raise ValueError(f"reading reaches at least one number, not {self.reach!r}")
        if type(self.decimals) is not bool or (self.decimals and self.reach is not None and self.fovea):
            raise ValueError("decimals are seen or not, and read as one symbol: with a reach the fovea is 0")

    @property
    def vocabulary(self) -> int:
        """How many token ids this perception uses."""
        return self._first_later + len(LATER) * self.decimals

    @property
    def reads_decimals(self) -> bool:
        """Whether a number with its sign and decimals is one symbol."""
        return self.decimals and self.reach is not None

    @property
    def _first_later(self) -> int:
        if self.kind == "characters":
            return _FIRST_FREE + len(DIGITS + SIGNS)
        return _NUMBER + (self.fovea + 1) ** 2

    def token(self, sign: int) -> int:
        """The id of a character that is no digit; one that this perception was not made for looks like nothing."""
        found = SIGN_IDS.get(sign)
        if found is None:
            found = self._first_later + LATER.index(chr(sign)) if self.decimals else PAD
        return found

    def measure(self, memory: bytes) -> int:
        """How long a memory is: a skill may call itself on what is shorter than what it started from.

        Characters; where a number with its decimals is one symbol, symbols: 1/3 is shorter than its value.
        """
        return len(_SYMBOLS.findall(memory)) if self.reads_decimals else len(memory)

    def shape(self, memory: bytes) -> bytes:
        """All that a view can depend on; memories of one shape share one view."""
        return memory if self.kind == "characters" else memory.translate(_MASK)

    def form(self, tokens: bytes) -> bytes:
        """A view with all digits alike: itself, unless every character is its own token."""
        return tokens.translate(_ALIKE) if self.kind == "characters" else tokens

    def view(self, memory: bytes) -> View:
        """The view of a memory (or of its shape)."""
        if self.kind == "characters":
            most = self.vocabulary
            ids = bytes(i if i < most else PAD for i in map(CHARACTER_IDS.__getitem__, memory))
            return View(bytes([BEGIN]) + ids + bytes([END]), tuple(range(len(memory) + 1)))
        return self._foveal(memory)

    def _foveal(self, memory: bytes) -> View:
        tokens, gaps = [BEGIN], [0]
        visible = len(memory) if self.reach is None else self._read(memory)
        pieces = self._read_pieces if self.reach is not None and self.fovea == 0 else _PIECES
        for piece in pieces.finditer(memory, 0, visible):
            start, end = piece.span()
            first = memory[start]
            if end - start == 1 and first not in _DIGIT_CODES:
                tokens.append(self.token(first))
                gaps.append(end)
            else:
                self._number(start, end, tokens, gaps)
        if visible < len(memory):
            tokens.append(REST)
            gaps.append(len(memory))
        return View(bytes([*tokens, END]), tuple(gaps))

    @property
    def _read_pieces(self) -> re.Pattern[bytes]:
        return _READ_DECIMALS if self.decimals else _READ_PIECES

    def _read(self, memory: bytes) -> int:
        """How far an expression is read."""
        numbers = 0
        for piece in self._read_pieces.finditer(memory):
            start, end = piece.span()
            if piece.group() == b"(":
                number = (_BRACKETED_DECIMAL if self.decimals else _BRACKETED).match(memory, start)
                return number.end() if number else end
            if piece.group() == b")":
                return end
            numbers += memory[end - 1] in _DIGIT_CODES
            if numbers == self.reach:
                return end
        return len(memory)

    def _number(self, start: int, end: int, tokens: list[int], gaps: list[int]) -> None:
        """Append the tokens and gaps of one number."""
        fovea = self.fovea
        if fovea == 0:
            tokens.append(_NUMBER)
            gaps.append(end)
        elif end - start <= 2 * fovea:
            tokens.extend(_digits(fovea, end - start))
            gaps.extend(range(start + 1, end + 1))
        else:
            tokens.extend(_digits(fovea, 2 * fovea + 1))
            gaps.extend(range(start + 1, start + fovea + 1))
            gaps.extend(range(end - fovea, end + 1))


@cache
def _digits(fovea: int, length: int) -> bytes:
    """The tokens of a number: each visible digit tells its clipped distance to both ends."""
    ends = [(min(i, fovea), min(length - 1 - i, fovea)) for i in range(length)]
    tokens = [_NUMBER + left * (fovea + 1) + right for left, right in ends]
    if length > 2 * fovea:
        tokens[fovea] = ELIDED
    return bytes(tokens)


def spell(perception: Perception, tokens: bytes) -> str:
    """A readable form of a view's tokens: `d` a digit, `N` a number, `~` elided digits, `…` the rest."""
    if perception.kind == "characters":
        table = {i: chr(c) for c, i in CHARACTER_IDS.items()}
    else:
        table = {perception.token(c): chr(c) for c in (SIGNS + LATER).encode()} | {ELIDED: "~", REST: "…"}
        digits = range(_NUMBER, _NUMBER + (perception.fovea + 1) ** 2)
        table |= dict.fromkeys(digits, "d" if perception.fovea else "N")
    return "".join((table | {PAD: "?"})[t] for t in tokens[1:-1])
