"""Learned ranking functions of items in the plane, beside the true one, on a grid (Figure 3 of Venuto et al.)."""

from functools import partial

import numpy as np
import pandas as pd

from rankbench.experiments.job import load_method
from rankbench.experiments.preprocess import learn_scaling
from rankbench.experiments.split import seed_of
from rankbench.experiments.tune import fit_points, loss_of, tune

PARAMS = {
    "box": {"type": "number", "exclusiveMinimum": 0},
    "steps": {"type": "integer", "minimum": 2},
    "truth": {"enum": ["l1", "l2", "linf"]},
}
READS = ("preprocess", "tuning", "methods")
COLUMNS = ("method", "seed", "x1", "x2", "r")
NORMS = {
    "l1": lambda X: np.abs(X).sum(axis=1) ** 2,
    "l2": lambda X: (X**2).sum(axis=1),
    "linf": lambda X: np.abs(X).max(axis=1) ** 2,
}


def run(data, experiment, *, box, steps, truth):
    """Tune and fit every method of the experiment on every set and evaluate its ranking function.

    Parameters
    ----------
    data, experiment
        As every study; one data set of pairs of items with the attributes x1 and x2. Scaling, grids and the choice of
        models are the experiment's.
    box : float
        The grid covers [-box, box]^2.
    steps : int
        Values on each axis.
    truth : {"l1", "l2", "linf"}
        Whose square is the true ranking function.

    Returns
    -------
    DataFrame
        A row a method (and ``truth``, seed -1), seed and grid point: ``method seed x1 x2 r``. Ranking functions are
        known up to a constant: each has the mean 0 on the grid; |difference| = 1 is where a comparison changes.
    """
    ((dataset, (table, splits)),) = data.items()
    table = table.only(("x1", "x2"))
    axis = np.linspace(-box, box, steps)
    points = np.column_stack([axis.ravel() for axis in np.meshgrid(axis, axis)])
    frames = [_frame("truth", -1, points, NORMS[truth](points))]
    for name, method in experiment["methods"].items():
        for seed in splits.seeds.tolist():
            ranks = _learned(table, splits, seed, method, experiment, (dataset, name, seed))
            frames.append(_frame(name, seed, points, ranks(points)))
    return pd.concat(frames, ignore_index=True)


def _frame(method, seed, points, r):
    columns = {"x1": points[:, 0], "x2": points[:, 1], "r": r - r.mean()}
    return pd.DataFrame({"method": method, "seed": seed, **columns})


def _learned(table, splits, seed, method, experiment, names):
    """Return the ranking function that the method learns from the training set of a seed."""
    module, X, y = load_method(method["uses"]), table.X, table.y
    scaling = partial(learn_scaling, scaling=experiment["preprocess"]["scaling"], items=table.items)
    options = {"params": method["params"], "given": None}
    loss = loss_of(experiment["tuning"]["metric"])
    inner = splits.inner_of(seed)
    choice = tune(module, X, y, inner, method["grid"], loss=loss, scaling=scaling, seed=names, **options)
    train, _ = splits.of(seed)
    scaler = scaling(X[train])
    (model,) = fit_points(
        module, scaler(X[train]), y[train], [choice.params], seed=seed_of(*names, "final fit"), **options
    )
    return lambda items: model.ranks(scaler(np.hstack([items, items]))[:, : items.shape[1]])
