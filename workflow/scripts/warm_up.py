"""Compile one method, so that its jobs find the compiled code in numba's cache."""

import sys
from pathlib import Path

from rankbench.experiments.job import compile_method

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

Path(snakemake.output[0]).write_text(compile_method(snakemake.params.task) + "\n", encoding="utf-8")
