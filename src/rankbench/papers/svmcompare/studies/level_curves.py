"""Learned ranking functions of items in the plane and the true one, on a grid (Figure 3 of Venuto et al.)."""

from functools import partial

import numpy as np
import pandas as pd

from rankbench.experiments.job import Data, Task
from rankbench.experiments.methods import load_method
from rankbench.experiments.preprocess import encode, learn_scaling
from rankbench.experiments.split import seed_of
from rankbench.experiments.tune import fit_points, loss_of, tune
from rankbench.statistics.runs import rivals

ITEM = ("x1", "x2")
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
        As every study; one data set of the experiment, of pairs of items with the attributes x1 and x2. Models are
        those of its first condition.
    box : float
        The grid covers [-box, box]^2.
    steps : int
        Values on each axis.
    truth : {"l1", "l2", "linf"}
        Whose square is the true ranking function.

    Returns
    -------
    DataFrame
        One row per method (and ``truth``, seed -1), seed and grid point: ``method seed x1 x2 r``. Ranking functions are
        known up to a constant: each has the mean 0 on the grid; |difference| = 1 is where a comparison changes.

    Raises
    ------
    ValueError
        When a method sees other attributes.
    """
    ((dataset, (table, splits)),) = data.items()
    axis = np.linspace(-box, box, steps)
    points = np.column_stack([axis.ravel() for axis in np.meshgrid(axis, axis)])
    frames = [_frame("truth", -1, points, NORMS[truth](points))]
    condition = next(iter(experiment.conditions))
    for method in rivals(experiment).methods:
        task = Task(**experiment.task(dataset, condition, method), limits=experiment.limits)
        if task.attributes != ITEM:
            raise ValueError(
                f"attributes must be {', '.join(ITEM)} for level curves, got {task.attributes} of {method}"
            )
        seen = table.only(task.attributes)
        X = encode(seen.X, seen.column_levels, task.preprocess["nominal"])
        for split in splits:
            ranks = _learned(task, Data.of(seen, X, split), (dataset, method, split.seed))
            frames.append(_frame(method, split.seed, points, ranks(points)))
    return pd.concat(frames, ignore_index=True)


def _frame(method, seed, points, r):
    columns = {"x1": points[:, 0], "x2": points[:, 1], "r": r - r.mean()}
    return pd.DataFrame({"method": method, "seed": seed, **columns})


def _learned(task, data, names):
    """Return the ranking function that the method of a task learns from the training set of a seed."""
    method, loss = load_method(task.uses), loss_of(task.metric)
    scaling = partial(learn_scaling, scaling=task.preprocess["scaling"], items=data.items)
    options = {"params": task.params, "given": None}
    choice = tune(method, data.X, data.y, data.inner, task.grid, loss=loss, scaling=scaling, seed=names, **options)
    scaler, seed = scaling(data.X[data.train]), seed_of(*names, "final fit")
    (model,) = fit_points(method, scaler(data.X[data.train]), data.y[data.train], [choice.params], seed=seed, **options)
    return lambda items: model.ranks(scaler(np.hstack([items, items]))[:, : items.shape[1]])
