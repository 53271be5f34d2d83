"""The default command: expressions from arguments, files, standard input or a prompt."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby

from reckoner.answer import Failure, Result
from reckoner.calculator import Calculator
from reckoner.cli.hint import CutHint
from reckoner.cli.options import Options, is_expression
from reckoner.cli.progress import Progress
from reckoner.cli.report import Report
from reckoner.cli.scale import is_setting, read_setting
from reckoner.cli.source import ByteStream, read_batches
from reckoner.errors import ExpressionError, FileError, ReckonerError


def calculate(options: Options) -> int:
    """Calculate what the options ask for; returns the exit code, the worst of all expressions'."""
    report = Report(
        json=options.json,
        trace=options.trace,
        depth=options.depth,
        verify=options.verify,
        keeps_lines=len(options.expressions) != 1 or bool(options.files),
    )
    try:
        return _calculate(options, report)
    except ReckonerError as error:  # of the library or a file, not of an expression
        if not options.json:
            raise
        report.show_error(error)
        return error.exit_code


def _calculate(options: Options, report: Report) -> int:
    _refuse_files(options)
    if options.html is not None:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        from reckoner.cli.html import write_page

        return write_page(options, report)
    if not options.expressions and not options.files:
        if sys.stdin is not None and sys.stdin.isatty():
            from reckoner.cli.prompt import converse

            return converse(make_calculator(options), options, replace(report, keeps_lines=False))
        options = replace(options, files=("-",))
    session = _Session(make_calculator(options), options, report)
    session.work_arguments()
    for file in options.files:
        session.work_file(file)
    return session.finish()


def _refuse_files(options: Options) -> None:
    """Say what helps if a file's name stands where an expression should; a shell puts names in place of a `*`."""
    for text in options.expressions:
        if os.path.lexists(text) and not is_expression(text, options.text_limits):
            if len(options.expressions) == 1:
                raise ExpressionError(f"{text} is a file; `reckon -f {text}` reads expressions from it")
            raise ExpressionError(f'{text} is a file; an expression with * is put in quotes, as "12*3"')


def _is_brief(options: Options) -> bool:
    """Whether no calls below the first level are shown: then they need not be followed one by one."""
    return (
        options.trace and options.cache and not options.json and (options.depth is None or options.depth <= 1)
    )


def make_calculator(options: Options) -> Calculator:
    """A calculator with the library and limits that the options name."""
    # The matrices are small and one core is the promise; set before numpy loads, or it starts idle threads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from reckoner.machine import Limits

    limits = Limits(**dict(options.machine_limits)) if options.machine_limits else None  # type: ignore[arg-type]
    if _is_brief(options):
        from reckoner.machine.outline import OutlineMachine
        from reckoner.skills.recall import recall

        machine = OutlineMachine(recall(options.library), limits)
        return Calculator(machine=machine, text_limits=options.text_limits)
    return Calculator(options.library, cache=options.cache, limits=limits, text_limits=options.text_limits)


class _Session:
    """One run of the command: shows results as they come and remembers the worst exit code."""

    def __init__(self, calculator: Calculator, options: Options, report: Report) -> None:
        self.calculator = calculator
        self.options = options
        self.report = report
        self.scale = options.scale
        self.hint = CutHint(calculator, "--scale ")
        self.worst = 0
        self.checked = 0  # answers and errors compared with exact arithmetic
        self.wrong = 0

    def work_arguments(self) -> None:
        texts = self.options.expressions
        for start in range(0, len(texts), self.options.batch):
            for result in self._work(texts[start : start + self.options.batch]):
                self._show(result)

    def work_file(self, name: str) -> None:
        line = 0
        with _open(name) as (stream, size), Progress(size) as progress:
            for texts, done in read_batches(stream, self.options.batch, self.options.text_limits.length):
                worked = list(self._work([text for text in texts if text.strip()]))
                results = iter(worked)
                progress.clear()
                for text in texts:
                    line += 1
                    if text.strip():
                        self._show(
                            next(results), f"line {line}: " if name == "-" else f"{name}, line {line}: "
                        )
                    else:
                        self.report.show_blank()
                # Whoever waits for the answers at the other end of a pipe gets them now.
                sys.stdout.flush()
                progress.show(line, done)

    def finish(self) -> int:
        if self.options.verify and self.report.keeps_lines:
            agree = self.checked - self.wrong
            print(f"reckon: {agree} of {self.checked} agree with exact arithmetic", file=sys.stderr)
        return self.worst

    def _show(self, result: Result | str, where: str = "") -> None:
        if isinstance(result, str):
            self.report.show_setting(result)
            return
        self.report.show(result, where)
        if not self.options.json:
            self.hint.tell(result)

    def _work(self, texts: Sequence[str]) -> Iterator[Result | str]:
        """The result of each line, in order; a line that sets the scale is its own."""
        for sets_scale, lines in groupby(texts, is_setting):
            if not sets_scale:
                yield from self._results(list(lines))
                continue
            for line in lines:
                try:
                    self.scale = read_setting(line, self.options.text_limits)
                    yield line
                except ReckonerError as error:
                    self.worst = max(self.worst, error.exit_code)
                    yield Failure(line, error)

    def _results(self, texts: list[str]) -> list[Result]:
        results = self.calculator.results(texts, scale=self.scale, trace=self.options.trace)
        if self.options.verify:
            results = [self._verify(result) for result in results]
        codes = [result.error.exit_code for result in results if isinstance(result, Failure)]
        self.worst = max([self.worst, *codes])
        return results

    def _verify(self, result: Result) -> Result:
        from reckoner.cli.verify import can_verify, verify

        if not can_verify(result):
            return result
        verified = verify(result, self.options.text_limits)
        self.checked += 1
        self.wrong += verified is not result
        return verified


@contextmanager
def _open(name: str) -> Iterator[tuple[ByteStream, int | None]]:
    """A file or standard input, and its size if that is known."""
    if name == "-":
        if sys.stdin is None:
            raise FileError("standard input is closed")
        with open(sys.stdin.fileno(), "rb", closefd=False) as stream:
            yield stream, None
        return
    try:
        file = open(name, "rb")  # noqa: SIM115
    except OSError as error:
        raise FileError(f"{name}: {error.strerror}") from None
    with file:
        yield file, os.fstat(file.fileno()).st_size or None
