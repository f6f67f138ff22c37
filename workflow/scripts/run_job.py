"""Run one method on one data set under one condition, for one seed or a block of seeds."""

import gc
import os
import sys

gc.disable()  # imports create nothing that could be collected; `run_job` switches the collector on after them

from rankbench.configuration.task import Task  # noqa: E402
from rankbench.experiments.job import run_job  # noqa: E402
from rankbench.experiments.kinds import prepare_job  # noqa: E402, F401 (the warm process calls it)
from rankbench.records.files import require  # noqa: E402

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

files = zip(snakemake.input.splits, snakemake.output.scores, strict=True)
given = snakemake.resources  # not parameters, so that a longer limit does not rerun what kept the old limit
limits = {"seconds": float(given.limit_seconds), "megabytes": given.limit_megabytes}
task, read = Task(**snakemake.params.task, limits=limits), snakemake.params.read
require({snakemake.input.table: read["table"], **dict.fromkeys(snakemake.input.splits, read["splits"])})
run_job(task, snakemake.input.table, files, read)

sys.stderr.flush()
os._exit(0)  # everything is written; an orderly exit of the interpreter would take a tenth of a second
