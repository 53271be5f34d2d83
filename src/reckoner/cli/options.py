"""The options of a calculation."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from reckoner import __version__
from reckoner.cli.argument import positive, whole_number
from reckoner.cli.commands import COMMANDS
from reckoner.cli.scale import is_setting
from reckoner.errors import ReckonerError
from reckoner.grammar import TextLimits, parse

# Put in front of an argument that is an expression though it begins with a minus, so that argparse does not
# take it for an option. No argument of a process can contain this character.
_SHIELD = "\0"

_DESCRIPTION = "Calculate expressions. Neural networks do all the arithmetic."

_EXAMPLES = """\
examples:
  reckon "12*(3+45)"              the answer: 576
  reckon "-7/2" "-7%2"            quotients are cut toward zero: -3 and -1
  reckon --scale 5 "7/3" "2^-4"   … after five decimals: 2.33333 and 0.06250
  reckon 1 + 2                    one expression, for no part is one by itself
  reckon --trace "12*(3+45)"      the answer with its steps
  reckon --trace --depth 3 1+2    … and what the skills did for them
  reckon --html page.html "12*3"  a page to watch it on, as a single file
  reckon -f problems.txt          one expression per line, answers in that order
  seq 1 9 | sed 's/.*/&*&/' | reckon --json
  reckon --verify "2*3-4"         compare with exact arithmetic
  reckon                          a prompt, when started alone on a terminal

An expression has numbers (with decimals or without), + - * / % ^ (or × · ÷ −),
brackets and spaces. Put it in quotes: to a shell, * and brackets mean something
else. All means what it means in bc.

exit codes: 0 answered, 2 not an expression, 3 division by zero or an exponent
with decimals, 4 over a limit, 5 the networks were wrong (found by --verify),
lost their way, or cannot be loaded. With several expressions: the highest."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a calculation was asked to do."""

    expressions: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    trace: bool = False
    depth: int | None = None  # as given
    json: bool = False
    html: str | None = None  # a file for the page with the run inside
    verify: bool = False
    library: str | None = None
    cache: bool = True
    batch: int = 1_000
    scale: int = 0
    text_limits: TextLimits = field(default_factory=TextLimits)
    machine_limits: tuple[tuple[str, float], ...] = ()  # those given, by the machine's names for them


def read_options(arguments: Sequence[str]) -> Options:
    """The options in `arguments`; ends the program as argparse does if they are wrong."""
    if not any(argument.startswith("-") for argument in arguments):  # nothing to parse, and no time to lose
        return Options(_tell_apart(arguments, TextLimits()))
    found = build_parser().parse_intermixed_args(_shield(arguments))
    limits = {name: getattr(found, f"max_{name}") for name in ("calls", "depth", "megabytes")}
    limits |= {"memory": found.max_characters, "seconds": found.timeout}
    texts = TextLimits(found.max_length, found.max_nesting, found.max_exponent_digits, found.max_scale)
    return Options(
        expressions=_tell_apart(found.expressions, texts),
        files=tuple(found.file or ()),
        trace=found.trace or found.depth is not None,
        depth=found.depth,
        json=found.json,
        html=found.html,
        verify=found.verify,
        library=found.library,
        cache=found.cache,
        batch=found.batch,
        scale=found.scale,
        text_limits=texts,
        machine_limits=tuple((name, value) for name, value in limits.items() if value is not None),
    )


def build_parser(*, with_expressions: bool = True) -> argparse.ArgumentParser:
    """The parser of the default command; a completion script has commands in place of expressions."""
    parser = argparse.ArgumentParser(
        prog="reckon",
        usage="reckon [options] [EXPRESSION ...]\n       reckon COMMAND ...",
        description=_DESCRIPTION,
        epilog=_list_commands() + _EXAMPLES,
        formatter_class=_Formatter,
        allow_abbrev=False,
    )
    if with_expressions:
        parser.add_argument(
            "expressions", nargs="*", metavar="EXPRESSION", type=_text, help="what to calculate"
        )
    parser.add_argument(
        "-f",
        "--file",
        action="append",
        type=_text,
        metavar="FILE",
        help="one expression per line; - is standard input",
    )
    parser.add_argument(
        "--scale",
        type=_bare(whole_number(0)),
        default=0,
        metavar="N",
        help="decimals after which quotients are cut (default 0)",
    )
    parser.add_argument("-V", "--version", action="version", version=f"reckon {__version__}")
    _add_output(parser.add_argument_group("what is printed"))
    _add_networks(parser.add_argument_group("networks"))
    _add_limits(parser.add_argument_group("limits"))
    return parser


def _add_output(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--trace", action="store_true", help="the steps, not the answer alone")
    group.add_argument(
        "--depth",
        type=_bare(whole_number(0)),
        metavar="N",
        help="levels of calls below each step (default 1, in JSON all); implies --trace",
    )
    group.add_argument("--json", action="store_true", help="one JSON object per expression")
    group.add_argument(
        "--html",
        type=_text,
        metavar="FILE",
        help="also write a page to watch the calculation on (one expression)",
    )
    group.add_argument("--verify", action="store_true", help="compare with exact arithmetic")


def _add_networks(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--library", type=_text, metavar="DIR", help="weights to use instead of the bundled ones"
    )
    group.add_argument(
        "--no-cache", dest="cache", action="store_false", help="remember no decisions or answers"
    )
    group.add_argument(
        "--batch",
        type=_bare(whole_number(1)),
        default=1_000,
        metavar="N",
        help="expressions calculated at once (default 1000)",
    )


def _add_limits(group: argparse._ArgumentGroup) -> None:
    texts = TextLimits()
    group.add_argument(
        "--max-length",
        type=_bare(whole_number(1)),
        default=texts.length,
        metavar="N",
        help=f"characters of an expression (default {texts.length})",
    )
    group.add_argument(
        "--max-nesting",
        type=_bare(whole_number(0)),
        default=texts.depth,
        metavar="N",
        help=f"brackets within brackets (default {texts.depth})",
    )
    group.add_argument(
        "--max-exponent-digits",
        type=_bare(whole_number(1)),
        default=texts.exponent,
        metavar="N",
        help=f"digits of an exponent (default {texts.exponent})",
    )
    group.add_argument(
        "--max-scale",
        type=_bare(whole_number(0)),
        default=texts.scale,
        metavar="N",
        help=f"decimals of a quotient (default {texts.scale})",
    )
    group.add_argument(
        "--max-calls", type=_bare(whole_number(1)), metavar="N", help="calls of skills per expression"
    )
    group.add_argument("--max-depth", type=_bare(whole_number(1)), metavar="N", help="calls within calls")
    group.add_argument(
        "--max-characters",
        type=_bare(whole_number(1)),
        metavar="N",
        help="characters in front of one skill at once",
    )
    group.add_argument(
        "--max-megabytes", type=_bare(whole_number(1)), metavar="N", help="room in the computer's memory"
    )
    group.add_argument(
        "--timeout",
        type=_bare(positive),
        metavar="SECONDS",
        help="wall-clock time per expression (default 60)",
    )


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Help with room for the longest option."""

    def __init__(self, prog: str, **settings: Any) -> None:
        super().__init__(prog, max_help_position=28, **settings)


def _list_commands() -> str:
    rows = [f"  {command.name:<11} {command.summary}" for command in COMMANDS]
    return "\n".join(["commands (`reckon COMMAND --help` says more):", *rows, "", ""])


def _tell_apart(arguments: Sequence[str], limits: TextLimits) -> tuple[str, ...]:
    """The expressions that the arguments are: one each; or the parts of a single one, as in `reckon 1 + 2`."""
    whole = " ".join(arguments)
    each_is_one = all(is_expression(argument, limits) or is_setting(argument) for argument in arguments)
    if each_is_one or not all(map(str.strip, arguments)) or not is_expression(whole, limits):
        return tuple(arguments)
    return (whole,)


def is_expression(text: str, limits: TextLimits) -> bool:
    """Whether a text is one by itself."""
    try:
        parse(text, limits)
    except ReckonerError:
        return False
    return True


def _shield(arguments: Sequence[str]) -> list[str]:
    """Mark what is an expression and not an option: `-7/2`, `--5`, and all that follows `--`."""
    shielded: list[str] = []
    for number, argument in enumerate(arguments):
        if argument == "--":
            return shielded + [_SHIELD + rest for rest in arguments[number + 1 :]]
        name = argument.lstrip("-")[:1]
        is_option = argument.startswith("-") and name.isascii() and name.isalpha()
        shielded.append(argument if is_option or not argument.startswith("-") else _SHIELD + argument)
    return shielded


def _text(argument: str) -> str:
    return argument.removeprefix(_SHIELD)


def _bare(convert: Callable[[str], Any]) -> Callable[[str], Any]:
    """An argparse type that gets what was typed."""
    return lambda argument: convert(_text(argument))
