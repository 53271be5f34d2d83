"""An independent judge of expressions: Python's own parser, told what is and is not allowed here."""

from __future__ import annotations

import ast
import re

_ALLOWED = re.compile("[0-9+*/%() ×÷−·-]*")
_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-"})


def reference_value(text: str) -> int | None:
    """The exact value; None if the text is not an expression; ZeroDivisionError as usual."""
    if not _ALLOWED.fullmatch(text):
        return None
    text = text.translate(_SIGNS).strip(" ")
    if "**" in text or "//" in text:
        return None
    # Python allows no leading zeros; our grammar does.
    text = re.sub("[0-9]+", lambda found: found.group().lstrip("0") or "0", text)
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return None
    return _value(tree) if _is_arithmetic(tree) else None


def _is_arithmetic(tree: ast.expr) -> bool:
    match tree:
        case ast.Constant(value=int()):
            return True
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _is_arithmetic(operand)
        case ast.BinOp(left=left, right=right):
            return _is_arithmetic(left) and _is_arithmetic(right)
    return False


def _value(tree: ast.expr) -> int:
    match tree:
        case ast.Constant(value=int(value)):
            return value
        case ast.UnaryOp(operand=operand):
            return -_value(operand)
        case ast.BinOp(left=left, op=sign, right=right):
            return _operate(sign, _value(left), _value(right))
    raise AssertionError(ast.dump(tree))


def _operate(sign: ast.operator, a: int, b: int) -> int:
    match sign:
        case ast.Add():
            return a + b
        case ast.Sub():
            return a - b
        case ast.Mult():
            return a * b
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient if isinstance(sign, ast.Div) else a - quotient * b
