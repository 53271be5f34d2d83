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
    from reckoner.errors import (
        CallLimit,
        DepthLimit,
        DidNotHalt,
        DivisionByZero,
        ExponentError,
        ExpressionError,
        LibraryError,
        LimitError,
        MemoryLimit,
        MessageRefused,
        ReckonerError,
        TextLimit,
        TimeLimit,
        UnknownSkill,
        WrongAnswer,
    )
    from reckoner.grammar import TextLimits
    from reckoner.machine import Call, Limits, Step
    from reckoner.rewriting import Rewriting, explain

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Calculator",
    "Call",
    "CallLimit",
    "DepthLimit",
    "DidNotHalt",
    "DivisionByZero",
    "ExponentError",
    "ExpressionError",
    "LibraryError",
    "LimitError",
    "Limits",
    "MemoryLimit",
    "MessageRefused",
    "ReckonerError",
    "Rewriting",
    "Step",
    "TextLimit",
    "TextLimits",
    "TimeLimit",
    "UnknownSkill",
    "WrongAnswer",
    "__version__",
    "explain",
]

# Public names are imported when first used: `import reckoner` costs next to nothing, and a command that
# needs no networks (--help, a syntax error) never waits for numpy. All that is not named here is an error class.
_HOMES = {
    "Answer": "answer",
    "Calculator": "calculator",
    "Call": "machine",
    "Limits": "machine",
    "Rewriting": "rewriting",
    "Step": "machine",
    "TextLimits": "grammar",
    "explain": "rewriting",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'errors')}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
