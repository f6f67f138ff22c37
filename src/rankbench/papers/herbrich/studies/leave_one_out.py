"""The share of support vectors against the leave-one-out error of a support vector machine (Herbrich et al., 1.3.4)."""

import numpy as np
import pandas as pd

from rankbench.experiments.split import seed_of
from rankmargin.methods import fixed_margin

COLUMNS = ("C", "seed", "n", "share", "error")


def run(data, experiment, *, costs, size, samples):
    """Leave every example of samples of the data sets out once, ranks 3 and more against the others.

    Returns
    -------
    DataFrame
        ``C seed n share error``: share of examples with a dual variable above 0, and the leave-one-out error.
    """
    [(name, (table, _))] = data.items()
    y = (table.y > np.median(table.y)).astype(float)
    rows = []
    for seed in range(samples):
        at = np.random.default_rng(seed_of("leave one out", name, seed)).permutation(len(y))[:size]
        for C in costs:
            model = _fit(table.X[at], y[at], C)
            wrong = [
                _fit(table.X[np.delete(at, i)], y[np.delete(at, i)], C).labels(table.X[at[i : i + 1]])[0] != y[at[i]]
                for i in range(size)
            ]
            rows.append((C, seed, size, float(np.mean(model.solution.alpha > 0)), float(np.mean(wrong))))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _fit(X, y, C):
    """Fit a support vector machine: a fixed margin of two ranks."""
    return fixed_margin.fit_path(X, y, (C,), gamma=5.0, tol=1e-6)[0]
