"""Snakemake's executor ``warm``: Python scripts run in forks of processes that have already imported what they need.

The executor itself is imported when Snakemake asks for it, because a warm process imports this package too.
"""

import importlib
import time

BEGAN = time.time()  # Snakemake imports the plugins before it reads a workflow


def __getattr__(name):
    if name in ("Executor", "ExecutorSettings", "common_settings"):
        return getattr(importlib.import_module(f"{__name__}.executor"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
