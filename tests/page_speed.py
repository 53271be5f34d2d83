"""How fast the page is: `python -m tests.page_speed --out results`.

Script time is that of the page's thread, so other work on the machine counts little; the first paint is by the clock.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, expect

from reckoner.cli.results import save_results
from reckoner.evaluation.table import markdown
from reckoner.parts import Parts
from tests.browser import PATIENCE, open_browser, serve

HUNDRED = "1234567890" * 10 + "*" + "1234567890" * 10
_STEPS = 60
_PAINTS = 7
_WAIT = 450  # milliseconds after a step: its animation has ended then


def measure_paint(browser: Browser, address: str) -> list[float]:
    """Milliseconds until something is to be seen, in fresh windows."""
    paints = []
    for _ in range(_PAINTS):
        context = browser.new_context()
        page = context.new_page()
        page.goto(address)
        expect(page.locator(".cell").first).to_be_visible(timeout=PATIENCE)
        paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        context.close()
    return paints


def measure_steps(page: Page) -> list[dict[str, float]]:
    """Milliseconds of the page's thread for each of some steps: script, style and layout."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    steps = []
    for number in range(_STEPS):
        before = read_metrics(session)
        page.keyboard.press("ArrowLeft" if number % 4 == 3 else "ArrowDown")
        page.wait_for_timeout(_WAIT)
        after = read_metrics(session)
        steps.append({name: 1_000 * (after[name] - before[name]) for name in after})
    return steps


def read_metrics(session: CDPSession) -> dict[str, float]:
    """Seconds so far."""
    found = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
    return {name: found[f"{name}Duration"] for name in ("Script", "RecalcStyle", "Layout")}


def measure() -> dict[str, Any]:
    """All figures."""
    total = Parts().ask(HUNDRED).total
    with serve() as address, open_browser() as browser:
        paints = measure_paint(browser, address)
        page = browser.new_page()
        sizes: list[int] = []
        page.on(
            "response", lambda reply: sizes.append(len(reply.body())) if "/api/" not in reply.url else None
        )
        page.goto(f"{address}#e={HUNDRED}&at={total // 2}")
        expect(page.locator(".machine")).to_have_attribute("data-at", str(total // 2), timeout=PATIENCE)
        steps = measure_steps(page)
    script = sorted(step["Script"] for step in steps)
    return {
        "calls": total - 1,
        "steps": len(steps),
        "first paint, ms": {"median": median(paints), "most": max(paints)},
        "script of a step, ms": {"median": median(script), "most": script[-1]},
        "style and layout of a step, ms": {
            "median": median(step["RecalcStyle"] + step["Layout"] for step in steps)
        },
        "page without data, bytes": sum(sizes),
        "load": os.getloadavg()[0],
    }


def tables(record: dict[str, Any]) -> str:
    """The figures as a page."""
    paint, script = record["first paint, ms"], record["script of a step, ms"]
    style = record["style and layout of a step, ms"]
    rows = [
        ["first paint", f"{paint['median']:.0f} ms, at most {paint['most']:.0f}", "500 ms"],
        ["script of a step", f"{script['median']:.1f} ms, at most {script['most']:.1f}", "16 ms"],
        ["style and layout of a step and its animation", f"{style['median']:.1f} ms", ""],
        ["page without data", f"{record['page without data, bytes'] / 1000:.0f} KB", "200 KB"],
    ]
    head = "# How fast the page is\n\n"
    text = (
        f"By `python -m tests.page_speed --out results`, in Chromium on a machine with a load of {record['load']:.1f} "
        f"(two cores). Steps: {record['steps']} in the middle of a 100-digit multiplication with {record['calls']:,} "
        "calls; median and most. Script, style and layout are the time of the page's own thread.\n\n"
    )
    return head + text + markdown(["", "measured", "goal"], rows)


def main() -> None:
    """Measure, print and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="folder for page.json and page.md")
    out = parser.parse_args().out
    record = measure()
    print(tables(record))
    if out:
        save_results(out, "page", record, tables(record))


if __name__ == "__main__":
    main()
