"""Draw the hold-outs and folds of one data set under one condition."""

import sys

from rankbench.datasets.table import load_table
from rankbench.experiments.split import make_splits, save_splits

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

names = tuple(snakemake.wildcards[key] for key in ("experiment", "dataset", "condition"))
n_rows = len(load_table(snakemake.input[0]).y)
save_splits(snakemake.output[0], make_splits(n_rows, names=names, **snakemake.params.sizes))
