"""The machine: the only verb. It reads, calls, writes and recurses; skills only decide."""

from reckoner.machine.machine import Limits, Machine, Outcome, Refusal
from reckoner.machine.trace import Call, Step

__all__ = ["Call", "Limits", "Machine", "Outcome", "Refusal", "Step"]
