"""Compute one statistic of an experiment's records."""

import sys

from rankbench.experiments.frames import read_frame, write_statistic
from rankbench.statistics import STATISTICS

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

compute = STATISTICS[snakemake.wildcards.statistic]
frame = compute(read_frame(snakemake.input[0])[0], snakemake.params.experiment)
write_statistic(snakemake.output[0], frame)
