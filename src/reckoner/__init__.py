"""A calculator in which neural networks do all the arithmetic.

>>> from reckoner import Calculator
>>> calc = Calculator()
>>> print(calc("12*(3+45)"))
576
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reckoner.answer import Answer
    from reckoner.calculator import Calculator
    from reckoner.errors import DivisionByZero, ExpressionError, LimitError, ReckonerError
    from reckoner.grammar import TextLimits

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Calculator",
    "DivisionByZero",
    "ExpressionError",
    "LimitError",
    "ReckonerError",
    "TextLimits",
    "__version__",
]

# Public names are imported when first used: `import reckoner` costs next to nothing, and a command that
# needs no networks (--help, a syntax error) never waits for numpy.
_HOMES = {
    "Answer": "answer",
    "Calculator": "calculator",
    "DivisionByZero": "errors",
    "ExpressionError": "errors",
    "LimitError": "errors",
    "ReckonerError": "errors",
    "TextLimits": "grammar",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{home}"), name)
