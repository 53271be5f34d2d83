"""The load test, in small: what the server promises holds on any computer, and a broken promise is noticed.

How much is asked and answered in a second, and whether memory has come to rest within three of them, is the
computer's affair too; that stays with the command and its report, results/serve.md.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="uvicorn is not installed here")

from tests.load import main
from tests.load_report import list_promises, render

REPORT = Path(__file__).parent.parent / "results" / "serve.json"


def test_what_is_promised_anywhere_is_kept(tmp_path):
    main(["--quick", "--out", str(tmp_path)])
    results = json.loads((tmp_path / "serve.json").read_text(encoding="utf-8"))
    broken = [promise for promise in list_promises(results) if promise.is_anywhere and not promise.is_kept]
    assert broken == [], render(results)[0]
    assert results["capacity"]["wrong"] == results["capacity"]["lost"] == 0


@pytest.fixture(scope="module")
def report():
    results = json.loads(REPORT.read_text(encoding="utf-8"))
    assert render(results)[1]
    return results


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("overload", "wrong"), 1),
        (("overload", "lost"), 1),
        (("overload", "without_retry_after"), 1),
        (("overload", "answers", "500"), 1),
        (("health", "lost"), 1),
        (("overload", "answers", "200"), 10),
        (("overload", "sent_per_second"), 1),
        (("slow", "cut_off"), 39),
        (("slow", "others", "lost"), 1),
        (("malformed", "answers", "500"), 1),
        (("overload", "memory", "server_megabytes_late"), 500),
        (("after", "descriptors"), 100),
        (("after", "workers"), 3),
        (("answers_afterwards",), False),
        (("ending", "exit_code"), 1),
    ],
)
def test_a_broken_promise_is_noticed(report, where, value):
    broken = copy.deepcopy(report)
    *folders, name = where
    inner = broken
    for folder in folders:
        inner = inner[folder]
    inner[name] = value
    page, is_kept = render(broken)
    assert not is_kept
    assert page.count("| **no** |") == 1
