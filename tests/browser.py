"""Chromium for the tests of the page: Debian's, driven by Playwright; and a server to look at."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

_FLAGS = [
    "--no-sandbox",  # containers have no user namespaces; what is opened here is our own page
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 30_000  # milliseconds: a busy machine is no reason to fail


def find_browser() -> str:
    """The browser's path; without one the tests are skipped, or fail where CI says that they must run."""
    path = next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        sentence = (
            "Chromium is not installed, so the page was not tried in it (Debian: apt-get install chromium)"
        )
        if os.environ.get("RECKON_TEST_BROWSER"):
            pytest.fail(sentence)
        pytest.skip(sentence)
    return path


@contextmanager
def open_browser() -> Iterator[Browser]:
    """A browser with a profile of its own."""
    path = find_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def serve() -> Iterator[str]:
    """`reckon serve` on a free port; gives the address of the page."""
    command = [sys.executable, "-m", "reckoner", "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            assert "http://" in line, line
            yield "http://" + line.split("http://")[1].split()[0]
        finally:
            server.terminate()
            server.wait(30)
