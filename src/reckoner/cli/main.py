"""Where `reckon` starts: chooses the command, and sees to it that every ending is a tidy one."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from reckoner.errors import ExpressionError, ReckonerError

INTERRUPTED = 130  # as shells report a process that was ended by Ctrl-C
CLOSED_PIPE = 141  # … and one that wrote to a closed pipe
BAD_USAGE = 2
BROKEN = 5


def main(argv: Sequence[str] | None = None) -> int:
    """Run `reckon` and return its exit code. Nothing here ends in a stack trace."""
    _prepare_streams()
    try:
        code = _run(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
        return code
    except SystemExit as ending:  # argparse, after --help or a wrong option
        return _exit_code(ending)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return CLOSED_PIPE
    except ReckonerError as error:
        _complain(error.message)
        return error.exit_code
    except OSError as error:
        _complain(f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error))
        _discard_output()
        return BAD_USAGE if error.filename else BROKEN
    except Exception as error:
        if os.environ.get("RECKON_DEBUG"):
            raise
        _complain(f"internal error: {error!r} (set RECKON_DEBUG=1 to see where)")
        return BROKEN


def _run(arguments: list[str]) -> int:
    from reckoner.cli.commands import find_command

    command = find_command(arguments[0]) if arguments else None
    if command is not None:
        return command.run(arguments[1:])
    if arguments and _is_word(arguments[0]):
        arguments = ["--help"] if arguments[0] == "help" else _refuse_word(arguments[0])
    from reckoner.cli.calculate import calculate
    from reckoner.cli.options import read_options

    return calculate(read_options(arguments))


def _is_word(argument: str) -> bool:
    """Whether it can only be meant as a command: a letter alone may be a part of an expression gone wrong."""
    return len(argument) > 1 and argument.isascii() and argument.isalpha()


def _refuse_word(word: str) -> NoReturn:
    from reckoner.cli.alike import suggest
    from reckoner.cli.commands import COMMANDS

    hint = suggest(word, [command.name for command in COMMANDS]) or "`reckon --help` lists those there are"
    raise ExpressionError(f"there is no command {word}; {hint}")


def _prepare_streams() -> None:
    """Make writing safe: no stream is missing, and no character can fail to be encoded."""
    # A stream is None if the program was started with it closed (`>&-`). Complaints may then be lost, answers not.
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = _ClosedOutput()
    for stream in (sys.stdout, sys.stderr):
        if callable(reconfigure := getattr(stream, "reconfigure", None)):
            reconfigure(errors="backslashreplace")


class _ClosedOutput(io.StringIO):
    """Stands for a standard output that is closed: an answer that cannot be written is an error."""

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, "standard output is closed, so there is nowhere to write the answer")


def _discard_output() -> None:
    """Send what is still buffered nowhere, or Python would complain once more on its way out."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _exit_code(ending: SystemExit) -> int:
    if ending.code is None or isinstance(ending.code, int):
        return ending.code or 0
    _complain(str(ending.code))
    return BROKEN


def _complain(message: str) -> None:
    with suppress(OSError):  # there may be nobody left to tell
        print(f"reckon: {message}", file=sys.stderr)
