"""Figure 2.3 of Herbrich, Graepel and Obermayer: the rank that each method gives to every part of the unit square."""

import numpy as np
import pandas as pd

from rankbench.baselines import multiclass_svm
from rankbench.experiments.hold_outs import draw
from rankbench.papers.herbrich.methods import svr_on_ranks
from rankbench.papers.herbrich.readers.herbrich_utility import THRESHOLDS
from rankmargin.methods import rank_boundaries

COLUMNS = ("size", "method", "x1", "x2", "rank")
# Section 2.5.1: (x.z + 1)^2, C = 1,000,000, epsilon = 0.5 for all.
KERNEL = {"kernel": "poly", "gamma": 1.0, "degree": 2, "coef0": 1.0}
C = 1e6
TRUTH, TRAINING = "truth", "training"


def ordinal(X, y):
    """Fit the chapter's rank boundaries."""
    return rank_boundaries.fit_path(X, y, (C,), tol=1e-4, **KERNEL)[0]


def multiclass(X, y):
    """Fit the ten hyperplanes of the multi-class SVM."""
    return multiclass_svm.fit_path(X, y, (None,), C=C, max_iter=10_000_000, **KERNEL)[0]


def svr(X, y):
    """Fit support vector regression on i."""
    return svr_on_ranks.fit_path(X, y, (C,), epsilon=0.5, **KERNEL)[0]


def svr_exp(X, y):
    """Fit support vector regression on exp(i)."""
    return svr_on_ranks.fit_path(X, y, (C,), epsilon=0.5, representation="exp", **KERNEL)[0]


METHODS = {"ordinal": ordinal, "multiclass": multiclass, "svr": svr, "svr_exp": svr_exp}


def run(data, experiment, *, sizes, cells):
    """Draw one training sample, of which a smaller one is the beginning, and map the square with every method.

    Parameters
    ----------
    data : dict of one data set in the unit square to (Table, None)
    sizes : sequence of int
        Training sizes; the smallest sample holds every rank.
    cells : int
        Parts of each side of the square.

    Returns
    -------
    DataFrame
        ``size method x1 x2 rank``: one row per part of the square (x1, x2 is its middle), method and size; the method
        ``truth`` is the rank without noise, ``training`` are the examples that the methods saw.
    """
    [(name, (table, _))] = data.items()
    [order] = draws(table, name, min(sizes), 1)
    square = middles(cells)
    frames = []
    for size in sizes:
        X, y = table.X[order[:size]], table.y[order[:size]]
        ranks = {method: fit(X, y).labels(square) for method, fit in METHODS.items()} | {TRUTH: true_ranks(square)}
        frames += [_frame(size, method, square, rank) for method, rank in ranks.items()]
        frames.append(_frame(size, TRAINING, X, y))
    return pd.concat(frames, ignore_index=True)


def draws(table, name, smallest, number):
    """Return orders of the rows, shape (number, n), whose first ``smallest`` rows hold every rank."""
    sizes = {"n_train": smallest, "n_test": "rest", "n_folds": 2, "every_rank": True}
    splits = [draw(table, seed=seed, names=("rank maps", name), **sizes) for seed in range(number)]
    return np.array([[*split.train, *split.test] for split in splits])


def middles(cells):
    """Return the middles of the parts of the unit square, shape (cells^2, 2)."""
    side = (np.arange(cells) + 0.5) / cells
    return np.column_stack([np.repeat(side, cells), np.tile(side, cells)])


def true_ranks(X):
    """Return the ranks 1..5 of (2.29) without its noise, shape (m,)."""
    return 1.0 + np.digitize(10 * (X[:, 0] - 0.5) * (X[:, 1] - 0.5), THRESHOLDS)


def _frame(size, method, X, rank):
    values = {"x1": X[:, 0].round(6), "x2": X[:, 1].round(6), "rank": rank.astype(int)}
    return pd.DataFrame({"size": size, "method": method, **values}, columns=list(COLUMNS))
