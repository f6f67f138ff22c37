"""Compile one method, so that its jobs find the compiled code in numba's cache."""

import sys
from pathlib import Path

from rankbench.experiments.job import compile_method

sys.stderr = open(snakemake.log[0], "w", encoding="utf-8")  # noqa: SIM115 (open to the end, for the traceback too)

task = snakemake.params.task
told = [compile_method({**task, "grid": grid}) for grid in task["grids"]]
Path(snakemake.output[0]).write_text("\n".join(told) + "\n", encoding="utf-8")
