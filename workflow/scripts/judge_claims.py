"""Judge the printed claims by the existing results."""

import sys
from pathlib import Path

from rankbench.report import write_claims

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

ledger = write_claims(Path.cwd())
print(ledger["direction"].value_counts().to_dict(), file=sys.stderr)
