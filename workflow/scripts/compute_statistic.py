"""Compute one statistic of an experiment's records."""

import sys

import pandas as pd

from rankbench.experiments.files import write_text
from rankbench.statistics import STATISTICS

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

compute = STATISTICS[snakemake.wildcards.statistic]
frame = compute(pd.read_parquet(snakemake.input[0]), snakemake.params.experiment)
write_text(snakemake.output[0], frame.to_csv(index=False))
