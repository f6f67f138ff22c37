"""Write the report of the existing results."""

import gc
import os
import sys
from pathlib import Path

gc.disable()  # see run_job.py

from rankbench.report import write_report  # noqa: E402

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

print(write_report(Path.cwd()), file=sys.stderr)

sys.stderr.flush()
os._exit(0)
