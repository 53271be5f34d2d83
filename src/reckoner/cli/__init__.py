"""The command `reckon`. Modules of this package are imported when needed: a calculation starts quickly."""

from reckoner.cli.main import main

__all__ = ["main"]
