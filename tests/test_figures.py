"""Figures: names beside lines, and the accuracy of failed runs beside their last cross."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reckoner.reproduction import figures
from reckoner.reproduction.budget import STANDARD
from reckoner.reproduction.experiment import EXPERIMENTS, Setting, load
from reckoner.reproduction.labels import label_lines

pytest.importorskip("matplotlib")


def plot(panel: Any, lines: dict[str, list[float]]) -> None:
    for name, values in lines.items():
        panel.plot(range(len(values)), values, label=name)
    figures.show_accuracy(panel)


def boxes(panel: Any) -> dict[str, Any]:
    renderer = panel.figure.canvas.get_renderer()
    return {text.get_text(): text.get_window_extent(renderer) for text in panel.texts}


def test_each_name_stands_once_where_it_covers_nothing():
    page, panels = figures.make_panels(1, 2, (9, 3.5))
    plot(panels[0], {"ours": [0, 100, 100], "LSTM": [0, 0, 0], "Neural GPU": [0, 0, 0]})
    plot(panels[1], {"ours": [0, 100, 100], "LSTM": [0, 20, 15], "Neural GPU": [0, 60, 50]})
    label_lines(panels)
    found = [(panel, name, box) for panel in panels for name, box in boxes(panel).items()]
    assert sorted(name for _, name, _ in found) == ["LSTM", "Neural GPU", "ours"]
    for panel, name, box in found:
        assert not any(box.overlaps(other) for p, n, other in found if (p, n) != (panel, name))
        for line in panel.get_lines():
            assert not line.get_transform().transform_path(line.get_path()).intersects_bbox(box, filled=False)
    assert not page.legends


def test_a_name_that_finds_no_place_goes_to_a_legend():
    page, panels = figures.make_panels(1, 1, (3, 3))
    plot(panels[0], {"a name that is longer than the panel is wide, by far": [0, 50], "LSTM": [100, 90]})
    label_lines(panels)
    assert list(boxes(panels[0])) == ["LSTM"]
    assert [text.get_text()[:6] for text in page.legends[0].get_texts()] == ["a name"]


def test_what_failed_runs_got_right_stands_at_the_last_of_them():
    _, (panel,) = figures.make_panels(1, 1, (4, 3))
    runs = [
        {"mastered": mastered, "updates": updates, "accuracy": 0.25}
        for mastered, updates in [(True, 10), (False, 20), (False, 30), (True, 90)]
    ]
    figures.draw_outcomes(panel, 0, runs, "updates")
    (text,) = panel.texts
    assert (text.get_text(), text.xy) == ("2 runs: 25 %", (30, 0))
    assert text.get_color() == figures.COLOURS["failed"]
    figures.draw_outcomes(panel, 1, runs[:2], "updates")
    assert panel.texts[1].get_text() == "25 %"


def test_no_two_models_share_a_colour():
    assert len(set(figures.COLOURS.values())) == len(figures.COLOURS)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_first_record_of_an_experiment_makes_a_table_and_figures(name):
    """An experiment is looked at while it is measured, or with `--only`."""
    records = Path(__file__).parents[1] / "results" / "reproduce"
    sets = [found[:1] for found in load(name).read(Setting(STANDARD, records))]
    assert load(name).table(*sets)
    for draw in load(name).figures.values():
        page = draw(*sets)
        page.canvas.draw()
