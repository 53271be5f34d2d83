"""Speed of the whole calculator: expressions and additions per second, growth with length, threads."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

from reckoner.answer import Answer
from reckoner.bench.timing import best_time, fit_exponent
from reckoner.calculator import Calculator
from reckoner.curriculum import oracle
from reckoner.curriculum.expression import by_length
from reckoner.evaluation.problems import has_value
from reckoner.machine import Limits, Machine
from reckoner.skills import Library

Row = dict[str, Any]
Make = Callable[[Random], str]
_LONGEST = {"+": 1000, "-": 1000, "*": 1000, "/": 1000}
_SIZES = (10, 30, 100, 300, 1000)


def make_addition(rng: Random) -> str:
    """Two ten-digit numbers."""
    return f"{rng.randrange(10**9, 10**10)}+{rng.randrange(10**9, 10**10)}"


def make_expression(rng: Random, length: int = 10) -> str:
    """An expression of so many characters that has a value, as in the evaluation."""
    while not has_value(text := by_length(rng, length, "+-*/")):
        pass
    return text


def measure_throughput(library: Library, quick: bool) -> list[Row]:
    """Questions per second, one by one and in batches of 1,000, with cold and with warm caches.

    Warm: after other questions of the kind, none of them asked again. Python's `eval` does the same ones.
    """
    rows = []
    kinds: dict[str, Make] = {
        "expressions of length 10": make_expression,
        "ten-digit additions": make_addition,
    }
    for kind, make in kinds.items():
        rng, machine = Random(kind), Machine(library)
        calculator = Calculator(machine=machine)
        for batch in (1, 1000):
            count = (100 if quick else 1000) if batch == 1 else (1000 if quick else 5000)
            seconds_cold = 0.0
            for _ in range(colds := 10 if batch == 1 else 2):
                machine.forget()
                seconds_cold += _time_answers(calculator, [make(rng) for _ in range(batch)], batch) / colds
            for _ in range(2 if quick else 10):
                _time_answers(calculator, [make(rng) for _ in range(1000)], 1000)
            warm = [[make(rng) for _ in range(count)] for _ in range(2 if quick else 4)]
            seconds = min(_time_answers(calculator, questions, batch) for questions in warm)
            rows.append(
                {
                    "what": kind,
                    "batch": batch,
                    "cold_per_second": round(batch / seconds_cold, 1),
                    "warm_per_second": round(count / seconds),
                    "eval_per_second": round(count / _time_eval(warm[0])),
                    "times_slower_than_eval": round(seconds / _time_eval(warm[0]), 1),
                }
            )
    return rows


def _time_answers(calculator: Calculator, questions: list[str], batch: int) -> float:
    """Seconds for all of them; every answer is marked, for speed without right answers is none."""
    start = time.process_time()
    if batch == 1:
        results = [result for text in questions for result in calculator.results([text])]
    else:
        results = [
            r for i in range(0, len(questions), batch) for r in calculator.results(questions[i : i + batch])
        ]
    seconds = time.process_time() - start
    for text, result in zip(questions, results, strict=True):
        if not isinstance(result, Answer) or result.text != oracle.evaluate(text):
            raise RuntimeError(f"the calculator did not answer {text!r} rightly: {result}")
    return seconds


def _time_eval(questions: list[str]) -> float:
    texts = [text.replace("/", "//") for text in questions]
    return best_time(lambda: [eval(text) for text in texts], 3)


def measure_growth(library: Library, quick: bool) -> list[Row]:
    """Calls, network evaluations and seconds for n-digit operands: at first, and once decisions are known.

    An operation goes on to the next size as long as it can be expected to take less than the patience.
    """
    patience = 5.0 if quick else 90.0
    rows = []
    for operator, longest in _LONGEST.items():
        points: list[Row] = []
        for digits in _SIZES:
            if digits > longest or (quick and digits > 100):
                break
            if points and points[-1]["seconds"] * (digits / points[-1]["digits"]) ** 2.2 > patience:
                break
            points.append(_measure_size(library, operator, digits))
        sizes = [p["digits"] for p in points[1:]]
        rows.append(
            {
                "operator": operator,
                "points": points,
                "exponent_of_calls": fit_exponent(sizes, [p["calls"] for p in points[1:]]),
                "exponent_of_seconds": fit_exponent(sizes, [p["seconds"] for p in points[1:]]),
            }
        )
    return rows


def _measure_size(library: Library, operator: str, digits: int) -> Row:
    rng = Random(f"{operator} {digits}")
    machine = Machine(library, Limits(calls=10**9))
    calculator = Calculator(machine=machine)
    dividend = 2 * digits if operator == "/" else digits  # a quotient as long as the divisor

    def ask() -> Answer:
        x, y = (rng.randrange(10 ** (n - 1), 10**n) for n in (dividend, digits))
        x, y = max(x, y), min(x, y)
        answer = calculator(f"{x}{operator}{y}")
        if answer.text != oracle.evaluate(f"{x}{operator}{y}"):
            raise RuntimeError(f"{x}{operator}{y} was answered wrongly")
        return answer

    machine.forget()
    first = ask()
    # other numbers of the same size: all decisions are known then, and hardly an answer
    again = min((ask() for _ in range(8 if first.seconds < 1 else 1)), key=lambda answer: answer.seconds)
    return {
        "digits": digits,
        "calls": again.calls,
        "evaluations_cold": first.evaluations,
        "evaluations": again.evaluations,
        "seconds_cold": round(first.seconds, 4),
        "seconds": round(again.seconds, 5),
        "microseconds_per_call": round(again.seconds / again.calls * 1e6, 2),
    }


def measure_steadiness(library: Library, quick: bool) -> list[Row]:
    """Microseconds of the processor per call at 100 and at 1,000 digits, all decisions known: they should be alike."""
    few, many = (20, 200) if quick else (100, 1000)
    rows = []
    for operator in "+-*/":
        calculator = Calculator(machine=Machine(library, Limits(seconds=None)))
        cost = {digits: _cost_per_call(calculator, operator, digits, quick) for digits in (few, many)}
        row = {"operator": operator, "few": few, "many": many, "few_us": cost[few], "many_us": cost[many]}
        rows.append({**row, "times": round(cost[many] / cost[few], 2)})
    return rows


def _cost_per_call(calculator: Calculator, operator: str, digits: int, quick: bool) -> float:
    rng, spent = Random(f"{operator} {digits}"), 0.0
    costs: list[float] = []
    dividend = 2 * digits if operator == "/" else digits
    while spent < (0.1 if quick else 3.0) or len(costs) < 3:
        x, y = (rng.randrange(10 ** (n - 1), 10**n) for n in (dividend, digits))
        text = f"{max(x, y)}{operator}{min(x, y)}"
        start = time.process_time()
        answer = calculator(text)
        seconds = time.process_time() - start
        if answer.text != oracle.evaluate(text):
            raise RuntimeError(f"{text} was answered wrongly")
        if not answer.evaluations:  # all decisions were known
            costs.append(seconds / answer.calls)
        spent += seconds
    return round(min(costs) * 1e6, 4)


def measure_threads(library: Library, quick: bool) -> Row:
    """Long multiplications per second of the clock: by one thread, and by two with a calculator each."""
    count, digits = (2, 100) if quick else (20, 300)
    rng = Random(digits)
    texts = [f"{rng.randrange(10**digits)}*{rng.randrange(10**digits)}" for _ in range(count)]
    calculators = [Calculator(machine=Machine(library, Limits(seconds=None))) for _ in range(2)]
    for calculator in calculators:
        calculator.results(texts)
    clock = time.perf_counter
    alone = best_time(lambda: calculators[0].results(texts), 3, 60, clock)
    with ThreadPoolExecutor(2) as pool:
        both = best_time(lambda: [*pool.map(lambda c: c.results(texts), calculators)], 3, 60, clock)
    row = {"what": f"{digits} × {digits} digits per second", "one": round(count / alone, 1)}
    return {**row, "two": round(2 * count / both, 1), "times": round(2 * alone / both, 2)}
