# Each target sets up what it needs. PYTHON=... picks the interpreter; else the first of at least 3.11 is taken.
.PHONY: tournament test lint clean
VENV := .venv
PIP := $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check
PYTHONS := $(or $(PYTHON),python3 python3.13 python3.12 python3.11 python3.14)

tournament: $(VENV)/.runtime
	$(VENV)/bin/arena run quickstart

test: $(VENV)/.test
	$(VENV)/bin/python -m pytest

lint: $(VENV)/.lint
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.made:
	@for python in $(PYTHONS); do \
	    "$$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	    echo "making $(VENV) with $$("$$python" --version)"; \
	    "$$python" -m venv --clear $(VENV) && touch $@; exit; \
	done; \
	echo "error: no Python 3.11 or later with venv and ensurepip among: $(PYTHONS) (give one as PYTHON=...)" >&2; \
	exit 1

$(VENV)/.runtime: pyproject.toml $(VENV)/.made
	$(PIP) --editable .
	@touch $@

$(VENV)/.test: pyproject.toml $(VENV)/.made
	$(PIP) --editable '.[test]'
	@touch $@

$(VENV)/.lint: pyproject.toml $(VENV)/.made
	$(PIP) --editable '.[test,lint]'
	@touch $@
