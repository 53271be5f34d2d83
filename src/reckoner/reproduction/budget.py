"""How much each experiment may cost: `smoke` for the tests, `standard` for the numbers in the report."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """All sizes in one place. Seconds are of processor time on one core."""

    name: str
    # Table 1 and the training curves
    lengths: tuple[int, ...] = (5, 10, 20, 50, 100)
    cell_problems: int = 1000  # as the paper's test sets
    training_problems: int = 1000  # as the paper's training sets
    curve_problems: int = 1000  # expressions of length 10 for the test curve
    seeds: int = 3
    curriculum: str = "full"  # what our own model learns for its curve
    repeat_seconds: float = 600.0  # of the lesson on expressions, looked at on the way
    lstm_seconds: float = 45.0  # per task of the baselines' curriculum
    neural_gpu_seconds: float = 40.0
    tasks: int | None = None  # how many of the tasks; None: all of them
    # soundness of the baselines
    copy_length: int = 5
    copy_seconds: float = 20.0
    bits: int = 6  # of aligned numbers
    bits_seconds: float = 25.0
    unaligned_bits: int = 8
    unaligned_seconds: float = 100.0
    # what learns: processor seconds per run, about ten times what the full configuration needs
    learning_caps: tuple[tuple[str, float], ...] = (
        ("M-M", 30.0),
        ("multiply-columns", 80.0),
        ("M*M", 300.0),
        ("divide-digits", 400.0),
        ("expression-modulo", 1500.0),
    )
    learning_seeds: int = 5
    # the paper's configuration, per operation and seed
    papers_seconds: float = 1200.0
    papers_seeds: int = 2
    papers_kinds: int | None = None  # so many of the operations; None: all
    papers_stages: int | None = None
    # a peer's PPO beside ours
    peer_skills: tuple[str, ...] = ("M+M", "M-M")
    peer_attempts: int = 100_000  # more than ours needs for either
    peer_seconds: float = 600.0
    peer_seeds: int = 3
    # ablations of the teacher
    ablation_seeds: int = 5
    ablation_skills: tuple[str, ...] = ("strip", "multiply-columns", "M-M")
    ablation_seconds: float = 20.0
    ablation_updates: int = 100_000  # the seconds end a run
    ablation_stages: int | None = None
    continual_seconds: float = 300.0
    # hierarchy
    traced: int = 300
    traced_length: int = 20


STANDARD = Budget("standard")
SMOKE = Budget(
    "smoke",
    lengths=(5, 10),
    cell_problems=20,
    training_problems=40,
    curve_problems=20,
    seeds=1,
    curriculum="tiny",
    lstm_seconds=0.3,
    neural_gpu_seconds=0.3,
    tasks=2,
    copy_length=2,
    copy_seconds=0.5,
    bits=1,
    bits_seconds=0.5,
    unaligned_bits=1,
    unaligned_seconds=0.5,
    learning_caps=(("strip", 1.0),),
    learning_seeds=1,
    papers_seconds=1.0,
    papers_seeds=1,
    papers_kinds=1,
    papers_stages=1,
    peer_skills=("strip",),
    peer_attempts=2500,
    peer_seconds=20.0,
    peer_seeds=1,
    ablation_seeds=1,
    ablation_skills=("strip",),
    ablation_seconds=1.0,
    ablation_updates=6,
    ablation_stages=1,
    continual_seconds=1.0,
    traced=10,
    traced_length=8,
)
BUDGETS = {budget.name: budget for budget in (SMOKE, STANDARD)}
