"""What the report of ``make compare`` says: the answer in words, and a program that uses the best method."""

import json
from contextlib import suppress
from types import SimpleNamespace

from ..experiments.files import Damaged
from ..experiments.frames import read_statistic
from ..experiments.strict_yaml import comment
from .answers import answers, asked_cells
from .own import OwnTable
from .snippet import snippet_of


def comparison(section, sheet, root):
    """Collect what the report shows of one experiment that is about no paper: as it was when its records were made.

    ``answers`` has paragraphs for each title of a data set, ``programs`` at most one program for each data set (both
    are empty without results), and ``said`` the lines that were printed about the user's table.
    """
    paragraphs, programs, experiment = {}, (), section.experiment
    cells, added = (_read(section, name, root) for name in ("best", "adding"))
    if cells is not None and {*cells["method"]} <= {*experiment.methods}:
        titles = {name: sheet[name].title for name in experiment.datasets}
        own = {name: sheet[name] for name in experiment.datasets if isinstance(sheet[name], OwnTable)}
        groups = {name: table.groups for name, table in own.items() if table.kind != "pairs"}
        said = answers(cells, experiment, added, groups)
        paragraphs = {titles[dataset]: texts for dataset, texts in said.items()}
        programs = tuple(filter(None, _programs(cells, experiment, sheet)))
    return SimpleNamespace(section=section, answers=paragraphs, programs=programs, said=comment(root / section.file))


def _read(section, name, root):
    """Return a statistic, or None if the experiment does not ask for it (a file of an earlier run may be there), or if
    its file is missing or damaged, which is listed among the gaps."""
    path = f"results/{section.name}/statistics/{name}.csv"
    with suppress(Damaged, FileNotFoundError):
        return read_statistic(root / path) if path in section.files else None


def _is_usual(experiment, row, condition):
    """Return whether a program can be the method that was compared. It knows the parameters of methods, and nothing
    else that an edited yaml may change."""
    method, data = experiment.methods[row.method], experiment.datasets[row.dataset]
    preprocess = {"target": "raw", **experiment.preprocess, **condition.preprocess, **method.preprocess}
    usual = {"scaling": "standard", "nominal": "onehot", "target": method.preprocess.get("target", "raw")}
    changed = condition.params or data.params or data.attributes or method.attributes
    return preprocess == usual and not changed


def _programs(cells, experiment, sheet):
    """Yield a program that uses the best method, for each data set."""
    cells_of_last = asked_cells(cells, experiment)
    best = cells_of_last[(cells_of_last["metric"] == experiment.metrics[0]) & (cells_of_last["verdict"] == "best")]
    condition = list(experiment.conditions.values())[-1]
    for row in best.itertuples():
        if not _is_usual(experiment, row, condition):
            continue
        n_train = condition.n_train or experiment.datasets[row.dataset].n_train or 0
        yield snippet_of(sheet[row.dataset], experiment.methods[row.method], json.loads(row.params), n_train)
