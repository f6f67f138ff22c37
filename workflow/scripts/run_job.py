"""Run one block of seeds of a data set, condition and method."""

import sys

from rankbench.experiments.job import Task, run_block

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

task = Task(**snakemake.params.task)
run_block(task, snakemake.input.table, snakemake.input.splits, snakemake.output.records, snakemake.output.scores)
