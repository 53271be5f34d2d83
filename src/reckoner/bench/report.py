"""All measurements of speed, and their tables."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from reckoner.bench.reference import COMMIT
from reckoner.bench.timing import describe_machine

Row = dict[str, Any]


def measure(folder: Path | None, quick: bool, parts: bool) -> Row:
    """All measurements by name."""
    from reckoner.bench import calculator as bench_calculator
    from reckoner.bench import machine as bench_machine
    from reckoner.bench import process, ratio
    from reckoner.bench.goals import compare_with_goals
    from reckoner.bench.reference import load_reference
    from reckoner.skills import Library

    def note(what: str) -> None:
        print(f"measuring {what} …", file=sys.stderr, flush=True)

    results: Row = {"machine": describe_machine(), "quick": quick}
    library = None if parts else Library.load(folder)
    note("decisions")
    results["decisions"] = bench_machine.measure_decisions(quick)
    note("the machine without networks")
    results["overhead"] = bench_machine.measure_overhead(quick)
    if library is not None:
        note("expressions and additions")
        results["throughput"] = bench_calculator.measure_throughput(library, quick)
        note("the machine as defined, as it was and as it is")
        reference = load_reference()
        results["ratios"] = ratio.measure_ratios(library, reference, quick)
        results["sampling"] = ratio.measure_sampling(library, reference, quick)
        note("growth with length")
        results["growth"] = bench_calculator.measure_growth(library, quick)
        results["steadiness"] = bench_calculator.measure_steadiness(library, quick)
        note("threads")
        results["threads"] = bench_calculator.measure_threads(library, quick)
    if library is not None and folder is None:
        note("processes: start, large numbers, files")
        results["start"] = process.measure_start(quick)
        results["large"] = process.measure_large(quick)
        results["files"] = process.measure_files(quick)
        results["goals"] = compare_with_goals(results)
    return results


# --- the tables ---


def render(results: Row) -> str:
    """All tables as Markdown."""
    machine = results["machine"]
    versions = machine["versions"]
    lines = ["# Speed", ""]
    if results["quick"]:
        lines += ["A quick look: few and short runs.", ""]
    lines += [
        f"`reckon bench` at {machine['commit']}, {machine['date']}: Python {versions['python']}, numpy "
        f"{versions['numpy']}, one thread on {machine['processor']} ({machine['cores']} cores, load before "
        f"the run {machine['load'][0]}). Times are of the processor, the least of several runs.",
        "",
    ]
    for name, table in (
        ("What was to be reached", _goals(results.get("goals", []))),
        ("Decisions of a network per second", _decisions(results["decisions"])),
        ("A call without the network", _overhead(results["overhead"])),
        ("Questions per second", _throughput(results.get("throughput", []))),
        ("The machine as defined, as it was and as it is", _ratios(results.get("ratios", []))),
        ("A student's attempts per second", _ratios(results.get("sampling", []))),
        (
            "Large numbers and files, a process each",
            _large(results.get("large", []) + results.get("files", [])),
        ),
        ("Growth with the number of digits", _growth(results.get("growth", []))),
        ("A call in long numbers", _steadiness(results.get("steadiness", []))),
        ("Threads", _threads(results.get("threads", {}))),
        ("The first question after a start", _start(results.get("start", {}))),
    ):
        if table:
            lines += [f"## {name}", "", *table, ""]
    return "\n".join(lines)


def _table(head: tuple[str, ...], rows: list[tuple[Any, ...]]) -> list[str]:
    if not rows:
        return []
    lines = ["| " + " | ".join(head) + " |", "|" + "---:|" * len(head)]
    return lines + ["| " + " | ".join(_cell(value) for value in row) + " |" for row in rows]


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _decisions(rows: list[Row]) -> list[str]:
    head = ("hidden", "tokens", "batch", "decisions per second", "times batch 1")
    keys = ("hidden", "tokens", "batch", "decisions_per_second", "times_batch_1")
    return _table(head, [tuple(row[k] for k in keys) for row in rows])


def _overhead(rows: list[Row]) -> list[str]:
    table = [("on" if r["cache"] else "off", r["batch"], r["microseconds_per_call"]) for r in rows]
    return _table(("cache", "batch", "µs per call"), table)


def _throughput(rows: list[Row]) -> list[str]:
    head = ("what", "batch", "cold caches", "warm caches", "Python's eval", "times slower than eval")
    keys = (
        "what",
        "batch",
        "cold_per_second",
        "warm_per_second",
        "eval_per_second",
        "times_slower_than_eval",
    )
    return _table(head, [tuple(row[k] for k in keys) for row in rows])


def _ratios(rows: list[Row]) -> list[str]:
    """Per second, and how many times faster it is now than each of the others."""

    def times(row: Row, other: str) -> Any:
        return round(row["now"] / row[other], 1) if row.get(other) else None

    head = ("what, per second", "definition", f"before ({COMMIT})", "now", "now / definition", "now / before")
    table = [
        (
            r["what"],
            r.get("definition"),
            r.get("before"),
            r["now"],
            times(r, "definition"),
            times(r, "before"),
        )
        for r in rows
    ]
    return _table(head, table)


def _large(rows: list[Row]) -> list[str]:
    head = ("what", "seconds of processor time", "seconds of the clock", "MB")
    return _table(
        head, [(r["what"], round(r["seconds"], 2), round(r["wall_seconds"], 2), r["megabytes"]) for r in rows]
    )


def _goals(rows: list[Row]) -> list[str]:
    head = ("what", "measured", "must", "aim", "")
    return _table(head, [(r["what"], r["measured"], r["must"], r["aim"], r["verdict"]) for r in rows])


def _steadiness(rows: list[Row]) -> list[str]:
    if not rows:
        return []
    head = ("operation", f"µs per call, {rows[0]['few']} digits", f"{rows[0]['many']:,} digits", "times")
    return _table(head, [(r["operator"], r["few_us"], r["many_us"], r["times"]) for r in rows])


def _threads(row: Row) -> list[str]:
    if not row:
        return []
    return [
        f"{row['what']}: {row['one']} in one thread, {row['two']} in two with a calculator each "
        f"({row['times']} times; by the clock, so other work on the computer counts)."
    ]


def _growth(rows: list[Row]) -> list[str]:
    head = (
        "operation",
        "digits",
        "calls",
        "network evaluations, cold",
        "… warm",
        "seconds, cold",
        "… warm",
        "µs per call",
    )
    keys = (
        "digits",
        "calls",
        "evaluations_cold",
        "evaluations",
        "seconds_cold",
        "seconds",
        "microseconds_per_call",
    )
    points = [(row["operator"], *(p[k] for k in keys)) for row in rows for p in row["points"]]
    fits = [
        f"* `{row['operator']}`: calls grow as n^{row['exponent_of_calls']}, "
        f"seconds as n^{row['exponent_of_seconds']} (fitted from 30 digits on)"
        for row in rows
        if row["exponent_of_calls"] is not None
    ]
    return [*_table(head, points), "", *fits] if points else []


def _start(row: Row) -> list[str]:
    if not row:
        return []
    table = [
        (what, row[f"{name}_seconds"], row[f"{name}_wall_seconds"])
        for what, name in (
            ('`reckon "12*(3+45)"`', "reckon"),
            ("… with `--no-cache`: numpy, weights and networks", "reckon_without_memory"),
            ("Python alone", "python_alone"),
            ("`import numpy` alone", "numpy_alone"),
        )
    ]
    head = ("whole process, least of several by turns", "seconds of processor time", "seconds of the clock")
    return [*_table(head, table), "", f"{row['times_numpy']} times a bare import of numpy."]
