"""Markdown tables, made from records alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from reckoner.evaluation.interval import interval, median
from reckoner.reproduction.paper import LENGTHS, MODELS, TABLE1, TITLES
from reckoner.reproduction.records import Record, need

NOTHING = "–"
Cells = dict[tuple[str, str, int], list[tuple[int, int]]]  # (model, kind, length) -> (right, count) per run


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; all columns but the first are right-aligned."""
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def percent(share: float) -> str:
    """At most one decimal, and never 100 or 0 for what is not exactly that."""
    text = f"{100 * share:.1f}"
    if text == "100.0" and share < 1:
        text = f"{100 * share:.2f}"
    return f"{text.removesuffix('.0')} %"


# --- Table 1 ---


def collect_cells(ours: Sequence[Record], baselines: Sequence[Record]) -> Cells:
    """All measured cells, from both kinds of records."""
    cells: Cells = defaultdict(list)
    for record in ours:
        cells["ours", record["kind"], record["length"]].append((record["right"], record["count"]))
    for record in baselines:
        for cell in record["cells"]:
            cells[record["model"], cell["kind"], cell["length"]].append((cell["right"], cell["count"]))
    return cells


def table1(ours: Sequence[Record], baselines: Sequence[Record]) -> str:
    """Accuracy by operation and length, the paper's numbers beside ours."""
    cells = collect_cells(need(ours, "table1"), baselines)
    parts = []
    for kind, title in TITLES.items():
        lengths = sorted({n for _, k, n in cells if k == kind} | (set(LENGTHS) if kind in TABLE1 else set()))
        rows = []
        for model in MODELS:
            if kind in TABLE1:
                known = dict(zip(LENGTHS, TABLE1[kind][model], strict=True))
                rows.append(
                    [
                        f"{_title(model)}, paper",
                        *(f"{known[n]} %" if n in known else NOTHING for n in lengths),
                    ]
                )
            measured = [cells.get((model, kind, n), []) for n in lengths]
            if any(measured):
                rows.append([f"**{_title(model)}, measured**", *(_cell(model, runs) for runs in measured)])
        parts.append(f"**{title}**\n\n" + markdown(["length", *map(str, lengths)], rows))
    return "\n".join(parts)


def _title(model: str) -> str:
    return model[0].upper() + model[1:]


def _cell(model: str, runs: Sequence[tuple[int, int]]) -> str:
    """Ours: runs pooled, with an exact 95 % interval. Baselines: mean over seeds, smallest and largest."""
    runs = [(right, count) for right, count in runs if count]
    if not runs:
        return NOTHING
    if model == "ours":
        right, count = sum(r for r, _ in runs), sum(c for _, c in runs)
        different = max(c for _, c in runs)  # all seeds answer the same problems: they count once
        low, high = interval(right * different // count, different)
        return f"{percent(right / count)} [{100 * low:.1f}, {100 * high:.1f}]"
    shares = [right / count for right, count in runs]
    mean = percent(sum(shares) / len(shares))
    if len(shares) == 1:
        return mean
    return f"{mean} ({100 * min(shares):.1f}–{100 * max(shares):.1f})"


# --- ablations ---


def ablation(records: Sequence[Record], experiment: str) -> str:
    """Per skill and variant: how many runs mastered it, final accuracy, updates and seconds to mastery."""
    need(records, experiment)
    rows = []
    for skill in dict.fromkeys(r["skill"] for r in records):
        for variant in dict.fromkeys(r["variant"] for r in records):
            runs = [r for r in records if r["skill"] == skill and r["variant"] == variant]
            if runs:
                rows.append([skill, variant, *_outcome(runs)])
    head = ["skill", "variant", "mastered", "test accuracy", "updates to mastery", "seconds to mastery"]
    return markdown(head, rows)


def _outcome(runs: Sequence[Record]) -> list[str]:
    """Median over the runs that got there, with smallest and largest."""
    good = [r for r in runs if r["mastered"]]
    accuracies = [r["accuracy"] for r in runs]
    accuracy = percent(sum(accuracies) / len(runs))
    if min(accuracies) < max(accuracies):
        accuracy += f" ({100 * min(accuracies):.0f}–{100 * max(accuracies):.0f})"
    return [
        f"{len(good)} of {len(runs)}",
        accuracy,
        _spread([r["updates"] for r in good], 0),
        _spread([r["seconds"] for r in good], 1),
    ]


def _spread(values: Sequence[float], digits: int) -> str:
    if not values:
        return NOTHING
    middle = f"{median(values):.{digits}f}"
    return middle if len(values) == 1 else f"{middle} ({min(values):.{digits}f}–{max(values):.{digits}f})"


def continual(records: Sequence[Record]) -> str:
    """Modulo with the library and from scratch."""
    rows = []
    for variant in dict.fromkeys(r["variant"] for r in need(records, "continual")):
        rows.append([variant, *_outcome([r for r in records if r["variant"] == variant])])
    head = ["learning modulo", "mastered", "test accuracy", "updates to mastery", "seconds to mastery"]
    return markdown(head, rows)


# --- the rest ---


def soundness(records: Sequence[Record]) -> str:
    """What the baselines can do on tasks they are known to be good at."""
    groups: dict[tuple[str, str], list[Record]] = defaultdict(list)
    for record in need(records, "soundness"):
        groups[record["model"], record["task"]].append(record)
    rows = []
    for (model, task), runs in groups.items():
        for length in [c["length"] for c in runs[0]["cells"]]:
            shares = [c["right"] / c["count"] for r in runs for c in r["cells"] if c["length"] == length]
            place = (
                "trained"
                if length <= runs[0]["trained_to"]
                else f"{length / runs[0]['trained_to']:g} × trained"
            )
            mean, seconds = sum(shares) / len(shares), [r["seconds"] for r in runs]
            best = percent(max(shares))
            rows.append(
                [
                    f"{model}: {task}",
                    str(length),
                    place,
                    percent(mean),
                    best,
                    str(len(runs)),
                    _spread(seconds, 0),
                ]
            )
    return markdown(["task", "length", "", "mean accuracy", "best seed", "seeds", "seconds"], rows)


def curve_tasks(baselines: Sequence[Record], curriculum: Sequence[Record]) -> str:
    """What each model mastered, and what it cost."""
    rows = []
    for record in [*curriculum, *baselines]:
        mastered = sum(t["mastered"] for t in record["tasks"])
        tested = [p[3] for p in record["curve"] if p[3] is not None]
        last = percent(tested[-1]) if tested else NOTHING
        row = [f"{_title(record['model'])}, {record['seed']}", f"{mastered} of {len(record['tasks'])}"]
        rows.append([*row, f"{record['updates']:,}", f"{record['seconds']:.0f}", last])
    need(rows, "training-curve")  # type: ignore[arg-type]
    return markdown(["model, seed", "tasks mastered", "updates", "seconds", "test accuracy at the end"], rows)


def hierarchy(records: Sequence[Record]) -> str:
    """Which skill calls which, how often."""
    record = need(records, "hierarchy")[-1]
    total = record["expressions"]
    rows = [
        [caller, callee, f"{count:,}", f"{count / total:.1f}"] for caller, callee, count in record["edges"]
    ]
    return markdown(["skill", "calls", "times", "per expression"], rows)
