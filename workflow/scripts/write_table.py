"""Write one table in every format."""

import gc
import os
import sys
from pathlib import Path

gc.disable()  # see run_job.py

from rankbench.experiments.experiment import Experiment  # noqa: E402
from rankbench.experiments.files import write_bytes, write_sealed  # noqa: E402
from rankbench.experiments.frames import read_statistic  # noqa: E402
from rankbench.statistics.runs import rivals  # noqa: E402
from rankbench.tables import TABLES  # noqa: E402
from rankbench.tables.spreadsheet import without_formulas  # noqa: E402

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

frames = {name: read_statistic(path) for name, path in snakemake.input.items()}
table = TABLES[snakemake.wildcards.table]
texts = table.render(frames, rivals(Experiment.of(snakemake.params.experiment)), snakemake.params.titles)
texts["csv"] = without_formulas(texts["csv"])
for path in map(Path, snakemake.output):
    write = write_sealed if path.suffix == ".html" else write_bytes  # the report reads the html
    write(path, texts[path.suffix.removeprefix(".")].encode("utf-8"))

sys.stderr.flush()
os._exit(0)
