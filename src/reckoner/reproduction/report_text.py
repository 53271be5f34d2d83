# ruff: noqa: E501 (rows of Markdown tables cannot be broken)
"""The words of the report; its numbers come from the records."""

from __future__ import annotations

TITLE = "# The paper, reproduced"

INTRODUCTION = """
*Made by `reckon reproduce report` from the records in `results/reproduce/records`; do not edit by hand.*

The paper is *Neural Arithmetic Expression Calculator* (Chen, Dong, Qiu and Chen, 2018). Its code and appendix were
never published, so everything below is a new implementation. Each section gives the paper's claim, then what we
measured, then why the two differ. Budget: `{budget}`. Environment: {machine}.

Every run used one core of the same machine; "seconds" are processor seconds without the time spent on tests. Make
any section again with `reckon reproduce ITEM`; figures and tables alone with `--from-records`.
"""

HEADINGS = {
    "soundness": "Are the baselines sound?",
    "table1": "Table 1: accuracy by operation and length",
    "training-curve": "Figures: accuracy in training and on the test set",
    "continual": "Continual learning: modulo with the library at hand, and from scratch",
    "sampling": "Difficulty sampling and parameter adjustment",
    "own": "Our own ablations, and the paper's own configuration",
    "hierarchy": "The learned hierarchy",
}

CLAIMS = {
    "soundness": """The paper took the Neural GPU's authors' code and does not say how its LSTM was checked. Ours are
written anew, so each first has to do what it is known for: the LSTM copies and reverses texts, the Neural GPU adds
binary numbers and goes on doing so at lengths it was never trained on.""",
    "table1": """**The paper claims** 100 % for its own model at length 5 and (but for division) 10, with a fall at 20;
baselines that fall earlier. **Measured:** a cell of ours is 1,000 random problems, the same for three seeds, through the
calculator, with the exact 95 % binomial interval for 1,000; a cell of a baseline is the mean over its seeds (smallest–largest), taken right after the
baseline has been taught that operation, on problems it was not trained on.""",
    "training-curve": """**The paper claims** that the LSTM learns each training set by heart and drops to zero at every
task switch, that the Neural GPU generalises a little better, and that both stay near zero on expressions of length 10,
while its own model reaches almost 100 %.""",
    "continual": """**The paper claims** that with curriculum and earlier skills modulo is learned, and that from scratch
"the model fails to give any correct solutions". The test set is expressions of length 10 with the modulo operator.""",
    "sampling": """**The paper claims** that without difficulty sampling and parameter adjustment the model "shows
convergence in suboptimal strategy". It tests on expressions of length 10; we test on held-out problems of each of three
quick skills, at the longest length trained on, because four variants of the lesson on expressions with several seeds each
do not fit the budget.""",
    "own": """What is not in the paper: practice, vote and self-imitation switched off one by one; the paper's perception
(`characters`: every character its own symbol) in place of the foveal one; and the paper's own configuration: characters,
PPO alone, hidden size 100, entropy cap 0.5, difficulty sampling without a uniform share.""",
    "hierarchy": """The paper draws its hierarchy by hand. This one is counted in the traces of real expressions.""",
}

REMARKS = {
    "soundness": """*Aligned* writes both bits of a place as one symbol (Price, Zaremba and Sutskever, 2016); the other form
is one number behind the other, as in Kaiser and Sutskever (2015), who trained for far longer than the minutes given here.
""",
    "table1": """**Why they differ.** Ours does not fall with length because its controllers see the same view of a
7-digit and of a 100-digit number (foveal perception), and a skill counts as mastered only when it is right on problems
three times longer than it trained on; the paper's controllers see every character and were trained up to a length.

The LSTM had {budget.lstm_seconds:g} s and the Neural GPU {budget.neural_gpu_seconds:g} s of one core per task at most (see the
next section), where the paper's budget is unknown, and {budget.training_problems:,} problems per task, as the paper says of its training sets: their cells say what that buys, not what the architectures can do.
The next section tells the two reasons apart: where a training set is known to 100 % and the cell is low, it was learned by
heart; where the training set is not mastered, the time was too short. Why the paper's baselines do so much better on
additions and subtractions cannot be said without its budgets and training problems.
Division can look good for every model, because the quotient of two random numbers of unlike lengths is often 0 or one digit
and can be guessed, as the paper notes too.
""",
    "training-curve": """Ours is drawn over the time of all lessons added up, whether or not they ran side by side. Its test
accuracy is zero until the lesson on expressions begins, since no earlier skill takes an expression.
""",
    "continual": """"From scratch" may call the one-digit facts and itself, sees and is taught exactly what the other is
taught (stages, practice, vote), and has the same cap; what it lacks is the library. Each run is a single attempt of at most
{budget.continual_seconds:g} s; `reckon train` restarts a student that stands still, as happens to one in a few on expressions.
""",
    "sampling": """Without parameter adjustment the entropy coefficient is constant at its cap (0.02 here, 0.5 in the paper).
With adjustment it is 0.01 times the most wrong attempts at one problem, so our cap is reached at the second one and the
mechanism has next to no time to act; the lines with the paper's cap show what it does where it has. Practice finds the
programs whatever is sampled, so difficulty sampling matters less here than in the paper.
""",
    "own": """Without practice the student imitates its own successes in place of voted programs. A program found in
practice reaches the network only through self-imitation, so "no self-imitation" is PPO alone. A run ends when the skill is
mastered (all stages, held-out problems, and problems far longer than trained on) or at its cap; so a failure here means "not in that time", not "never". A run can be right on all test problems and still
not count as mastered: it then fails on longer ones. About half of the problems of `strip` are solved by halting at once.
""",
}

OPEN_QUESTIONS = """
## What the paper leaves open, and what we chose

| open in the paper | chosen here |
|---|---|
| the curriculum (its appendix is lost) | 35 rows in `curriculum/tasks.py`: one-digit facts, column steps, whole numbers, signed numbers, expressions, modulo last |
| sizes and budgets of the baselines | LSTM: 1 layer of 128, embedding 32; Neural GPU: 24 maps, width 4, 2 layers, 6 relaxed parameter sets; budgets below |
| what the baselines were taught | 12 tasks of plain text from one-digit sums to expressions of 10 characters, 1,000 problems each, the same teacher, samplers and split |
| when the teacher goes on if a task is never mastered | a cap in processor seconds per task; the record says which tasks were mastered |
| distribution of test problems | `reckoner.evaluation.evaluate.cell_problems`: every problem has exactly the length of its column |
| reward for wrong answers ("character-level similarity") | −1 + 0.8 · longer of common prefix and suffix, less a little for surplus characters |
| batch sizes, learning rates, epochs, λ | fields of `PPOConfig` and `StudentConfig`, each marked as chosen here |
| division | integer quotient cut toward zero, remainder with the dividend's sign |
| perception | foveal by default; the paper's `characters` is a field |
| how exploration finds a two-call program | practice, vote and self-imitation beside PPO: the paper's reward, no programs shown |
"""
