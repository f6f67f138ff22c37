"""Make one table out of fetched bytes."""

import sys
from pathlib import Path

from rankbench.datasets.build import KEPT, build_table
from rankbench.datasets.sheet import load_sheet
from rankbench.datasets.table import save_table, table_digest

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

row = load_sheet(Path(snakemake.params.sheet))[snakemake.wildcards.dataset]
try:
    table = build_table(Path(snakemake.input.source).parent, row)
except ValueError as error:
    sys.exit(f"{row.name}: refused by its reader: {' '.join(str(error).split())}")
save_table(snakemake.output[0], table)
print(f"{KEPT}{row.name}: X {table.X.shape}, table_sha256 {table_digest(table)}", file=sys.stderr)
