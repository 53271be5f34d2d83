"""Which table and which figures belong to an item."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from reckoner.reproduction import tables
from reckoner.reproduction.records import Record, RecordsError, write_result

Reader = Callable[[str], list[Record]]  # from the name of a set of records to the records

TRAINING, TEST = "training-accuracy", "test-accuracy"


def make_table(item: str, read: Reader) -> str:
    """The item's table."""
    match item:
        case "table1":
            return tables.table1(read("ours"), read("baselines"))
        case "training-curve":
            return tables.curve_tasks(read("baselines"), read("curriculum"))
        case "continual":
            return tables.continual(read(item))
        case "soundness":
            return tables.soundness(read(item))
        case "hierarchy":
            return tables.hierarchy(read(item))
        case _:
            return tables.ablation(read(item), item)


def present(item: str, read: Reader, folder: Path) -> None:
    """Write an item's table and figures."""
    write_result(folder / "table.md", make_table(item, read))
    try:
        from reckoner.reproduction import figures, hierarchy_figure
    except ModuleNotFoundError as error:
        raise RecordsError(
            f"figures need {error.name}, which is not installed: pip install 'reckoner[plots]' "
            f"(records and {folder / 'table.md'} are written)"
        ) from None
    match item:
        case "table1":
            figures.save(lambda: figures.table1(read("ours"), read("baselines")), folder / "accuracy")
        case "training-curve":
            curves = read("baselines"), read("curriculum")
            figures.save(
                lambda: figures.training(*curves, 2, "Accuracy on the training set"), folder / TRAINING
            )
            title = "Accuracy on expressions of length 10 never trained on"
            figures.save(lambda: figures.training(*curves, 3, title), folder / TEST)
        case "continual":
            figures.save(lambda: figures.continual(read(item)), folder / "accuracy")
        case "soundness":
            figures.save(lambda: figures.soundness(read(item)), folder / "accuracy")
        case "hierarchy":
            figures.save(lambda: hierarchy_figure.draw(read(item)), folder / "calls")
        case _:
            figures.save(lambda: figures.ablation(read(item), item), folder / "accuracy")
