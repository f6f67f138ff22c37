# Reads and checks the configuration; what the other rule files share. Everything that can be tested alone is in src/rankbench.
import os
from pathlib import Path

from rankbench.datasets.fetch import attempts
from rankbench.datasets.sheet import load_sheet
from rankbench.experiments import components, plan, protocol
from rankmargin.sources import source_digest, source_of
from snakemake.exceptions import WorkflowError

# One BLAS thread a job: parallelism is Snakemake's. Jobs inherit this before they import numpy.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = "1"

# Set by onerror for a second pass after files were found damaged and set aside: they are made anew.
HEALING = os.environ.get("RANKBENCH_HEALING") == "1"

try:
    DATASETS = load_sheet(Path("config/datasets.tsv"))
    EXPERIMENTS = protocol.load_experiments(config, DATASETS)
except ValueError as error:
    raise WorkflowError(str(error)) from None

RESULTS = [path for name, experiment in EXPERIMENTS.items() for path in plan.result_files(name, experiment)]


wildcard_constraints:
    experiment="[a-z0-9_]+",
    dataset="[a-z0-9_]+",
    condition="[a-z0-9_]+",
    method="[a-z0-9_]+",
    seed="[0-9]+",
    tens="[0-9]*",
    digest="[0-9a-f]+",


def protocol_of(wildcards):
    """The yaml of the experiment, without what has no effect on results."""
    name = wildcards.experiment
    if name not in EXPERIMENTS:
        raise WorkflowError(
            f"the experiment {name!r} is not among those asked for: --config 'experiments=[{name}]' does"
        )
    return {key: value for key, value in EXPERIMENTS[name].items() if key != "seeds_per_job"}


def task_of(wildcards):
    """The same for every seed, so that a run does not depend on those that share its job."""
    cell = (wildcards.dataset, wildcards.condition, wildcards.method)
    return plan.job_task(wildcards.experiment, protocol_of(wildcards), *cell)


def splits_of(seeds):
    """Input function: the splits of these seeds, or of that of the wildcard."""

    def splits(wildcards):
        cell = (wildcards.experiment, protocol_of(wildcards), wildcards.dataset, wildcards.condition)
        return plan.split_files(*cell, seeds or [wildcards.seed])

    return splits


def warm_up_of(wildcards):
    digest = plan.method_task(wildcards.experiment, protocol_of(wildcards), wildcards.method)["source_digest"]
    return f"resources/warm_up/{wildcards.experiment}/{wildcards.method}/{digest}.txt"


def raised_limits(seeds):
    """Input function: the yaml, newer than the records, where a limit that stopped one of the runs has been raised."""

    def limits(wildcards):
        cell = (wildcards.experiment, "jobs", wildcards.dataset, wildcards.condition, wildcards.method)
        records = [Path("results", *cell, f"{seed}.json") for seed in seeds or [wildcards.seed]]
        raised = any(plan.stopped_by_less(record, protocol_of(wildcards)["limits"]) for record in records)
        return [f"config/experiments/{wildcards.experiment}.yaml"] if raised else []

    return limits


def study_files(wildcards):
    """What a study reads: data set -> its table and the list of its splits."""
    return plan.study_files(wildcards.experiment, protocol_of(wildcards), wildcards.study)


def titles_of(wildcards):
    return {name: DATASETS[name].title for name in plan.datasets_of(protocol_of(wildcards))}
