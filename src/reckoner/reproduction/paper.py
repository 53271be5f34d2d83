"""The paper's own numbers (Chen et al., 2018, Table 1), in per cent, at lengths 5, 10 and 20."""

from __future__ import annotations

LENGTHS = (5, 10, 20)
TITLES = {
    "add": "Addition",
    "subtract": "Subtraction",
    "multiply": "Multiplication",
    "divide": "Division",
    "expression": "Expressions",
    "expression-modulo": "Expressions with modulo",
}
TABLE1: dict[str, dict[str, tuple[int, int, int]]] = {
    "add": {"ours": (100, 100, 17), "Neural GPU": (100, 98, 84), "LSTM": (61, 33, 16)},
    "subtract": {"ours": (100, 100, 19), "Neural GPU": (100, 72, 43), "LSTM": (95, 48, 20)},
    "multiply": {"ours": (100, 100, 0), "Neural GPU": (30, 3, 0), "LSTM": (12, 3, 0)},
    "divide": {"ours": (100, 27, 15), "Neural GPU": (30, 29, 21), "LSTM": (28, 23, 19)},
    "expression": {"ours": (100, 100, 78), "Neural GPU": (48, 2, 0), "LSTM": (5, 0, 0)},
}
MODELS = ("ours", "Neural GPU", "LSTM")
