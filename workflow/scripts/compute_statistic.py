"""Compute one statistic of an experiment's records or test scores."""

import sys

from rankbench.experiments.experiment import Experiment
from rankbench.records.files import require, write_note
from rankbench.records.frames import read_frame, write_statistic
from rankbench.registry import STATISTICS

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

compute = STATISTICS[snakemake.wildcards.statistic]
task, read, (runs,), made = snakemake.params.task, snakemake.params.read, snakemake.input, snakemake.output
require({runs: read["runs"]})
write_statistic(made.frame, compute(read_frame(runs)[0], Experiment.of(task["experiment"])))
write_note(made.note, [made.frame], task=task, read=read)
