# Reads and checks the configuration; what the other rule files share. Everything that can be tested alone is in src/rankbench.
import os
from pathlib import Path

from rankbench.datasets.sheet import load_sheet
from rankbench.experiments import components, plan, protocol
from rankmargin.sources import source_digest
from snakemake.exceptions import WorkflowError

# One BLAS thread a job: parallelism is Snakemake's. Jobs inherit this before they import numpy.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = "1"

# Set by onerror for its second pass: results are made of the records that exist, the others are counted as missing.
PARTIAL = os.environ.get("RANKBENCH_PARTIAL") == "1"

try:
    DATASETS = load_sheet(Path("config/datasets.tsv"))
    EXPERIMENTS = protocol.load_experiments(config, DATASETS)
except ValueError as error:
    raise WorkflowError(str(error)) from None


wildcard_constraints:
    experiment="[a-z0-9_]+",
    dataset="[a-z0-9_]+",
    condition="[a-z0-9_]+",
    method="[a-z0-9_]+",
    block="[0-9-]+",
    digest="[0-9a-f]+",


def protocol_of(wildcards):
    """The yaml of the experiment."""
    return EXPERIMENTS[wildcards.experiment]


def job_of(wildcards):
    return plan.job_task(wildcards.experiment, protocol_of(wildcards), *wildcards[1:])


def splits_of(wildcards):
    return plan.split_file(wildcards.experiment, protocol_of(wildcards), wildcards.dataset, wildcards.condition)


def warm_up_of(wildcards):
    digest = plan.method_task(wildcards.experiment, protocol_of(wildcards), wildcards.method)["source_digest"]
    return f"resources/warm_up/{wildcards.experiment}/{wildcards.method}/{digest}.txt"


def ended_jobs(wildcards):
    """Path, identity and seeds of every job of the experiment; in the partial pass, of those that left their records."""
    experiment = protocol_of(wildcards)
    for *identity, block in plan.jobs(experiment):
        stem = plan.job_stem(wildcards.experiment, *identity, block)
        if not PARTIAL or Path(f"{stem}.jsonl").exists():
            yield stem, identity, plan.blocks(experiment)[block]


def studied(wildcards):
    """Tables and splits that a study reads, data set -> path; in the partial pass, of those data sets that are there."""
    experiment = protocol_of(wildcards)
    tables = plan.study_tables(experiment, wildcards.study)
    splits = plan.study_splits(wildcards.experiment, experiment, wildcards.study)
    there = [
        name for name in tables if not PARTIAL or all(Path(f[name]).exists() for f in (tables, splits) if name in f)
    ]
    return [{name: files[name] for name in there if name in files} for files in (tables, splits)]


def titles_of(wildcards):
    return {name: DATASETS[name].title for name in plan.datasets_of(protocol_of(wildcards))}
