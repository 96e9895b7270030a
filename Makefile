# `make reproduce` and `make test` need only Python >= 3.11 with pip and venv; each makes the environment it needs.
PYTHON ?= python3
VENV ?= .venv
ENVIRONMENT := $(if $(filter /%,$(VENV)),$(VENV),$(CURDIR)/$(VENV))
export PATH := $(ENVIRONMENT)/bin:$(PATH)

ifneq ($(words x$(ENVIRONMENT)x),1)
$(error Snakemake cannot run a Python whose path has a space, as $(ENVIRONMENT) has. Put the environment elsewhere: make $(or $(MAKECMDGOALS),reproduce) VENV=/path/without/spaces)
endif

.PHONY: reproduce smoke test check docs paper-assets benchmark formal unlock mutate fuzz lint cluster lock pictures verdicts release audit costs clean

reproduce: $(VENV)/ready
	snakemake --cores all

smoke: $(VENV)/ready
	snakemake --cores all --configfile config/smoke.yaml

test: $(VENV)/ready
	pytest --numprocesses auto --dist loadgroup --no-loadscope-reorder

check: $(VENV)/ready
	snakemake check --cores all --configfile config/smoke.yaml

# The documentation, in docs/_build/html; needs no network.
docs: $(VENV)/ready
	sphinx-build -W --keep-going -q -b html docs docs/_build/html

# Figures, tables and references for a paper, in results/full/paper, of the full study, which runs if it has not.
paper-assets: $(VENV)/ready
	snakemake --cores all paper_assets

# Ratios of times of one run; PEERS=/path: beside public code too, of that checkout or of those in that folder.
benchmark: $(VENV)/ready
	python benchmarks/speed.py $(PEERS)

# The theorems of formal/, by Coq (Debian: coq and libcoq-interval); what it writes goes to a temporary directory.
formal:
	@if ! command -v coqc > /dev/null; then \
		echo "formal: not checked, as there is no coqc here (Debian: coq and libcoq-interval)"; \
	else \
		made=$$(mktemp -d) && trap 'rm -rf "$$made"' EXIT && cd formal && for file in *.v; do \
			(cd "$$made" && coqc -q -noglob -w none -o "$$made/$${file}o" "$(CURDIR)/formal/$$file") || exit 1; \
			echo "formal: $${file%.v} accepted"; \
		done; \
	fi

# After a run was killed, and while none is going on: lets the same command go on where it was.
unlock: $(VENV)/ready
	snakemake --unlock

# Small changes to the science, each of which a test should notice: so many of each folder, see tests/mutation.
mutate: $(VENV)/ready
	python tests/mutation --number $(or $(N),220)

# So many wrong inputs of each kind, see tests/fuzz.
fuzz: $(VENV)/ready
	python tests/fuzz --number $(or $(N),1000)

lint: $(VENV)/ready
	ruff check .
	ruff format --check .
	snakefmt --check Snakefile workflow
	snakemake --lint

$(VENV)/ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, set PYTHON=")'
	$(PYTHON) -m venv $(VENV)
	pip install --quiet --require-hashes --requirement requirements.lock
	pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

# What the profiles for clusters and object stores need, and their tests.
cluster: $(VENV)/ready
	pip install --quiet --require-hashes --requirement requirements-cluster.lock

# Maintainers: pin the newest versions that pyproject.toml allows. Run it with the oldest Python that is to work
# (make lock PYTHON=...): a pin made with 3.11.7 may ask for 3.11.5. All that can be installed together is pinned together:
# the second call keeps the pins of the first.
COMPILE := pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras \
	--no-annotate --no-header --no-emit-index-url --no-emit-find-links --no-emit-trusted-host
lock: $(VENV)/ready
	pip install --quiet pip-tools
	$(COMPILE) --upgrade --all-extras --output-file requirements-cluster.lock pyproject.toml
	cp requirements-cluster.lock requirements.lock
	$(COMPILE) --extra develop --output-file requirements.lock pyproject.toml
	sed -n 's/ \\$$//; /==/p' requirements.lock > constraints.txt

# Maintainers: the pictures of the README, from the tables of reference/full.
pictures: $(VENV)/ready
	python workflow/scripts/draw_pictures.py

# Maintainers: after `make reproduce` and `make smoke`, take their verdicts as the reference and list them in the package.
verdicts: $(VENV)/ready
	for study in full smoke; do cp results/$$study/tables/verdicts.csv reference/$$study/; done
	python workflow/scripts/list_verdicts.py reference/full/verdicts.csv

# Maintainers: after `make reproduce` and `make smoke`, what jobs cost and use, for `mnlbandits plan` and the documentation.
costs: $(VENV)/ready
	cp results/full/timings/rules.csv docs/reference/resources.csv
	python workflow/scripts/list_costs.py config/smoke.yaml
	python workflow/scripts/list_plans.py

# Maintainers: what a release is made of, in dist, from a clean tree and the finished full study, or that of CONFIG=FILE.
STUDY := $(if $(CONFIG),--configfile $(CONFIG))
NAME := $(shell sed -n 's/^name: *//p' $(or $(CONFIG),config/config.yaml))
release: $(VENV)/ready
	@[ -z "$$(git status --porcelain)" ] || { echo "release: there are changes that are not committed" >&2; exit 1; }
	@snakemake --cores 1 --dry-run $(STUDY) 2>&1 | grep -q "Nothing to be done" || \
		{ echo "release: the study $(NAME) is not finished, run it first" >&2; exit 1; }
	snakemake --cores all $(STUDY) -- provenance
	rm -rf dist && mkdir dist
	cp results/$(NAME)/provenance/crate.zip dist/$(NAME).crate.zip
	made=$$(mktemp -d) && trap 'rm -rf "$$made"' EXIT && git archive HEAD | tar -x -C "$$made" && \
		export SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) && \
		(cd "$$made" && pip wheel --quiet --no-deps --no-build-isolation --wheel-dir "$(CURDIR)/dist" . && rm -rf build && \
			python -c "from setuptools import build_meta; build_meta.build_sdist('$(CURDIR)/dist')" > /dev/null) && \
		$(PYTHON) -m venv "$$made/tools" && "$$made/tools/bin/pip" install --quiet cyclonedx-bom && \
		"$$made/tools/bin/cyclonedx-py" environment --no-validate --output-reproducible --pyproject pyproject.toml \
			--output-file dist/bill-of-materials.cdx.json "$(ENVIRONMENT)/bin/python"
	cd dist && sha256sum * > SHA256SUMS

# Known vulnerabilities of the pinned versions, of which it asks PyPI; fails too where that has no answer.
audit:
	made=$$(mktemp -d) && trap 'rm -rf "$$made"' EXIT && $(PYTHON) -m venv "$$made" && \
		"$$made/bin/pip" install --quiet pip-audit && \
		"$$made/bin/pip-audit" --strict --disable-pip --require-hashes --requirement requirements.lock

clean:
	rm -rf results figures/*/ work logs dist .snakemake
