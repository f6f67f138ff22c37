"""Choose the number of hold-outs and of training rows so that a comparison on a user's table ends within its budget.

The methods and their grids are in the yaml files of this folder, one for each kind of target. `prepare` makes the whole
trip from the file to the folder.
"""

import math
import sys
import textwrap
from dataclasses import replace
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import yaml

from rankbench.configuration.labels import counted, one_line
from rankbench.datasets.own import SHEET, TABLES, load_datasets
from rankbench.experiments.draw import draw
from rankbench.experiments.measures import METRICS, takes
from rankbench.experiments.methods import sources_of, weights_argument
from rankbench.experiments.places import hold
from rankbench.records.files import note_of, read_note

from .columns import columns_of, describe
from .folder import check_folder, name_of, own_of, table_of, write_folder, write_table
from .read import TableError, read_file

SHARES = 70, 60, 50, 80  # percent of the rows that are learned from, in the order of trial
LARGEST = 2000  # training rows: kernel methods are still tuned in minutes
LEAST = 200  # the largest size is not lowered below this, however short the budget is
FEWEST_SEEDS, ENOUGH_SEEDS, MOST_SEEDS = 10, 20, 50
SHARE = 0.8  # of the budget is used by the plan: other data and machines may be slower than the measured ones
START = 4.0  # processor seconds that a job takes in addition to its runs: imports, the table, Snakemake
ONCE = 90.0  # processor seconds of everything but the jobs: compilation, the plan, tables, figures, report
JOBS = 2, 5  # fewest and most jobs of one method and size: each job takes time to start, but few jobs leave cores idle
COLUMNS = 8  # inputs of the tables on which the costs were measured
MOST_COLUMNS = 300  # names of items that methods of features see, one column each
TREES = ("forest", "extra_trees", "boosting", "lightgbm", "xgboost", "catboost")

# Measured by benchmarks/comparison_costs.py: processor seconds of one run of each method, by training rows.
COSTS = yaml.safe_load((Path(__file__).parent / "costs.yaml").read_text(encoding="utf-8"))


def drawer_of(table, name, folds):
    """Return a function that says which hold-outs of a table can be drawn, with something to order in each part.

    Parameters
    ----------
    table : rankbench.datasets.table.Table
    name : str
        Name of the experiment and of the data set.
    folds : int

    Returns
    -------
    callable
        (size, ties=False) -> why training parts of a size cannot be drawn, or ``""``. With `ties` each part that is
        learned from must hold a tie.
    """

    @cache
    def fault(size, ties=False):
        sizes = {"n_train": size, "n_test": n_test_of(len(table.y), size), "n_folds": folds}
        for seed in range(MOST_SEEDS):
            split = draw(table, seed=seed, names=(name, name), split="groups", **sizes)
            if split.absent:
                return split.absent
            if ties and not all(
                (table.y[rows] == 0).any() for rows in (split.train, *(rows for rows, _ in split.inner))
            ):
                return f"seed {seed}: a part that is learned from has no tie"
        return ""

    return fault


def n_test_of(n_rows, n_train):
    """Return the rows of the test part; more than the training rows add little, and hold-outs overlap more."""
    return min(n_rows - n_train, n_train)


def largest_of(n_rows, fault):
    """Return the largest training size that can be drawn.

    Raises
    ------
    TableError
        When no size can be drawn.
    """
    for share in SHARES:
        size = min(n_rows * share // 100, LARGEST)
        if not (reason := fault(size)):
            return size
    why = reason.rpartition(": ")[2].partition(" (in ")[0]  # without the place in the yaml and the number of draws
    raise TableError(f"the rows cannot be divided into training and test parts: {why}")


def seconds_of(kind, method, n_train, n_inputs=COLUMNS):
    """Return the processor seconds of one run of a method on a kind of target, interpolated between the measured sizes.

    It is interpolated in logarithms. The seconds of trees grow with the square root of the number of inputs: 32 inputs
    instead of 8 took 1.3 to 2.9 times as long.
    """
    rows, seconds = np.log(COSTS["rows"]), np.log(COSTS["seconds"][kind][method])
    wider = math.sqrt(max(n_inputs / COLUMNS, 1)) if method.startswith(TREES) else 1
    return float(np.exp(np.interp(np.log(n_train), rows, seconds))) * wider


def points_of(method):
    """Return the number of points of the grid of a method."""
    return math.prod(map(len, method["grid"].values()))


def plan_of(once, most, fault, n_methods, cores, budget):
    """Return the training size and the number of hold-outs that fit into the budget, and the minutes that they take.

    Parameters
    ----------
    once : callable
        Training size -> the processor seconds of one run of each method.
    most : int
        The largest training size. It is lowered until the fewest hold-outs fit, and raised again until they can be
        drawn.
    fault : callable
        See `drawer_of`.
    n_methods, cores : int
    budget : float
        Minutes.
    """
    jobs = min(max(JOBS[0], cores // 4), JOBS[1])

    def minutes(size, seeds):
        each = once(size)
        whole = ONCE + START * jobs * n_methods + seeds * sum(each)
        longest = math.ceil(seeds / jobs) * max(each)  # runs of a job come one after the other
        return max(whole / cores, longest) / 60

    ladder = [most]
    while ladder[-1] > LEAST and minutes(ladder[-1], FEWEST_SEEDS) > budget * SHARE:
        ladder.append(max(ladder[-1] * 3 // 4, LEAST))
    size = next(size for size in reversed(ladder) if not fault(size))
    fits = (n for n in range(MOST_SEEDS, FEWEST_SEEDS, -1) if minutes(size, n) <= budget * SHARE)
    seeds = next(fits, FEWEST_SEEDS)
    return size, seeds, minutes(size, seeds), math.ceil(seeds / jobs)


def methods_of(template, groups, rivals, ties=True, weights=False, n_names=0):
    """Take the methods to compare and their larger grids out of a template; return two dicts, by method.

    Comparisons without `ties` are not compared by methods that learn from them, rows with `weights` not by methods that
    take none, and more than `MOST_COLUMNS` names of items not by methods that see a column for each.

    Raises
    ------
    TableError
        When rivals are asked for, but there are none for this kind of target, or they are not installed.
    """
    methods, larger = template.pop("methods"), template.pop("larger_grids")
    outside, inside_groups = template.pop("rivals", {}), template.pop("rivals_with_groups", {})
    others = template.pop("without_ties", {})
    if not ties:
        methods = {name: one for name, one in methods.items() if one["uses"] != "ComparisonSVM"} | others
    if n_names > MOST_COLUMNS:
        methods = {name: one for name, one in methods.items() if "attributes" in one}
    if weights:
        methods = {name: one for name, one in methods.items() if weights_argument(one["uses"])}
    if not rivals:
        return methods, larger
    more = {**outside, **(inside_groups if groups else {})}
    if not more:
        raise TableError("--rivals: none of them learns from pairs of items; omit --rivals")
    packages = dict.fromkeys(name for method in more.values() for name in sources_of(method["uses"])[1])
    if missing := [name for name in packages if find_spec(name) is None]:
        told = f"{', '.join(missing)} not installed: {sys.executable} -m pip install {' '.join(missing)}"
        raise TableError(f"--rivals: {told}")
    return methods | more, larger


def template_of(kind):
    """Return what is the same in all experiments for a kind of target."""
    return yaml.safe_load((Path(__file__).parent / f"{kind}.yaml").read_text(encoding="utf-8"))


def experiment_of(kind, table, name, title, budget, cores, rivals=False):
    """Return the experiment for a table, as a dict for its yaml, and what it is expected to take.

    Parameters
    ----------
    kind : {"values", "grades", "pairs", "battles"}
    table : rankbench.datasets.table.Table
    name, title : str
        Name and title of the data set.
    budget : float
        Minutes that the comparison may take. If 20 hold-outs fit with the larger grids, those are used;
        otherwise the smaller grids, and the largest training size is lowered until ten hold-outs fit. Then there are as
        many hold-outs as fit, 50 at most.
    cores : int
        Number of jobs that run at the same time.
    rivals : bool
        Whether methods of the extra ``rivals`` are compared too.

    Returns
    -------
    experiment : dict
    minutes : float
    most : int
        The training rows that a larger budget uses.

    Raises
    ------
    TableError
        When the budget is too short, or no hold-outs can be drawn.
    """
    template = template_of(kind)
    fault = drawer_of(table, name, template["tuning"]["folds"])
    most, ties = largest_of(len(table.y), fault), False
    if kind == "pairs" and (ties := not fault(most, True)):
        fault = partial(fault, ties=True)
    weights, n_inputs = table.weights is not None, n_inputs_of(table)
    names = len(table.levels[0]) if kind == "battles" else 0
    measured, larger = methods_of(template, table.groups is not None, rivals, ties, weights, names)
    if weights:
        template["metrics"] = [metric for metric in template["metrics"] if takes(METRICS[metric], "sample_weight")]
    wide = {method: {**entry, "grid": larger[method]} for method, entry in measured.items()}
    for methods in (wide, measured):
        times = {one: points_of(methods[one]) / points_of(measured[one]) for one in methods}

        def once(size, times=times):
            return [seconds_of(kind, method, size, n_inputs) * more for method, more in times.items()]

        size, seeds, minutes, in_job = plan_of(once, most, fault, len(methods), cores, budget)
        if seeds >= ENOUGH_SEEDS and size == most:
            break
    if minutes > budget * SHARE:
        least = math.ceil(minutes / SHARE)
        raise TableError(f"--budget={budget:g} is too short for {seeds} hold-outs: --budget={least} is enough")
    experiment = {
        "title": title,
        "datasets": {name: {"n_train": size, "n_test": n_test_of(len(table.y), size), "split": "groups"}},
        "conditions": {f"n_{size}": {"n_train": size}},
        "seeds": seeds,
        "seeds_per_job": in_job,
        **template,
        "methods": methods,
        "limits": {"seconds": 600, "megabytes": 4000},
        "reference_method": next(iter(methods)),
        "outputs": {"statistics": ["summary", "best"], "tables": ["best"], "figures": ["best"]},
    }
    return experiment, minutes, most


def n_inputs_of(table):
    """Return the number of columns that methods see: one per number, per name, and per column with missing numbers."""
    return sum(len(levels) or 1 for levels in table.levels) + int(np.isnan(table.X).any(axis=0).sum())


def words_of(text, known):
    """Return the names in a text: the text itself if it is `known`, else its parts between commas, or else spaces."""
    if text in known:
        return [text]
    return [word.strip() for word in text.split(",") if word.strip()] if "," in text else text.split()


def read_table(options):
    """Return a table, the columns that it has, and the options by which its file was read.

    Parameters
    ----------
    options : Namespace
        The arguments of ``rankbench compare``, see `rankbench.command`.

    Returns
    -------
    table : rankbench.datasets.table.Table
    found : rankbench.compare.columns.Columns
    how : dict

    Raises
    ------
    TableError
    """
    if not options.file:
        raise TableError("needs a file and a column, such as wines.csv and quality")
    how = {"sep": options.sep, "sheet": options.sheet, "header": options.header}
    frame = read_file(options.file, **how)
    letor = [*frame][:1] == ["label"] and not options.target
    target = one_line(options.target) or ("label" if letor else "")
    if not target:
        raise TableError(f"needs a column to order by, one of {', '.join(map(str, frame))[:300]}")
    groups = one_line(options.groups) or ("qid" if letor and "qid" in frame else "")
    lists = ("drop", "nominal", "items", "order", "missing")
    words = {key: words_of(getattr(options, key), frame.columns) for key in lists}
    found = columns_of(frame, target, groups=groups, weight=one_line(options.weight), decimal=options.decimal, **words)
    table, notes = table_of(found)
    return table, replace(found, notes=(*found.notes, *notes)), how


def add(options):
    """Make a table a data set of this folder, and print how it was read; return its name.

    Parameters
    ----------
    options : Namespace
        The arguments of ``rankbench add``.

    Raises
    ------
    TableError
        When the table cannot be used, or another data set has its name.
    """
    table, found, how = read_table(options)
    name = options.name or name_of(options.file, "")
    known = load_datasets() if Path(SHEET).exists() or Path(TABLES).exists() else {}
    own = own_of(found, table, name, options.title or name, options.file, how, 0.0)
    if name in known and getattr(known[name], "file", "") != own.file:
        raise TableError(f"there is another data set {name}: give this one a --name")
    with hold():  # no run reads these files while they are written
        write_table(Path(), table, own)
    print("\n".join(describe(found)))
    return name


def prepare(options):
    """Read the table, print how it was read and write its folder; return the folder.

    Parameters
    ----------
    options : Namespace
        The arguments of ``rankbench compare``, see `rankbench.command`.

    Raises
    ------
    TableError
        When methods cannot be compared on the table; then nothing is written.
    """
    table, found, how = read_table(options)
    name = name_of(options.file, found.target)
    folder = Path(options.folder or f"compare/{name}")
    check_folder(folder, options.file, found.target)
    title = f"{one_line(Path(options.file).name)}: {found.target}"
    experiment, minutes, most = experiment_of(
        found.kind, table, name, title, options.budget, options.cores, options.rivals
    )
    said = [*describe(found), *in_words(found.kind, experiment, minutes, most, options.cores)]
    own = own_of(found, table, name, title, options.file, how, options.budget)
    with hold(folder):  # no run reads these files while they are written
        write_folder(folder, table, own, experiment, said)
    print("\n".join(said))
    return folder


def in_words(kind, experiment, minutes, most, cores):
    """Yield the lines about what is compared and how long that will take; a larger budget trains on `most` rows."""
    (sizes,), methods = experiment["datasets"].values(), experiment["methods"]
    parts = f"training on {sizes['n_train']:,} rows, testing on {sizes['n_test']:,}"
    yield f"compared  {len(methods)} methods, {experiment['seeds']} hold-outs, {parts}"
    template = template_of(kind)
    if without := [one["label"] for name, one in template["methods"].items() if name not in methods]:
        why = "take no weights, need ties, or need a column for each of many names"
        yield f"note      not compared: {', '.join(without)}, which {why}"
    if sizes["n_train"] < most:
        note = f"training on {sizes['n_train']:,} of {most:,} possible rows"
        yield f"note      {note}: a larger --budget=minutes uses all"
    more = "; a larger --budget=minutes allows more hold-outs, more rows and larger grids"
    more = more if experiment["seeds"] < MOST_SEEDS else ""
    yield f"time      about {math.ceil(minutes)} min on {counted(cores, 'core')}{more}"


def print_answer(folder):
    """Print the answer of a comparison, which its report has given, and where that report is."""
    report = folder / "results/report.html"
    said = read_note(note_of(report))
    for paragraphs in said["answers"].values():
        for text in paragraphs:
            print("", *(text.splitlines() if "\n" in text else textwrap.wrap(text, 110)), sep="\n")
    print(f"\nreport    {report}")
