"""The machine: the only verb. It reads, calls, writes and recurses; skills only decide."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reckoner.machine.limits import Limits
from reckoner.machine.machine import Machine
from reckoner.machine.outcome import Outcome, Refusal, Reply

if TYPE_CHECKING:
    from reckoner.machine.trace import Call, Step

__all__ = ["Call", "Limits", "Machine", "Outcome", "Refusal", "Reply", "Step"]


def __getattr__(name: str) -> Any:
    """Most questions are asked without a trace."""
    if name in ("Call", "Step"):
        from reckoner.machine import trace

        return getattr(trace, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
