"""How long commands end: what is done is kept, and a sentence says that the same command goes on."""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable

from reckoner.engine import Terminated, WorkerLostError
from reckoner.errors import ReckonerError

AGAIN = "the same command goes on from here"
INTERRUPTED = 130  # as shells report a process that ended by Ctrl-C
TERMINATED = 143  # … and by SIGTERM


class CutShortError(ReckonerError):
    """The disk or the system did not let a long command go on."""

    kind = "cut-short"
    exit_code = 4


def run_resumable(work: Callable[[], int]) -> int:
    """Run a command that can be run again to go on where it was; its exit code."""
    try:
        return work()
    except KeyboardInterrupt as stop:
        print(f"\nstopped; {AGAIN}", file=sys.stderr)
        return TERMINATED if isinstance(stop, Terminated) else INTERRUPTED
    except WorkerLostError as error:
        raise CutShortError(f"{error.message}; {AGAIN}") from None
    except OSError as error:
        reason = f"{error.strerror}: {error.filename}" if error.filename else error.strerror or str(error)
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        raise CutShortError(f"{reason}; make room, and {AGAIN}" if full else reason) from None
