"""Reproduction: records that survive faults, tables and figures from fixture records, and a smoke run."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random

import pytest

from reckoner.cli import main as reckon
from reckoner.curriculum import oracle
from reckoner.curriculum.expression import OPERATORS
from reckoner.curriculum.stage import distinct
from reckoner.curriculum.tasks import INTERACTIVE
from reckoner.engine import Here, Processes
from reckoner.errors import ReckonerError
from reckoner.evaluation.interval import interval
from reckoner.evaluation.problems import problems_by_length
from reckoner.evaluation.table import percent, spread
from reckoner.reproduction import (
    ablation,
    continual,
    hierarchy,
    papers_learner,
    perception,
    rivals,
    soundness,
    table1,
    training_curve,
)
from reckoner.reproduction import records as records_module
from reckoner.reproduction.budget import SMOKE, STANDARD
from reckoner.reproduction.contenders import FIXED
from reckoner.reproduction.experiment import EXPERIMENTS, Experiment, Setting, load
from reckoner.reproduction.figures import read_steps
from reckoner.reproduction.main_table import END, START, main_table, put_main_table
from reckoner.reproduction.records import Records, RecordsError, Unit, run_units
from reckoner.reproduction.report import write_report
from reckoner.skills.library import BUNDLED, MANIFEST, Library

# --- statistics ---


@pytest.mark.parametrize(
    ("right", "count", "low", "high"),
    [(0, 10, 0.0, 0.3085), (5, 10, 0.1871, 0.8129), (10, 10, 0.6915, 1.0), (999, 1000, 0.9944, 1.0000)],
)
def test_interval_is_the_exact_binomial_one(right, count, low, high):
    assert interval(right, count) == pytest.approx((low, high), abs=1e-4)


def test_interval_narrows_and_holds_the_share():
    low, high = interval(1000, 1000)
    assert high == 1.0
    assert low == pytest.approx(0.025 ** (1 / 1000), abs=1e-6)
    assert interval(0, 0) == (0.0, 1.0)


def test_spread_and_steps():
    assert spread([3, 1, 2], 0) == "2 (1–3)"
    assert spread([1.5], 1) == "1.5"
    assert spread([], 1) == "–"
    assert read_steps([(1, 5.0), (3, 7.0)], [0, 1, 2, 3, 9]) == [0.0, 5.0, 5.0, 7.0, 7.0]


# --- records ---


def units(log: list[str], names: str = "abc", bad: str = "") -> list[Unit]:
    def run(name: str) -> dict[str, object]:
        if name == bad:
            raise KeyboardInterrupt
        log.append(name)
        return {"value": name}

    return [Unit(name, lambda name=name: run(name)) for name in names]


def no_log() -> list[str]:
    return []


def test_an_interrupted_run_resumes(tmp_path):
    records, log = Records(tmp_path / "r.jsonl"), no_log()
    with pytest.raises(KeyboardInterrupt):
        run_units(units(log, bad="b"), records, "smoke", Here())
    run_units(units(log), records, "smoke", Here())
    run_units(units(log), records, "smoke", Here())
    assert log == ["a", "b", "c"]
    found = records.read()
    assert [r["unit"] for r in found] == ["a", "b", "c"]
    assert {"budget", "wall_seconds", "processor_seconds", "environment"} <= found[0].keys()
    assert found[0]["environment"]["versions"]["torch"]


def test_units_can_be_asked_for_by_name(tmp_path):
    records, log = Records(tmp_path / "r.jsonl"), no_log()
    run_units(units(log), records, "smoke", Here(), only="c")
    assert log == ["c"]
    run_units(units(log), records, "smoke", Here())
    assert log == ["c", "a", "b"]


def run_in_turn(name: str, folder: Path) -> dict[str, object]:
    """A unit that ends after another one has begun and a third has ended: only two workers can do that."""
    (folder / name).touch()
    while name == "a" and not (folder / "b").exists():
        time.sleep(0.01)
    return {"process": os.getpid()}


def test_units_run_side_by_side(tmp_path):
    records = Records(tmp_path / "r.jsonl")
    with Processes(2) as engine:
        run_units([Unit(n, partial(run_in_turn, n, tmp_path)) for n in "abcd"], records, "smoke", engine)
    found = records.read()
    assert sorted(r["unit"] for r in found) == ["a", "b", "c", "d"]
    assert os.getpid() not in {r["process"] for r in found}
    assert len({r["process"] for r in found}) == 2


def full(file: Path) -> dict[str, object]:
    while not file.exists():
        time.sleep(0.01)
    raise RecordsError("the disk is full")


def test_a_fault_in_a_worker_reaches_the_user_and_loses_nothing(tmp_path):
    records = Records(tmp_path / "r.jsonl")
    units = [Unit("a", dict), Unit("b", partial(full, records.file))]
    with Processes(2) as engine, pytest.raises(RecordsError, match="disk is full"):
        run_units(units, records, "smoke", engine)
    assert [r["unit"] for r in records.read()] == ["a"]


def test_records_of_other_code_are_pointed_out(tmp_path, capsys):
    records = Records(tmp_path / "r.jsonl")
    records.append({"unit": "a", "environment": {"commit": "0123456789"}})
    run_units(units([], "ab"), records, "smoke", Here())
    assert "earlier records are from commit 01234567" in capsys.readouterr().err


def test_a_line_cut_off_by_a_kill_is_done_again(tmp_path):
    records, log = Records(tmp_path / "r.jsonl"), no_log()
    run_units(units(log, "ab"), records, "smoke", Here())
    whole = records.file.read_bytes()
    records.file.write_bytes(whole[:-20])
    assert [r["unit"] for r in records.read()] == ["a"]
    run_units(units(log, "ab"), records, "smoke", Here())
    assert log == ["a", "b", "b"]
    assert [json.loads(line)["unit"] for line in records.file.read_text().splitlines()] == ["a", "b"]


def test_a_damaged_line_is_named(tmp_path):
    file = tmp_path / "r.jsonl"
    file.write_text('{"unit": "a"}\nnonsense\n{"unit": "b"}\n')
    with pytest.raises(RecordsError, match=r"line 2 of .*r\.jsonl is damaged"):
        Records(file).read()


def test_a_full_disk_loses_nothing(tmp_path, monkeypatch):
    records, log = Records(tmp_path / "r.jsonl"), no_log()
    run_units(units(log, "a"), records, "smoke", Here())
    before = records.file.read_bytes()

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(records_module.os, "fsync", full)
        with pytest.raises(RecordsError, match=r"the disk is full.*run the same command again"):
            run_units(units(log, "ab"), records, "smoke", Here())
    assert records.file.read_bytes() == before
    run_units(units(log, "ab"), records, "smoke", Here())
    assert [r["unit"] for r in records.read()] == ["a", "b"]


# --- tables from fixture records ---


def cell(length: int, right: int, count: int = 1000, kind: str = "add") -> dict[str, object]:
    return {"unit": f"{kind}/{length}", "kind": kind, "length": length, "right": right, "count": count}


def curve(*accuracies: float) -> list[list[float]]:
    return [[5 * i, 1.5 * i, a, a] for i, a in enumerate(accuracies)]


BASELINES = [
    {"unit": f"{model}/{seed}", "model": model, "seed": seed,
     "updates": 40, "seconds": 60.0, "curve": curve(0.0, 0.5, 1.0),
     "tasks": [{"task": "S+S", "mastered": True, "seconds": 1.5},
               {"task": "M+M", "mastered": False, "seconds": 3.0}]}
    for model, seed in [("LSTM", 0), ("LSTM", 1), ("Neural GPU", 0)]
]  # fmt: skip
RIVALS = [
    {"model": model, "regime": regime, "kind": "add", "seed": seed, "cells": [cell(5, right), cell(10, 0)]}
    for model, regime, seed, right in [
        ("LSTM", rivals.FRESH, 0, 500), ("LSTM", rivals.FRESH, 1, 700), ("LSTM", FIXED, 0, 10),
        ("Neural GPU", rivals.FRESH, 0, 999),
    ]
]  # fmt: skip
OURS = [cell(5, 1000), cell(10, 1000), cell(20, 998), cell(100, 1000)]
CURRICULUM = [{**BASELINES[0], "unit": "seed-0", "model": "ours", "seed": "seed-0"}]
ABLATION = [
    {"unit": f"{variant}/strip/{seed}", "variant": variant, "skill": "strip", "seed": seed, "mastered": good,
     "updates": updates, "seconds": updates / 4, "accuracy": accuracy, "curve": curve(0.0, 0.4, accuracy)}
    for variant, seed, good, updates, accuracy in [
        ("full", 0, True, 20, 1.0), ("full", 1, True, 40, 1.0), ("no guidance", 0, False, 100, 0.25),
        ("no guidance", 1, False, 100, 0.75),
    ]
]  # fmt: skip
HIERARCHY = [
    {"unit": "calls", "expressions": 10, "length": 20, "calls": 99, "skills": ["f", "g", "h"], "basic": ["f"],
     "edges": [["g", "f", 50], ["h", "g", 20], ["h", "h", 5]]}
]  # fmt: skip
SOUNDNESS = [
    {"unit": "n/0", "model": "Neural GPU", "task": "binary addition", "seed": 0, "trained_to": 8,
     "seconds": 60.0, "cells": [cell(8, 500, 500), cell(16, 450, 500)]}
]  # fmt: skip
SETS = {
    "ours": OURS, "baselines": BASELINES, "curriculum": CURRICULUM, "learning": ABLATION, "teacher": ABLATION,
    "continual": [{**r, "subject": "modulo"} for r in ABLATION], "hierarchy": HIERARCHY, "soundness": SOUNDNESS,
}  # fmt: skip


def test_table1_shows_the_paper_beside_the_measured():
    table = table1.table(OURS, RIVALS)
    addition = table.split("**Subtraction**")[0]
    assert addition.splitlines()[2:] == [
        "| length | 5 | 10 | 20 | 100 |",
        "|---|---:|---:|---:|---:|",
        "| Ours, paper | 100 % | 100 % | 17 % | – |",
        "| **Ours, measured** | 100 % [99.6, 100.0] | 100 % [99.6, 100.0] | 99.8 % [99.3, 100.0] "
        "| 100 % [99.6, 100.0] |",
        "| Neural GPU, paper | 100 % | 98 % | 84 % | – |",
        "| **Neural GPU, measured** | 99.9 % | 0 % | – | – |",
        "| LSTM, paper | 61 % | 33 % | 16 % | – |",
        "| **LSTM, measured** | 60 % (50.0–70.0) | 0 % (0.0–0.0) | – | – |",
        "",
    ]


def test_ablation_table_counts_failures():
    assert ablation.table(ABLATION).splitlines()[2:] == [
        "| strip | full | 2 of 2 | 100 % | 30 (20–40) | 7.5 (5.0–10.0) |",
        "| strip | no guidance | 0 of 2 | 50 % (25–75) | – | – |",
    ]


def test_perception_marks_what_the_curriculum_has():
    runs = [
        {**ABLATION[0], "variant": f"C = {digits}", "skill": skill}
        for skill in ("add-columns", "M*M")
        for digits in (1, 2)
    ]
    rows = [line.split(" | ")[:2] for line in perception.table(runs).splitlines()[2:]]
    assert rows == [
        ["| add-columns", "C = 1"],
        ["| add-columns", "C = 2 (as trained)"],
        ["| M*M", "C = 1 (as trained)"],
        ["| M*M", "C = 2"],
    ]


def test_percent_never_rounds_to_perfect():
    assert percent(1.0) == "100 %"
    assert percent(0.9996) == "99.96 %"
    assert percent(0.123) == "12.3 %"
    assert percent(0.0004) == "0.04 %"
    assert percent(0.0) == "0 %"


def test_other_tables():
    assert "| h | g | 20 | 2.0 |" in hierarchy.table(HIERARCHY)
    assert "| Neural GPU: binary addition | 16 | 2 × trained | 90 % | 90 % | 1 | 60 |" in soundness.table(
        SOUNDNESS
    )
    assert "| LSTM, 0 | 1 of 2 | 40 | 60 | 100 % |" in training_curve.table(CURRICULUM, BASELINES)


# --- figures from fixture records ---


def put(home: Path, budget: str = "smoke") -> None:
    for name, found in SETS.items():
        file = home / "records" / f"{name}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(json.dumps({**r, "budget": budget}) + "\n" for r in found))


def words(svg: Path) -> set[str]:
    return set(re.findall(r"<text[^>]*>([^<]+)</text>", svg.read_text()))


def test_figures_and_report_come_from_records_alone(tmp_path, capsys):
    put(tmp_path)
    arguments = ["reproduce", "--from-records", "--budget", "smoke", "--out", str(tmp_path)]
    assert reckon(arguments) == 0
    figures = sorted(tmp_path.glob("*/*.svg"))
    assert [f.relative_to(tmp_path).as_posix() for f in figures] == [
        "continual/accuracy.svg", "hierarchy/calls.svg", "learning/curves.svg", "learning/seconds.svg",
        "soundness/accuracy.svg", "table1/accuracy.svg", "teacher/runs.svg", "training-curve/skills.svg",
        "training-curve/test-accuracy.svg", "training-curve/training-accuracy.svg",
    ]  # fmt: skip
    assert all(f.with_suffix(".png").stat().st_size > 5000 for f in figures)
    expected = {"Addition", "Ours, measured", "Neural GPU, paper", "accuracy (%)"}
    assert expected <= words(tmp_path / "table1/accuracy.svg")
    assert {"full", "no guidance", "strip", "seconds of one core"} <= words(tmp_path / "learning/seconds.svg")
    assert {"LSTM: 2 tasks, 2 seeds"} <= words(tmp_path / "training-curve/training-accuracy.svg")
    assert {"5.0 ×", "2.5 ×, 0.5 ↻"} & words(tmp_path / "hierarchy/calls.svg")
    report = (tmp_path / "reproduction.md").read_text()
    assert "99.8 % [99.3, 100.0]" in report
    assert "(learning/seconds.svg)" in report
    before = {f: f.read_bytes() for f in figures}
    assert reckon(arguments) == 0
    assert before == {f: f.read_bytes() for f in figures}


def test_without_matplotlib_the_table_is_written_and_the_extra_is_named(tmp_path, capsys, monkeypatch):
    put(tmp_path)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert (
        reckon(["reproduce", "learning", "--from-records", "--budget", "smoke", "--out", str(tmp_path)]) != 0
    )
    assert "pip install 'neural-reckoner[plots]'" in complaint(capsys)
    assert (tmp_path / "learning/table.md").exists()


# --- bad input ---


def complaint(capsys: pytest.CaptureFixture[str]) -> str:
    text = capsys.readouterr().err
    assert "Traceback" not in text
    return text


def test_an_unknown_experiment_is_named(tmp_path, capsys):
    assert reckon(["reproduce", "table9", "--out", str(tmp_path)]) == 2
    assert "there is no experiment 'table9'; there are soundness, table1" in complaint(capsys)
    assert not list(tmp_path.iterdir())


def test_missing_records_say_how_to_make_them(tmp_path, capsys):
    assert reckon(["reproduce", "learning", "--from-records", "--out", str(tmp_path)]) != 0
    assert "reckon reproduce learning" in complaint(capsys)
    assert reckon(["reproduce", "report", "--out", str(tmp_path)]) != 0
    assert "no records" in complaint(capsys)


def test_half_of_what_a_table_needs_is_recorded_and_said(tmp_path, capsys):
    arguments = ["reproduce", "rivals", "--only", "LSTM/fresh problems/128", "--budget", "smoke"]
    assert reckon([*arguments, "--workers", "1", "--out", str(tmp_path)]) == 0
    assert "no records yet" in capsys.readouterr().out
    assert len(Records(tmp_path / "records/rivals-grid.jsonl").read()) == 1
    assert not (tmp_path / "rivals").exists()


def test_budgets_do_not_mix(tmp_path, capsys):
    put(tmp_path, budget="smoke")
    assert reckon(["reproduce", "learning", "--budget", "standard", "--out", str(tmp_path)]) != 0
    assert "choose another folder" in complaint(capsys)


def test_a_missing_library_is_explained(tmp_path, capsys):
    arguments = [
        "reproduce",
        "learning",
        "--budget",
        "smoke",
        "--out",
        str(tmp_path),
        "--library",
        str(tmp_path),
    ]
    assert reckon(arguments) != 0
    assert "not a library" in complaint(capsys)


def test_an_unfinished_training_is_refused(tmp_path):
    unit = next(training_curve.units(Setting(SMOKE, tmp_path, runs=(tmp_path,))))
    with pytest.raises(ReckonerError, match="not a finished training run"):
        unit.run(Here())


# --- the committed records ---


def test_committed_records_give_the_committed_tables_and_report(tmp_path, monkeypatch):
    root, home, report = Path(__file__).parent.parent, Path("results/reproduce"), Path("docs/reproduction.md")
    shutil.copytree(root / home / "records", tmp_path / home / "records")
    monkeypatch.chdir(tmp_path)
    setting = Setting(STANDARD, home)
    for name in EXPERIMENTS:
        experiment = load(name)
        records = experiment.read(setting)
        # what has not been measured has no table, and the report says so
        assert experiment.is_measured(setting) == (root / home / name / "table.md").exists()
        if experiment.is_measured(setting):
            assert experiment.table(*records) == (root / home / name / "table.md").read_text()
    write_report(setting, report)
    assert report.read_text() == (root / report).read_text()
    shutil.copy(root / "README.md", tmp_path / "README.md")
    put_main_table(setting, tmp_path / "README.md")
    assert (tmp_path / "README.md").read_text() == (root / "README.md").read_text()


def test_an_experiment_is_one_file_and_one_line():
    """Adding one touches nothing else: no other file of the package knows its name, but to show its records beside."""
    package = Path(records_module.__file__).parent
    for name in EXPERIMENTS:
        own = package / f"{name.replace('-', '_')}.py"
        assert load(name).heading
        for file in package.glob("*.py"):
            if file not in (own, package / "experiment.py", package / "report.py"):
                text = re.sub(r"beside=\([^)]*\)", "", file.read_text())
                assert f'"{name}"' not in text, file


def test_the_main_table_says_no_more_than_the_records(tmp_path):
    home, readme = tmp_path / "home", tmp_path / "README.md"
    put(home)
    setting = Setting(SMOKE, home)
    rival = {
        "unit": "LSTM/fresh problems/add/0", "model": "LSTM", "regime": rivals.FRESH, "kind": "add", "seed": 0,
        "cells": [cell(5, 999), cell(10, 1), cell(20, 0)], "budget": "smoke",
    }  # fmt: skip
    (home / "records/rivals.jsonl").write_text(json.dumps(rival) + "\n")
    rows = {row.split(" | ")[0]: row.split(" | ")[1:] for row in main_table(setting).splitlines()[2:]}
    assert rows["| **Reckoner**"][0] == "**100 / 100 / 99.8 / 100**"
    assert rows["| the paper's own"][0] == "100 / 100 / 17"
    assert rows["| LSTM, fresh (1 seed)"] == ["99.9 / <1 / 0", "–", "–", "–", "– |"]
    assert "| Neural GPU, fresh" not in " ".join(rows)
    other = {**rival, "unit": "LSTM/fresh problems/add/1", "seed": 1, "cells": [cell(5, 970), cell(10, 500)]}
    with (home / "records/rivals.jsonl").open("a") as file:
        file.write(json.dumps(other) + "\n")
    # 99.9 and 97 have a mean, 0.1 and 50 are told apart
    assert "| LSTM, fresh (2 seeds) | 98 / <1–50 / 0 |" in main_table(setting)
    divided = {
        **rival, "unit": "LSTM/fresh problems/divide/0", "kind": "divide", "cells": [cell(5, 1, kind="divide")],
    }  # fmt: skip
    with (home / "records/rivals.jsonl").open("a") as file:
        file.write(json.dumps(divided) + "\n")
    assert "| LSTM, fresh (1 to 2 seeds) | 98 / <1–50 / 0 |" in main_table(setting)
    readme.write_text(f"before\n{START}old\n{END}after\n")
    put_main_table(setting, readme)
    assert readme.read_text() == f"before\n{START}{main_table(setting)}{END}after\n"
    readme.write_text("no place for it\n")
    put_main_table(setting, readme)
    assert readme.read_text() == "no place for it\n"


# --- end to end ---


@pytest.mark.skipif(not (BUNDLED / MANIFEST).exists(), reason="the weights are not there")
def test_smoke_reproduction_end_to_end(tmp_path, capsys):
    arguments = ["reproduce", "all", "--budget", "smoke", "--out", str(tmp_path)]
    assert reckon(arguments) == 0, complaint(capsys)
    for name in EXPERIMENTS:
        assert (tmp_path / name / "table.md").read_text().startswith(("|", "**"))
        assert {f.stem for f in (tmp_path / name).glob("*.svg")} == set(load(name).figures)
        assert {f.stem for f in (tmp_path / name).glob("*.png")} == set(load(name).figures)
    ours = [json.loads(line) for line in (tmp_path / "records/ours.jsonl").read_text().splitlines()]
    assert all(record["right"] == record["count"] for record in ours)
    assert "Not measured" not in (tmp_path / "reproduction.md").read_text()
    before = (tmp_path / "records/learning.jsonl").read_bytes()
    assert reckon(["reproduce", "learning", "--budget", "smoke", "--out", str(tmp_path)]) == 0
    assert (tmp_path / "records/learning.jsonl").read_bytes() == before


@pytest.mark.parametrize("kind", papers_learner.SKILLS)
def test_the_papers_configuration_is_taught_problems_up_to_a_length(kind):
    """All of them, however their characters are shared out: the test problems of length 10 must be among those."""
    task = papers_learner.taught(kind, INTERACTIVE[papers_learner.SKILLS[kind]], STANDARD)
    rng, lengths = Random(0), Counter[tuple[int, int]]()
    for _ in range(2000):
        problem = task.sampler(rng, 10)
        operator = OPERATORS.get(kind, "")
        text = f"{problem.x}{operator}{problem.y}"
        assert len(text) <= 10
        assert problem.answer == oracle.evaluate(text)
        assert not text.strip("(-)").isdigit()  # something is to be worked out
        lengths[len(problem.x), len(problem.y)] += 1
    assert {len(p.x) for p in (task.sampler(rng, 3) for _ in range(300))} <= {1, 2, 3}
    if operator:
        assert {(1, 8), (8, 1), (4, 5), (5, 4)} <= lengths.keys()
    assert task.stages == tuple(range(3, 12))


def test_records_stand_in_the_order_of_the_units_however_old_they_are(tmp_path):
    def named(*names: str) -> Experiment:
        return Experiment("", "", {"set": lambda setting: [Unit(n, dict) for n in names]}, str, {})

    setting = Setting(SMOKE, tmp_path)
    run_units(list(named("a", "c").units["set"](setting)), setting.records("set"), "smoke", Here())
    run_units(list(named("a", "b", "c").units["set"](setting)), setting.records("set"), "smoke", Here())
    assert [r["unit"] for r in named("a", "b", "c").read(setting)[0]] == ["a", "b", "c"]
    assert [r["unit"] for r in named("c", "b").read(setting)[0]] == [
        "c",
        "b",
        "a",
    ]  # what is no more comes last


def test_what_is_known_before_an_operation_does_without_it():
    library = Library.load(BUNDLED)
    for new in continual.SUBJECTS.values():
        known = continual.known_before(new, library).names
        later = [s for s in library if s.name not in known]
        assert {s.name for s in later} >= set(new)
        assert all(s.name in new or {*new, *(x.name for x in later)} & set(s.spec.calls) for s in later)
    assert {"M*M", "exact-multiply", "decimal-divide"} <= set(known)
    assert not {"power-step", "decimal-power", "expression-decimal"} & set(known)


def test_every_section_says_what_a_reader_may_conclude_and_may_not():
    for name in EXPERIMENTS:
        remark = load(name).remark
        assert "**A reader may conclude**" in remark, name
        assert "**not**" in remark or "**A reader may not conclude**" in remark, name


def test_how_many_of_the_papers_learners_test_problems_were_trained_on_is_told():
    seen = {}
    for kind, name in papers_learner.SKILLS.items():
        task = papers_learner.taught(kind, INTERACTIVE[name], STANDARD)
        drawn = (distinct(task, n, task.problems, Random(f"{name} {n}"), "training") for n in task.stages)
        trained = {(p.x, p.y) for problems in drawn for p in problems}
        for length in (5, 10):
            texts = problems_by_length(kind, length, STANDARD.cell_problems, seed=0)
            seen[kind, length] = sum(papers_learner.to_message(kind, text) in trained for text in texts)
    counts = [seen[kind, 5] for kind in papers_learner.SKILLS]
    told = " ".join(papers_learner.EXPERIMENT.remark.split())
    assert f"{', '.join(map(str, counts[:-1]))} and {counts[-1]} (+ − × ÷ and expressions)" in told
    assert not any(seen[kind, 10] for kind in papers_learner.SKILLS)


def test_help_lists_every_item_with_its_line(capsys):
    assert reckon(["reproduce", "--help"]) == 0
    words = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    assert all([name, summary] in words for name, summary in EXPERIMENTS.items())
