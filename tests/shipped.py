"""The experiments, data sets and kept records that are shipped, read and described once for all tests of a process."""

from dataclasses import replace
from functools import cache

from checkout import ROOT

from rankbench.datasets.readers import read
from rankbench.datasets.sheet import load_sheet
from rankbench.experiments.protocol import files_of, load_experiments
from rankbench.papers.today import kept


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


class Described(kept.Kept):
    """Kept records whose statistics are computed once."""

    def __init__(self, *named):
        super().__init__(*named)
        self.made = {}

    def frames(self, *names):
        self.made |= super().frames(*(name for name in names if name not in self.made))
        return {name: self.made[name].copy() for name in names}

    def few(self, *methods):
        """Return the records of these methods and of the reference method alone: a table of all takes ten seconds."""
        asked = {*methods, self.experiment.reference_method}
        part = Described(self.name, self.root)
        part.records = self.records[self.records["method"].isin(asked)]
        part.experiment = replace(self.experiment, methods={name: self.experiment.methods[name] for name in asked})
        return part


Kept = cache(Described)
