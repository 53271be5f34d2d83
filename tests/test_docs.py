"""What is made from the code is up to date, and what is written by hand is true to it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from reckoner.cli.docs.console import refresh
from reckoner.cli.docs.generated import ARCHITECTURE, GENERATED, WITH_EXAMPLES
from reckoner.cli.docs.layers import update_layers
from reckoner.curriculum.tasks import TASKS
from reckoner.notes import NOTES

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("name", [name for name in GENERATED if name.endswith((".md", ".svg"))])
def test_generated_pages_are_up_to_date(name):
    if name == "docs/cli.md" and sys.version_info >= (3, 13):
        pytest.skip("argparse words its help differently from Python 3.13 on")
    assert (ROOT / name).read_text(encoding="utf-8") == GENERATED[name](), "run `make docs`"


def test_the_table_of_layers_is_the_one_that_is_enforced():
    page = (ROOT / ARCHITECTURE).read_text(encoding="utf-8")
    assert page == update_layers(page), "run `make docs`"


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_show_what_the_networks_do(name):
    page = (ROOT / name).read_text(encoding="utf-8")
    assert "```console\n$ reckon " in page
    assert page == refresh(page), "run `make docs`, and see whether the text around the examples still fits"


def test_the_trace_page_explains_lines_that_are_there():
    page = (ROOT / "docs" / "reading-a-trace.md").read_text(encoding="utf-8")
    example = page.split("```")[1]
    explained = re.findall(r"^\| `(.*?)` \| ", page.split("## As JSON")[0], re.MULTILINE)
    assert len(explained) > 5
    assert [line for line in explained if f"{line}\n" not in example] == []


def test_every_skill_of_the_curriculum_has_its_note():
    assert [task.spec.name for task in TASKS if task.spec.name not in NOTES] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\(([^)#\s]+)", prose)
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert missing == []
