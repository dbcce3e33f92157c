# One command for each job; `.ci/run` uses the same ones.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
SUITES := $(VENV)/mcp
PYTEST_ARGS ?= -n auto

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-mcp lint format docs bench bench-accuracy bench-callgraph bench-edit bench-fix bench-history bench-incremental bench-load bench-mcp bench-mutations bench-placement bench-queries bench-search bench-tokens bench-tools fuzz fuzz-requests mcp-suites clean

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

test: lint mcp-suites ## Run every check, then the tests (PYTEST_ARGS='-k name' narrows)
	@$(BIN)/python -m pytest -q $(PYTEST_ARGS)

test-mcp: setup mcp-suites ## Run the MCP server against the public conformance suite, the inspector, and bad clients
	@$(BIN)/python -m pytest -q $(PYTEST_ARGS) tests/mcp

mcp-suites: setup ## Install the public MCP suites, and a node for them, where npm can; without them their tests are skipped
	@cmp -s tests/mcp/package.json $(SUITES)/.installed && exit; \
	command -v npm >/dev/null || { echo "mcp-suites: npm was not found; the public MCP suites are skipped" >&2; exit 0; }; \
	echo "mcp-suites: installing into $(SUITES)"; mkdir -p $(SUITES) && cp tests/mcp/package.json $(SUITES)/ \
	&& (cd $(SUITES) && npm install --no-audit --no-fund --no-package-lock --ignore-scripts --loglevel=error) >$(SUITES)/log 2>&1 \
	&& cp tests/mcp/package.json $(SUITES)/.installed \
	|| echo "mcp-suites: npm could not install them (see $(SUITES)/log); the public MCP suites are skipped" >&2

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

bench-fix: setup ## Break callers of real packages in ways that leave one thing to do, and let `keel fix --apply` fix them
	@$(BIN)/python -m benchmarks.fix $(ARGS)

bench-edit: setup ## Time compiles after 100 edits of real code, cold, warm and with ty (ARGS='django --edits 10')
	@$(BIN)/python -m benchmarks.edit $(ARGS)

bench-history: setup ## Replay releases of real packages as edits, and judge every ERROR (ARGS='httpx --verbose')
	@$(BIN)/python -m benchmarks.history $(ARGS)

bench-incremental: setup ## Prove that sync equals a fresh map, over 10,000 random edits
	@$(BIN)/python -m benchmarks.incremental

bench-mcp: setup ## Measure the MCP server: its start, the cost of its listing, fifty clients at once (ARGS='--seconds 10')
	@$(BIN)/python -m benchmarks.mcp $(ARGS)

bench-load: setup ## Let eight clients edit and compile at once for a minute, the daemon killed under them now and then
	@$(BIN)/python -m benchmarks.load

bench-mutations: setup ## Change functions of real packages and compare who is broken with pyright, ty and Python (ARGS='--quick')
	@$(BIN)/python -m benchmarks.mutations $(ARGS)

bench-search: setup ## Ask 131 questions about real packages, and count the answers that search finds (ARGS=--misses)
	@$(BIN)/python -m benchmarks.search $(ARGS)

bench-queries: setup ## Ask questions of a generated graph of a million symbols (ARGS='--symbols 50000')
	@$(BIN)/python -m benchmarks.queries $(ARGS)

bench-placement: setup ## Move functions of real packages and find them again, and count flags on what was not touched
	@$(BIN)/python -m benchmarks.placement $(ARGS)

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
