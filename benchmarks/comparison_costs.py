"""Measure processor seconds of one run (grid search and final fit) of each method of `make compare`, for its plan.

Usage: python benchmarks/comparison_costs.py [write]

With `write` the numbers go into benchmark/src/rankbench/compare/costs.yaml. The extra `rivals` must be installed. Its
rankers learn inside groups of 50 rows.
"""

import sys
import time
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import yaml
from made import problem

import rankbench.compare
from rankbench.compare.plan import methods_of
from rankbench.experiments.preprocess import learn_scaling
from rankbench.experiments.split import fold_numbers
from rankbench.experiments.tune import fit_points, loss_of, tune
from rankmargin.caller import HintWarning

SIZES = (125, 500, 2000)
GROUP = 50
KINDS = ("values", "grades", "pairs", "battles")
NAMES = 50  # items of battles
FOLDER = Path(rankbench.compare.__file__).parent


def data_of(kind, n):
    """Return X, y and the number of items of a row: numbers, six grades of unequal size, or pairs."""
    X, y = problem(n)
    if kind == "grades":
        return X, np.digitize(y, np.quantile(y, [0.05, 0.2, 0.5, 0.8, 0.95])).astype(float), 1
    if kind == "battles":
        rng = np.random.default_rng(0)
        items = rng.permuted(np.tile(np.arange(NAMES), (n, 1)), axis=1)[:, :2]
        difference = items[:, 1] - items[:, 0] + 10 * rng.logistic(size=n)
        return items.astype(float), np.sign(difference) * (np.abs(difference) > 3), 2
    if kind == "pairs":
        other, difference = np.roll(X, -1, axis=0), np.roll(y, -1) - y
        return np.hstack([X, other]), np.sign(difference) * (np.abs(difference) > 0.3 * y.std()), 2
    return X, (y - y.mean()) / y.std(), 1


def seconds_of_run(method, metric, kind, n, folds):
    """Return the processor seconds of a grid search and final fit on n training rows."""
    X, y, items = data_of(kind, n)
    if kind == "battles" and "attributes" not in method:
        X = np.hstack([side[:, None] == np.arange(NAMES) for side in X.T]).astype(float)
    (cut,) = fold_numbers(n, folds, ("costs", kind), 0)
    inner = [(np.flatnonzero(cut != fold), np.flatnonzero(cut == fold)) for fold in range(folds)]
    how = method.get("preprocess", {}).get("scaling", "standard")
    uses, scaling = method["uses"], partial(learn_scaling, scaling=how, items=items)
    groups = np.arange(n) // GROUP * 1.0 if method["params"].get("estimator") == "ranker" else None
    told = {"loss": loss_of(metric), "scaling": scaling, "seed": ("costs",), "params": method["params"]}
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HintWarning)  # as in a job
        choice = tune(uses, X, y, inner, method["grid"], groups=groups, **told)
        fit_points(uses, X, y, [choice.params], seed=0, params=method["params"], groups=groups)
    return time.process_time() - start


def main(write=False, sizes=SIZES, kinds=KINDS):
    """Print the table; with `write` keep it too."""
    costs = {kind: {} for kind in kinds}
    for kind in kinds:
        template = yaml.safe_load((FOLDER / f"{kind}.yaml").read_text(encoding="utf-8"))
        for name, method in methods_of(template, groups=True, rivals=kind in ("values", "grades"))[0].items():
            run = partial(seconds_of_run, method, template["tuning"]["metric"], kind, folds=template["tuning"]["folds"])
            run(n=sizes[0])  # compiles
            costs[kind][name] = [float(f"{run(n=n):.3g}") for n in sizes]
            print(f"{kind:8}{name:20}", *(f"{seconds:8.2f}" for seconds in costs[kind][name]), flush=True)
    if write:
        text = "# Processor seconds of one run (grid search and fit): benchmarks/comparison_costs.py.\n"
        text += yaml.safe_dump(
            {"rows": list(sizes), "seconds": costs}, sort_keys=False, default_flow_style=None, width=120
        )
        (FOLDER / "costs.yaml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:] == ["write"])
