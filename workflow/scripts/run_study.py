"""Run one study of an experiment."""

import importlib
import sys

from rankbench.datasets.table import load_table
from rankbench.experiments.files import write_text
from rankbench.experiments.split import load_splits

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

splits = {name: load_splits(path) for name, path in snakemake.params.splits.items()}
tables = {name: load_table(path) for name, path in snakemake.params.tables.items()}
data = {name: (table, splits.get(name)) for name, table in tables.items()}
study = importlib.import_module(f"rankbench.studies.{snakemake.wildcards.study}")
frame = study.run(data, snakemake.params.experiment, **snakemake.params.arguments)
write_text(snakemake.output[0], frame.to_csv(index=False))
