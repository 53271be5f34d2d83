# Everything from a bare clone: only Python 3.11 or newer and make need to be there.
# Set-up goes into .venv; a stamp file is written after a set-up has succeeded, so repeating is safe.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# The versions of all committed results; pyproject.toml itself asks for ranges.
LOCK := requirements-lock.txt
INSTALL := $(PIP) install --constraint $(LOCK) --editable
FILES := $(wildcard src tests)

.PHONY: run test lint check format train bench docs proof lock package clean help

help:
	@echo "make run     set up the calculator (no PyTorch) and calculate an example with its steps"
	@echo "make test    set up and run all tests"
	@echo "make lint    formatter, linter and type checker, without changing anything"
	@echo "make check   both of these"
	@echo "make train   learn everything from nothing; resumes where it was stopped"
	@echo "make bench   measure the speed; writes to results/"
	@echo "make proof   prove the bundled library and print its programs; writes to docs/ and results/"
	@echo "make docs    write the pages and completion scripts that are made from the code"
	@echo "make lock    write requirements-lock.txt from what is installed now"
	@echo "make package build wheel and source distribution and try both in fresh environments"
	@echo "make clean   remove what was set up and all caches (not trained weights, not runs)"

$(VENV)/.stamp-python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.stamp-run: $(VENV)/.stamp-python pyproject.toml $(LOCK)
	$(INSTALL) .
	@touch $@

$(VENV)/.stamp-train: $(VENV)/.stamp-python pyproject.toml $(LOCK)
	$(INSTALL) '.[train]'
	@touch $@ $(VENV)/.stamp-run

$(VENV)/.stamp-test: $(VENV)/.stamp-python pyproject.toml $(LOCK)
	$(INSTALL) '.[test]'
	@touch $@ $(VENV)/.stamp-train $(VENV)/.stamp-run

$(VENV)/.stamp-dev: $(VENV)/.stamp-python pyproject.toml $(LOCK)
	$(INSTALL) '.[dev]'
	@touch $@ $(VENV)/.stamp-test $(VENV)/.stamp-train $(VENV)/.stamp-run

run: $(VENV)/.stamp-run
	$(BIN)/reckon --trace "12*(3+45)"

test: $(VENV)/.stamp-test
	$(BIN)/python -m pytest

lint: $(VENV)/.stamp-dev
	$(BIN)/ruff format --check $(FILES)
	$(BIN)/ruff check $(FILES)
	$(BIN)/mypy

check: test lint

format: $(VENV)/.stamp-dev
	$(BIN)/ruff format $(FILES)
	$(BIN)/ruff check --fix $(FILES)

train: $(VENV)/.stamp-train
	$(BIN)/reckon train

bench: $(VENV)/.stamp-run
	$(BIN)/reckon bench

proof: $(VENV)/.stamp-test
	$(BIN)/reckon program --markdown > docs/programs.md
	$(BIN)/reckon prove --out results --second-opinion --replay 5000

docs: $(VENV)/.stamp-test
	$(BIN)/python -m reckoner.cli.docs .

lock: $(VENV)/.stamp-dev
	$(PIP) freeze --exclude-editable | sed 's/+cpu$$//' > $(LOCK)

package: $(VENV)/.stamp-test
	RECKON_TEST_PACKAGE=1 $(BIN)/python -m pytest tests/test_package.py

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist src/*.egg-info
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
