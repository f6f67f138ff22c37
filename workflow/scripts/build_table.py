"""Make one table out of fetched bytes, or write why there is none."""

import sys
from pathlib import Path

from rankbench.datasets.build import KEPT, REFUSED, build_table
from rankbench.datasets.sheet import load_sheet
from rankbench.datasets.table import AbsentError, save_absence, save_table, table_digest
from rankbench.records.files import Damaged, require, write_note

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

row = load_sheet(Path(snakemake.params.sheet))[snakemake.wildcards.dataset]
folder = Path(snakemake.input.source).parent
asked = {"task": snakemake.params.task, "read": snakemake.params.read}
require({snakemake.input.source: asked["read"]["bytes"]})
try:
    table = build_table(folder, row)
except Damaged:
    raise  # the next run fetches it again
except (AbsentError, ValueError) as error:
    reason = f"{'' if isinstance(error, AbsentError) else REFUSED}{' '.join(str(error).split())}"
    save_absence(snakemake.output.table, reason)
    digest, absent = None, reason if isinstance(error, AbsentError) else ""
    print(reason, file=sys.stderr)
else:
    save_table(snakemake.output.table, table)
    digest, absent = table_digest(table), ""
    print(f"{KEPT}{row.name}: X {table.X.shape}, table_sha256 {digest}", file=sys.stderr)
write_note(snakemake.output.note, [snakemake.output.table], **asked, table_sha256=digest, absent=absent)
