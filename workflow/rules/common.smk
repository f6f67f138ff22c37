# Reads and checks the configuration, and defines what the other rule files share. What can be tested without Snakemake is in
# benchmark/src/rankbench.
import os
import sys
from pathlib import Path

from rankbench.datasets.own import SHEET, fetched, load_datasets
from rankbench.experiments import protocol, stamps
from rankbench.experiments.blocks import blocks
from rankbench.experiments.experiment import digest_of_task
from rankbench.records.files import digests, note_of
from rankbench.records.paths import *
from rankbench.experiments.places import hold
from rankbench.records.provenance import COMMIT, commit
from rankbench.registry import FIGURES, PUBLISHED, STATED, STATISTICS, STUDIES, TABLES
from rankbench.records.sources import source_of
from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

# One BLAS thread per job, because Snakemake runs jobs in parallel. Jobs inherit this before they import numpy.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = "1"

try:
    DATASETS = load_datasets()
    EXPERIMENTS = protocol.load_experiments(config, DATASETS)
    config["experiments"] = [*EXPERIMENTS]
except ValueError as error:
    logger.error(str(error))  # an error of Snakemake would add the place in this file
    sys.exit(1)

# Digest -> what to compile: the code of one method with the arguments that an experiment gives it.
WARM_UPS = {digest_of_task(task): task for one in EXPERIMENTS.values() for task in map(one.warm_up, one.methods)}
BLOCKS = blocks(EXPERIMENTS)  # the rules that make runs
# The priority of the short jobs for which runs and studies wait, and of those that read the files of all runs of an experiment, which Snakemake would
# look at again and again until they start: above that of any run or study.
FIRST = 10**15
RESULT_FILES = [path for experiment in EXPERIMENTS.values() for path in experiment.result_files]

# What every job is asked to do.
PLAN = stamps.Plan(EXPERIMENTS, DATASETS)
# What is tried again is removed before the jobs are planned, unless another run is active here: then this one is refused when it starts.
RUN_LOCK = None
if workflow.is_main_process and (again := list(PLAN.retried(config.get("retry", ())))):
    try:
        RUN_LOCK = None if workflow.dryrun else hold()
    except ValueError:
        again = []
    for line in stamps.grouped(again):
        logger.warning(f"tried again: {line}")
    if RUN_LOCK:
        PLAN.remove(note for note, _ in again)
# What is there and not asked for now is named. Snakemake makes again what it remembers to have made for another task; the summary at the end names the rest.
REFUSED = [*PLAN.refused(), *stamps.conclusions_refused()] if workflow.is_main_process else []
LOOKED = ".snakemake/looked"
Path(LOOKED).unlink(missing_ok=True)
for line in stamps.grouped(REFUSED):
    logger.warning(f"outdated: {line}")
if workflow.is_main_process:
    os.environ[COMMIT] = commit(".")


# No rule makes a user's own table.
FETCHED = "|".join(fetched(DATASETS)) or "(?!)"


wildcard_constraints:
    experiment="[a-z0-9_]+",
    dataset="[a-z0-9_]+",
    condition="[a-z0-9_]+",
    method="[a-z0-9_]+",
    seed="[0-9]+",
    tens="[0-9]*",
    digest="[0-9a-f]+",
    statistic="[a-z0-9_]+",


def experiment_of(wildcards):
    """Return the experiment of a job."""
    name = wildcards.experiment
    if name not in EXPERIMENTS:
        raise WorkflowError(f"the experiment {name!r} is not selected; add --config experiments={name}")
    return EXPERIMENTS[name]


def asked(what):
    """Return the parameters of a job, by which Snakemake sees whether it must run again: its task, and the stamps of what it reads. ``what(wildcards)``
    is what `PLAN` says of it."""
    return {"task": lambda wildcards: what(wildcards).task, "read": lambda wildcards: what(wildcards).read}


def study_files(wildcards):
    """Return what a study reads: data set -> (its table, the list of its splits)."""
    return experiment_of(wildcards).study_files(wildcards.statistic)
