# Everything from a bare clone: only Python 3.11 or newer and make need to be there.
# Set-up goes into .venv; a stamp file is written after a set-up has succeeded, so repeating is safe.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
FILES := $(wildcard src tests)

.PHONY: run test check format train bench docs clean help

help:
	@echo "make run     set up the calculator (no PyTorch) and calculate an example with its steps"
	@echo "make test    set up and run all tests"
	@echo "make check   formatter, linter, type checker and tests"
	@echo "make train   learn everything from nothing; resumes where it was stopped"
	@echo "make bench   measure the speed; writes to results/"
	@echo "make docs    write the pages and completion scripts that are made from the code"
	@echo "make clean   remove what was set up and all caches (not trained weights, not runs)"

$(VENV)/.stamp-python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.stamp-run: $(VENV)/.stamp-python pyproject.toml
	$(PIP) install --editable .
	@touch $@

$(VENV)/.stamp-train: $(VENV)/.stamp-python pyproject.toml
	$(PIP) install --editable '.[train]'
	@touch $@ $(VENV)/.stamp-run

$(VENV)/.stamp-test: $(VENV)/.stamp-python pyproject.toml
	$(PIP) install --editable '.[test]'
	@touch $@ $(VENV)/.stamp-train $(VENV)/.stamp-run

$(VENV)/.stamp-dev: $(VENV)/.stamp-python pyproject.toml
	$(PIP) install --editable '.[dev]'
	@touch $@ $(VENV)/.stamp-test $(VENV)/.stamp-train $(VENV)/.stamp-run

run: $(VENV)/.stamp-run
	$(BIN)/reckon --trace "12*(3+45)"

test: $(VENV)/.stamp-test
	$(BIN)/python -m pytest

check: $(VENV)/.stamp-dev
	$(BIN)/ruff format --check $(FILES)
	$(BIN)/ruff check $(FILES)
	$(BIN)/mypy
	$(BIN)/python -m pytest

format: $(VENV)/.stamp-dev
	$(BIN)/ruff format $(FILES)
	$(BIN)/ruff check --fix $(FILES)

train: $(VENV)/.stamp-train
	$(BIN)/reckon train

bench: $(VENV)/.stamp-run
	$(BIN)/reckon bench

docs: $(VENV)/.stamp-test
	$(BIN)/python -m reckoner.cli.docs .

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist src/*.egg-info
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
