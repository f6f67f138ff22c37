"""Draw the hold-outs and folds of one data set under one condition."""

import sys

from rankbench.datasets.table import load_table
from rankbench.experiments.split import make_splits, save_splits

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

names = (snakemake.wildcards.experiment, snakemake.wildcards.dataset)
y = load_table(snakemake.input[0]).y
save_splits(snakemake.output[0], make_splits(y, names=names, **snakemake.params.arguments))
