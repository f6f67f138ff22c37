"""Judge the printed claims by the existing results, and write the report."""

import sys
from pathlib import Path

from rankbench.report import write_report

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

print(write_report(Path.cwd()), file=sys.stderr)
