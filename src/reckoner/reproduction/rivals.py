"""Rivals given their chance: LSTM, Neural GPU and a small transformer, each until it stops getting better.

Two regimes: the paper's (1,000 fixed problems per task, the curriculum teacher) and fresh problems, drawn anew for
every batch. Size and learning rate are chosen first, on addition, by validation problems; then every operation and seed
has its own training. Test and validation problems are on sides of the split that no training problem is on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from itertools import product
from statistics import mean, median
from typing import Any

import torch

from reckoner.baselines.chance import Rule, grade, train
from reckoner.baselines.source import LENGTHS, Fixed, Fresh, Source, held_out
from reckoner.evaluation.table import NOTHING, markdown, percent, whole
from reckoner.reproduction import figures, table1
from reckoner.reproduction.budget import Budget
from reckoner.reproduction.contenders import ENTRIES, LEAST, RIVALS, Choice, choose, worse_positions
from reckoner.reproduction.experiment import Experiment, Setting
from reckoner.reproduction.labels import label_lines
from reckoner.reproduction.pace import (
    COOLING,
    FRESH,
    Way,
    best_way,
    first_ways,
    is_to_cool,
    shown,
    way_of,
)
from reckoner.reproduction.records import Record, Unit

KINDS = ("add", "subtract", "multiply", "divide", "expression")
VALIDATION_LENGTHS = (5, 10)
GRID_SEED = 1000  # of trainings that only choose size and rate
LONG = 20  # characters: of longer problems fewer are asked


def grid_units(setting: Setting) -> Iterator[Unit]:
    """Every point of every grid, on fresh additions; what serves a model best there it has in both regimes."""
    budget = setting.budget
    for model, rival in RIVALS.items():
        for choice in rival.grid[: budget.rival_choices]:
            run = partial(measure, model, FRESH, "add", GRID_SEED, choice, budget, budget.rival_grid_seconds)
            yield Unit(f"{model}/{FRESH}/{choice.name}", run, seconds=budget.rival_grid_seconds)


def units(setting: Setting) -> Iterator[Unit]:
    """Operation by operation and seed by seed, each rival with what served it best on addition.

    Both kinds of positions are measured on addition; elsewhere the transformer has those that served it best.
    """
    grid, before = setting.records(GRID).read(), setting.records("rivals").read()
    budget, chosen, worse = setting.budget, choose(grid), worse_positions(grid)
    for kind in KINDS[: budget.rival_kinds]:
        for seed in range(budget.rival_seeds):
            for model, regime in ENTRIES:
                if kind != KINDS[0] and model == worse:
                    continue
                choice = chosen.get(model, RIVALS[model].grid[0])
                for way, after in _ways(before, model, regime, kind, seed):
                    run = partial(
                        measure, model, regime, kind, seed, choice, budget, budget.rival_seconds, way
                    )
                    yield Unit(_name(model, regime, way, kind, seed), run, budget.rival_seconds, after=after)


def _ways(
    before: Sequence[Record], model: str, regime: str, kind: str, seed: int
) -> list[tuple[Way, tuple[str, ...]]]:
    """The ways of one seed, each with the units that have to be known before it can be told."""
    tried = first_ways(regime, kind)
    names = tuple(_name(model, regime, way, kind, 0) for way in tried)
    first: list[tuple[Way, tuple[str, ...]]] = [(way, ()) for way in tried]
    if is_to_cool(model, regime, kind):
        constant = best_way([r for r in before if not way_of(r).cooling], model, regime, kind)
        first.append((constant._replace(cooling=COOLING), names))
        names += (_name(model, regime, first[-1][0], kind, 0),)
    if seed == 0:
        return first
    return [(best_way(before, model, regime, kind), names if len(names) > 1 else ())]


def _name(model: str, regime: str, way: Way, kind: str, seed: int) -> str:
    return f"{model}/{regime}{way}/{kind}/{seed}"


GRID = "rivals-grid"  # the set of records of the grids
COST = ("got to", "parameters", "examples seen", "core-minutes", "seeds")


def measure(
    model: str,
    regime: str,
    kind: str,
    seed: int,
    choice: Choice,
    budget: Budget,
    seconds: float,
    way: Way = Way(),  # noqa: B008 (it cannot be changed)
) -> Record:
    """One training, and what it came to at every length."""
    torch.manual_seed(seed)
    network = RIVALS[model].make(choice.size)
    if regime == FRESH:
        source: Source = Fresh(kind, seed, waits=way.waits)
    else:
        source = Fixed(kind, seed, budget.training_problems)
    least = min(LEAST[regime], seconds / 2)
    rule = Rule(seconds=seconds, least=least, rate=choice.rate, batch=choice.batch, cooling=way.cooling)
    validation = [
        e for n in VALIDATION_LENGTHS for e in held_out(kind, n, budget.rival_validation, "validation")
    ]
    chance = train(network, source, validation, rule)
    cells = []
    for length in budget.lengths:
        count = budget.cell_problems if length <= LONG else max(1, budget.cell_problems // 5)
        problems = held_out(kind, length, count, "test")
        right = round(grade(network, problems) * len(problems))
        cells.append({"kind": kind, "length": length, "right": right, "count": len(problems)})
    return {
        "model": model,
        "regime": regime,
        "kind": kind,
        "seed": seed,
        "choice": asdict(choice),
        "config": asdict(network.config),  # type: ignore[call-overload]
        "rule": asdict(rule),
        "parameters": sum(p.numel() for p in network.parameters()),
        "updates": chance.updates,
        "examples": chance.examples,
        "seconds": round(chance.seconds, 2),
        "reason": chance.reason,
        "stand": source.stand,
        "waits": way.waits,
        "validation": round(chance.best, 4),
        "looks": chance.looks,
        "cells": cells,
        "summary": f"validation {chance.best:.1%} after {chance.seconds:.0f} s: {chance.reason}",
    }


# --- table and figures ---


def table(
    grid: Sequence[Record], records: Sequence[Record], ours: Sequence[Record], seeds: Sequence[Record]
) -> str:
    """A table per operation, and what was chosen; `seeds` are whole trainings of ours."""
    tried, records = records, shown(records)
    parts = []
    lengths = sorted({c["length"] for r in records for c in r["cells"]})
    for kind in dict.fromkeys(r["kind"] for r in records):
        rows = []
        for model, regime in ENTRIES:
            runs = [r for r in records if (r["model"], r["regime"], r["kind"]) == (model, regime, kind)]
            if runs:
                rows.append([f"{model}, {regime}", *(_cell(runs, n) for n in lengths), *_cost(runs)])
        for model in ("Neural GPU", "LSTM"):
            known = dict(zip(table1.LENGTHS, table1.PAPER[kind][model], strict=True))
            printed = [f"{known[n]} %" if n in known else NOTHING for n in lengths]
            rows.append([f"*{model}, the paper's*", *printed, *[NOTHING] * len(COST)])
        measured = [_ours(ours, kind, n) for n in lengths]
        rows.append(["**Reckoner**", *measured, *_whole_cost(seeds)])
        heading = ["length", *map(str, lengths), *COST]
        parts.append(f"**{table1.TITLES[kind]}**\n\n" + markdown(heading, rows))
    parts.append("**Chosen on fresh additions, by validation accuracy**\n\n" + _choices(grid))
    if any(way_of(r) != Way() for r in tried):
        title = (
            "**Longer problems when the shorter are known or anyway, and the rate: validation, first seed**"
        )
        parts.append(f"{title}\n\n{_compare_ways(tried)}")
    return "\n".join(parts)


def _compare_ways(records: Sequence[Record]) -> str:
    """What each way came to, where several were tried."""
    rows = []
    first = [r for r in records if r["seed"] == 0 and r["regime"] == FRESH]
    for model, kind in dict.fromkeys((r["model"], r["kind"]) for r in first if way_of(r) != Way()):
        found = {way_of(r): r["validation"] for r in first if (r["model"], r["kind"]) == (model, kind)}
        constant = [found.get(Way()), found.get(Way(waits=False))]
        falling = next((share for way, share in found.items() if way.cooling), None)
        shares = [NOTHING if share is None else percent(share) for share in (*constant, falling)]
        rows.append([model, table1.TITLES[kind].lower(), *shares])
    return markdown(["model", "operation", "when known", "anyway", "the better one, rate falling"], rows)


def _cell(runs: Sequence[Record], length: int) -> str:
    """Mean over seeds, smallest and largest."""
    shares = [
        c["right"] / c["count"] for r in runs for c in r["cells"] if c["length"] == length and c["count"]
    ]
    if not shares:
        return NOTHING
    spread = f" ({whole(min(shares))}–{whole(max(shares))})" if len(shares) > 1 else ""
    return percent(mean(shares)) + spread


def _cost(runs: Sequence[Record]) -> list[str]:
    stands = sorted({r["stand"] for r in runs if "stand" in r})
    return [
        " or ".join(stands) or NOTHING,
        f"{runs[0]['parameters']:,}",
        f"{mean(r['examples'] for r in runs):,.0f}",
        f"{mean(r['seconds'] for r in runs) / 60:.1f}",
        str(len(runs)),
    ]


def _whole_cost(seeds: Sequence[Record]) -> list[str]:
    """Of a whole training of ours, all operations and helpers together: the median of its seeds."""
    if not seeds:
        return [NOTHING] * len(COST)
    return [
        "all operations",
        f"{seeds[0]['parameters']:,}",
        f"{median(r['attempts'] for r in seeds):,.0f} attempts",
        f"{median(r['learning_seconds'] for r in seeds) / 60:.1f}",
        str(len(seeds)),
    ]


def _ours(ours: Sequence[Record], kind: str, length: int) -> str:
    runs = [r for r in ours if (r["kind"], r["length"]) == (kind, length)]
    return percent(mean(r["right"] / r["count"] for r in runs)) if runs else NOTHING


def _choices(grid: Sequence[Record]) -> str:
    chosen = choose(grid)
    rows = [
        [r["model"], Choice(**r["choice"]).name, percent(r["validation"]), f"{r['seconds'] / 60:.1f}",
         "chosen" if chosen[r["model"]] == Choice(**r["choice"]) else ""]
        for r in grid
    ]  # fmt: skip
    return markdown(["model", "size and rate", "validation accuracy", "core-minutes", ""], rows)


def line_of(model: str, regime: str) -> tuple[str, Any]:
    """Colour by model, dashes by regime: dashed is what a reader would bet on less."""
    return figures.COLOURS[model.partition(",")[0]], figures.SOLID if regime == FRESH else (0, (4, 2))


def name_line(model: str, regime: str) -> str:
    """An entry as a figure names it, where most lines are of fresh problems and one is a transformer's."""
    return model.partition(",")[0] + ("" if regime == FRESH else ", fixed problems")


def _drawn(
    grid: Sequence[Record], records: Sequence[Record]
) -> dict[str, dict[tuple[str, str], list[Record]]]:
    """The runs of each line of each panel; the worse transformer would hide behind the better, and is in the table.

    Division is last: lines end apart there, so that is where most labels are, with room beside them.
    """
    records, worse = shown(records), worse_positions(grid)
    kinds = sorted(dict.fromkeys(r["kind"] for r in records), key=lambda kind: kind == "divide")
    drawn: dict[str, dict[tuple[str, str], list[Record]]] = {kind: {} for kind in kinds}
    for kind, (model, regime) in product(kinds, ENTRIES):
        runs = [r for r in records if (r["model"], r["regime"], r["kind"]) == (model, regime, kind)]
        if runs and model != worse:
            drawn[kind][model, regime] = runs
    return drawn


def _make_panels(kinds: Collection[str]) -> tuple[Any, list[Any]]:
    """A panel per operation, in rows of three: five abreast would be too wide to read in a talk."""
    rows = -(-len(kinds) // 3)
    page, panels = figures.make_panels(rows, min(3, len(kinds)), (10, 3 * rows))
    for panel, kind in zip(panels, kinds, strict=False):
        panel.set_title(table1.TITLES[kind])
        figures.show_accuracy(panel)
    for panel in panels[len(kinds) :]:
        panel.set_visible(False)
    return page, panels[: len(kinds)]


def accuracy_figure(grid: Sequence[Record], records: Sequence[Record], ours: Sequence[Record], _: Any) -> Any:
    """A panel per operation: accuracy by length, ours on top; shaded is what the rivals were trained on."""
    drawn = _drawn(grid, records)
    page, panels = _make_panels(drawn)
    for panel, (kind, entries) in zip(panels, drawn.items(), strict=True):
        lines = [
            (name_line(*entry), [c for r in runs for c in r["cells"]], *line_of(*entry))
            for entry, runs in entries.items()
        ]
        lines.append(
            ("Reckoner", [r for r in ours if r["kind"] == kind], figures.COLOURS["ours"], figures.SOLID)
        )
        for name, cells, colour, dashes in lines:
            x = sorted({c["length"] for c in cells})
            y = [100 * mean(c["right"] / max(1, c["count"]) for c in cells if c["length"] == n) for n in x]
            if x:
                panel.plot(x, y, color=colour, linestyle=dashes, marker="o", markersize=3, label=name)
        figures.show_lengths(panel)
        panel.axvspan(0.1, LENGTHS[-1], color=figures.GREY, alpha=0.13, linewidth=0)
    panels[0].annotate("rivals'\ntraining\nlengths", (4.7, 50), color=figures.DARK, fontsize=9, va="center")
    for panel in panels[::3]:
        panel.set_ylabel("right answers (%)")
    label_lines(panels)
    return page


def curves_figure(grid: Sequence[Record], records: Sequence[Record], *_: Any) -> Any:
    """A panel per operation: validation accuracy over core-minutes, mean of the seeds."""
    drawn = _drawn(grid, records)
    page, panels = _make_panels(drawn)
    for panel, entries in zip(panels, drawn.values(), strict=True):
        for entry, runs in entries.items():
            colour, dashes = line_of(*entry)
            times = figures.grid_to(max(r["seconds"] for r in runs) / 60, is_logarithmic=False)
            steps = [figures.read_steps([(s / 60, 100 * a) for s, _, a in r["looks"]], times) for r in runs]
            means = [mean(column) for column in zip(*steps, strict=True)]
            panel.plot(times, means, color=colour, linestyle=dashes, linewidth=1.5, label=name_line(*entry))
        panel.set_xlabel("minutes of one core")
    for panel in panels[::3]:
        panel.set_ylabel("right validation answers (%)")
    label_lines(panels)
    return page


EXPERIMENT = Experiment(
    heading="Rivals given their chance",
    claim="""
**The paper claims** (Table 1) that an LSTM answers 61 % and a Neural GPU 100 % of additions of length 5, and less of
longer ones. It does not say how long they were trained. **Measured:** each rival trains on one operation until its
validation accuracy has not risen for a third of the time spent (on fresh problems not before 300 s, on fixed ones not
before 120), every validation problem is right, or {budget.rival_seconds:g} s of one core are over, in the paper's
regime (1,000 fixed problems per task, the same teacher) and on fresh problems of 3 to 11 characters, drawn anew for
every batch (short ones recur: there are few), longer ones as the shorter are known
(in multiplication, division and expressions also when these are not, after two fifths of all batches at one length:
both are tried with the first seed, and for LSTM and transformer then the better one with a rate that falls to nothing
over the last fifth of the time; the best of these is shown, and the last table has them all). Beside them is what
people would try now, a small decoder-only transformer with the answer's units digit first: on addition with positions
that know a digit's place and with none, then with what served better.
""",
    units={GRID: grid_units, "rivals": units},
    beside=("ours", "ten-seeds"),
    table=table,
    figures={"accuracy": accuracy_figure, "curves": curves_figure},
    remark="""
Cells are means over seeds (smallest–largest) on problems of exactly that length on the test side of the split; of
lengths 50 and 100 a fifth as many are asked. Lengths from 20 on are longer than any training problem. Points of the
grid had two minutes each, and those of transformers with places that stood still ended sooner: that tells the
transformers and the LSTMs apart, but hardly the Neural GPUs, which need longer. The rule ended the third Neural GPU on
fresh subtractions after 311 s with 48 % of the validation problems right, where the other two had stood, too, before
they rose to 98 and 99.8 %. *Got to* is the
task or length that the training stood at when it ended: on fixed problems the rule may end it before the last task.
What Reckoner cost is that of all operations and their helper skills together (the twenty seeds below, wall-clock); a
rival's line is one operation. **A reader may conclude** what these architectures reach from answers alone in that
much time of one core. **A reader may not conclude** that they could not do better with more time, more data, larger
networks, other encodings, or intermediate steps shown to them; nor that ours learned from less: it is given a
curriculum with helper skills, which they have no way to use.
""",
)
