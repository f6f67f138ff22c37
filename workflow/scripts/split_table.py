"""Draw the splits of one data set under one condition for ten seeds."""

import sys

from rankbench.datasets.table import load_table
from rankbench.experiments.split import draw, save_split

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

names = (snakemake.wildcards.experiment, snakemake.wildcards.dataset)
table = load_table(snakemake.input[0])
for digit, path in enumerate(snakemake.output):
    seed = int(f"{snakemake.wildcards.tens}{digit}")
    save_split(path, draw(table, seed=seed, names=names, **snakemake.params.arguments))
