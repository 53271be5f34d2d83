"""The machine: the only verb. It reads, calls, writes and recurses; skills only decide."""

from reckoner.machine.limits import Limits
from reckoner.machine.machine import Machine
from reckoner.machine.outcome import Outcome, Refusal, Reply
from reckoner.machine.trace import Call, Step

__all__ = ["Call", "Limits", "Machine", "Outcome", "Refusal", "Reply", "Step"]
