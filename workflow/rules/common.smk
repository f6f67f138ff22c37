# Reads and checks the configuration, and defines what the other rule files share. What can be tested without Snakemake is in
# src/rankbench.
import os
from pathlib import Path

from rankbench.datasets.fetch import attempts
from rankbench.datasets.registered import outdated_files, outdated_table, reading_digest
from rankbench.datasets.sheet import load_sheet
from rankbench.experiments import components, protocol
from rankbench.experiments.blocks import blocks
from rankbench.experiments.experiment import digest_of_task, is_timed
from rankmargin.sources import source_digest, source_of
from snakemake.exceptions import WorkflowError

# One BLAS thread per job, because Snakemake runs jobs in parallel. Jobs inherit this before they import numpy.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = "1"
# If Python may not keep compiled sources, each of a thousand jobs compiles ours again, which is a tenth of its time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
    raise WorkflowError(
        "NUMBA_DISABLE_JIT is set: without compiled code the runs would take hundreds of times as long and fail; unset it"
    )

try:
    DATASETS = load_sheet(Path("config/datasets.tsv"))
    EXPERIMENTS = protocol.load_experiments(config, DATASETS)
except ValueError as error:
    raise WorkflowError(str(error)) from None

# Digest -> what to compile: the code of one method with the arguments that an experiment gives it.
WARM_UPS = {digest_of_task(task): task for one in EXPERIMENTS.values() for task in map(one.warm_up, one.methods)}
RESULTS = [path for experiment in EXPERIMENTS.values() for path in experiment.result_files]
# The module of what every statistic, table and figure is given.
EXPERIMENT = "rankbench.experiments.experiment"


wildcard_constraints:
    experiment="[a-z0-9_]+",
    dataset="[a-z0-9_]+",
    condition="[a-z0-9_]+",
    method="[a-z0-9_]+",
    seed="[0-9]+",
    tens="[0-9]*",
    digest="[0-9a-f]+",


def asked(wildcards):
    """Return the experiment of a job."""
    name = wildcards.experiment
    if name not in EXPERIMENTS:
        raise WorkflowError(f"the experiment {name!r} is not selected; add --config 'experiments=[{name}]'")
    return EXPERIMENTS[name]


def document(wildcards):
    """Return the experiment of a job in plain values: Snakemake compares parameters only if they are such."""
    return asked(wildcards).document


def when_outdated(outdated, *patterns):
    """Return an input function that adds the sheet, which is newer than the kept files, if they do not fit its row."""

    def sheet(wildcards):
        paths = [pattern.format(dataset=wildcards.dataset) for pattern in patterns]
        return ["config/datasets.tsv"] if outdated(DATASETS[wildcards.dataset], *paths) else []

    return sheet


def study_files(wildcards):
    """Return what a study reads: data set -> (its table, the list of its splits)."""
    return asked(wildcards).study_files(wildcards.study)


def titles_of(wildcards):
    return {name: DATASETS[name].title for name in asked(wildcards).all_datasets}
