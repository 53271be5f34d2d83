"""`reckon serve`: the page on which one watches the networks, and the same over HTTP."""

from __future__ import annotations

import argparse
import os
import sys
import threading
import webbrowser

from reckoner.cli.argument import positive, whole_number
from reckoner.web.settings import HOST, PORT

_EXAMPLES = """\
examples:
  reckon serve                     opens the page in your browser
  reckon serve --no-browser        … only says where it is
  reckon serve --port 0            on any port that is free
  curl -s localhost:7325/api/calculate -H 'content-type: application/json' \\
       -d '{"expression": "12*(3+45)"}'

Ctrl-C ends it. docs/serve.md describes what can be asked for."""


def parser() -> argparse.ArgumentParser:
    """The options of `reckon serve`."""
    p = argparse.ArgumentParser(
        prog="reckon serve",
        description="Serve a page on this computer on which one watches the networks calculate.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument(
        "--host", default=HOST, metavar="H", help=f"where to listen (default {HOST}: this computer only)"
    )
    p.add_argument(
        "--port",
        type=whole_number(0, 65_535),
        default=PORT,
        metavar="N",
        help=f"default {PORT}; 0: any that is free",
    )
    p.add_argument("--no-browser", dest="browser", action="store_false", help="do not open a browser")
    p.add_argument(
        "--workers",
        type=whole_number(1),
        metavar="N",
        help="processes that calculate (default: as many as cores, at least 2)",
    )
    p.add_argument(
        "--timeout", type=positive, default=20.0, metavar="SECONDS", help="for one calculation (default 20)"
    )
    p.add_argument("--library", metavar="DIR", help="weights to use instead of the bundled ones")
    return p


def main(argv: list[str]) -> int:
    """Serve until Ctrl-C."""
    options = parser().parse_args(argv)
    from reckoner.web.server import address_of, listen, serve
    from reckoner.web.settings import Settings

    workers = options.workers or max(2, os.cpu_count() or 1)
    settings = Settings(library=options.library, workers=workers, seconds=options.timeout)
    listening = listen(options.host, options.port)
    address = address_of(listening)

    def is_ready() -> None:
        print(f"the page is at {address} (Ctrl-C ends it)", flush=True)
        if not _is_here(options.host):
            print("reckon: whoever can reach this computer can use it, too", file=sys.stderr)
        if options.browser:
            _open(address)

    serve(settings, listening, options.host, is_ready)
    return 0


def _open(address: str) -> None:
    """Show the page, where there is a screen to show it on; elsewhere a browser would take over the terminal."""
    has_screen = sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if has_screen:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _is_here(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")
