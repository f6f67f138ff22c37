"""Compute one statistic of an experiment's records."""

import gc
import os
import sys

gc.disable()  # see run_job.py

from rankbench.experiments.experiment import Experiment  # noqa: E402
from rankbench.experiments.frames import read_frame, write_statistic  # noqa: E402
from rankbench.statistics import STATISTICS  # noqa: E402

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

compute = STATISTICS[snakemake.wildcards.statistic]
frame = compute(read_frame(snakemake.input[0])[0], Experiment.of(snakemake.params.experiment))
write_statistic(snakemake.output[0], frame)

sys.stderr.flush()
os._exit(0)
