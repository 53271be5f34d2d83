"""The calculator over a scripted machine: what goes in, what comes out, and every way to fail."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from reckoner import Answer, Calculator, DivisionByZero, ExpressionError, ReckonerError, TextLimits
from reckoner.answer import Failure
from reckoner.errors import CallLimit, LibraryError, MessageRefused, TimeLimit, WrongAnswer
from reckoner.machine import Outcome, Refusal
from tests.fakes import FakeMachine


@pytest.fixture
def machine():
    return FakeMachine()


@pytest.fixture
def calc(machine):
    return Calculator(machine=machine)


def test_an_answer(calc):
    answer = calc("12*(3+45)")
    assert answer.text == str(answer) == "576"
    assert answer.value == 576
    assert answer.expression == "12*(3+45)"
    assert answer.calls > 1
    assert answer.seconds > 0
    assert answer.evaluations == 1
    assert answer.trace is None
    assert calc("12*(3+45)", trace=True).trace.answer == "576"


def test_the_machine_gets_canonical_text(calc, machine):
    assert calc(" 3 − −( 2 + 1 )").text == "6"
    assert machine.runs == [("expression", [("3-(0-(2+1))", "")])]


def test_leading_zeros_go_through_the_skill_strip(calc, machine):
    assert calc("007*(10-000)").text == "70"
    assert machine.runs == [("strip", [("007", ""), ("000", "")]), ("expression", [("7*(10-0)", "")])]


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("8/0", 1),
        ("8%0", 1),
        (" 8 ÷ ( 5 - 5 ) + 1", 3),
        ("(1+8/(5-5))*3", 4),
        ("1/2/(3-(4-1))", 3),
        ("7/00", 1),
        ("7+007/00", 5),
        ("4/-0", 1),
        ("4/-(2-2)", 1),
        ("--(4/0)", 4),
        ("((4/((0))))+9", 3),
        ("1+2*3%(1-1)*(4-5)", 5),
        ("2*(3+(4/(1-1)-2)*7)-8", 7),
    ],
)
def test_division_by_zero_is_found_where_it_was_typed(calc, text, position):
    with pytest.raises(DivisionByZero) as caught:
        calc(text)
    assert caught.value.position == position
    assert caught.value.exit_code == 3


def test_many_keeps_order_and_goes_on_behind_errors(calc):
    results = list(calc.many(["1+2", "2+*3", "1/0", "", "4*5"], batch=2))
    assert [r.text if isinstance(r, Answer) else r.kind for r in results] == [
        "3",
        "syntax",
        "division-by-zero",
        "syntax",
        "20",
    ]


def test_many_reads_no_more_than_a_batch(calc, machine):
    taken = []

    def endless():
        number = 0
        while True:
            taken.append(number)
            yield f"{number}+1"
            number += 1

    answers = calc.many(endless(), batch=10)
    assert [next(answers).text for _ in range(11)] == [str(n + 1) for n in range(11)]
    assert len(taken) == 20
    assert [len(pairs) for _, pairs in machine.runs] == [10, 10]


def test_a_batch_without_an_expression_asks_nobody(calc, machine):
    assert [r.kind for r in calc.many(["", "x"])] == ["syntax", "syntax"]
    assert machine.runs == []


def outcome(answer=None, error=None, refusal=None):
    return Outcome(answer, error, 7, refusal)


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        (outcome("12+"), WrongAnswer),
        (outcome(""), WrongAnswer),
        (outcome("-"), WrongAnswer),
        (outcome("-0"), WrongAnswer),
        (outcome("007"), WrongAnswer),
        (outcome("3\n"), WrongAnswer),
        (outcome("٣"), WrongAnswer),
        (outcome(None), MessageRefused),
        (outcome("3", refusal=Refusal("M+M", "1", "")), MessageRefused),
        (outcome("3", refusal=Refusal("signed-divide", "1", "")), MessageRefused),
        (outcome(None, CallLimit("too many calls")), CallLimit),
    ],
)
def test_only_a_clean_run_that_ends_in_a_number_is_an_answer(result, kind):
    calc = Calculator(machine=FakeMachine({"1+2": result}))
    with pytest.raises(kind) as caught:
        calc("1+2")
    assert caught.value.exit_code in (4, 5)
    failure = calc.results(["1+2"])[0]
    assert isinstance(failure, Failure)
    assert failure.calls == 7


@pytest.mark.parametrize("number", ["", "x", "-7", "07"])
def test_a_number_that_strip_spoils_is_not_calculated_with(number):
    machine = FakeMachine({"007": outcome(number)})
    found = list(Calculator(machine=machine).many(["007+1", "3+4"]))
    assert isinstance(found[0], WrongAnswer)
    assert str(found[1]) == "7"


def test_division_by_zero_wins_over_the_limit_a_lost_network_then_runs_into():
    lost = outcome(None, CallLimit("too many calls"), Refusal("signed-divide", "8", "0"))
    with pytest.raises(DivisionByZero) as caught:
        Calculator(machine=FakeMachine({"8/0+1": lost}))("8/0+1")
    assert caught.value.position == 1


def test_a_limit_that_ends_the_batch_is_charged_to_the_guilty_only():
    calc = Calculator(machine=FakeMachine({"9*9": TimeLimit("too slow")}))
    found = list(calc.many(["1+2", "9*9", "2+2"]))
    assert [r.text if isinstance(r, Answer) else r.kind for r in found] == ["3", "time-limit", "4"]


def test_limits_of_the_text():
    calc = Calculator(machine=FakeMachine(), text_limits=TextLimits(length=3))
    assert calc("1+2").text == "3"
    with pytest.raises(ReckonerError) as caught:
        calc("1+20")
    assert caught.value.kind == "text-limit"


def test_values_of_any_size():
    digits = "123456789" * 2_000  # far beyond what Python converts at once
    answer = Answer("…", "-" + digits, 1, 0.0)
    value = answer.value
    assert value < 0
    assert -value % 10**9 == 123456789
    assert -value // 10**17_991 == 123456789
    assert Answer("…", "-17", 1, 0.0).value == -17


def test_wrong_types_are_the_programmers_business(calc):
    with pytest.raises(TypeError, match="int"):
        calc(12)
    with pytest.raises(ValueError, match="batch"):
        next(calc.many(["1"], batch=0))


def test_threads_share_a_calculator(calc):
    texts = [f"{a}*({a}+{b})" for a in range(30) for b in range(10)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: calc(text).text, texts))
    assert found == [str(a * (a + b)) for a in range(30) for b in range(10)]


def test_threads_never_meet_in_the_machine():
    class Watchful(FakeMachine):
        busy = False

        def run(self, skill, pairs, /, trace=False):
            assert not self.busy
            self.busy = True
            try:
                return [
                    result for pair in pairs for result in super(Watchful, self).run(skill, [pair], trace)
                ]
            finally:
                self.busy = False

    calc = Calculator(machine=Watchful())
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: list(calc.many([f"{n}+{m}" for m in range(50)])), range(40)))
    assert [str(r) for r in found[7]] == [str(7 + m) for m in range(50)]


def test_a_folder_without_a_library_is_refused(tmp_path):
    with pytest.raises(LibraryError, match=str(tmp_path)):
        Calculator(tmp_path)


def test_a_library_without_expressions_is_refused(machine):
    machine.library.names = ("add-column", "strip")
    with pytest.raises(LibraryError, match="not learned expressions"):
        Calculator(machine=machine)


def test_the_newest_expression_skill_is_used(machine):
    machine.library.names = ("strip", "expression", "M%M", "expression-modulo", "something-else")
    Calculator(machine=machine)("1+2")
    assert machine.runs == [("expression-modulo", [("1+2", "")])]


def run_python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_importing_the_package_loads_nothing_heavy():
    code = "import sys; from reckoner import Calculator, Answer; print({'numpy', 'torch'} & set(sys.modules))"
    assert run_python(code) == "set()"


def test_calculating_never_loads_torch():
    code = (
        "import sys; from tests.fakes import FakeMachine; from reckoner import Calculator\n"
        "import reckoner.machine, reckoner.skills, reckoner.rewriting, reckoner.cli.calculate\n"
        "print(Calculator(machine=FakeMachine())('1+2'), 'torch' in sys.modules)"
    )
    assert run_python(code) == "3 False"


def test_unknown_names_are_refused_as_usual():
    import reckoner

    with pytest.raises(AttributeError, match="nonsense"):
        reckoner.nonsense  # noqa: B018
    assert issubclass(ExpressionError, ReckonerError)
