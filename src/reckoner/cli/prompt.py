"""The prompt: expressions typed one after the other, with history, editing and a look at the steps."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from reckoner import __version__
from reckoner.answer import Answer, Failure
from reckoner.calculator import Calculator
from reckoner.cli.options import Options
from reckoner.cli.report import describe

_PROMPT = "> "
_HISTORY_LINES = 1_000
_HELP = """\
Type an expression, e.g. 12*(3+45), or
  :steps [N]   the steps of the last answer, with N levels of calls below each (1 if left out)
  :stats       what the last answer took
  :verify      compare the last answer with exact arithmetic
  :help        this
  :quit        leave (Ctrl-D does too)"""


def converse(calculator: Calculator, options: Options, read: Callable[[str], str] | None = None) -> int:
    """Answer line by line until the input ends. The exit code is 0: errors have been seen."""
    conversation = Conversation(calculator, options)
    if read is None:
        _remember_history()
        read = input
    print(f"Reckoner {__version__}, a neural calculator. :help shows what else can be typed, Ctrl-D ends.")
    while True:
        try:
            line = read(_PROMPT)
        except EOFError:
            print()
            return 0
        except KeyboardInterrupt:
            print()  # a line given up, not the conversation
            continue
        try:
            if not conversation.take(line):
                return 0
        except KeyboardInterrupt:
            print("interrupted", file=sys.stderr)
        sys.stdout.flush()


class Conversation:
    """What the prompt knows between two lines."""

    def __init__(self, calculator: Calculator, options: Options) -> None:
        self.calculator = calculator
        self.options = options
        self.last: Answer | None = None

    def take(self, line: str) -> bool:
        """Carry out one line; returns whether to go on."""
        command, *rest = line.split() or [""]
        if not command:
            return True
        if command in (":quit", ":q", ":exit"):
            return False
        if command in (":help", ":h", ":?"):
            print(_HELP)
        elif command in (":steps", ":s"):
            self._show_steps(rest)
        elif command == ":stats":
            self._show_stats()
        elif command == ":verify":
            self._verify()
        elif command.startswith(":"):
            print(f"there is no {command}; :help lists what can be typed", file=sys.stderr)
        else:
            self._calculate(line)
        return True

    def _calculate(self, line: str) -> None:
        result = self.calculator.results([line])[0]
        if isinstance(result, Failure):
            print(describe(result), file=sys.stderr)
            return
        self.last = result
        print(result.text)
        if self.options.trace:
            self._show_steps([str(self.options.depth)])
        if self.options.verify:
            self._verify()

    def _show_steps(self, arguments: list[str]) -> None:
        if self.last is None:
            print("there is no answer yet", file=sys.stderr)
            return
        depth = arguments[0] if arguments else "1"
        if not (depth.isascii() and depth.isdigit() and len(depth) < 10):
            print(":steps takes a number of levels", file=sys.stderr)
            return
        from reckoner.explain import render

        # Traces are not kept while calculating; the networks are deterministic, so they do the same again.
        again = self.calculator(self.last.expression, trace=True)
        if again.trace is not None:
            print(render(again.trace, int(depth)))

    def _show_stats(self) -> None:
        if self.last is None:
            print("there is no answer yet", file=sys.stderr)
            return
        print(
            f"{self.last.calls:,} calls, {self.last.evaluations or 0:,} network evaluations, "
            f"{self.last.seconds:.4f} seconds"
        )

    def _verify(self) -> None:
        if self.last is None:
            print("there is no answer yet", file=sys.stderr)
            return
        from reckoner.cli.verify import verify

        result = verify(self.last, self.options.text_limits)
        if isinstance(result, Failure):
            print(describe(result), file=sys.stderr)
        else:
            print("exact arithmetic agrees")


def _remember_history() -> None:
    """Editing and history by readline, where Python has it; a folder that cannot be written is no matter."""
    try:
        import readline
    except ImportError:
        return
    import atexit

    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    file = Path(state).expanduser() / "reckoner" / "history"
    readline.set_history_length(_HISTORY_LINES)
    with suppress(OSError):
        readline.read_history_file(file)

    def save() -> None:
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            readline.write_history_file(file)

    atexit.register(save)
