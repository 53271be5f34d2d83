"""`reckon completion SHELL`: a completion script, made from the options the program has."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from reckoner.cli.commands import list_commands
from reckoner.cli.options import build_parser

_HOW = """\
to use it:
  bash   eval "$(reckon completion bash)"                                    in ~/.bashrc
  zsh    eval "$(reckon completion zsh)"                                     in ~/.zshrc
  fish   reckon completion fish > ~/.config/fish/completions/reckon.fish"""

_FILES = ("--file",)
_FOLDERS = ("--library",)


@dataclass(frozen=True, slots=True)
class _Option:
    names: tuple[str, ...]
    help: str
    takes_value: bool

    @property
    def long(self) -> str:
        return self.names[-1]


def main(arguments: list[str]) -> int:
    """Print the script for a shell."""
    parser = argparse.ArgumentParser(
        prog="reckon completion",
        description="Print a completion script for a shell.",
        epilog=_HOW,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shell", choices=sorted(_SCRIPTS))
    print(_SCRIPTS[parser.parse_args(arguments).shell]())
    return 0


def _options() -> list[_Option]:
    return [
        _Option(tuple(action.option_strings), action.help or "", action.nargs != 0)
        for action in build_parser()._actions
        if action.option_strings
    ]


def _bash() -> str:
    options = _options()
    words = " ".join(name for option in options for name in option.names)
    commands = " ".join(command.name for command in list_commands())
    return f"""\
_reckon() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
    COMPREPLY=()
    case "$before" in
        {_alternatives(_FILES, "|")}) COMPREPLY=($(compgen -f -- "$word")); return ;;
        {_alternatives(_FOLDERS, "|")}) COMPREPLY=($(compgen -d -- "$word")); return ;;
        completion) COMPREPLY=($(compgen -W "{" ".join(sorted(_SCRIPTS))}" -- "$word")); return ;;
    esac
    if [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "{words}" -- "$word"))
    elif [[ $COMP_CWORD -eq 1 ]]; then
        COMPREPLY=($(compgen -W "{commands}" -- "$word"))
    fi
}}
complete -o filenames -F _reckon reckon"""


def _zsh() -> str:
    lines = []
    for option in _options():
        help_text = option.help.replace("'", "").replace("[", "(").replace("]", ")").replace(":", "")
        value = ""
        if option.takes_value:
            action = "_files" if option.long in _FILES else "_directories" if option.long in _FOLDERS else ""
            value = f":value:{action}"
        lines += [f"        '*{name}[{help_text}]{value}' \\" for name in option.names]
    commands = " ".join(f"'{command.name}:{command.summary}'" for command in list_commands())
    return "\n".join(
        [
            "_reckon() {",
            "    local -a commands",
            f"    commands=({commands})",
            "    if [[ $words[2] == completion ]]; then",
            f"        compadd {' '.join(sorted(_SCRIPTS))}",
            "        return",
            "    fi",
            "    _arguments \\",
            *lines,
            "        '1: :{_describe command commands}'",
            "}",
            "compdef _reckon reckon",
        ]
    )


def _fish() -> str:
    lines = []
    for option in _options():
        flags = " ".join(f"-l {n[2:]}" if n.startswith("--") else f"-s {n[1:]}" for n in option.names)
        value = ""
        if option.takes_value:
            value = " -r" if option.long in _FILES + _FOLDERS else " -x"
        lines.append(f"complete -c reckon {flags}{value} -d {_quote(option.help)}")
    for command in list_commands():
        lines.append(
            f"complete -c reckon -n __fish_use_subcommand -f -a {command.name} -d {_quote(command.summary)}"
        )
    shells = " ".join(sorted(_SCRIPTS))
    lines.append(f"complete -c reckon -n '__fish_seen_subcommand_from completion' -f -a '{shells}'")
    return "\n".join(lines)


def _quote(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _alternatives(long_names: tuple[str, ...], joint: str) -> str:
    return joint.join(name for option in _options() if option.long in long_names for name in option.names)


_SCRIPTS = {"bash": _bash, "fish": _fish, "zsh": _zsh}
