"""Run one study of an experiment."""

import sys

from rankbench.experiments.experiment import Experiment
from rankbench.experiments.files import digests, write_note
from rankbench.experiments.frames import write_statistic
from rankbench.experiments.study import run_study

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

task, read = snakemake.params.task, digests([*snakemake.input.tables, *snakemake.input.splits])
experiment, arguments = Experiment.of(task["experiment"]), task["arguments"]
frame, record = run_study(snakemake.wildcards.study, snakemake.params.files, experiment, arguments)
write_statistic(snakemake.output.frame, frame)
write_note(snakemake.output.note, [snakemake.output.frame], task=task, read=read, **record)
