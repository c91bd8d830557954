# The only entry points. Everything works from a fresh clone with Python 3.11+ and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# One process per core; a file stays in one process, so that what its tests share is made once.
PYTEST ?= --numprocesses auto --dist loadfile --durations 10

# Python translates a module once and keeps the result. Where that is turned off, every process here
# would translate numba, numpy and all the rest again, which takes longer than most tests.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run browser test test-all check format docs dist pictures bench clean

# An environment stays with the Python that made it; another one wants an environment of its own.
ifeq ($(origin PYTHON),command line)
ifneq ($(wildcard $(BIN)/python),)
version = $(shell $(1) -c 'import sys; print(*sys.version_info[:2])')
ifeq ($(call version,$(PYTHON)),)
$(error $(PYTHON) does not run)
endif
ifneq ($(call version,$(PYTHON)),$(call version,$(BIN)/python))
$(error $(VENV) holds another Python: add VENV=.venv-$(notdir $(PYTHON)), or make clean first)
endif
endif
endif

# uv installs in seconds what takes pip a minute; where it cannot be had, pip does the same.
# UV=no stays with pip.
UV ?= yes
install = if [ -x $(BIN)/uv ]; then $(BIN)/uv pip install --quiet --python $(BIN)/python $(1); \
	else $(BIN)/python -m pip install --quiet --disable-pip-version-check $(1); fi

$(VENV)/.python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Noughts needs Python 3.11 or newer; set PYTHON=")'
	$(PYTHON) -m venv $(VENV)
	@{ [ "$(UV)" != no ] && $(BIN)/python -m pip install --quiet --disable-pip-version-check uv 2>/dev/null; } || \
	{ echo "uv cannot be had: pip installs, which takes a minute longer."; \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'; }
	touch $@

# A stamp is newer than pyproject.toml once everything it names is installed.
$(VENV)/.installed: pyproject.toml $(VENV)/.python
	@$(call install,--editable .)
	touch $@

$(VENV)/.installed-web: pyproject.toml $(VENV)/.python
	@$(call install,--editable '.[web]')
	@$(BIN)/python -c 'import noughts.web.app, uvicorn, noughts.kernels.rules.lines' # translated now, not while somebody waits
	touch $@

# Everything else is a dependency group of pyproject.toml: test, docs, bench, dist.
$(VENV)/.installed-%: pyproject.toml $(VENV)/.python
	@$(call install,--group $* --editable .)
	touch $@

run: $(VENV)/.installed-web  ## the page, in a browser; make run SERVE=--no-browser
	$(BIN)/noughts serve $(SERVE)

# The page is tested in a real browser. Where nobody may install one those tests are left out, and
# say so; with CI=true that is a failure.
browser:
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get -qq update && apt-get -qq install --yes --no-install-recommends chromium >/dev/null; } || echo "No chromium here: the tests of the page in a browser are left out."

test: $(VENV)/.installed-test browser  ## all tests but the slow proofs; make test FILE=tests/test_x.py
	$(BIN)/python -m pytest $(PYTEST) $(FILE)

test-all: $(VENV)/.installed-test browser  ## the slow proofs too, and the package in every Python
	$(BIN)/python -m pytest $(PYTEST) -m 'slow or not slow' $(FILE)
	$(MAKE) dist

check: $(VENV)/.installed-test  ## lint, format, types, direction of imports, classes of games
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python tests/house/classes.py
	$(BIN)/python tests/types/check_types.py

format: $(VENV)/.installed-test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.installed-docs  ## the documentation site, in site/; warnings are errors
	$(BIN)/sphinx-build --builder html --fresh-env --fail-on-warning --keep-going --nitpicky --quiet -d build/doctrees docs site

dist: $(VENV)/.installed-dist  ## wheel and sdist, tried in every Python; make dist DIST=--one: in this one
	rm -rf dist
	$(BIN)/python -m build --outdir dist . >/dev/null
	$(BIN)/twine check --strict dist/*
	$(BIN)/python tests/dist/check_dist.py $(DIST)

# All of them take minutes; make pictures PARTS='boards readme' makes some (docs/pictures/make.py).
pictures: $(VENV)/.installed-test $(VENV)/.installed-bench browser  ## what README and home page show
	$(BIN)/python docs/pictures/make.py $(PARTS)

bench: $(VENV)/.installed-bench  ## speed and signature, then the ratios against OpenSpiel
	$(BIN)/noughts bench
	$(BIN)/python benchmarks/playouts.py
	$(BIN)/python benchmarks/solve.py

clean:
	rm -rf $(VENV) build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis
