"""`reckon train`: learn a curriculum, with progress, and go on where an earlier run stopped."""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reckoner.cli.alike import check_skills
from reckoner.cli.argument import positive, whole_number
from reckoner.cli.ending import AGAIN, run_resumable
from reckoner.cli.engine import choose_engine

if TYPE_CHECKING:
    from reckoner.curriculum.plan import Plan


def parser() -> argparse.ArgumentParser:
    """The options of `reckon train`."""
    p = argparse.ArgumentParser(
        prog="reckon train",
        description="Learn every skill of the curriculum from answers alone. Interrupted at any moment, the same "
        "command goes on where it was and ends with the same weights.",
    )
    p.add_argument("--out", type=Path, default=Path("runs/default"), metavar="DIR", help="the run's folder")
    p.add_argument("--seed", type=int, default=0, help="another seed, other networks (default 0)")
    p.add_argument("--curriculum", choices=("full", "whole", "paper", "decimals", "smoke", "tiny"),
                   default="full",
                   help="whole: without decimals and powers; paper: without modulo either; decimals: what is new in "
                   "decimals and powers, on top of a library; smoke, tiny: only a few skills")  # fmt: skip
    p.add_argument("--tasks", type=Path, metavar="FILE",
                   help="learn the rows of this Python file, on top of a library (docs/add-a-skill.md)")  # fmt: skip
    p.add_argument("--only", action="append", default=[], metavar="SKILL",
                   help="learn only this skill, on top of the run's and a library's (may be repeated)")  # fmt: skip
    p.add_argument("--library", type=Path, metavar="DIR",
                   help="the library that --tasks, --only and decimals build on (default: bundled)")  # fmt: skip
    p.add_argument("--budget", type=positive, metavar="MINUTES",
                   help="stop after so many minutes; run again to go on")  # fmt: skip
    p.add_argument("--workers", type=whole_number(1, 1024), default=2, metavar="N",
                   help="skills learned side by side (default 2: one per core)")  # fmt: skip
    p.add_argument("--ray", metavar="ADDRESS",
                   help="teach on a Ray cluster, HOST:PORT or auto, one skill per core (docs/cluster.md)")  # fmt: skip
    p.add_argument("--learner", choices=("reinforcement", "paper", "search"), default="reinforcement",
                   help="how skills are learned: by reinforcement (default); as the paper prints it; or, for "
                   "comparison, by a search for programs that the networks imitate")  # fmt: skip
    p.add_argument("--prove", action=argparse.BooleanOptionalAction,
                   help="a skill is mastered when it is proved, and learns from counterexamples until then "
                   "(default: if the extra `proof` is installed)")  # fmt: skip
    p.add_argument("--hidden", type=whole_number(1, 4096), metavar="N", help="size of the controllers' GRUs")
    return p


def main(argv: list[str]) -> int:
    """Run the command."""
    p = parser()
    options = p.parse_args(argv)
    if options.library and not (options.tasks or options.only or options.curriculum == "decimals"):
        p.error("--library goes with --tasks or --only: a whole curriculum is learned from nothing")
    # imported late: --help must not wait for PyTorch
    from reckoner.curriculum.plan import Plan
    from reckoner.curriculum.prover import can_prove
    from reckoner.curriculum.student import LEARNERS
    from reckoner.skills.library import BUNDLED

    prove = (can_prove() and options.learner != "paper") if options.prove is None else options.prove
    if prove and not can_prove():
        p.error(
            "--prove needs the extra `proof`: pip install 'neural-reckoner[proof]' (in a clone, `make test` does)"
        )
    config = replace(LEARNERS[options.learner], prove=prove)
    if options.hidden or options.curriculum == "tiny":
        config = replace(config, hidden=options.hidden or 32)
    plan = Plan(
        options.curriculum,
        options.out,
        options.seed,
        options.workers,
        None if options.budget is None else time.time() + 60 * options.budget,
        tuple(options.only),
        config,
        options.tasks,
        options.library or BUNDLED,
    )
    check_skills(plan.only, [t.spec.name for t in plan.tasks])
    return run_resumable(lambda: _train(plan, options.budget, options.ray))


def _train(plan: Plan, minutes: float | None, address: str | None) -> int:
    from reckoner.curriculum.school import teach

    display = Display(len(plan.only) or len(plan.tasks))
    try:
        if address is None:
            library = teach(plan, display)
        else:
            with choose_engine(address, plan.workers) as engine:
                library = teach(plan, display, engine)
    finally:
        display.close()
    if library is None:
        print(f"the budget of {minutes:g} minutes is used up; {AGAIN}", file=sys.stderr)
        return 4
    learned = [t.spec.name for t in plan.mastered()]
    seconds = sum(library.records[name]["seconds"] for name in learned)
    print(f"{len(library)} skills in {plan.folder / 'library'}, {len(learned)} of them learned here in "
          f"{seconds / 60:.1f} minutes")  # fmt: skip
    return 0


class Display:
    """Progress: one bar and a line per running skill on a terminal, otherwise one line per event."""

    def __init__(self, skills: int) -> None:
        from tqdm import tqdm

        self.live = sys.stderr.isatty()
        self.bar = tqdm(
            total=skills,
            unit="skill",
            disable=not self.live,
            bar_format="{l_bar}{bar}| {n}/{total} {elapsed}{postfix}",
        )
        self.state: dict[str, str] = {}

    def __call__(self, event: dict[str, Any]) -> None:
        name = event["skill"]
        if event["event"] == "progress":
            where = f" on {event['place']}" if event["place"] else ""
            self.state[name] = (
                f"{name} stage {event['stage']} {event['accuracy']:.1%} {event['seconds']:.0f}s{where}"
            )
        elif event["event"] == "mastered":
            self.state.pop(name, None)
            restarts = f", {event['restarts']} restarts" if event["restarts"] else ""
            self.write(f"{name}: mastered in {event['seconds']:.0f} s{restarts}")
            self.bar.update()
        elif event["event"] == "lost":
            self.state.pop(name, None)
            self.write(f"{name}: {event['reason']}; it goes on elsewhere")
        elif event["event"] == "placed":
            if not self.live:
                self.write(f"{name}: runs on {event['place']}")
        else:
            self.state[name] = f"{name} starts"
            if not self.live:
                self.write(f"{name}: starts")
        self.bar.set_postfix_str("; ".join(self.state.values()))

    def write(self, line: str) -> None:
        """A line that stays."""
        if self.live:
            self.bar.write(line, file=sys.stderr)
        else:
            print(line, flush=True)

    def close(self) -> None:
        """Leave the terminal tidy."""
        self.bar.close()
