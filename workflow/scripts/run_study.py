"""Run one study of an experiment."""

import sys

from rankbench.experiments.experiment import Experiment
from rankbench.experiments.study import run_study
from rankbench.records.files import require, write_note
from rankbench.records.frames import write_statistic

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

task, read = snakemake.params.task, snakemake.params.read
for dataset, (table, splits) in snakemake.params.files.items():
    require({table: read[dataset], **dict.fromkeys(splits, read.get(f"splits of {dataset}"))})
experiment, arguments = Experiment.of(task["experiment"]), task["arguments"]
frame, record = run_study(snakemake.wildcards.statistic, snakemake.params.files, experiment, arguments)
write_statistic(snakemake.output.frame, frame)
write_note(snakemake.output.note, [snakemake.output.frame], task=task, read=read, **record)
