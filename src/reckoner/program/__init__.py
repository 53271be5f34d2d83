"""What the networks learned, as programs, and the proof that these programs are right.

A frozen skill's greedy decision depends on nothing but the sequence of views it has seen in its frame, and the
views that can occur are finitely many. So every skill is a finite program; `extraction` reads it off the
network, `specification` says what it has to do, and `proof` shows that it does it at every length.
"""

from reckoner.program.proof import Failure, Proof, prove_library, prove_skill
from reckoner.program.row import Row
from reckoner.program.specification import ROWS

__all__ = ["ROWS", "Failure", "Proof", "Row", "prove_library", "prove_skill"]
