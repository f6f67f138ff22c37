"""The slacks of ordinal regression against the absolute deviation of its ranks on the training part (claim D17)."""

from itertools import product

import numpy as np
import pandas as pd

from rankbench.experiments.preprocess import encode, learn_scaling
from rankmargin.methods.svor import fit_path, ranks_of

PARAMS = {
    "n": {"type": "integer", "minimum": 10},
    "seeds": {"type": "integer", "minimum": 1},
    "n_bins": {"type": "integer", "minimum": 2},
    "C": {"type": "array", "items": {"type": "number", "exclusiveMinimum": 0}, "minItems": 1},
    "gamma": {"type": "number", "exclusiveMinimum": 0},
}
COLUMNS = ("dataset", "C", "seed", "n", "slack_sum", "absolute_deviation", "least_difference")


def run(data, experiment, *, n, seeds, n_bins, C, gamma):
    """Fit eq. 4 with a Gaussian kernel to random rows of every data set.

    Parameters
    ----------
    data, experiment
        As every study; inputs are standardised, targets cut into bins.
    n : int
        Rows of a training part, all where a data set has fewer.
    seeds : int
    n_bins : int
    C : sequence of float
    gamma : float

    Returns
    -------
    DataFrame
        `COLUMNS`: both sums over the training part, and the least value of slacks minus deviation of one example
        (below 0 it would contradict the bound).
    """
    rows = []
    for (dataset, (table, _)), seed in product(data.items(), range(seeds)):
        X = encode(table.X, table.levels, "onehot")
        chosen = np.random.default_rng([17, seed]).permutation(len(X))[:n]
        X = learn_scaling(X[chosen], "standard")(X[chosen])
        rank, _ = ranks_of(table.y[chosen], n_bins)
        for model, cost in zip(fit_path(X, rank.astype(float), C, gamma=gamma), C):
            slack = _slacks(model, X)
            deviation = np.abs(model.labels(X) - rank)
            ends = float(slack.sum()), float(deviation.sum()), float((slack - deviation).min())
            rows.append((dataset, cost, seed, len(X), *ends))
    return pd.DataFrame(rows, columns=COLUMNS)


def _slacks(model, X):
    """Return the sum of the slacks of each example, shape (n,)."""
    short = model.rows.margin - model.rows.values(model.scores(X), model.solution.theta)
    return np.bincount(model.rows.plus, np.maximum(short, 0.0), len(X))
