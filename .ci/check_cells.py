"""Fail unless Table 1 has a row for each of 12 data sets and 3 methods, each the mean of 20 runs."""

import sys

import pandas as pd

table = pd.read_csv(sys.argv[1])
cells = table.groupby(["dataset", "method"]).size()
filled = table["ours_mean"].notna() & table["published_mean"].notna() & (table["n_runs"] == 20)
if len(table) != 36 or len(cells) != 36 or table["dataset"].nunique() != 12 or not filled.all():
    sys.exit(f"{sys.argv[1]}: {len(table)} rows, {int(filled.sum())} filled, 36 wanted:\n{table[~filled].to_string()}")
print("Table 1: 36 cells of 20 runs each")
