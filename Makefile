# Each target is a thin door of `rankbench` (`.venv/bin/rankbench --help`) or of a tool.
# make reproduce   run the experiments and print the results: EXPERIMENTS="diez_table1 ..." or all (the list in config.yaml), CORES=2;
#                  RETRY="timeout memory failed" or all: try such runs again
# make report      write results/report.html and claims.csv again from the existing results, complete or partial
# make artefact    keep the evidence of each experiment that a run has whole, and the verdicts, in resources/reproduced (RUN=folder of another checkout)
# make test        run the tests
# make quick       run before each commit, a minute and a half: style, configuration, the fast tests
# make docs        check the computed parts of the pages, build the site into docs/_build without a network, and check its links
# make pages       write the computed tables, pictures and outputs of examples into the pages
# make compare     which method orders your own table best? CSV=wines.csv TARGET=quality [GROUPS=person] [DROP="id name"] [NOMINAL=colour]
#                  [ORDER="bad fair good"] [DECIMAL=comma] [KEEP="NA None"] [BUDGET=10] (minutes) [RETRY=all]
#                  [RIVALS=1] (LightGBM, XGBoost, CatBoost and mord too)
# make release     build the sdist and the wheel of this version into dist/, try the wheel, list what it needs with licences, and print digests (CONTRIBUTING says
#                  what comes before and after)
# make audit       ask the advisory database about the locked packages (needs a network)
# make lint        check style, pages, sizes, subjects of commits (the hooks of .pre-commit-config.yaml), workflow and configuration
# make mutants     which changed operators, numbers and constants of statistics, claims, split, tune, job and library survive the tests? (HOW_MANY=40, some minutes; WHERE=claims)
# make determinism this environment and a fresh one, other cores and job sizes: the same numbers? EXPERIMENTS as above, or else smoke and svmcompare_fig3
EXPERIMENTS ?= diez_table1
CORES ?= all
PYTHON ?= python3
BIN := .venv/bin
EMPTY :=
COMMA := ,
NAMES := $(filter-out all,$(subst $(COMMA), ,$(EXPERIMENTS)))
# uv installs the same packages in a third of the seconds; `make UV= ...` takes pip although uv is here. Neither compiles the sources: what is
# imported is compiled then, the rest never.
UV := $(shell command -v uv)
PIP := $(BIN)/pip install -qq --disable-pip-version-check --no-compile
INSTALL := $(if $(UV),VIRTUAL_ENV=.venv $(UV) pip install -q,$(PIP))

# A misspelt variable would change nothing, so it is refused; the nearest name begins with the same two letters.
OF_COMPARE := CSV TARGET GROUPS DROP NOMINAL ORDER DECIMAL KEEP BUDGET RETRY CORES RIVALS
KNOWN := $(OF_COMPARE) EXPERIMENTS RANKBENCH_MIRROR RUN HOW_MANY WHERE BIN PYTHON UV PIP PYTEST INSTALL
OF_MAKE := SHELL MAKE MAKEFLAGS MAKEOVERRIDES MFLAGS MAKEFILES MAKELEVEL CURDIR -%
NEAR := CS-cs-CSV FI-fi-CSV TA-ta-TARGET GR-gr-GROUPS DR-dr-DROP NO-no-NOMINAL OR-or-ORDER DE-de-DECIMAL KE-ke-KEEP BU-bu-BUDGET RE-re-RETRY CO-co-CORES \
  RI-ri-RIVALS EX-ex-EXPERIMENTS RA-ra-RANKBENCH_MIRROR RU-ru-RUN HO-ho-HOW_MANY WH-wh-WHERE
STRANGE := $(firstword $(foreach name,$(filter-out $(KNOWN) $(OF_MAKE),$(.VARIABLES)),$(if $(filter command,$(origin $(name))),$(name))))
ifneq ($(STRANGE),)
MEANT := $(strip $(foreach near,$(NEAR),$(if $(filter $(addsuffix %,$(wordlist 1,2,$(subst -, ,$(near)))),$(STRANGE)),$(lastword $(subst -, ,$(near))))))
$(error $(STRANGE) is no variable here$(if $(MEANT),: did you mean $(MEANT)=$(value $(STRANGE))?) (make compare knows $(OF_COMPARE)))
endif

# Said before anything is installed.
ifneq ($(filter compare,$(MAKECMDGOALS)),)
ifeq ($(and $(strip $(value CSV)),$(strip $(value TARGET))),)
$(error make compare needs a file and the column to order by: make compare CSV=wines.csv TARGET=quality)
endif
endif

ANSWER := $(subst $(EMPTY) $(EMPTY),_,$(strip $(RIVALS)))
ifeq ($(filter 0 no 1 yes,$(or $(ANSWER),no)),)
$(error RIVALS must be 1 or 0, got $(RIVALS))
endif
WITH_RIVALS := $(filter 1 yes,$(ANSWER))

# Checked before anything is set up: Snakemake passes the path of its Python to a shell without quotes.
ifeq ($(BIN),.venv/bin)
ifneq ($(shell pwd | tr -d 'A-Za-z0-9_./@%+=:,~-' | LC_ALL=C tr -d '\200-\377\n'),)
$(error the path of this checkout, $(shell pwd), holds a blank, a bracket, a quote or the like, which jobs cannot handle: move it)
endif
endif
FIXED := $(shell for path in . .snakemake resources results; do [ ! -e $$path ] || [ -w $$path ] || echo $$path; done)
ifneq ($(FIXED),)
$(error this user cannot write here ($(FIXED)): work in a copy of the checkout that is yours)
endif

.PHONY: reproduce compare report artefact test quick docs pages release audit mutants lint determinism

# `exec`: a signal to make reaches the command itself and no shell that would leave it alone.
RANKBENCH := exec $(BIN)/python -m rankbench
# The shell gets what the user says as variables, not as a part of the recipe, and make does not expand it: `touch x` and $$x are parts of a name.
SAID := CSV TARGET GROUPS DROP NOMINAL ORDER DECIMAL KEEP BUDGET RETRY CORES
$(foreach name,$(SAID),$(eval compare reproduce: export SAID_$(name) := $$(value $(name))))
$(foreach name,RUN HOW_MANY WHERE,$(eval artefact mutants: export SAID_$(name) := $$(value $(name))))
unexport $(SAID) RUN HOW_MANY WHERE
reproduce: .venv/installed
	@$(RANKBENCH) reproduce $(NAMES) --cores "$$SAID_CORES" --retry "$$SAID_RETRY"

compare: $(if $(WITH_RIVALS),.venv/rivals,.venv/installed)
	@$(RANKBENCH) compare --groups="$$SAID_GROUPS" --drop="$$SAID_DROP" --nominal="$$SAID_NOMINAL" --order="$$SAID_ORDER" \
	  --decimal="$$SAID_DECIMAL" --keep="$$SAID_KEEP" --budget="$$SAID_BUDGET" --retry="$$SAID_RETRY" --cores="$$SAID_CORES" \
	  $(if $(WITH_RIVALS),--rivals) -- "$$SAID_CSV" "$$SAID_TARGET"

report: .venv/installed
	@$(RANKBENCH) report

artefact: .venv/installed
	@$(RANKBENCH) artefact pack "$${SAID_RUN:-.}"

# One worker more than there are cores, because some tests wait for a process, a clock or a cluster.
PYTEST = $(BIN)/pytest -n $(shell expr $$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc) + 1) --dist worksteal
test: .venv/development
	@$(PYTEST)

quick: .venv/development
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/python -m rankbench check
	@$(PYTEST) tests/unit

pages: .venv/development
	@$(BIN)/python docs/pages.py

docs: .venv/development
	@$(BIN)/python docs/pages.py check
	@rm -rf docs/reference/generated  # pages of names that are gone
	@$(BIN)/sphinx-build -W -n -E --keep-going -q docs docs/_build && $(BIN)/python docs/check_site.py docs/_build

release: .venv/development
	@.ci/release

audit: .venv/development
	@$(BIN)/pip-audit --version >/dev/null 2>&1 || $(INSTALL) pip-audit
	@$(BIN)/pip-audit --strict --disable-pip --require-hashes -r requirements.lock

mutants: .venv/development
	@$(BIN)/python -c 'import cosmic_ray' 2>/dev/null || $(INSTALL) cosmic-ray
	@$(BIN)/python tests/mutants.py "$${SAID_HOW_MANY:-40}" 0 $${SAID_WHERE:+"$$SAID_WHERE"}

lint: .venv/development
	@$(BIN)/pre-commit run --all-files
	@$(BIN)/python -m rankbench check
	@lints=$$($(BIN)/snakemake --lint 2>&1) || { echo "$$lints"; exit 1; }
	@$(BIN)/mypy

determinism:
	@.ci/determinism $(if $(filter file,$(origin EXPERIMENTS)),,$(NAMES))

# What a run needs, and then what only development needs: a first run installs two thirds of the packages.
.venv/installed: run.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python >= 3.11 is needed, got " + sys.version)'
	@echo "setting up .venv$(if $(UV), with uv) (once, about a minute)"
ifneq ($(UV),)
	@$(UV) venv -q --allow-existing --python "$$(command -v $(PYTHON))" .venv
else
	@$(PYTHON) -m venv .venv
	@sed -n '/^pip==/,/[^\\]$$/p' $< | $(PIP) --require-hashes -r /dev/stdin  # first: that of Python 3.11 takes half as long again
endif
	@$(INSTALL) --require-hashes -r $<
	@$(INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

.venv/development: requirements.lock .venv/installed
	@$(INSTALL) --require-hashes -r $<
	@touch $@

.venv/rivals: rivals.lock .venv/installed
	@$(INSTALL) --require-hashes -r $<
	@touch $@
