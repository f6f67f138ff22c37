"""What the report of ``make compare`` says: the answer in words, and a program that uses the best method."""

import json
from contextlib import suppress
from dataclasses import dataclass

from ..answers import answers, asked_cells
from ..compare.snippet import snippet_of
from ..experiments.files import Damaged
from ..experiments.frames import read_statistic
from .content import Section


@dataclass(frozen=True)
class Comparison:
    """One comparison as the report shows it.

    Attributes
    ----------
    section : Section
        The experiment, with its protocol, tables and figures.
    answers : dict of str to list of str
        Title of the data set -> paragraphs; empty without results.
    programs : tuple of str
        At most one program for each data set.
    said : tuple of str
        The lines that were printed about the user's table.
    """

    section: Section
    answers: dict
    programs: tuple
    said: tuple


def comparison(section, experiment, sheet, root):
    """Collect what the report shows of one experiment that is about no paper."""
    path = root / "results" / section.name / "statistics/best.csv"
    told, programs = {}, ()
    with suppress(Damaged, FileNotFoundError):  # a missing or damaged file is listed among the gaps
        cells = read_statistic(path)
        titles = {name: sheet[name].title for name in experiment.datasets}
        told = {titles[dataset]: texts for dataset, texts in answers(cells, experiment).items()}
        programs = tuple(filter(None, _programs(cells, experiment, sheet)))
    return Comparison(section, told, programs, tuple(_comment(root / experiment.file)))


def _programs(cells, experiment, sheet):
    """Yield a program that uses the best method, for each data set."""
    asked = asked_cells(cells, experiment)
    best = asked[(asked["metric"] == experiment.metrics[0]) & (asked["verdict"] == "best")]
    condition = list(experiment.conditions.values())[-1]
    for row in best.itertuples():
        n_train = condition.n_train or experiment.datasets[row.dataset].n_train or 0
        yield snippet_of(sheet[row.dataset], experiment.methods[row.method], json.loads(row.params), n_train)


def _comment(file):
    """Yield the lines of the comment at the top of a yaml file."""
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            return
        yield line.removeprefix("# ").rstrip()
