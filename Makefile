# Needed: make, Python 3.11 or newer with venv, and Chromium for the tests in a browser.
# The rest is installed from the lock files into folders of this checkout.

PYTHON ?= python3
# The folder of the environment. make PYTHON=python3.13 VENV=.venv-3.13 test makes a second one.
VENV ?= .venv
UV := uv==0.13.8

PIP_INSTALL := -m pip --disable-pip-version-check install --quiet
LOCKED := --require-hashes --only-binary :all:
COMPILE := .venv-lock/bin/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --custom-compile-command "make lock"
ADDED := $(wildcard examples/*/scorekeeper_*)
TYPED := $(wildcard scorekeeper tests benchmarks tools conftest.py wsgi.py gunicorn.conf.py examples/*.py) $(ADDED)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help run test check bench soak mutants faults pictures wheel messages translations lock clean

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 20

# Log lines of requests would scroll the address and its QR code off the screen.
run: export SCOREKEEPER_LOG_LEVEL ?= warning
run: export SCOREKEEPER_LOG_FORMAT ?= text
run: $(VENV)/.runtime ## start the server, and print its address; PORT=8080 instead of 8000
	$(VENV)/bin/python -m scorekeeper serve $(if $(PORT),--port $(PORT))

# Tests start many processes, and without bytecode files each would compile the package again. Some
# tests mostly wait, so four processes are faster than two on two processors. `make check` counts signs of unclear English.
test: export PYTHONDONTWRITEBYTECODE :=
test: $(VENV)/.dev ## run the whole suite, or some of it: TESTS='tests/log tests/store'
	$(VENV)/bin/python -m pytest -n 4 --dist loadfile --no-loadscope-reorder \
		--ignore=tests/test_plain_english.py $(TESTS)

# mypy finds a package in the folder around it.
check: export MYPYPATH := $(shell echo $(dir $(ADDED)) | tr ' ' ':')
check: $(VENV)/.dev ## check the code without running it: style, types, imports, translations
	$(VENV)/bin/python -m ruff check .
	$(VENV)/bin/python -m ruff format --check .
	$(VENV)/bin/python -m mypy $(TYPED)
	$(VENV)/bin/python -m pytest -q tests/test_structure.py tests/test_mirror.py tests/tools/test_language_catalogues.py \
		tests/web/test_glossary.py tests/test_plain_english.py

bench: export PYTHONDONTWRITEBYTECODE :=
bench: .venv-bench/.bench ## measure speed against the baselines
	.venv-bench/bin/python -m benchmarks

soak: $(VENV)/.dev ## run the long tests, about an hour; SOAK_MINUTES=10 for each file instead of 1
	SOAK=1 $(VENV)/bin/python -m pytest -m soak
	$(VENV)/bin/python -m pytest examples --scorekeeper-hands 100

mutants: $(VENV)/.dev ## make faults in the code, and count what the tests find; MUTANTS=300 SEED=
	$(VENV)/bin/python -m tools.mutants --sample $(or $(MUTANTS),300) $(if $(SEED),--seed $(SEED))

faults: $(VENV)/.dev ## make faults in records, and count what the audit finds and corrects; FAULTS=3 SEED=
	$(VENV)/bin/python -m benchmarks.faults --hands $(or $(FAULTS),3) $(if $(SEED),--seed $(SEED)) \
		$(ONLY)

pictures: $(VENV)/.dev ## make the pictures of the README and of the guide in Chromium
	$(VENV)/bin/python -m tools.pictures

wheel: $(VENV)/.dev ## build the wheel, in dist/
	$(VENV)/bin/python -m hatchling build --target wheel

messages: $(VENV)/.dev ## bring the translations up to date with the texts, and list what is missing
	$(VENV)/bin/python -m tools.translating.catalogue

translations: $(VENV)/.dev ## compile the translations
	$(VENV)/bin/python -m tools.translating.catalogue --compile

lock: .venv-lock/.lock ## write the lock files again; UPGRADE=--upgrade takes newer versions
	$(COMPILE) $(UPGRADE) -o requirements.lock
	$(COMPILE) $(UPGRADE) -o requirements-dev.lock --extra dev -c requirements.lock
	$(COMPILE) $(UPGRADE) -o requirements-bench.lock --extra bench -c requirements.lock

clean: ## remove all that make and the tools have made
	rm -rf .venv .venv-* dist .coverage .coverage.*
	rm -rf .hypothesis .mutants .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

# A stamp stands for an environment that holds what a lock file says.

$(VENV)/.runtime: requirements.lock | $(VENV)/bin/python
	$(VENV)/bin/python $(PIP_INSTALL) $(LOCKED) -r $<
	@touch $@

$(VENV)/.dev: requirements-dev.lock | $(VENV)/bin/python
	$(VENV)/bin/python $(PIP_INSTALL) $(LOCKED) -r $<
	@touch $@ $(VENV)/.runtime

# chess is published as source only, and built with whatever setuptools is the newest.
.venv-bench/.bench: requirements-bench.lock | .venv-bench/bin/python
	.venv-bench/bin/python $(PIP_INSTALL) $(LOCKED) --no-binary chess --use-pep517 -r $<
	@touch $@

.venv-lock/.lock: Makefile | .venv-lock/bin/python
	.venv-lock/bin/python $(PIP_INSTALL) $(UV)
	@touch $@

$(VENV)/bin/python .venv-bench/bin/python .venv-lock/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Python 3.11 or newer is needed. If it has another name: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { \
		echo "Python's venv is missing. To install it: sudo apt install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(@D:/bin=)
