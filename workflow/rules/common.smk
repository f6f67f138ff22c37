# Reads and checks the configuration; what the other rule files share. Everything that can be tested alone is in src/rankbench.
import fcntl
import os
import shlex
import sys
from pathlib import Path

from rankbench.datasets.sheet import load_sheet
from rankbench.experiments import protocol
from rankbench.experiments.components import constant_of
from rankbench.experiments.provenance import source_digest
from snakemake.exceptions import WorkflowError

# One BLAS thread a job: parallelism is Snakemake's. Jobs inherit this before they import numpy.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = "1"

# Set by onerror for its second pass: results are made of the records that exist, the others are counted as missing.
PARTIAL = os.environ.get("RANKBENCH_PARTIAL") == "1"
RESULT_RULES = ["all", "collect_records", "compute_statistic", "write_table", "draw_figure"]

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


def summarise():
    """Print what ran and what is missing; `make reproduce` does it itself, after the report."""
    if "MAKELEVEL" not in os.environ:
        shell(shlex.join([sys.executable, "-m", "rankbench.summary", *EXPERIMENTS]) + " || true")


onstart:
    if not PARTIAL:
        run_lock = open(".snakemake/run.lock", "w")
        try:
            fcntl.flock(run_lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WorkflowError("another run is going on in this folder: wait for its end or stop it") from None


onsuccess:
    summarise()


onerror:
    if PARTIAL:
        summarise()
    else:
        again = [*sys.argv, "--allowed-rules", *RESULT_RULES]
        shell(f"RANKBENCH_PARTIAL=1 {shlex.join(again)}")
