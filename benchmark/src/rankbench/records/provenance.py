"""The versions, the commit and the machine that make a file; for the sources see `rankbench.records.sources`."""

import importlib.metadata
import os
import platform
import subprocess
import sys
from functools import cache
from pathlib import Path

COMMIT = "RANKBENCH_COMMIT"  # variable of the environment that holds the commit of a run
ALWAYS = ("numpy", "numba", "llvmlite")  # every run computes with these


def versions(packages=()):
    """Return the versions that can change a number of a run: of Python, of `ALWAYS`, and of further packages.

    What else is imported in the process says nothing about the run.
    """
    python = ".".join(map(str, sys.version_info[:3]))
    return {"python": python, **{name: version_of(name) for name in (*ALWAYS, *packages)}}


@cache
def version_of(package):
    """Return the version of a package, which is given by the name under which it is imported; "none" if it has none."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:  # the distribution may have another name: xgboost-cpu, scikit-learn
        named = importlib.metadata.packages_distributions().get(package)
    return importlib.metadata.version(named[0]) if named else "none"


def made_by(packages=()):
    """Return what makes a file now: the commit of the checkout, the machine, and `versions`."""
    return {**_here(), "versions": versions(packages)}


@cache
def _here():
    """Return the commit of the current folder, and the system, processor and number of cores in words.

    A run passes the commit to its jobs, so that they need not ask git.
    """
    machine = f"{platform.system()}, {os.cpu_count()} cores ({_processor()})"
    return {"commit": os.environ[COMMIT] if COMMIT in os.environ else commit("."), "machine": machine}


def _processor():
    """Return the name of the processor; on Linux the module platform does not know it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def commit(root):
    """Return the commit of a checkout, followed by ``-dirty`` if a file differs from it; ``""`` without git."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=7", "--exclude=*"]
    try:
        described = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    except OSError:  # git is not installed
        return ""
    return described.stdout.strip()
