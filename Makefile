# Everything a newcomer or a machine does with a checkout. Python 3.11+ and make are all it takes.

SHELL = /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# Which Python makes the environment; empty takes the first of PYTHONS that is new enough.
PYTHON ?=
PYTHONS = python3 python3.14 python3.13 python3.12 python3.11
# What else to tell `assistant` or pytest: make test ARGS="-k smtp -x"
ARGS ?=

BIN = .venv/bin
PIP = $(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps

# Tests that run make in a clone must not hear what this make was told.
unexport MAKEFLAGS MFLAGS MAKELEVEL ARGS

# An environment holds its own path and its Python's: moved, copied or orphaned, it is made again.
ifneq ($(shell test -x $(BIN)/python && cat .venv/locked 2>/dev/null),$(CURDIR))
.PHONY: .venv/locked
endif

.PHONY: help
help: ## say what there is
	@echo 'make TARGET'
	@sed -n 's/^\([a-z-]*\):.* ## \(.*\)/  \1:\2/p' Makefile | awk -F: '{ printf "%-14s %s\n", $$1, $$2 }'

.PHONY: install
install: .venv/installed ## make .venv, with exactly what requirements.lock pins
	@echo 'Ready: $(BIN)/assistant'

.PHONY: run
run: .venv/installed ## start the assistant, with a chat where there is a terminal (ARGS="--data DIR")
	@$(BIN)/assistant up $(ARGS)

.PHONY: demo
demo: .venv/installed ## play the main job from mail to calendar, in under a minute
	@$(BIN)/assistant demo $(ARGS)

# Tests start many processes, which read what was compiled once. `make test` and `make test-all` share
# no test but those drawn by lot, of which the second draws more.
PYTEST = env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest
PARALLEL = --numprocesses auto --maxprocesses 4 --dist loadfile

.PHONY: test
test: .venv/dev .venv-s3/ready ## run the quick tests, in a few minutes (ARGS="-k discord")
	@$(PYTEST) -m 'not slow and not weather and not system' $(PARALLEL) $(ARGS)

.PHONY: test-all
test-all: .venv/dev .venv-s3/ready ## run what `make test` leaves out (slow proofs, every weather, more examples)
	@$(PYTEST) -m '(slow or weather or hypothesis) and not system' --hypothesis-profile thorough --timeout 900 \
	  $(PARALLEL) $(ARGS)

.PHONY: test-system
test-system: .venv/dev ## run the tests that need Debian's servers, installing those (as root)
	@.ci/debian chromium postfix swaks
	@$(PYTEST) -m system $(ARGS)

.PHONY: prove
prove: .venv/dev ## kill workers, processes and servers over and over, and count what happened (ARGS="--only bus --seed 7")
	@$(BIN)/python -m tests.prove $(ARGS)

.PHONY: prove-all
prove-all: .venv/dev ## the same at length, with 10,000 calls a database, 1,000 over Celery, 50 rounds of the program
	@$(BIN)/python -m tests.prove --calls 10000 --changes 400 --celery-calls 1000 --rounds 50 $(ARGS)

.PHONY: check
check: .venv/dev ## check format, lint, types, import rules and locks
	@echo 'Format' && $(BIN)/ruff format --check --quiet .
	@echo 'Lint' && $(BIN)/ruff check --quiet .
	@echo 'Types' && $(BIN)/mypy --no-error-summary
	@echo 'Import rules' && $(BIN)/lint-imports --no-cache >.venv/import-rules || { cat .venv/import-rules; exit 1; }
	@echo 'Locks' && $(BIN)/python .ci/locks.py check
	@echo 'No registry addresses' && .ci/no-registries

.PHONY: bench
bench: .venv/dev ## measure, each time beside something to compare with
	@$(BIN)/python -m tests.bench $(ARGS)

.PHONY: pictures
pictures: .venv/dev ## draw those pictures in the docs anew that show what is shown no more (needs chromium)
	@.ci/debian chromium
	@$(BIN)/python -m tests.terminal_pictures
	@$(BIN)/python -m tests.agenda_picture
	@$(BIN)/python -m tests.pictures

.PHONY: lock
lock: .venv/locked ## make the locks again after dependencies changed in pyproject.toml (needs uv; ARGS=--upgrade)
	@$(BIN)/python .ci/locks.py make $(ARGS)

.PHONY: clean
clean: ## remove environments and caches, never data
	rm -rf .venv .venv-s3 .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps are written last and live in .venv, so an interrupted install is done again from the start.

.venv/locked: requirements.lock
	@for python in $(or $(PYTHON),$(PYTHONS)); do \
	  if "$$python" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    echo "Making .venv with $$("$$python" --version)"; \
	    exec "$$python" -m venv --clear .venv; \
	  fi; \
	done; \
	echo 'No Python 3.11 or newer was found that can make an environment (looked for: $(or $(PYTHON),$(PYTHONS))).' >&2; \
	echo 'Install one (on Debian: apt install python3 python3-venv), or name it: make PYTHON=/path/to/python3.12' >&2; \
	exit 1
	@$(BIN)/python .ci/install.py requirements.lock
	@pwd -P >$@

.venv/installed: .venv/locked pyproject.toml
	@echo 'Installing the assistant itself'
	@$(PIP) --no-index --no-build-isolation --editable .
	@touch $@

.PHONY: .venv-s3/ready
.venv-s3/ready: .venv/dev
	@echo 'Looking after .venv-s3, where the S3 server of the tests lives'
	@$(BIN)/python -m tests.servers.s3 --ensure-venv

.venv/dev: .venv/installed requirements-dev.lock
	@$(BIN)/python .ci/install.py requirements-dev.lock
	@touch $@
