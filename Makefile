# Each target is a door of `rankbench` (`.venv/bin/rankbench --help`) or of a tool. Options of a comparison that are not here: `.venv/bin/rankbench compare --help`.
EXPERIMENTS ?= diez_table1
CORES ?= all
RUN ?= .
HOW_MANY ?= 40
PYTHON ?= python3
BIN := .venv/bin
RANKBENCH := exec $(BIN)/python -m rankbench
# uv installs the same packages in a third of the seconds; `make UV= ...` takes pip although uv is here.
UV := $(shell command -v uv)
INSTALL := $(if $(UV),VIRTUAL_ENV=.venv $(UV) pip install -q,$(BIN)/pip install -qq --disable-pip-version-check --no-compile)
# The shell gets these as variables, word by word as they were given: `touch x` and $$x are parts of a name.
$(foreach name,CSV TARGET GROUPS BUDGET CORES RETRY RUN HOW_MANY WHERE,$(eval export override $(name) := $$(value $(name))))
# Checked before anything is set up: Snakemake passes the path of its Python to a shell without quotes.
FAULT := $(shell [ '$(BIN)' = .venv/bin ] && pwd | tr -d 'A-Za-z0-9_./@%+=:,~-' | LC_ALL=C tr -d '\200-\377\n' | grep -q . && printf 'the path of this checkout, %s, holds a blank, a bracket, a quote or the like, which jobs cannot handle: move it' "$$(pwd)"; for path in . .snakemake resources results; do [ ! -e $$path ] || [ -w $$path ] || echo "this user cannot write here ($$path): work in a copy of the checkout that is yours"; done)
$(if $(FAULT),$(error $(FAULT)))

.PHONY: reproduce compare report artefact test quick docs pages release audit mutants lint determinism
reproduce: .venv/installed  ## run the experiments and print the results: EXPERIMENTS="diez_table1 ..." or all, CORES=2, RETRY="timeout memory failed"
	@$(RANKBENCH) reproduce $(EXPERIMENTS) --cores "$$CORES" --retry "$$RETRY"
compare: .venv/$(if $(filter 1 yes,$(RIVALS)),rivals,installed)  ## which method orders your own table best? CSV=wines.csv TARGET=quality [GROUPS=person] [BUDGET=10] [RIVALS=1]
	@$(RANKBENCH) compare --groups="$$GROUPS" --budget="$$BUDGET" --retry="$$RETRY" --cores="$$CORES" $(if $(filter 1 yes,$(RIVALS)),--rivals) -- "$$CSV" "$$TARGET"
report: .venv/installed  ## write results/report.html and claims.csv again from the existing results
	@$(RANKBENCH) report
artefact: .venv/installed  ## keep the evidence of each experiment that a run has whole, in resources/reproduced: RUN=folder of another checkout
	@$(RANKBENCH) artefact pack "$$RUN"
test: .venv/development  ## run the tests
	@$(BIN)/pytest -n auto --dist worksteal --durations=12 --durations-min=10
quick: .venv/development  ## before each commit, half a minute: style, configuration, the fast tests
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/python -m rankbench check && $(BIN)/pytest -n logical --dist worksteal -m "not slow" tests/unit
pages: .venv/development  ## write the computed tables, pictures and outputs of examples into the pages
	@$(BIN)/python docs/pages.py
docs: .venv/development  ## check the computed parts of the pages, build the site into docs/_build without a network, and check its links
	@$(BIN)/python docs/pages.py check && rm -rf docs/reference/generated
	@$(BIN)/sphinx-build -W -n -E --keep-going -q docs docs/_build && $(BIN)/python docs/check_site.py docs/_build
release: .venv/development  ## build the sdists and the wheels of both packages, try that of the library, and print digests
	@.ci/release
audit: .venv/development  ## ask the advisory database about the locked packages (needs a network)
	@$(BIN)/pip-audit --version >/dev/null 2>&1 || $(INSTALL) pip-audit
	@$(BIN)/pip-audit --strict --disable-pip --require-hashes -r requirements.lock
mutants: .venv/development  ## which changed operators, numbers and constants survive the tests? HOW_MANY=40, some minutes; WHERE=claims
	@$(BIN)/python -c 'import cosmic_ray' 2>/dev/null || $(INSTALL) cosmic-ray
	@$(BIN)/python tests/mutants.py "$$HOW_MANY" 0 $${WHERE:+"$$WHERE"}
lint: .venv/development  ## style, pages, sizes, subjects of commits, workflow and configuration
	@$(BIN)/pre-commit run --all-files && $(BIN)/python -m rankbench check && $(BIN)/snakemake --lint >/dev/null && $(BIN)/mypy
determinism:  ## this environment and a fresh one, other cores and job sizes: the same numbers?
	@.ci/determinism $(if $(filter file,$(origin EXPERIMENTS)),,$(EXPERIMENTS))

# What a run needs, and then what only development needs: a first run installs two thirds of the packages.
.venv/installed: run.lock pyproject.toml benchmark/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python >= 3.11 is needed, got " + sys.version)'
	@echo "setting up .venv$(if $(UV), with uv) (once, about a minute)"
	@$(if $(UV),$(UV) venv -q --allow-existing --python "$$(command -v $(PYTHON))" .venv,$(PYTHON) -m venv .venv)
	@$(if $(UV),:,sed -n '/^pip==/,/[^\\]$$/p' $< | $(INSTALL) --require-hashes -r /dev/stdin)  # first: that of Python 3.11 takes half as long again
	@$(INSTALL) --require-hashes -r $< && $(INSTALL) --no-deps --no-build-isolation -e . -e ./benchmark && touch $@
.venv/development: requirements.lock .venv/installed
	@$(INSTALL) --require-hashes -r $< && touch $@
.venv/rivals: rivals.lock .venv/installed
	@$(INSTALL) --require-hashes -r $< && touch $@
