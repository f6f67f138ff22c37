"""The experiments and data sets that are shipped, described once for all tests of a process."""

from functools import cache

from checkout import ROOT

from rankbench.datasets.sheet import load_sheet
from rankbench.experiments.protocol import files_of, load_experiments


@cache
def sheet():
    """Return name -> row of every data set."""
    return load_sheet(ROOT / "config/datasets.tsv")


@cache
def experiments():
    """Return name -> experiment of every yaml."""
    return load_experiments({"experiments": [*files_of(ROOT)], "data": {"mirrors": []}}, sheet(), ROOT)
