"""What the paper leaves open, or does otherwise than we do, and what was chosen here: a table of the report."""

from __future__ import annotations

OPEN_QUESTIONS = (
    (
        "the curriculum (its appendix is lost)",
        "the rows of `curriculum/tasks.py`: one-digit facts, column steps, whole numbers, signed numbers,"
        " expressions, modulo last",
    ),
    (
        "how a task grows",
        "in stages, by length or by operators and brackets; the problems of a stage are of up to its size",
    ),
    (
        "distribution of training problems",
        "random, with more nines, zeros, equal and neighbouring operands than chance has",
    ),
    (
        "training problems per task (1,000)",
        "1,000 per stage, 2,000 of expressions, and half as many for validation; fresh ones that come out "
        "wrong join them",
    ),
    (
        "which basic skills there are (S+S and S×S among them), and their size",
        "nine: a column's sum, difference and product with carry, the next digit, a leading zero dropped, a "
        "borrow's sign; for decimals point, comma and marks; 48 hidden units",
    ),
    (
        "how basic skills write and learn",
        "a character or blank per position, the answer at the right end; cross-entropy on the whole table "
        "until every entry is right",
    ),
    (
        "sizes of the baselines",
        "in the figures of training LSTM: 1 layer of 128, embedding 32; Neural GPU: 24 maps, width 4, 2 layers, "
        "6 relaxed parameter sets; as rivals what a grid found best",
    ),
    (
        "the baselines' code (the Neural GPU's is its authors')",
        "both written anew; *Are the baselines sound?* shows what they can do",
    ),
    (
        "what the baselines were taught",
        "as rivals one operation at a time; in the figures of training 12 tasks of plain text from one-digit sums to "
        "expressions of 10 characters, 1,000 problems "
        "each, the same teacher (half of its problems drawn evenly, as ours), samplers and split",
    ),
    (
        "when the teacher goes on if a task is never mastered",
        "a cap in processor seconds per task; the record says which tasks were mastered",
    ),
    (
        "distribution of test problems",
        "`reckoner.curriculum.expression.of_kind`: every problem has exactly the length of its "
        "column; no signs or leading zeros, the operator at any place; in expressions about three operators per ten "
        "characters, and brackets beside them",
    ),
    (
        "test problems of ablations on expressions (length 10, about three operators, brackets among them)",
        "of those of length 10 the ones with at most three operators and brackets; none of these has brackets",
    ),
    ("how many problems a cell of Table 1 has", "1,000; of rivals at 50 and 100 characters a fifth of that"),
    ("how many seeds are behind its numbers", "each section says how many are behind ours"),
    ('what "from scratch" may call', "the one-digit facts and itself"),
    (
        'reward for wrong answers ("character-level similarity")',
        "−1 + 0.8 · longer of common prefix and suffix, less a little for surplus characters; −1 after a "
        "refused call; a second call that changes nothing costs 0.1",
    ),
    (
        "batch sizes, learning rates, epochs, λ",
        "fields of `PPOConfig` and `RolloutConfig`; of their values those that the paper gives are marked",
    ),
    (
        "how the advantage is estimated",
        "a value head on the same state, generalised advantages, divided by their spread in the batch",
    ),
    (
        "when a task is mastered",
        "training, validation and fresh problems all right with greedy decisions, each decision by a margin of 1 in "
        "log-probability if that can be had, a test set that nothing looked at and problems three times longer right, "
        "and (where the solver is installed) no counterexample from a proof",
    ),
    (
        "how many calls a skill may make, and to whom (to all before it)",
        "two per level; the earlier skills that its row names, itself only on a strictly shorter message",
    ),
    (
        "who answers a call of itself in training",
        "the network that mastered the stage before, frozen; where that one is at fault, the present one",
    ),
    ("when a skill ends", "HALT is one of its choices of a module; after two calls it halts in any case"),
    (
        "what a called skill is sent",
        "the two reads as two strings, put into its own layout; who does one operation is sent no operator",
    ),
    (
        "what a skill does with a message it was not taught",
        "refuses it, by a pattern; the caller's memory stays as it is",
    ),
    (
        "how an answer is written (into a memory of l slots)",
        "it takes the place of the written span, so that memories grow and shrink",
    ),
    (
        "how a skill's memory is laid out",
        "a layout per row of the curriculum, such as `{x},{y}0`: constants in it save a call",
    ),
    ("where pointers point", "between characters, so that a span may be empty"),
    (
        "how pointers are decoded",
        "module, read, read and write one after the other by a small GRU, each knowing those before; a span "
        "is one choice, scored from its two ends",
    ),
    ("how actions are chosen in use", "the likeliest, part by part"),
    (
        "what is made of a memory's encoding (o₁ ⊕ o_l)",
        "the last state of either direction, in its place: each is one half of o₁ or o_l, the half that has "
        "read all",
    ),
    (
        "positional embedding (combined with that of characters)",
        "sines and cosines where every character is visible; none with foveal views, whose digits tell how "
        "far the ends of their number are",
    ),
    ("sizes of embeddings", "32 in controllers, 16 in basic skills"),
    ("the one-layer FNN, and initial weights", "linear with tanh; PyTorch's defaults"),
    ("what skills share", "nothing: each has embeddings and networks of its own, frozen once mastered"),
    (
        "hidden size (100) and precision",
        "64; weights are used in the half precision they are stored in",
    ),
    (
        "what a restart is",
        "a student that stands still for 250 updates is replaced by one with another seed, four times at most",
    ),
    (
        "largest entropy coefficient with our learner (β, 0.5)",
        "0.05, and difficulties that are a moving share of wrong attempts; the paper's values are a configuration",
    ),
    (
        "what N_c is (64, never described)",
        "in our learner the difficulty of a problem that is always wrong; for the baselines of the training "
        "figures how many problems are drawn before difficulties are looked at again; in the paper's "
        "configuration nothing",
    ),
    (
        "which attempts count in a difficulty, and from where",
        "those drawn from the policy itself; an untried problem has 64, or 0 where wrong attempts are counted",
    ),
    (
        "how problems are drawn (by softmax of d/τ)",
        "for own and guided attempts a quarter evenly over first views, in the paper's configuration too; of "
        "the rest half by softmax and half evenly, there all by softmax",
    ),
    (
        "the entropy of an action of several parts",
        "the sum over its parts; after HALT the spans do not count",
    ),
    (
        "the largest difficulty in α (of all problems of a task)",
        "of the problems that look alike at first; in the paper's configuration of all",
    ),
    ("what α is without parameter adjustment", "constant, its cap"),
    (
        "when a rival stops, and with which size and rate",
        "no better validation accuracy for a third of its time, all of it right, or 20 minutes of one core; a grid of "
        "two sizes and two rates, chosen on fresh additions; a constant rate, or for LSTM and transformer on × ÷ and "
        "expressions one that falls at last, where that is better",
    ),
    (
        "division and modulo",
        "integer quotient cut toward zero, remainder with the dividend's sign; `%` binds as × and ÷ do",
    ),
    (
        "division by zero",
        "in no training problem; a divisor of zero is refused by a pattern, and told as an error",
    ),
    (
        "negative numbers (answers are digits)",
        "a minus sign belongs to its number, in operands and answers; before a bracket the grammar writes "
        "it as a subtraction from zero",
    ),
    (
        "what a controller sees (characters)",
        "foveal views by default; every character, as in the paper, is a field",
    ),
    (
        "how exploration finds a two-call program",
        "choices by form, local and wild exploration, a memory of own attempts that guides, and analogies: own right "
        "attempts tried at other views (docs/learning.md); the paper's reward, no programs shown",
    ),
)
