"""``rankbench list``: experiments, methods and data sets; what is there, what the rest costs, what is missing."""

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

from tabulate import tabulate

from rankbench.datasets.own import load_datasets
from rankbench.datasets.table import absence
from rankbench.experiments.files import Damaged
from rankbench.experiments.methods import sources_of, uses_named
from rankbench.experiments.protocol import files_of, load_asked, read_config
from rankbench.experiments.solved import method_names
from rankbench.labels import two_digits
from rankbench.summary import absent_datasets
from rankbench.timing.expected import Expected
from rankbench.timing.forecast import in_words


def list_experiments(root="."):
    """Print one line for each experiment of a folder.

    Expected times are those of runs and studies, in processor seconds of earlier runs (`rankbench.timing.keep`).
    """
    root = Path(root)
    experiments, _ = load_asked(list(files_of(root)), root)
    default = read_config(root)["experiments"]
    expected = Expected()
    rows = []
    for name, experiment in experiments.items():
        units = [*_units(experiment, expected, root)]
        total = sum(seconds for _, _, seconds in units)
        left = sum(seconds for _, done, seconds in units if not done)
        label, rest = f"{name}{'' if name in default else ' *'}", in_words(left) if left else "done"
        rows.append((label, _done(units, "run"), _done(units, "study"), in_words(total), rest, experiment.title))
    headers = ("experiment", "runs", "studies", "expected", "left", "title")
    _show(rows, headers, "lrrrrl")
    print("\nexpected, left: processor time, from earlier runs; * only if it is named: not in the list of config.yaml")
    for name, experiment in experiments.items():
        wanting = [*missing_packages(experiment), *absent_datasets(experiment.all_datasets, root)]
        if wanting:
            print(f"{name}: missing {', '.join(wanting)}")


def list_methods(root="."):
    """Print one line for each estimator of rankmargin, and for those that experiments name by a path."""
    experiments, _ = load_asked(list(files_of(root)), root)
    used_by, seconds, expected = {}, {}, Expected()
    for experiment in experiments.values():
        for dataset, condition, name in experiment.cells:
            uses = uses_named(experiment.methods[name].uses)
            used_by.setdefault(uses, {})[experiment.name] = experiment.methods[name].uses
            seconds.setdefault(uses, []).append(_seconds(expected, experiment, dataset, condition, name))
    named = {f"rankmargin.{name}": name for name in method_names()}
    rows = []
    for uses in sorted({*named, *used_by}):
        wanted = sources_of(named[uses] if uses in named else next(iter(used_by[uses].values())))[1]
        absent = [package for package in wanted if find_spec(package) is None]
        mean = f"{two_digits(sum(seconds[uses]) / len(seconds[uses]))} s" if uses in seconds else ""
        rows.append((named.get(uses, ""), uses, len(used_by.get(uses, ())), mean, ", ".join(absent)))
    headers = ("method", "estimator", "experiments", "one run", "not installed")
    _show(rows, headers, "llrrl")
    print("\none run: processor seconds of its grid search and fit, the mean of all cells of all experiments")


def list_datasets(root="."):
    """Print one line for each data set of a folder."""
    root = Path(root)
    sheet = load_datasets(root)
    experiments, _ = load_asked(list(files_of(root)), root)
    users = [name for experiment in experiments.values() for name in experiment.all_datasets]
    rows = [
        (name, row.title, f"{row.rows:,}", row.kind, users.count(name), _state(name, root))
        for name, row in sheet.items()
    ]
    headers = ("data set", "title", "rows", "examples", "experiments", "table")
    _show(rows, headers, "llrlrl")


def _show(rows, headers, alignment):
    """Print a table; on a terminal its lines are cut at the right edge. `alignment` has a letter for each column."""
    sides = [{"l": "left", "r": "right"}[letter] for letter in alignment]
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for line in tabulate(rows, headers, "simple", colalign=sides).splitlines():
        print(line[:width])


def missing_packages(experiment):
    """Return the packages that the methods of an experiment need and that are not installed."""
    wanted = [package for method in experiment.methods.values() for package in sources_of(method.uses)[1]]
    return [package for package in dict.fromkeys(wanted) if find_spec(package) is None]


def _units(experiment, expected, root):
    """Yield (kind, whether it is done, its expected seconds) for every run and study of an experiment."""
    of_cell = {cell: _seconds(expected, experiment, *cell) for cell in experiment.cells}
    for (_, *cell, _), file in zip(experiment.runs, experiment.run_files("json"), strict=True):
        yield "run", (root / file).exists(), of_cell[tuple(cell)]
    for study in experiment.studies:
        note = root / f"results/{experiment.name}/statistics/{study}.json"
        yield "study", note.exists(), expected.seconds("run_study", {"experiment": experiment.name, "study": study})


def _done(units, kind):
    """Return how many runs or studies are done, in words; the empty text if there are none."""
    done = [is_done for of, is_done, _ in units if of == kind]
    return f"{sum(done)} of {len(done):,}" if done else ""


def _seconds(expected, experiment, dataset, condition, method):
    names = {"experiment": experiment.name, "dataset": dataset, "condition": condition, "method": method}
    return expected.seconds("run_job", names)


def _state(name, root):
    """Return whether the table of a data set is there, or why it is not."""
    path = root / f"resources/tables/{name}.npz"
    try:
        return absence(path) or "there"
    except FileNotFoundError:
        return "not fetched yet"
    except Damaged as error:
        return str(error)
