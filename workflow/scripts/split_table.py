"""Draw the hold-outs and folds of one data set under one condition."""

import sys

from rankbench.datasets.table import load_table
from rankbench.experiments.split import save_splits, splits_of

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

names = (snakemake.wildcards.experiment, snakemake.wildcards.dataset)
table = load_table(snakemake.input[0])
save_splits(snakemake.output[0], splits_of(table, names, **snakemake.params.arguments))
