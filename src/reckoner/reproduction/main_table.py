"""The main table: every system in a row, every operation in a column, from the records; README has its main lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean

from reckoner.evaluation.table import NOTHING, markdown, whole
from reckoner.reproduction import papers_learner, rivals, table1
from reckoner.reproduction.contenders import ENTRIES, short
from reckoner.reproduction.experiment import Setting
from reckoner.reproduction.pace import FRESH, shown
from reckoner.reproduction.records import Record, write_result

START, END = "<!-- main table, by reckon reproduce report -->\n", "<!-- end of the main table -->\n"
LENGTHS = (5, 10, 20, 50, 100)
BRIEF = (5, 10, 20, 100)  # README's: the paper's, and the longest
COLUMNS = ("add", "subtract", "multiply", "divide", "expression")
NOWHERE_ELSE = "Transformer, no positions"  # measured on addition alone
APART = 0.05  # runs that differ by more are told by both ends
Shares = Mapping[int, Sequence[float]]  # of right answers, by length, one per run


def put_main_table(setting: Setting, readme: Path) -> None:
    """Replace the table in a file that has a place for it; any other file is left alone."""
    text = readme.read_text() if readme.is_file() else ""
    if START in text and END in text:
        before, _, rest = text.partition(START)
        after = rest.partition(END)[2]
        write_result(readme, before + START + main_table(setting) + END + after)


def main_table(setting: Setting, is_brief: bool = True) -> str:
    """The table; a brief one leaves out a length, fixed problems and what was tried to help the paper's learner."""
    lengths = BRIEF if is_brief else LENGTHS
    heading = [
        "% right at " + " / ".join(map(str, lengths)),
        *(table1.TITLES[kind].lower() for kind in COLUMNS),
    ]
    rows = [*_ours(setting, lengths), *_papers(setting, is_brief), *_rivals(setting, lengths, is_brief)]
    return markdown(heading, rows)


def _ours(setting: Setting, lengths: Sequence[int]) -> Iterator[list[str]]:
    found = table1.EXPERIMENT.read(setting)[0]
    runs = {kind: _by_length([r for r in found if r["kind"] == kind], lengths) for kind in COLUMNS}
    yield ["**Reckoner**", *(f"**{_cell(runs[kind])}**" for kind in COLUMNS)]
    yield ["the paper's own", *(_printed(kind, "ours") for kind in COLUMNS)]


def _papers(setting: Setting, is_brief: bool) -> Iterator[list[str]]:
    """The paper's configuration here, as far as it was tried; what one part of ours is worth is told elsewhere."""
    found = [r for r in papers_learner.EXPERIMENT.read(setting)[0] if r["variant"] != papers_learner.ALONE]
    variants = list(dict.fromkeys(r["variant"] for r in found))
    for variant in variants[:1] if is_brief else variants:
        runs = [r for r in found if r["variant"] == variant]
        cells = [_cell(_of_lengths([r for r in runs if r["kind"] == kind])) for kind in COLUMNS]
        yield [f"{variant}{_seeds(runs)}", *cells]


def _of_lengths(runs: Sequence[Record]) -> Shares:
    return {n: [r["cells"][str(n)] for r in runs if str(n) in r["cells"]] for n in LENGTHS}


def _rivals(setting: Setting, lengths: Sequence[int], is_brief: bool) -> Iterator[list[str]]:
    """Each rival here, and the paper's numbers for it."""
    found = shown(rivals.EXPERIMENT.read(setting)[1])
    printed = {model: [_printed(kind, model) for kind in COLUMNS] for model in ("LSTM", "Neural GPU")}
    for model, regime in ENTRIES:
        runs = [r for r in found if (r["model"], r["regime"]) == (model, regime)]
        if runs and not (is_brief and (regime != FRESH or model == NOWHERE_ELSE)):
            of_kind = {k: [c for r in runs for c in r["cells"] if c["kind"] == k] for k in COLUMNS}
            cells = [_cell(_by_length(of_kind[kind], lengths)) for kind in COLUMNS]
            yield [f"{short(model, regime)}{_seeds(runs)}", *cells]
        if regime == FRESH and model in printed:
            yield [f"{model}, the paper's", *printed[model]]


def _by_length(cells: Sequence[Record], lengths: Sequence[int]) -> Shares:
    return {n: [c["right"] / c["count"] for c in cells if c["length"] == n and c["count"]] for n in lengths}


def _seeds(runs: Sequence[Record]) -> str:
    """How many are behind a cell; from fewest to most while the experiment is not at its end."""
    counts = Counter(r["kind"] for r in runs).values()
    least, most = min(counts), max(counts)
    return f" ({least if least == most else f'{least} to {most}'} seed{'s' if most > 1 else ''})"


def _printed(kind: str, model: str) -> str:
    return " / ".join(map(str, table1.PAPER[kind][model]))


def _cell(shares: Shares) -> str:
    """By length, as far as there are any: the mean of the runs, or both ends where it would be like none of them."""
    return " / ".join(_middle(found) for found in shares.values() if found) or NOTHING


def _middle(shares: Sequence[float]) -> str:
    low, high = min(shares), max(shares)
    return whole(mean(shares)) if high - low <= APART else f"{whole(low)}–{whole(high)}"
