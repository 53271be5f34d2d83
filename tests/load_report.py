"""What the trials of `tests/load.py` came to, as a page: each promise with its figure, kept or not."""

from __future__ import annotations

from typing import Any, NamedTuple

from reckoner.evaluation.table import markdown
from tests.load_client import DIGITS

_GROWTH = 1.2  # memory late in a trial may be this much of that early in it
_ROOM = 10.0  # … and this many megabytes more


class Promise(NamedTuple):
    words: str
    figure: str
    is_kept: bool
    is_anywhere: bool = True  # to be kept in a short trial on a busy computer too


def list_promises(results: dict[str, Any]) -> list[Promise]:
    """All of them, with what came of each."""
    return [*_overload(results), *_slow(results), *_malformed(results), *_leaks(results)]


def render(results: dict[str, Any]) -> tuple[str, bool]:
    """The page, and whether all promises were kept."""
    promises = list_promises(results)
    rows = [[promise.words, promise.figure, "yes" if promise.is_kept else "**no**"] for promise in promises]
    capacity = results["capacity"]["answers_per_second"]
    times = results["capacity"]["seconds"].get("200", {})
    workers, load = results["workers"], results["load"]
    lines = [
        "# The server under load",
        "",
        f"By `python -m tests.load`: a server with {workers} workers and its client on the same computer, all traffic",
        f"on 127.0.0.1. A question is a product of two {DIGITS}-digit numbers; compared with the exact one.",
        "",
        f"Capacity, with {2 * workers} connections that ask one question after the other: **{capacity:g} answers per",
        f"second** (median {_ms(times, 'median')}, 99 % within {_ms(times, 'p99')}). The client, and whatever else the",
        "computer does, counts against it: its load (processes that want to run, mean of a minute) was",
        f"{load['before']:g} before and {load['after']:g} after.",
        "",
        markdown(["promise", "figure", "kept"], rows, is_text=True),
        _memory_table(results),
    ]
    text = "\n".join(lines)
    return text, all(promise.is_kept for promise in promises)


def _overload(results: dict[str, Any]) -> list[Promise]:
    found, health = results["overload"], results["health"]
    answers, times = found["answers"], found["seconds"]
    good, busy = answers.get("200", 0), answers.get("503", 0)
    # 408: on a computer without time for either side, a request may take longer to arrive than a slow one is given
    other = {status: count for status, count in answers.items() if status not in ("200", "503", "408")}
    rate = good / found["lasted"]
    capacity = results["capacity"]["answers_per_second"]
    sent = f"{found['sent_per_second']:g} per second for {found['lasted']:g} s; {found['wanted_per_second']:g} were due"
    away = f"{busy:,}, median {_ms(times.get('503', {}), 'median')}; {answers.get('408', 0)} came too slowly (408), "
    away += f"{', '.join(f'{count} {status}' for status, count in other.items()) or 'no'} other answers, "
    away += f"{found['lost']} without any"
    is_tidy = not other and not found["without_retry_after"] and not found["lost"]
    alive = health["answers"].get("200", 0)
    asked = sum(health["answers"].values()) + health["lost"]
    well = f"{alive:,} of {asked:,}, 99 % within {_ms(health['seconds'].get('200', {}), 'p99')}"
    is_much = busy > good and found["sent_per_second"] >= 0.9 * found["wanted_per_second"]
    is_right = good > 0 and not found["wrong"]
    return [
        Promise("ten times the capacity is asked for", sent, is_much, is_anywhere=False),
        Promise("every answer that comes is right", f"{good:,} answers, {found['wrong']} wrong", is_right),
        Promise("the rest is turned away with 503 and Retry-After", away, is_tidy),
        Promise(
            "work goes on",
            f"{rate:.1f} answers per second of {capacity:g}",
            rate > capacity / 3,
            is_anywhere=False,
        ),
        Promise("/health answers all the time", well, alive == asked),
    ]


def _slow(results: dict[str, Any]) -> list[Promise]:
    found = results["slow"]
    others, after = found["others"], found["cut_after"]
    good = others["answers"].get("200", 0)
    asked = sum(others["answers"].values()) + others["lost"]
    cut = f"{found['cut_off']} of {found['connections']}"
    if after:
        cut += f", after {after['median']:.1f} s (median), {after['most']:.1f} s (the last)"
    meanwhile = f"{good} of {asked}, median {_ms(others['seconds'].get('200', {}), 'median')}"
    return [
        Promise("slow connections are cut off", cut, found["cut_off"] == found["connections"]),
        Promise("others are answered meanwhile", meanwhile, 0 < good == asked and not others["wrong"]),
    ]


def _malformed(results: dict[str, Any]) -> list[Promise]:
    found = results["malformed"]
    answers = found["answers"]
    ours = sum(count for status, count in answers.items() if status.startswith("5") or status == "never")
    figure = ", ".join(f"{count:,} {status}" for status, count in answers.items())
    return [Promise(f"{found['sent']:,} malformed requests are no error of ours", figure, not ours)]


def _leaks(results: dict[str, Any]) -> list[Promise]:
    before, after, ending = results["before"], results["after"], results["ending"]
    is_flat = all(
        found["memory"][f"{name}_late"] <= _GROWTH * found["memory"][f"{name}_early"] + _ROOM
        for found in (results["overload"], results["malformed"])
        for name in ("server_megabytes", "worker_megabytes")
    )
    most = max(results[name]["memory"]["server_megabytes_late"] for name in ("overload", "slow", "malformed"))
    left = f"descriptors {before['descriptors']} before, {after['descriptors']} after; "
    left += f"workers {before['workers']} and {after['workers']}"
    is_clean = after["descriptors"] <= before["descriptors"] and after["workers"] == before["workers"]
    again = results["answers_afterwards"]
    end = f"exit code {ending['exit_code']}, {len(ending['printed'])} characters printed"
    return [
        Promise(
            "memory stays flat",
            f"server at most {most:g} MB at the end of a trial; table below",
            is_flat,
            is_anywhere=False,
        ),
        Promise("no descriptor and no process is left over", left, is_clean),
        Promise("afterwards it calculates as before", "right" if again else "wrong", again),
        Promise("SIGTERM ends it cleanly", end, ending == {"exit_code": 0, "printed": ""}),
    ]


def _memory_table(results: dict[str, Any]) -> str:
    rows = []
    for name in ("overload", "slow", "malformed"):
        memory = results[name]["memory"]
        rows.append([name, *(f"{memory[key]:g}" for key in memory)])
    head = [
        "megabytes (resident)",
        "server, a third into it",
        "server, at its end",
        "biggest worker",
        "at its end",
    ]
    return markdown(head, rows)


def _ms(times: dict[str, float], name: str) -> str:
    return f"{1_000 * times[name]:.0f} ms" if name in times else "-"
