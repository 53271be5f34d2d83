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
# what an installation is made of: when one of these changes, it is made again (the C core is compiled then)
MADE_OF := pyproject.toml setup.py $(LOCK) $(wildcard src/reckoner/machine/c/*.[ch])

.PHONY: run test browser bc lint check format train bench decisions docs proof lock sanitize package clean help

help:
	@echo "make run     set up the calculator (no PyTorch) and calculate an example with its steps"
	@echo "make test    set up and run all tests"
	@echo "make lint    formatter, linter and type checker, without changing anything"
	@echo "make check   both of these"
	@echo "make train   learn everything from nothing; resumes where it was stopped"
	@echo "make bench   measure the speed; writes to results/"
	@echo "make proof   prove the bundled library and print its programs; writes to docs/ and results/"
	@echo "make decisions write down what the bundled networks decide, after new weights (a minute)"
	@echo "make docs    write the pages and completion scripts that are made from the code"
	@echo "make lock    write requirements-lock.txt from what is installed now"
	@echo "make sanitize run the tests of the compiled core under sanitizers (needs gcc or clang)"
	@echo "make package build wheel and source distribution and try both in fresh environments"
	@echo "make clean   remove what was set up and all caches (not trained weights, not runs)"

$(VENV)/.stamp-python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.stamp-run: $(VENV)/.stamp-python $(MADE_OF)
	$(INSTALL) .
	@touch $@

$(VENV)/.stamp-train: $(VENV)/.stamp-python $(MADE_OF)
	$(INSTALL) '.[train,proof]'
	@touch $@ $(VENV)/.stamp-run

$(VENV)/.stamp-test: $(VENV)/.stamp-python $(MADE_OF)
	$(INSTALL) '.[test]'
	@touch $@ $(VENV)/.stamp-train $(VENV)/.stamp-run

$(VENV)/.stamp-dev: $(VENV)/.stamp-python $(MADE_OF)
	$(INSTALL) '.[dev]'
	@touch $@ $(VENV)/.stamp-test $(VENV)/.stamp-train $(VENV)/.stamp-run

run: $(VENV)/.stamp-run
	$(BIN)/reckon --trace "12*(3+45)"

test: $(VENV)/.stamp-test browser bc
	$(BIN)/python -m pytest

# Chromium, in which the page is tested: installed where that can be done without asking, otherwise a word about it.
browser:
	@if command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq \
		&& DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null; then :; \
	else echo "Chromium is not installed, so the tests of the page in a browser will not run." >&2; fi

# GNU bc, with which decimals are compared: the same.
bc:
	@if command -v bc >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq \
		&& DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends bc >/dev/null; then :; \
	else echo "bc is not installed, so decimals will not be compared with it." >&2; fi

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
	$(BIN)/reckon prove --out results --second-opinion --paths --replay 100000 --rounding --disorder --mutations

decisions: $(VENV)/.stamp-train
	$(BIN)/reckon remember

docs: $(VENV)/.stamp-test
	$(BIN)/python -m reckoner.cli.docs .

lock: $(VENV)/.stamp-dev
	$(PIP) freeze --exclude-editable | sed 's/+cpu$$//' > $(LOCK)

# The compiled core under gcc's (or clang's) address and undefined-behaviour sanitizers, in a copy of the source.
# Leaks are not looked for: Python itself keeps memory at its end; tests/test_unbreakable.py counts the core's own.
SANITIZED := build/sanitized
CHECKED := agreement machine unbreakable compiled automaton
sanitize: $(VENV)/.stamp-test
	rm -rf $(SANITIZED) && mkdir -p $(SANITIZED) && cp -r src $(SANITIZED)/
	rm -f $(SANITIZED)/src/reckoner/machine/_core*.so
	$(CC) -shared -fPIC -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all \
		-I"$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_paths()["include"])')" \
		src/reckoner/machine/c/*.c -o $(SANITIZED)/src/reckoner/machine/_core.so
	LD_PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libubsan.so)" \
		ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
		PYTHONMALLOC=malloc RECKON_CORE=compiled PYTHONPATH=$(SANITIZED)/src \
		$(BIN)/python -m pytest -q -s -p no:cacheprovider -k 'not python' $(CHECKED:%=tests/test_%.py)

package: $(VENV)/.stamp-test
	RECKON_TEST_PACKAGE=1 $(BIN)/python -m pytest tests/test_package.py

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist src/*.egg-info
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
