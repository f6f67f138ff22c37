"""Make the runs of one data set, condition and method for one seed or a block of seeds."""

import gc
import os
import sys

gc.disable()  # what an import makes stays: `run_job` collects again when the code is loaded

from rankbench.experiments.job import Task, run_job  # noqa: E402

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

files = zip(snakemake.input.splits, snakemake.output.records, snakemake.output.scores, strict=True)
given = snakemake.resources  # no parameters: a longer limit runs nothing again that kept the old one
limits = {"seconds": float(given.limit_seconds), "megabytes": given.limit_megabytes}
run_job(Task(**snakemake.params.task, limits=limits), snakemake.input.table, files)

sys.stderr.flush()
os._exit(0)  # all is written; taking the interpreter down object by object would cost a tenth of a second
