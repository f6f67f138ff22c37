"""Run one study of an experiment."""

import sys

from rankbench.experiments.experiment import Experiment
from rankbench.experiments.files import write_note
from rankbench.experiments.frames import write_statistic
from rankbench.experiments.study import run_study

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

given = snakemake.params
frame, record = run_study(snakemake.wildcards.study, given.files, Experiment.of(given.experiment), given.arguments)
write_statistic(snakemake.output.frame, frame)
write_note(snakemake.output.record, record)
