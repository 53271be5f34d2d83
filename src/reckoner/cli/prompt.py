"""The prompt: expressions typed one after the other, with history, editing and a look at the steps."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from reckoner import __version__
from reckoner.answer import Answer, Failure, Result
from reckoner.calculator import Calculator
from reckoner.cli.hint import CutHint
from reckoner.cli.options import Options
from reckoner.cli.report import Report, describe
from reckoner.cli.scale import is_setting, read_setting
from reckoner.cli.terminal import count_columns
from reckoner.errors import ReckonerError

_HISTORY_LINES = 1_000
_HELP = """\
Type an expression, for example 12*(3+45); ans is the last answer. Or type
  scale=N     cut quotients after N decimals (0); scale alone shows it
  steps [N]   the steps of the last answer, with N levels of calls (1)
  stats       what the last answer took
  verify      compare the last answer with exact arithmetic
  help        this; ? does too
  quit        leave; exit and Ctrl-D do too
The Tab key completes these words."""
# Every word that is understood, and which command it means.
_COMMANDS = {
    **dict.fromkeys(("help", "h", "?"), "help"),
    **dict.fromkeys(("quit", "q", "exit"), "quit"),
    **dict.fromkeys(("steps", "s"), "steps"),
    "stats": "stats",
    "verify": "verify",
    "scale": "scale",
}
_ANS = re.compile(r"\bans\b", re.IGNORECASE)


def converse(
    calculator: Calculator, options: Options, report: Report, read: Callable[[str], str] | None = None
) -> int:
    """Answer line by line until the input ends. The exit code is 0: errors have been seen."""
    conversation = Conversation(calculator, options, report)
    if read is None:
        _set_up_editing()
        read = input
    if not options.json:
        print(f"Reckoner {__version__}, a neural calculator. help shows what else can be typed, Ctrl-D ends.")
    while True:
        try:
            line = read(conversation.prompt)
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

    def __init__(self, calculator: Calculator, options: Options, report: Report) -> None:
        self.calculator = calculator
        self.options = options
        self.report = report
        self.last: Answer | None = None
        self.scale = options.scale
        self.hint = CutHint(calculator, "scale=")

    @property
    def prompt(self) -> str:
        """What is shown before a line is typed."""
        return f"scale={self.scale}> " if self.scale else "> "

    def take(self, line: str) -> bool:
        """Carry out one line; returns whether to go on."""
        word, *rest = line.split() or [""]
        if not word:
            return True
        if is_setting(line):
            self._set_scale(line)
            return True
        command = _COMMANDS.get(word.removeprefix(":").lower())
        if command == "quit":
            return False
        if command == "help":
            print(_HELP)
        elif command == "steps":
            self._show_steps(rest)
        elif command == "stats":
            self._show_stats()
        elif command == "verify":
            self._verify()
        elif command == "scale" and rest:
            self._set_scale(f"scale={' '.join(rest)}")
        elif command == "scale":
            print(self.scale)
        elif word.startswith(":"):
            print(f"there is no {word}; help lists what can be typed", file=sys.stderr)
        else:
            self._calculate(line)
        return True

    def _set_scale(self, line: str) -> None:
        try:
            self.scale = read_setting(line, self.options.text_limits)
            self.report.show_setting(line)
        except ReckonerError as error:
            self.report.show(Failure(line, error))

    def _calculate(self, line: str) -> None:
        if _ANS.search(line):
            if self.last is None:
                print("there is no answer yet, so ans means nothing", file=sys.stderr)
                return
            # Brackets, because a minus after a bracket would be a subtraction.
            text = self.last.text
            line = _ANS.sub(f"({text})" if text.startswith("-") else text, line)
        result = self.calculator.results([line], scale=self.scale, trace=self.options.trace)[0]
        if self.options.json and self.options.verify:
            result = self._compare(result)
        self.report.show(result)
        if isinstance(result, Failure):
            return
        self.last = result
        if self.options.verify and not self.options.json:
            self._verify()
        if not self.options.json:
            self.hint.tell(result)

    def _show_steps(self, arguments: list[str]) -> None:
        if self.last is None:
            print("there is no answer yet", file=sys.stderr)
            return
        depth = arguments[0] if arguments else "1"
        if not (depth.isascii() and depth.isdigit() and len(depth) < 10):
            print("steps takes a number of levels", file=sys.stderr)
            return
        from reckoner.rewriting import render

        # Traces are not kept while calculating; the networks are deterministic, so they do the same again.
        again = self.calculator(self.last.expression, scale=self.last.scale, trace=True)
        if again.trace is not None:
            print(render(again.trace, int(depth), count_columns(sys.stdout)))

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
        result = self._compare(self.last)
        if isinstance(result, Failure):
            print(describe(result), file=sys.stderr)
        else:
            print("exact arithmetic agrees")

    def _compare(self, result: Result) -> Result:
        """The same result, or if it is not right a failure that says so."""
        from reckoner.cli.verify import can_verify, verify

        return verify(result, self.options.text_limits) if can_verify(result) else result


def _set_up_editing() -> None:
    """Editing, completion and history by readline, where Python has it."""
    try:
        import readline
    except ImportError:
        return
    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    readline.parse_and_bind("tab: complete")
    _remember_history()


def complete(beginning: str, number: int) -> str | None:
    """The command of that number that begins so, as readline asks for it."""
    colon = ":" if beginning.startswith(":") else ""
    words = [word for word in (*_COMMANDS, "ans") if len(word) > 1]
    fitting = [colon + word for word in words if (colon + word).startswith(beginning.lower())]
    return fitting[number] if number < len(fitting) else None


def _remember_history() -> None:
    """Keep what was typed for the next time; that this may fail is no reason to complain."""
    import atexit
    import readline

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
