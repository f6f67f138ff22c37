"""Choose the number of hold-outs and of training rows so that a comparison on a user's table ends within its budget.

The methods and their grids are in the yaml files of this folder, one for each kind of target.
"""

import math
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import yaml

from rankbench.home import HOME

from .read import TableError

LARGEST = 2000  # training rows: kernel methods are still tuned in minutes
SMALLEST = 40  # training rows of the smallest size of a learning curve
LEAST = 200  # the largest size is not lowered below this, however short the budget is
FEWEST_SEEDS, ENOUGH_SEEDS, MOST_SEEDS = 10, 20, 50
SHARE = 0.8  # of the budget is planned: other data and other machines may be slower than the measured ones
START = 4.0  # processor seconds that a job takes in addition to its runs: imports, the table, Snakemake
ONCE = 90.0  # processor seconds of everything but the jobs: compilation, the plan, tables, figures, report
JOBS = 2, 5  # fewest and most jobs of one method and size: each job costs a start, but few jobs leave cores idle
COLUMNS = 8  # inputs of the tables on which the costs were measured
TREES = ("forest", "boosting", "lightgbm", "xgboost")

# Measured by benchmarks/comparison_costs.py: processor seconds of one run of each method, by training rows.
COSTS = yaml.safe_load((Path(__file__).parent / "costs.yaml").read_text(encoding="utf-8"))


def sizes_of(n_rows, least=SMALLEST):
    """Return up to three training sizes of a learning curve, ascending by factors of four.

    The largest is 70 percent of the rows, 2,000 at most; none is below `least`.
    """
    sizes = [max(min(int(0.7 * n_rows), LARGEST), least)]
    while sizes[0] // 4 >= least and len(sizes) < 3:
        sizes.insert(0, sizes[0] // 4)
    return sizes


def least_of(look, folds):
    """Return the fewest training rows; with groups, enough for at least one group per fold, whichever groups they are.

    Raises
    ------
    TableError
        When no group would be left for the test part.
    """
    if not look.groups:
        return SMALLEST
    largest = look.frame[look.groups].value_counts().to_numpy()
    least = max(int(largest[: folds - 1].sum()) + 1, SMALLEST)
    if least + int(largest[0]) + 2 > len(look.frame):
        raise TableError(
            f"GROUPS={look.groups}: its {folds - 1} largest groups hold {least - 1:,} of {len(look.frame):,} rows, "
            f"which leaves too few for {folds} folds and a test part of other groups"
        )
    return least


def seconds_of(kind, method, n_train, n_inputs=COLUMNS):
    """Return the processor seconds of one run of a method on a kind of target, interpolated between the measured sizes.

    It is interpolated in logarithms. Beyond the largest measured size the seconds are extrapolated. Those of trees grow
    with the square root of the number of inputs: 32 inputs instead of 8 took 1.3 to 2.9 times as long.
    """
    rows, seconds = np.log(COSTS["rows"]), np.log(COSTS["seconds"][kind][method])
    slope = (seconds[-1] - seconds[-2]) / (rows[-1] - rows[-2])
    at = np.log(n_train)
    wider = math.sqrt(max(n_inputs / COLUMNS, 1)) if method.startswith(TREES) else 1
    return float(np.exp(np.interp(at, rows, seconds) + slope * max(0.0, at - rows[-1]))) * wider


def points_of(grid):
    """Return the number of points of a grid."""
    return math.prod(len(values) for values in grid.values())


def plan_of(look, methods, measured, sizes, available, jobs, least):
    """Return the sizes and the number of hold-outs that fit into the budget, and the processor seconds that they take.

    Parameters
    ----------
    look : rankbench.compare.look.Look
    methods, measured : dict
        The methods with the grids to use, and the methods with the grids for which the costs were measured.
    sizes : list of int
        Training sizes, ascending. The largest is lowered until the fewest hold-outs fit; a size that is then more than
        half of the largest is dropped.
    available : float
        Processor seconds.
    jobs : int
        Number of jobs of one method and size.
    least : int
        The largest size is not lowered below this many training rows.
    """
    more = {name: points_of(method["grid"]) / points_of(measured[name]["grid"]) for name, method in methods.items()}
    sizes, n_inputs = list(sizes), look.n_inputs

    def once():
        return sum(
            seconds_of(look.kind, name, size, n_inputs) * times for size in sizes for name, times in more.items()
        )

    def started():
        return ONCE + START * jobs * len(sizes) * len(methods)

    while FEWEST_SEEDS * once() > available - started() and sizes[-1] > least:
        sizes[-1] = max(sizes[-1] * 3 // 4, least)
        if len(sizes) > 1 and sizes[-1] < 2 * sizes[-2]:
            sizes.pop(-2)
    seeds = max(FEWEST_SEEDS, min(MOST_SEEDS, int((available - started()) // once())))
    return sizes, seeds, started() + once() * seeds


def methods_of(template, groups, rivals):
    """Take the methods to compare and their larger grids out of a template; return two dicts, by method.

    Raises
    ------
    TableError
        When rivals are asked for, but there are none for this kind of target, or they are not installed.
    """
    methods, larger = template.pop("methods"), template.pop("larger_grids")
    outside, inside_groups = template.pop("rivals", {}), template.pop("rivals_with_groups", {})
    if not rivals:
        return methods, larger
    more = {**outside, **(inside_groups if groups else {})}
    if not more:
        raise TableError("RIVALS: none of them learns from pairs of items; leave RIVALS out")
    for package in dict.fromkeys(method["uses"] for method in more.values()):
        if find_spec(package) is None:
            lock = HOME / "rivals.lock"
            raise TableError(f"RIVALS: {package} is not installed: {sys.executable} -m pip install -r {lock}")
    return methods | more, larger


def experiment_of(look, name, title, budget, cores, rivals=False):
    """Return the experiment for a table, as a dict for its yaml, and the minutes that it is expected to take.

    Parameters
    ----------
    look : rankbench.compare.look.Look
    name, title : str
        Name and title of the data set.
    budget : float
        Minutes that the comparison may take. If the larger grids leave time for 20 hold-outs of all sizes, they are
        used; otherwise the smaller grids are used and the largest training size is lowered until ten hold-outs fit. The
        number of hold-outs is then as large as fits, 50 at most.
    cores : int
        Number of jobs that run at the same time.
    rivals : bool
        Whether methods of the extra ``rivals`` are compared too.

    Returns
    -------
    experiment : dict
    minutes : float

    Raises
    ------
    TableError
    """
    template = yaml.safe_load((Path(__file__).parent / f"{look.kind}.yaml").read_text(encoding="utf-8"))
    measured, larger = methods_of(template, look.groups, rivals)
    wide = {method: {**entry, "grid": larger[method]} for method, entry in measured.items()}
    fewest = least_of(look, template["tuning"]["folds"])
    all_sizes, least = sizes_of(len(look.frame), fewest), max(fewest, LEAST)
    available, jobs = budget * 60 * cores * SHARE, min(max(JOBS[0], cores // 4), JOBS[1])
    methods, (sizes, seeds, seconds) = wide, plan_of(look, wide, measured, all_sizes, available, jobs, least)
    if seeds < ENOUGH_SEEDS or sizes != all_sizes:
        methods, (sizes, seeds, seconds) = (
            measured,
            plan_of(look, measured, measured, all_sizes, available, jobs, least),
        )
    # A test part that is larger than the training part adds little, and hold-outs overlap more.
    n_test = min(len(look.frame) - sizes[-1], sizes[-1])
    curves = ["learning_curves"] if len(sizes) > 1 else []
    table = {"n_train": sizes[-1], "n_test": n_test, "n_rows": len(look.frame)}
    experiment = {
        "title": title,
        "datasets": {name: {**table, **({"split": "groups"} if look.groups else {})}},
        "conditions": {f"n_{size}": {"n_train": size} for size in sizes},
        "seeds": seeds,
        "seeds_per_job": math.ceil(seeds / jobs),
        **template,
        "methods": methods,
        "limits": {"seconds": 600, "megabytes": 4000},
        "reference_method": next(iter(methods)),
        "outputs": {"statistics": ["summary", "best"], "tables": ["best"], "figures": ["best", *curves]},
    }
    return experiment, seconds / 60 / cores
