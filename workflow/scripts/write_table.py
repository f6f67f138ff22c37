"""Write one table in every format."""

import sys
from pathlib import Path

from rankbench.experiments.files import write_text
from rankbench.experiments.frames import read_statistic
from rankbench.statistics.runs import rivals
from rankbench.tables import TABLES
from rankbench.tables.spreadsheet import without_formulas

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

frames = {name: read_statistic(path) for name, path in snakemake.input.items()}
table = TABLES[snakemake.wildcards.table]
texts = table.render(frames, rivals(snakemake.params.experiment), snakemake.params.titles)
texts["csv"] = without_formulas(texts["csv"])
for path in map(Path, snakemake.output):
    write_text(path, texts[path.suffix.removeprefix(".")])
