# One command for each job; `.ci/run` uses the same ones.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PYTEST_ARGS ?= -n auto

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint format docs bench bench-accuracy bench-callgraph bench-history bench-incremental bench-mutations bench-queries bench-search bench-tokens bench-tools fuzz fuzz-requests clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-18s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(STAMP) ## Make .venv and install keel with its development tools

$(STAMP): pyproject.toml
	@command -v "$(PYTHON)" >/dev/null || { echo "keel needs Python 3.11 or newer, and '$(PYTHON)' was not found. Name one: make setup PYTHON=python3.12" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "keel needs Python 3.11 or newer, and '$(PYTHON)' is $$("$(PYTHON)" --version 2>&1). Name another: make setup PYTHON=python3.12" >&2; exit 1; }
	@echo "setup: installing into $(VENV)"
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || "$(PYTHON)" -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: setup ## Show keel at work on a small project
	@$(BIN)/python demo/run.py

test: lint ## Run every check, then the tests (PYTEST_ARGS='-k name' narrows)
	@$(BIN)/python -m pytest -q $(PYTEST_ARGS)

lint: setup ## Check lint, format, types and the direction of imports
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check . || { echo "format: run 'make format'" >&2; exit 1; }
	@$(BIN)/mypy --no-error-summary
	@out=$$($(BIN)/lint-imports --no-logo 2>&1) || { echo "$$out"; exit 1; }
	@echo "lint: lint, format, types and imports are in order"

format: setup ## Format the code and fix what ruff can fix
	@$(BIN)/ruff check --quiet --fix-only .
	@$(BIN)/ruff format --quiet .

docs: setup ## Write the generated pages, and the output that pages show of commands
	@$(BIN)/python -m tools.docs

bench: setup ## Measure speed and accuracy against named yardsticks
	@$(BIN)/python -m benchmarks

bench-accuracy: setup ## Compare answers with pyright's on seven packages, site by site, peers beside, and what ty costs
	@$(BIN)/python -m benchmarks.accuracy $(ARGS)
	@$(BIN)/python -m benchmarks.accuracy.cost

bench-callgraph: setup ## Score call graphs against hand-made truth, and a peer beside (ARGS='lists --verbose')
	@$(BIN)/python -m benchmarks.callgraph $(ARGS)

bench-history: setup ## Replay releases of real packages as edits, and judge every ERROR (ARGS='httpx --verbose')
	@$(BIN)/python -m benchmarks.history $(ARGS)

bench-incremental: setup ## Prove that sync equals a fresh map, over 10,000 random edits
	@$(BIN)/python -m benchmarks.incremental

bench-mutations: setup ## Change functions of real packages and compare who is broken with pyright, ty and Python (ARGS='--quick')
	@$(BIN)/python -m benchmarks.mutations $(ARGS)

bench-queries: setup ## Ask questions of a generated graph of a million symbols (ARGS='--symbols 50000')
	@$(BIN)/python -m benchmarks.queries $(ARGS)

bench-search: setup ## Ask 131 questions about real packages, and count the answers that search finds (ARGS=--misses)
	@$(BIN)/python -m benchmarks.search $(ARGS)

bench-tokens: setup ## Measure what answers for language models cost, by real tokenizers
	@$(BIN)/python -m benchmarks.tokens

bench-tools: setup ## Measure finding and listing tools
	@$(BIN)/python -m benchmarks.tools

fuzz: setup ## Read all installed Python source, and mutants of it (FUZZ_ARGS='--files 0' takes every file)
	@$(BIN)/python -m benchmarks.fuzz $(FUZZ_ARGS)

fuzz-requests: setup ## Send 10,000 random and hostile requests to every verb that asks (ARGS='--requests 100')
	@$(BIN)/python -m benchmarks.requests $(ARGS)

clean: ## Remove everything that was made here, .venv included
	@rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find src tests benchmarks demo tools -name __pycache__ -type d -prune -exec rm -rf {} +
