"""How much each experiment may cost: `smoke` for the tests, `standard` for the numbers in the report."""

from __future__ import annotations

from dataclasses import dataclass

UNLIMITED = 1_000_000  # updates: the seconds alone end a run


@dataclass(frozen=True)
class Cap:
    """Where a run that does not get there ends: at the first of the two."""

    seconds: float  # of a standard core
    updates: int = UNLIMITED

    def __str__(self) -> str:
        return f"{self.updates:,} updates or {self.seconds:g} s"


@dataclass(frozen=True)
class Budget:
    """All sizes in one place. Seconds are of processor time on one standard core."""

    name: str
    # Table 1 and the training curves
    lengths: tuple[int, ...] = (5, 10, 20, 50, 100)
    cell_problems: int = 1000  # as the paper's test sets
    training_problems: int = 1000  # as the paper's training sets
    curve_problems: int = 1000  # expressions of length 10 for the test curve
    seeds: int = 3
    curriculum: str = "whole"  # what our own model learns for its curve and by ten seeds
    training_seconds: float = 900.0  # of one core, that a whole training is reckoned with
    repeat_seconds: float = 600.0  # of the lesson on expressions, looked at on the way
    lstm_seconds: float = 45.0  # per task of the baselines' curriculum
    neural_gpu_seconds: float = 40.0
    tasks: int | None = None  # how many of the tasks; None: all of them
    # rivals: until they stand still, at most so long per operation and seed
    rival_seconds: float = 1200.0
    rival_grid_seconds: float = 120.0  # per point of the grid of sizes and learning rates
    rival_choices: int | None = None  # points of each grid; None: all
    rival_kinds: int | None = None  # operations; None: all
    rival_seeds: int = 3
    rival_validation: int = 200  # problems of each of two lengths
    # soundness of the baselines
    copy_length: int = 5
    copy_seconds: float = 20.0
    bits: int = 6  # of aligned numbers
    bits_seconds: float = 25.0
    unaligned_bits: int = 8
    unaligned_seconds: float = 100.0
    # what learns: processor seconds per run, ten times what the full configuration needs (the median of its seeds)
    learning_caps: tuple[tuple[str, Cap], ...] = (
        ("M-M", Cap(30.0)),
        ("multiply-columns", Cap(80.0)),
        ("M*M", Cap(100.0)),
        ("add-columns", Cap(200.0)),
        ("divide-digits", Cap(300.0)),
        ("expression-modulo", Cap(350.0)),
    )
    learning_seeds: int = 5
    # ablations on what matters: perception, teacher; and of the curriculum's order. Updates are the same on every
    # machine: more than ten times the median of the full configuration, and more than the slowest of its seeds
    # (by `learning` 86, 27, 94 with 1,037 once, and 64; 5 of M+M, 9 of M/M)
    matters_caps: tuple[tuple[str, Cap], ...] = (
        ("add-columns", Cap(200.0, 1000)),
        ("M*M", Cap(100.0, 400)),
        ("divide-digits", Cap(300.0, 1200)),
        ("expression-modulo", Cap(350.0, 700)),
    )
    order_caps: tuple[tuple[str, Cap], ...] = (
        ("M+M", Cap(30.0, 200)),
        ("M*M", Cap(100.0, 400)),
        ("M/M", Cap(60.0, 200)),
        ("expression-modulo", Cap(350.0, 700)),
    )
    # all tasks at once: ten times what the skill and its helpers need in order (the medians of `learning` and of the
    # trainings in results/seeds.md), and how long a turn is
    together_caps: tuple[tuple[str, float], ...] = (("M+M", 250.0), ("M*M", 650.0))
    together_turn: float = 5.0
    matters_seeds: int = 5
    # analogies, where numbers have ends: a student of `reckon train` is given up after 250 updates without progress
    analogy_caps: tuple[tuple[str, Cap], ...] = tuple(
        (skill, Cap(200.0, 350))
        for skill in (
            "add-columns",
            "subtract-columns",
            "multiply-columns",
            "M*M",
            "divide-digits",
            "pad",
            "cut",
        )
    )
    analogy_seeds: int = 5
    # whole trainings
    whole_seeds: int = 20
    hidden_sizes: tuple[int, ...] = (8, 16, 32, 64, 100, 200)
    hidden_seeds: int = 5
    hidden_once: tuple[int, ...] = (8,)  # smaller than anybody asked for: one seed
    hidden_seconds: float = 3600.0
    # the paper's configuration, per operation and seed
    papers_seconds: float = 1200.0
    alone_seconds: float = 300.0  # for a part of ours switched off, which needs half a minute with it
    papers_seeds: int = 2
    papers_kinds: int | None = None  # so many of the operations; None: all
    papers_stages: int | None = None
    # a peer's PPO beside ours
    peer_skills: tuple[str, ...] = ("M+M", "M-M")
    peer_attempts: int = 100_000  # more than ours needs for either
    peer_seconds: float = 600.0
    peer_seeds: int = 3
    stages: int | None = None  # so many of a skill's in ablations; None: all
    continual_seeds: int = 5
    continual_caps: tuple[tuple[str, float], ...] = (("modulo", 500.0), ("powers", 300.0))  # with restarts
    # hierarchy
    traced: int = 300
    traced_length: int = 20

    @property
    def matters_told(self) -> str:
        """The caps of ablations on what matters, for the report."""
        return _tell(self.matters_caps)

    @property
    def order_told(self) -> str:
        """The caps of the ablation of the curriculum's order."""
        return _tell(self.order_caps)


def _tell(caps: tuple[tuple[str, Cap], ...]) -> str:
    return ", ".join(f"{skill} {cap}" for skill, cap in caps)


STANDARD = Budget("standard")
SMOKE = Budget(
    "smoke",
    lengths=(5, 10),
    cell_problems=20,
    training_problems=40,
    curve_problems=20,
    seeds=1,
    curriculum="tiny",
    training_seconds=20.0,
    lstm_seconds=0.3,
    neural_gpu_seconds=0.3,
    tasks=2,
    rival_seconds=0.3,
    rival_grid_seconds=0.3,
    rival_choices=1,
    rival_kinds=1,
    rival_seeds=1,
    rival_validation=10,
    copy_length=2,
    copy_seconds=0.5,
    bits=1,
    bits_seconds=0.5,
    unaligned_bits=1,
    unaligned_seconds=0.5,
    learning_caps=(("M-M", Cap(1.0)),),
    learning_seeds=1,
    matters_caps=(("strip", Cap(0.5)),),
    order_caps=(("M+M", Cap(0.5)),),
    together_caps=(("M+M", 1.0),),
    together_turn=0.2,
    matters_seeds=1,
    analogy_caps=(("strip", Cap(0.5)),),
    analogy_seeds=1,
    whole_seeds=1,
    hidden_sizes=(16,),
    hidden_seeds=1,
    hidden_seconds=20.0,
    papers_seconds=1.0,
    alone_seconds=1.0,
    papers_seeds=1,
    papers_kinds=1,
    papers_stages=1,
    peer_skills=("strip",),
    peer_attempts=2500,
    peer_seconds=20.0,
    peer_seeds=1,
    stages=1,
    continual_seeds=1,
    continual_caps=(("modulo", 1.0),),
    traced=10,
    traced_length=8,
)
BUDGETS = {budget.name: budget for budget in (SMOKE, STANDARD)}
