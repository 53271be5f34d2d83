"""`reckon --html FILE EXPRESSION`: the page with one run inside, as a file that opens from disk."""

from __future__ import annotations

import sys
from pathlib import Path

from reckoner.answer import Failure
from reckoner.cli.options import Options
from reckoner.cli.report import Report
from reckoner.errors import ExpressionError, FileError, ReckonerError
from reckoner.skills.library import write_atomically


def write_page(options: Options, report: Report) -> int:
    """Calculate the one expression, print its answer, and write the page to watch it on."""
    from reckoner.machine import Limits
    from reckoner.parts import Parts
    from reckoner.single_file import single_file

    assert options.html is not None
    if len(options.expressions) != 1 or options.files:
        raise ExpressionError(
            "--html shows one expression; give it one, as in: reckon --html page.html '12*3'"
        )
    [text] = options.expressions
    limits = Limits(**dict(options.machine_limits)) if options.machine_limits else None  # type: ignore[arg-type]
    parts = Parts(options.library, limits, options.text_limits)
    try:
        run = parts.ask(text, options.scale)
    except ReckonerError as error:  # without a run there is nothing to watch
        report.show(Failure(text, error, scale=options.scale))
        return error.exit_code
    try:
        write_atomically(Path(options.html), single_file(run.bundle()).encode())
    except OSError as error:
        raise FileError(f"{options.html}: {error.strerror or error}") from None
    report.show(run.result)
    print(f"reckon: {options.html} shows how; open it in a browser", file=sys.stderr)
    return run.result.error.exit_code if isinstance(run.result, Failure) else 0
