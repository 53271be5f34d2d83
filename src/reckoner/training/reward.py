"""The reward: 1 for the exact answer, otherwise negative by how little it resembles it (the paper's rule)."""

from __future__ import annotations

FAILED = -1.0  # also after a refused call, which ends an attempt
# chosen here: what a second call costs that changes nothing, for it would be paid for at every use
IDLE = 0.1


def _common(a: bytes, b: bytes) -> int:
    """Length of the common prefix."""
    n = 0
    for p, q in zip(a, b, strict=False):
        if p != q:
            break
        n += 1
    return n


def reward(answer: bytes | None, target: bytes) -> float:
    """Between -1 and -0.2 for wrong answers; the similarity is the longer of common prefix and suffix."""
    if answer is None:
        return FAILED
    if answer == target:
        return 1.0
    alike = max(_common(answer, target), _common(answer[::-1], target[::-1]))
    surplus = min(5, max(0, len(answer) - len(target)))
    return FAILED + 0.8 * alike / max(1, len(target)) - 0.02 * surplus
