"""The paper's figures: accuracy in training and on the test set, ours and both baselines.

Our own curves come from the folder of a training run (`reckon train --out FOLDER`). The accuracy in training is in
the run's metrics. The test set of expressions needs the skill for expressions, so it is zero until that lesson begins;
the lesson is deterministic, so it is repeated here with the same seed and on the run's own frozen skills, and looked at
on the way.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from reckoner.baselines.standard import slowness
from reckoner.curriculum.checkpoint import SkillFolder
from reckoner.curriculum.lesson import lesson_seed
from reckoner.curriculum.plan import Plan
from reckoner.curriculum.school import teach
from reckoner.curriculum.student import StudentConfig
from reckoner.curriculum.tasks import BASIC, CURRICULA, BasicTask, InteractiveTask
from reckoner.engine import Engine
from reckoner.evaluation.table import NOTHING, markdown, percent
from reckoner.reproduction import baseline, figures
from reckoner.reproduction.budget import Budget, Cap
from reckoner.reproduction.experiment import Experiment, Setting, label
from reckoner.reproduction.labels import label_lines
from reckoner.reproduction.records import Point, Record, RecordsError, Unit, curve
from reckoner.reproduction.trial import expression_test, run_trial
from reckoner.skills.interactive import InteractiveSkill
from reckoner.skills.library import Library

EXPRESSIONS = "expression"  # the kind of the test problems, and how the names of skills for such begin
_POINTS = 600  # per curve at most: enough for any figure
_CROWDED = 20  # tasks: a panel each
_COLUMNS = 6


def units(setting: Setting) -> Iterator[Unit]:
    """One unit per training run; without any, the curriculum is learned here, once per seed."""
    for folder in setting.runs:
        yield Unit(
            label(folder),
            partial(_read, folder, setting.budget),
            setting.budget.repeat_seconds,
            is_driven=True,
        )
    if not setting.runs:
        for seed in range(setting.budget.seeds):
            seconds = setting.budget.training_seconds + setting.budget.repeat_seconds
            yield Unit(f"seed{seed}", partial(_learn, seed, setting), seconds, is_driven=True)


def _learn(seed: int, setting: Setting, engine: Engine) -> Record:
    plan = Plan(setting.budget.curriculum, setting.home / "runs" / f"seed{seed}", seed)
    teach(plan, lambda event: None, engine)
    return _read(plan.folder, setting.budget, engine)


def _read(run: Path, budget: Budget, engine: Engine) -> Record:
    """All lessons of a run in curriculum order, as one curve over their time added up.

    Here, because the run's folder is on this machine.
    """
    whole: list[Point] = []
    lessons, updates, seconds, tested = [], 0, 0.0, 0.0
    for number, task in enumerate(CURRICULA[budget.curriculum], start=1):
        folder = SkillFolder(run, task.spec.name, number)
        if not folder.is_mastered:
            raise RecordsError(
                f"{run} is not a finished training run: {task.spec.name!r} is not mastered in it"
            )
        record = folder.record()
        start = seconds
        if isinstance(task, BasicTask):
            whole.append(Point(updates, round(start, 2), 0.0, tested))
        points = [
            Point(updates + u, round(start + s / slowness(), 2), round(a, 4), None)
            for u, s, a in _metrics(folder.folder)
        ]
        updates += int(record.get("updates", 0))
        seconds += float(record["seconds"]) / slowness()
        if isinstance(task, InteractiveTask) and task.spec.name.startswith(EXPRESSIONS) and not tested:
            test = _test(run, task, record, budget)
            points += [Point(updates, round(start + s, 2), None, a) for s, a in test]
            points.sort(key=lambda p: p.seconds)
            tested = test[-1][1]
        whole += [*points, Point(updates, round(seconds, 2), 1.0, tested)]
        lessons.append({"task": task.spec.name, "end": updates, "mastered": True, "seconds": round(seconds, 2),
                        "restarts": record["restarts"]})  # fmt: skip
    step = 1 + len(whole) // _POINTS
    ends = {lesson["seconds"] for lesson in lessons}
    return {
        "model": "ours",
        "seed": label(run),
        "tasks": lessons,
        "updates": updates,
        "seconds": round(seconds, 2),
        "restarts": sum(lesson["restarts"] for lesson in lessons),
        "curve": [p for i, p in enumerate(whole) if i % step == 0 or p.test is not None or p.seconds in ends],
        "summary": f"{len(lessons)} skills, {updates:,} updates, {seconds:.0f} s",
    }


def _metrics(folder: Path) -> Iterator[tuple[int, float, float]]:
    """Update, seconds and accuracy of every record, the attempts one after the other."""
    try:
        lines = (folder / "metrics.jsonl").read_text().splitlines()
    except FileNotFoundError:
        return
    attempt, updates, seconds, last = 0, 0, 0.0, (0, 0.0)
    for line in lines:
        entry = json.loads(line)
        if entry["attempt"] != attempt:
            attempt, updates, seconds = entry["attempt"], updates + last[0], seconds + last[1]
        last = (entry["update"], entry["seconds"])
        yield updates + last[0], seconds + last[1], entry["accuracy"]


def _test(run: Path, task: InteractiveTask, record: Record, budget: Budget) -> list[tuple[float, float]]:
    """Seconds and test accuracy over the lesson on expressions: its last attempt, learned again."""
    name, library = task.spec.name, Library.load(run / "library")
    problems = baseline.exercises(EXPRESSIONS, baseline.CURVE_LENGTH, budget.curve_problems)
    test, skill = expression_test(name, library, problems), library[name]
    assert isinstance(skill, InteractiveSkill)
    end = (float(record["seconds"]) / slowness(), test(skill))
    config = StudentConfig(hidden=record["config"]["hidden"])
    seed = lesson_seed(int(record["seed"]), name, int(record["restarts"]))
    cap = Cap(budget.repeat_seconds)
    found, _ = run_trial(task, library.below(task.spec), config, seed, cap, test)
    before = max(0.0, end[0] - found["seconds"])  # failed attempts
    looked = [(before + p.seconds, p.test) for p in found["curve"]]
    return [*((s, a) for s, a in looked if s < end[0]), end]


def table(curriculum: Sequence[Record], baselines: Sequence[Record]) -> str:
    """What each model mastered, and what it cost."""
    rows = []
    for record in [*curriculum, *baselines]:
        mastered = sum(t["mastered"] for t in record["tasks"])
        tested = [p.test for p in curve(record) if p.test is not None]
        rows.append(
            [
                f"{figures.title(record['model'])}, {record['seed']}",
                f"{mastered} of {len(record['tasks'])}",
                f"{record['updates']:,}",
                f"{record['seconds']:.0f}",
                percent(tested[-1]) if tested else NOTHING,
            ]
        )
    return markdown(["model, seed", "tasks mastered", "updates", "seconds", "test accuracy at the end"], rows)


def training_figure(curriculum: Sequence[Record], baselines: Sequence[Record]) -> Any:
    """A row per model, a panel per seed: accuracy on the training set over time; grey lines are task switches.

    Of many tasks this would be a thicket: `skills_figure` has a panel for each.
    """
    is_thicket = any(len(r["tasks"]) > _CROWDED for r in curriculum)
    records = [*([] if is_thicket else curriculum), *baselines]
    models = [m for m in figures.MODEL_LINES if any(r["model"] == m for r in records)]
    runs = {m: [r for r in records if r["model"] == m] for m in models}
    columns = max(map(len, runs.values()))
    page, panels = figures.make_panels(len(models), columns, (4 * columns + 0.5, 2.3 * len(models) + 0.5))
    for place, panel in enumerate(panels):
        model, number = models[place // columns], place % columns
        if number >= len(runs[model]):
            panel.set_visible(False)
            continue
        run = runs[model][number]
        for task in run["tasks"][:-1]:
            panel.axvline(task["seconds"], color=figures.GREY, linewidth=0.6, alpha=0.6, zorder=0)
        points = [(p.seconds, 100 * p.training) for p in curve(run) if p.training is not None]
        if points:
            colour = figures.COLOURS[model]
            panel.plot(*zip(*points, strict=True), color=colour, drawstyle="steps-post", linewidth=1.5)
        if number == 0:
            seeds = "1 seed" if len(runs[model]) == 1 else f"{len(runs[model])} seeds"
            panel.set_title(f"{figures.title(model)}: {len(run['tasks'])} tasks, {seeds}", loc="left")
            panel.set_ylabel("accuracy (%)")
        panel.set_title(f"seed {run['seed']}", loc="right", fontsize=9, fontweight="normal")
        figures.show_accuracy(panel)
        panel.set_xlim(0, 1.02 * max(r["seconds"] for r in runs[model]))
        panel.grid(axis="x", visible=False)
    page.supxlabel("training time (processor seconds); grey lines: task switches", fontsize=10)
    page.suptitle("Accuracy on the training set", fontsize=11)
    return page


def test_figure(curriculum: Sequence[Record], baselines: Sequence[Record]) -> Any:
    """Accuracy over training time, a line per model: mean of the seeds, smallest and largest as a band."""
    records = [*curriculum, *baselines]
    page, (panel,) = figures.make_panels(1, 1, (7.5, 3.6))
    for model, (colour, _, _) in figures.MODEL_LINES.items():
        runs = [r for r in records if r["model"] == model]
        if runs:
            grid = figures.grid_to(max(r["seconds"] for r in runs), is_logarithmic=False)
            name, line = figures.title(model), (colour, "", figures.SOLID)
            figures.draw_test_accuracy(panel, runs, lambda p: p.seconds, grid, name, line)
    panel.set_title("Accuracy on expressions of length 10")
    panel.set_xlabel("training time (processor seconds)")
    panel.set_ylabel("accuracy (%)")
    figures.show_accuracy(panel)
    panel.set_xlim(left=0)
    label_lines([panel])
    return page


def skills_figure(curriculum: Sequence[Record], baselines: Sequence[Record]) -> Any:
    """Ours, a small panel per interactive skill, in order: accuracy over the lesson's own seconds."""
    names = [t["task"] for t in curriculum[0]["tasks"] if t["task"] not in BASIC] if curriculum else []
    rows = max(1, -(-len(names) // _COLUMNS))
    page, panels = figures.make_panels(rows, _COLUMNS, (1.75 * _COLUMNS, 1.3 * rows + 0.5))
    for panel, name in zip(panels, names, strict=False):
        for number, run in enumerate(curriculum):
            places = [task["task"] for task in run["tasks"]]
            if name in places:
                at = places.index(name)
                start = run["tasks"][at - 1]["seconds"] if at else 0.0
                points = [
                    (p.seconds - start, 100 * p.training)
                    for p in curve(run)
                    if p.training is not None and start < p.seconds <= run["tasks"][at]["seconds"]
                ]
                points = [(0.0, points[0][1]), *points]
                panel.plot(*zip(*points, strict=True), color=figures.COLOURS["ours"], drawstyle="steps-post",
                           linewidth=1.1, alpha=1 if number == 0 else 0.4)  # fmt: skip
        panel.set_title(name, fontsize=8, pad=2)
        panel.tick_params(labelsize=7, length=2)
        panel.locator_params(axis="x", nbins=3)
        panel.set_yticks([0, 50, 100])
        panel.set_xlim(left=0)
        figures.show_accuracy(panel)
    for panel in panels[len(names) :]:
        panel.set_visible(False)
    page.supylabel("right training problems (%)", fontsize=9)
    page.supxlabel("seconds of the lesson; each fall is a longer length, or a restart", fontsize=9)
    return page


EXPERIMENT = Experiment(
    heading="Figures: accuracy in training and on the test set",
    claim="""
**The paper claims** that the LSTM learns each training set by heart and drops to zero at every task
switch, that the Neural GPU generalises a little better, and that both stay near zero on expressions of
length 10, while its own model reaches almost 100 %.
""",
    units={"curriculum": units, "baselines": baseline.units},
    table=table,
    figures={
        "skills": skills_figure,
        "training-accuracy": training_figure,
        "test-accuracy": test_figure,
    },
    remark="""
Ours is drawn over the time of all lessons added up, whether or not they ran side by side. Its test
accuracy is zero until the lesson on expressions begins, since no earlier skill takes an expression.
The LSTM had {budget.lstm_seconds:g} s and the Neural GPU {budget.neural_gpu_seconds:g} s of one core per task at most,
and {budget.training_problems:,} problems per task, as the paper says of its training sets. Where a training set is
known to 100 % and the test accuracy is low, it was learned by heart; where it is not, the time was too short. What
both reach with enough of it is in the section before. The test expressions were drawn without regard to the split;
none of them is among the baselines' training problems. The LSTM does what the paper says but for the depth of its
falls, mostly to about a tenth. That the Neural GPU generalises better was not reproduced: with so little time it does
not even come to know its training sets. Ours also meets fresh problems: what comes out wrong of them joins its sets.
**A reader may conclude** how an LSTM learns fixed problem sets by heart, task by task; **not** whether a Neural GPU
generalises better, nor what the baselines can do at best.
""",
    is_first=True,
)
