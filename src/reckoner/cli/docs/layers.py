"""Which part of the package may import which: the one list, for the purity test and the architecture page."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import reckoner
from reckoner.evaluation.table import markdown

PACKAGE = Path(reckoner.__file__).parent
_BEGIN, _END = "<!-- made by `make docs` -->\n", "<!-- end -->\n"


class Layer(NamedTuple):
    """Parts that may import one another and all that is below them."""

    parts: tuple[str, ...]
    holds: str


# Imports go down this list only.
LAYERS = (
    Layer(("cli", "__main__"), "every command that parses and prints; the pages it writes about itself"),
    Layer(("web",), "a server on this computer, and the page on which one watches the networks"),
    Layer(("reproduction", "bench"), "the paper's experiments, one file each; how fast it is"),
    Layer(("evaluation",), "problem sets, marking, intervals, tables"),
    Layer(("baselines",), "seq2seq LSTM, Neural GPU and a small transformer, for comparison"),
    Layer(("gym",), "a Gymnasium environment per interactive skill, for other people's learners"),
    Layer(("curriculum",), "the table of tasks, problems, the oracle, teacher, student, school, checkpoints"),
    Layer(
        ("program",),
        "what the networks learned, as programs; what they have to do, specified; that they do it, proved",
    ),
    Layer(
        ("training",),
        "supervised learning; attempts, the memory of them, PPO; the search: knows nothing of arithmetic",
    ),
    Layer(
        (
            *(
                "__init__",
                "calculator",
                "verdict",
                "answer",
                "cut",
                "rewriting",
                "notes",
                "parts",
                "notebook",
                "single_file",
            ),
            *("trace_json", "result_json", "skill_json"),
        ),
        "text in, answer out, and the steps of an answer in several forms",
    ),
    Layer(("machine",), "the executor and its traces"),
    Layer(("skills",), "what a skill is, basic and interactive ones, the library on disk"),
    Layer(("nn",), "the networks twice: in numpy for use, in PyTorch for training"),
    Layer(("engine", "cluster"), "work side by side: in this process, in others, on other machines"),
    Layer(
        ("alphabet", "grammar", "operand", "fault", "characters", "errors", "provenance"),
        "characters and views, what is an expression, every failure, where a result comes from",
    ),
)
RANK = {part: len(LAYERS) - i for i, layer in enumerate(LAYERS) for part in layer.parts}


def sources() -> list[Path]:
    """All source files."""
    return sorted(PACKAGE.rglob("*.py"))


def part_of(file: Path) -> str:
    """The part of the package that a file belongs to."""
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def tree(file: Path) -> ast.Module:
    """A file's syntax."""
    return ast.parse(file.read_text(encoding="utf-8"), str(file))


def imports(file: Path) -> Iterator[str]:
    """Full names of all that a file imports, inside functions and for types too."""
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module}.{alias.name}" for alias in node.names)


def own_imports(file: Path) -> Iterator[str]:
    """Which parts of the package a file imports."""
    for name in imports(file):
        parts = name.split(".")
        if parts[0] == "reckoner":
            yield parts[1] if len(parts) > 1 and parts[1] in RANK else "__init__"


def names(layer: Layer) -> list[str]:
    """The parts of a layer as files and folders, as far as there are any."""
    found = [f"{part}/" for part in layer.parts if (PACKAGE / part).is_dir()]
    return found + [f"{part}.py" for part in layer.parts if (PACKAGE / f"{part}.py").is_file()]


def update_layers(page: str) -> str:
    """The architecture page with its table of layers made anew."""
    rows = [[", ".join(f"`{name}`" for name in names(layer)), layer.holds] for layer in LAYERS]
    before, _, rest = page.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return f"{before}{_BEGIN}{markdown(['layer', 'what it holds'], rows, is_text=True)}{_END}{after}"
