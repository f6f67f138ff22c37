"""The experiments and data sets that are shipped, read once for all tests of a process."""

from functools import cache

from checkout import ROOT

from rankbench.datasets.readers import read
from rankbench.datasets.sheet import load_sheet
from rankbench.experiments.protocol import files_of, load_experiments


@cache
def sheet():
    """Return name -> row of every data set."""
    return load_sheet(ROOT / "config/datasets.tsv")


@cache
def made(name):
    """Return the table of a set that is made and has no file."""
    return read(None, sheet()[name])


@cache
def experiments():
    """Return name -> experiment of every yaml."""
    return load_experiments({"experiments": [*files_of(ROOT)], "data": {"mirrors": []}}, sheet(), ROOT)
