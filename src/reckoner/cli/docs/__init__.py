"""What the repository holds of the program's own making: help pages, lists, worked examples, completion scripts.

`make docs` (or `python -m reckoner.cli.docs FOLDER`) writes all of it; tests check that it is up to date.
"""
