"""Run one study of an experiment."""

import importlib
import sys

from rankbench.datasets.table import load_table
from rankbench.experiments.files import write_text
from rankbench.experiments.split import load_split

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

splits = {name: [load_split(path) for path in paths] for name, paths in snakemake.params.splits.items()}
data = {name: (load_table(path), splits.get(name, [])) for name, (path,) in snakemake.params.tables.items()}
study = importlib.import_module(f"rankbench.studies.{snakemake.wildcards.study}")
frame = study.run(data, snakemake.params.experiment, **snakemake.params.arguments)
write_text(snakemake.output[0], frame.to_csv(index=False))
