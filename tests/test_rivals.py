"""Rivals are given their chance: the transformer is real, the stopping rule stops, nothing tested is trained on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from reckoner.baselines import chance
from reckoner.baselines.base import Baseline
from reckoner.baselines.chance import RIGHT, Chance, Look, Rule, Thermostat, grade, train
from reckoner.baselines.lstm import LSTMConfig, Seq2SeqLSTM
from reckoner.baselines.source import Fixed, Fresh, Source, held_out
from reckoner.baselines.trainer import Exercise, score
from reckoner.baselines.transformer import Transformer, TransformerConfig, _from_units
from reckoner.cli import main as reckon
from reckoner.curriculum import oracle
from reckoner.curriculum.problems import Problem
from reckoner.engine import Here
from reckoner.evaluation.marking import mark
from reckoner.reproduction import contenders, curriculum_order, pace, rivals, table1, trial
from reckoner.reproduction.budget import SMOKE, STANDARD
from reckoner.reproduction.contenders import RIVALS
from reckoner.reproduction.cost import cost_of
from reckoner.reproduction.experiment import Setting, load
from reckoner.reproduction.trial import ablated, interactive
from reckoner.skills import Library


@pytest.fixture(autouse=True)
def _one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    yield
    torch.set_num_threads(threads)


def small(positions: str = "places") -> Transformer:
    return Transformer(TransformerConfig(size=16, layers=1, heads=2, positions=positions))  # type: ignore[arg-type]


class Few(Source):
    """The same few exercises again and again."""

    def __init__(self, exercises: list[Exercise]) -> None:
        self.exercises = exercises

    def draw(self, count: int) -> list[Exercise]:
        return self.exercises

    def learn(self, is_right: object) -> None:
        pass

    @property
    def stand(self) -> str:
        return "all"


def test_a_digit_knows_its_place():
    assert _from_units("12+345*(6-7)") == [2, 1, 0, 3, 2, 1, 0, 0, 1, 0, 1, 0]
    model = small().eval()
    places = model._places(["12+3", "4"], ["51", ""], 7)
    assert places.tolist() == [
        [2, 1, 0, 1, 0, 1, 2],
        [1, 0, 0, 0, 0, 0, 0],
    ]  # the answer's units digit comes first


@pytest.mark.parametrize("positions", ["places", "none"])
def test_a_transformer_learns_and_what_is_marked_right_is_what_it_answers(positions):
    exercises = [Exercise(f"{a}+{b}", str(a + b)) for a in (1, 5, 9) for b in (3, 8)]
    model = small(positions)
    found = train(model, Few(exercises), exercises, Rule(seconds=30.0, least=30.0, look_least=0.2, rate=1e-2))
    assert found.reason == "every validation problem right"
    assert found.examples == found.updates * 64
    assert score(model, exercises) == grade(model, exercises) == 1.0
    others = [Exercise(q, oracle.evaluate(q)) for q in ("7+7", "12+5", "3+3")]
    assert score(model, others) == grade(model, others)


def test_an_answer_does_not_depend_on_its_neighbours():
    model = small().eval()
    questions = ["1+2", "33+44", "(5-6)*7"]
    model.config = TransformerConfig(size=16, layers=1, heads=2, longest=8)
    assert model.answer(questions) == [model.answer([q])[0] for q in questions]


def test_a_training_ends_when_it_has_stopped_getting_better(monkeypatch):
    model: Baseline = Seq2SeqLSTM(LSTMConfig(hidden=4, embedding=4))
    accuracies = iter([0.1, 0.5, 0.5, 0.4, *[0.3] * 1000])
    monkeypatch.setattr(chance, "grade", lambda model, exercises: next(accuracies))
    exercises = [Exercise("1+1", "2")]
    found = train(model, Few(exercises), exercises, Rule(seconds=60.0, least=0.3, look_least=0.02, batch=1))
    assert found.reason == "no better for a third of its time"
    assert found.seconds < 30
    assert found.best == 0.5
    accuracies = iter([0.0] * 1000)
    found = train(model, Few(exercises), exercises, Rule(seconds=0.2, least=9.0, look_least=0.02, batch=1))
    assert found.reason == "time is up"


def test_the_rate_falls_when_a_training_would_be_over():
    rule = Rule(seconds=100.0, cooling=0.25, warm_up=10)
    still = Thermostat(rule)
    assert [still.heat(0.0, n) for n in (0, 4, 9, 99)] == [0.1, 0.5, 1.0, 1.0]
    assert [still.cool(20.0, ""), still.cool(40.0, "no better"), still.heat(45.0, 99)] == ["", "", 0.5]
    assert [still.cool(49.0, "no better"), still.cool(50.0, "no better")] == ["", "no better"]
    late = Thermostat(rule)  # a fifth of all time is left to cool in, and no more
    assert late.cool(80.0, "time is up") == ""
    assert late.heat(90.0, 99) == 0.5
    assert late.cool(100.0, "time is up") == "time is up"
    assert Thermostat(rule).cool(20.0, RIGHT) == RIGHT
    assert Thermostat(replace(rule, cooling=0.0)).cool(40.0, "no better") == "no better"


def test_a_training_is_cooled_within_its_time(monkeypatch):
    model: Baseline = Seq2SeqLSTM(LSTMConfig(hidden=4, embedding=4))
    monkeypatch.setattr(chance, "grade", lambda model, exercises: 0.0)
    exercises = [Exercise("1+1", "2")]
    rule = Rule(seconds=0.5, least=9.0, look_least=0.02, batch=1, cooling=0.25, warm_up=1)
    rates: list[float] = []
    monkeypatch.setattr(chance, "_step", overhear_rates(rates, chance._step))
    found = train(model, Few(exercises), exercises, rule)
    assert found.reason == "time is up"
    assert 0.5 <= found.seconds < 5.0
    falls = [rate / rule.rate for rate in rates if rate < rule.rate]
    assert rates[: len(rates) - len(falls)] == [rule.rate] * (len(rates) - len(falls))
    assert falls == sorted(falls, reverse=True)
    assert any(0.2 < share < 0.8 for share in falls)


def overhear_rates(rates, step):
    def listening(model, exercises, optimizer, *others):
        rates.append(optimizer.param_groups[0]["lr"])
        return step(model, exercises, optimizer, *others)

    return listening


@pytest.mark.parametrize("kind", rivals.KINDS)
def test_what_is_asked_was_never_trained_on(kind):
    fresh = Fresh(kind, seed=0, lengths=(5,))
    trained = {e.question for _ in range(20) for e in fresh.draw(64)}
    for side in ("validation", "test"):
        asked = held_out(kind, 5, 50, side)
        assert len(asked) == 50
        assert not trained & {e.question for e in asked}
        assert all(len(e.question) == 5 and e.answer == oracle.evaluate(e.question) for e in asked)
    assert all(Problem(q, "", "").split == "training" for q in trained)


@pytest.mark.parametrize("kind", table1.TITLES)
def test_ours_is_asked_what_rivals_are_asked(kind, monkeypatch):
    """Else a cell of ours might stand beside a harder one of theirs."""
    asked: list[str] = []

    def overhear(calculator, kind, length, texts):
        asked.extend(texts)
        return mark(calculator, kind, length, texts)

    monkeypatch.setattr(table1, "mark", overhear)
    units = {u.name: u for u in table1.units(Setting(replace(SMOKE, lengths=(20,)), Path("nowhere")))}
    (name,) = (name for name in units if f"/{kind}/" in name)
    assert units[name].run()["right"] == SMOKE.cell_problems
    assert asked == [e.question for e in held_out(kind, 20, 1000, "test")][: SMOKE.cell_problems]
    assert ("%" in "".join(asked)) == (kind == "expression-modulo")


def test_fresh_problems_grow_and_fixed_ones_are_a_thousand():
    fresh = Fresh("add", seed=0)
    before = fresh.reached
    assert fresh.stand == "5 characters"
    for _ in range(1000):
        fresh.draw(4)
        fresh.learn([True] * 4)
    assert fresh.reached == len(fresh.lengths) - 1 > before
    # who does not wait is not held up for ever by what is not known
    for waits, reached in ((True, before), (False, len(fresh.lengths) - 1)):
        fresh = Fresh("multiply", seed=0, waits=waits)
        for _ in range(6000):
            fresh.learn([False])
        assert fresh.reached == reached
    fixed = Fixed("add", seed=0, count=1000)
    drawn = set()
    for _ in range(300):
        drawn.update(fixed.draw(64))
        fixed.learn([False] * 64)
    assert fixed.task == 0
    assert 50 <= len(drawn) <= 1000


def tried(way: pace.Way, validation: float, seed: int = 0) -> dict[str, Any]:
    return {"unit": f"LSTM/{rivals.FRESH}{way}/divide/{seed}", "budget": "smoke", "model": "LSTM",
            "regime": rivals.FRESH, "kind": "divide", "seed": seed, "waits": way.waits,
            "rule": {"cooling": way.cooling}, "validation": validation}  # fmt: skip


KNOWN, ANYWAY = pace.Way(), pace.Way(waits=False)
FALLING = pace.Way(waits=False, cooling=pace.COOLING)


def test_the_best_way_is_shown():
    found = [tried(KNOWN, 0.6), tried(ANYWAY, 0.7)]
    assert pace.shown(found) == found[1:]
    assert pace.shown(found[:1]) == found[:1]
    assert pace.shown([tried(KNOWN, 0.7), tried(ANYWAY, 0.7)]) == [tried(KNOWN, 0.7)]
    better, worse = tried(FALLING, 0.71), tried(FALLING, 0.69)
    assert pace.shown([*found, better]) == [better]
    assert pace.shown([*found, worse]) == found[1:]
    old = {k: v for k, v in tried(KNOWN, 0.6).items() if k not in ("waits", "rule")}
    assert pace.way_of(old) == KNOWN
    compared = rivals._compare_ways([*found, better]).splitlines()[2]
    assert compared == "| LSTM | division | 60 % | 70 % | 71 % |"


def test_the_best_way_goes_on(tmp_path, monkeypatch):
    """Way by way: the falling rate with the better pace of the first seed, the other seeds with the best of all."""
    validations = {KNOWN: 0.6, ANYWAY: 0.7, FALLING: 0.8}
    ran: list[str] = []

    def measure(model, regime, kind, seed, choice, budget, seconds, way):
        ran.append(f"{model}/{regime}{way}/{kind}/{seed}")
        assert way.cooling == 0.0 or model != "Neural GPU"
        return tried(way, validations[way], seed) | {
            "unit": ran[-1],
            "model": model,
            "regime": regime,
            "kind": kind,
        }

    monkeypatch.setattr(rivals, "measure", measure)
    budget = replace(SMOKE, rival_kinds=4, rival_seeds=2)
    setting = Setting(budget, tmp_path)
    experiment = replace(rivals.EXPERIMENT, units={"rivals": rivals.units})
    experiment.measure(setting, Here(), only="/divide/")
    lstm = [n for n in ran if n.startswith(f"LSTM/{rivals.FRESH}")]
    assert lstm == [f"LSTM/{rivals.FRESH}{way}/divide/0" for way in (KNOWN, ANYWAY, FALLING)] + [
        f"LSTM/{rivals.FRESH}{FALLING}/divide/1"
    ]
    gpu = [n for n in ran if n.startswith(f"Neural GPU/{rivals.FRESH}")]
    assert gpu[-1] == f"Neural GPU/{rivals.FRESH}{ANYWAY}/divide/1"
    assert len(gpu) == 3
    names = {u.name for u in rivals.units(setting)}
    assert f"LSTM/{rivals.FRESH}{ANYWAY}/add/0" not in names


def test_a_run_learns_in_the_way_it_is_given(monkeypatch):
    given: list[Any] = []

    def train(network, source, validation, rule):
        given.append((source.waits, rule.cooling))
        return Chance([Look(0.0, 0, 0.5)], 1, 64, 1.0, "")

    monkeypatch.setattr(rivals, "train", train)
    choice = RIVALS["LSTM"].grid[0]
    for way in (KNOWN, FALLING):
        record = rivals.measure("LSTM", rivals.FRESH, "divide", 0, replace(choice, size=4), SMOKE, 1.0, way)
        assert pace.way_of(record) == way
    assert given == [(True, 0.0), (False, pace.COOLING)]


def test_the_best_of_the_grid_is_taken(tmp_path):
    def record(rate: float, validation: float) -> dict[str, object]:
        choice = {"size": 128, "rate": rate, "batch": 64}
        return {"unit": f"{rate}", "budget": "smoke", "model": "LSTM", "regime": rivals.FRESH, "choice": choice,
                "validation": validation, "seconds": 1.0}  # fmt: skip

    file = tmp_path / "records" / f"{rivals.GRID}.jsonl"
    file.parent.mkdir()
    file.write_text("".join(json.dumps(record(*r)) + "\n" for r in [(1e-3, 0.2), (3e-3, 0.7), (1e-2, 0.1)]))
    units = {u.name: u for u in rivals.units(Setting(SMOKE, tmp_path))}
    chosen = units[f"LSTM/{rivals.FRESH}/add/0"].run.args[4]  # type: ignore[attr-defined]
    assert chosen.rate == 3e-3
    assert units[f"LSTM/{contenders.FIXED}/add/0"].run.args[4] == chosen  # type: ignore[attr-defined]


def test_beyond_addition_the_transformer_has_the_positions_that_served_it_best(tmp_path):
    grid = [
        {"unit": m, "budget": "standard", "model": m, "choice": {"size": 64, "rate": 1e-3, "batch": 64},
         "validation": share, "seconds": 1.0}
        for m, share in (("Transformer, places", 0.4), ("Transformer, no positions", 0.9))
    ]  # fmt: skip
    file = tmp_path / "records" / f"{rivals.GRID}.jsonl"
    file.parent.mkdir()
    file.write_text("".join(json.dumps(r) + "\n" for r in grid))
    names = [u.name for u in rivals.units(Setting(STANDARD, tmp_path)) if u.name.startswith("Transformer")]
    assert {n.split("/")[2] for n in names if "places" in n} == {"add"}
    assert {n.split("/")[2] for n in names if "no positions" in n} == set(rivals.KINDS)


def test_an_ablated_lesson_is_tested_on_what_it_reaches(monkeypatch):
    asked: list[Exercise] = []
    monkeypatch.setattr(trial, "expression_test", lambda name, library, problems: asked.extend(problems))
    trial.papers_test("expression-modulo", Library(), "expression-modulo", 100)
    assert 30 < len(asked) < 100
    assert all(sum(c in "+-*/%()" for c in p.question) <= ablated("expression-modulo").longer for p in asked)
    assert {len(p.question) for p in asked} == {10}


def test_without_helpers_a_skill_may_call_operations_and_facts_alone():
    task, names = interactive("M*M"), Library.load().names
    calls = curriculum_order.changed(curriculum_order.HELPLESS, task, names).spec.calls
    assert set(calls) <= set(names)
    assert {"M+M", "M*M", "add-column"} <= set(calls)
    assert not {"M*S", "shift-add", "strip", "add-columns"} & set(calls)
    scratch = curriculum_order.changed(curriculum_order.SCRATCH, task, names).spec.calls
    assert "M+M" not in scratch
    at_once = curriculum_order.changed(curriculum_order.AT_ONCE, task, names)
    assert at_once.stages == task.stages[-1:]


def test_a_plan_tells_what_is_done_and_what_is_left(tmp_path, capsys):
    setting = Setting(STANDARD, tmp_path)
    file = tmp_path / "records" / "teacher.jsonl"
    file.parent.mkdir()
    first, *others = load("teacher").units["teacher"](setting)
    took = first.seconds / 2
    file.write_text(json.dumps({"unit": first.name, "budget": "standard", "processor_seconds": took}) + "\n")
    cost = cost_of("teacher", load("teacher"), setting)
    assert (cost.done, cost.left) == (1, len(others))
    assert cost.spent == pytest.approx(took / 60)
    assert cost.most == pytest.approx(sum(unit.seconds for unit in others) / 60)
    assert cost.likely == pytest.approx(cost.most / 2)  # the one that is done took half of its cap
    assert reckon(["reproduce", "teacher", "rivals", "--plan", "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert f"| teacher | teacher | {cost.units} | 1 |" in out
    assert "| rivals | rivals | 93 | 0 | 0.0 | 93 | 1,860 | 1,860 |" in out
    assert [f.name for f in Path(tmp_path).rglob("*.*")] == ["teacher.jsonl"]  # nothing else was written


def test_what_is_left_is_never_shown_as_no_time(tmp_path, capsys):
    assert reckon(["reproduce", "soundness", "--plan", "--budget", "smoke", "--out", str(tmp_path)]) == 0
    assert "| soundness | soundness | 4 | 0 | 0.0 | 4 | <1 | <1 |" in capsys.readouterr().out


def test_ablations_teach_expressions_of_few_operators_and_other_skills_whole():
    short = ablated("expression-modulo")
    assert short.stages == (0, 1, 2, 3)
    assert short.longer == 3
    assert ablated("M*M") == interactive("M*M")
    assert ablated("M*M", 1).stages == interactive("M*M").stages[:1]
