# Reads and checks the configuration; what the other rule files share. Everything that can be tested alone is in src/rankbench.
import os
from pathlib import Path

from rankbench.datasets.fetch import attempts
from rankbench.datasets.registered import outdated_files, outdated_table
from rankbench.datasets.sheet import load_sheet
from rankbench.experiments import components, plan, protocol
from rankbench.experiments.blocks import blocks
from rankmargin.sources import source_digest, source_of
from snakemake.exceptions import WorkflowError

# One BLAS thread a job: parallelism is Snakemake's. Jobs inherit this before they import numpy.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = "1"
# Where Python keeps no compiled sources, each of a thousand jobs compiles ours anew: a tenth of its time.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
    raise WorkflowError(
        "NUMBA_DISABLE_JIT is set: without compiled code runs take hundreds of times as long, and fail; unset it"
    )

try:
    DATASETS = load_sheet(Path("config/datasets.tsv"))
    EXPERIMENTS, YAMLS = protocol.load_experiments(config, DATASETS), protocol.files_of()
except ValueError as error:
    raise WorkflowError(str(error)) from None

# Digest -> what is compiled: the code of one method as some experiment calls it.
WARM_UPS = plan.warm_ups(EXPERIMENTS)
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


def when_outdated(outdated, *patterns):
    """Input function: the sheet, newer than what was kept, where what was kept is not what the row says now."""

    def sheet(wildcards):
        paths = [pattern.format(dataset=wildcards.dataset) for pattern in patterns]
        return ["config/datasets.tsv"] if outdated(DATASETS[wildcards.dataset], *paths) else []

    return sheet


def study_files(wildcards):
    """What a study reads: data set -> its table and the list of its splits."""
    return plan.study_files(wildcards.experiment, protocol_of(wildcards), wildcards.study)


def titles_of(wildcards):
    return {name: DATASETS[name].title for name in plan.datasets_of(protocol_of(wildcards))}
