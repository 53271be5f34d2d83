"""The load test, in small: every promise of results/serve.md is kept, and a broken one is noticed."""

from __future__ import annotations

import copy
import json

import pytest

pytest.importorskip("uvicorn", reason="uvicorn is not installed here")

from tests.load import main
from tests.load_report import render

ASKED = "ten times the capacity is asked for"  # a busy computer may not be able to ask so much


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("load")
    main(["--quick", "--out", str(folder)])
    return json.loads((folder / "serve.json").read_text(encoding="utf-8"))


def broken_promises(results):
    text, is_kept = render(results)
    broken = [line.split(" | ")[0] for line in text.splitlines() if line.endswith("| **no** |")]
    assert is_kept == (not broken)
    return {words.removeprefix("| ") for words in broken}


def test_every_promise_is_kept(results):
    assert broken_promises(results) <= {ASKED}, render(results)[0]
    assert results["overload"]["answers"]["503"] > results["overload"]["answers"]["200"]
    assert results["overload"]["sent_per_second"] > 2 * results["capacity"]["answers_per_second"]


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("overload", "wrong"), 1),
        (("overload", "lost"), 1),
        (("overload", "without_retry_after"), 1),
        (("overload", "answers", "500"), 1),
        (("health", "lost"), 1),
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
def test_a_broken_promise_is_noticed(results, where, value):
    broken = copy.deepcopy(results)
    *folders, name = where
    inner = broken
    for folder in folders:
        inner = inner[folder]
    inner[name] = value
    assert broken_promises(broken) - {ASKED} != set()
