"""Measure how fast solvers close the gap on the first training part of some data sets."""

import sys

import pandas as pd

from rankbench.datasets.table import load_table
from rankbench.experiments.solver_gaps import COLUMNS, measure_gaps
from rankbench.experiments.split import load_splits

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

rows = []
for dataset, table, splits in zip(snakemake.params.datasets, snakemake.input.tables, snakemake.input.splits):
    rows += measure_gaps(dataset, load_table(table), load_splits(splits).train[0], **snakemake.params.spec)
pd.DataFrame(rows, columns=COLUMNS).to_csv(snakemake.output[0], index=False)
