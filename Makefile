# `make reproduce` and `make test` need only Python >= 3.11 with pip and venv; each makes the environment it needs.
PYTHON ?= python3
BIN := .venv/bin
export PATH := $(abspath $(BIN)):$(PATH)

.PHONY: reproduce smoke test check lint lock clean

reproduce: .venv/ready
	snakemake --cores all

smoke: .venv/ready
	snakemake --cores all --configfile config/smoke.yaml

test: .venv/ready
	pytest --numprocesses auto --dist loadgroup

check: .venv/ready
	snakemake check --cores all --configfile config/smoke.yaml

lint: .venv/ready
	ruff check .
	ruff format --check .
	snakefmt --check Snakefile workflow
	snakemake --lint

.venv/ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, set PYTHON=")'
	$(PYTHON) -m venv .venv
	pip install --quiet --require-hashes --requirement requirements.lock
	pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

# Maintainers: pin the newest versions that pyproject.toml allows. Run it with the oldest Python that is to work
# (make lock PYTHON=...): a pin made with 3.11.7 may ask for 3.11.5.
lock: .venv/ready
	pip install --quiet pip-tools
	pip-compile --quiet --upgrade --generate-hashes --allow-unsafe --strip-extras --extra develop \
		--no-annotate --no-header --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
		--output-file requirements.lock pyproject.toml

clean:
	rm -rf results figures/*.pdf figures/*.png work logs .snakemake
