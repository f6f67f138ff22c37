"""Choose how often and on how many rows the methods are compared on a user's table, so that it ends within a time.

The methods and their grids stand in the yaml beside this file, one for each kind of target.
"""

import math
from pathlib import Path

import yaml

LARGEST = 2000  # training rows: what kernel methods are tuned on in minutes
SMALLEST = 40
FEWEST_SEEDS, MOST_SEEDS = 5, 50
SHARE = 0.5  # of the time that is planned for: estimates for unknown data are rough

# Rough estimates, not measured: processor seconds of a fit on 1,000 rows, and the power of the rows by which they grow.
SECONDS = {
    "all_pairs_rbf": (0.4, 2.4),
    "all_pairs_linear": (0.05, 1.2),
    "five_pairs_rbf": (0.15, 2.0),
    "svr_rbf": (0.08, 2.0),
    "ridge": (0.002, 1.0),
    "forest": (0.8, 1.1),
    "boosting": (0.5, 0.7),
    "svor_rbf": (0.08, 1.7),
    "fixed_margin_rbf": (0.08, 1.7),
    "svor_linear": (0.1, 1.5),
    "logistic": (0.02, 1.0),
    "compare_rbf": (0.1, 1.8),
    "compare_linear": (0.1, 1.5),
    "rank_rbf": (0.1, 1.8),
}
START = 1.5  # processor seconds of a job beside its fits


def sizes_of(n_rows):
    """Return the training sizes of a learning curve, ascending by factors of four, the largest 2,000 at most, and the
    size of the test part: as large as the largest training part, or what is left.

    A test part that is larger than the training part tells little more, and the test for overlapping hold-outs is not
    meant for it.
    """
    sizes = [min(int(0.7 * n_rows), LARGEST)]
    while sizes[0] // 4 >= SMALLEST and len(sizes) < 3:
        sizes.insert(0, sizes[0] // 4)
    return sizes, min(n_rows - sizes[-1], sizes[-1])


def seconds_of(template, n_train):
    """Return the estimated processor seconds of one hold-out with `n_train` rows, over all methods."""
    folds, total = template["tuning"]["folds"], 0.0
    for name, method in template["methods"].items():
        at_thousand, growth = SECONDS[name]
        points = math.prod(len(values) for values in method["grid"].values())
        inside = n_train * (folds - 1) / folds
        total += START + points * folds * at_thousand * (inside / 1000) ** growth
    return total


def experiment_of(look, name, title, budget, cores):
    """Return the experiment of a table, as its yaml has it, and the minutes that it is expected to take.

    Parameters
    ----------
    look : rankbench.compare.look.Look
    name, title : str
        Of the data set.
    budget : float
        Minutes that the comparison may take: the largest training size is lowered until five hold-outs fit into it, and
        the number of hold-outs is what fits then, 50 at most.
    cores : int

    Returns
    -------
    experiment : dict
    minutes : float
    """
    template = yaml.safe_load((Path(__file__).parent / f"{look.kind}.yaml").read_text(encoding="utf-8"))
    sizes, n_test = sizes_of(len(look.frame))
    allowed = budget * 60 * cores * SHARE

    def once():
        return sum(seconds_of(template, size) for size in sizes)

    while len(sizes) > 1 and FEWEST_SEEDS * once() > allowed:
        sizes[-1] = sizes[-1] * 3 // 4
        if sizes[-1] < 2 * sizes[-2]:
            sizes.pop()
    seeds = max(FEWEST_SEEDS, min(MOST_SEEDS, int(allowed // once())))
    curves = ["learning_curves"] if len(sizes) > 1 else []
    experiment = {
        "title": title,
        "datasets": {name: {"n_train": sizes[-1], "n_test": n_test, **({"split": "groups"} if look.groups else {})}},
        "conditions": {f"n_{size}": {"n_train": size} for size in sizes},
        "seeds": seeds,
        "seeds_per_job": math.ceil(seeds / 5),
        **template,
        "limits": {"seconds": 600, "megabytes": 4000},
        "reference_method": next(iter(template["methods"])),
        "outputs": {"statistics": ["summary", "best"], "tables": ["best"], "figures": ["best", *curves]},
    }
    return experiment, once() * seeds / 60 / cores
