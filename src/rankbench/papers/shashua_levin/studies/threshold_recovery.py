"""Which thresholds of the two policies can be read off support vectors, and how far those are from the best ones."""

import numpy as np
import pandas as pd

from rankbench.experiments.split import seed_of
from rankmargin.methods import fixed_margin, sum_of_margins

COLUMNS = ("policy", "k", "seed", "noise", "threshold", "free", "difference")
NOISES = (0.0, 0.5)
FREE = 1e-6


def run(data, experiment, *, size, ranks, samples):
    """Fit both policies and look at the rows of each threshold whose dual variable is inside its box.

    Returns
    -------
    DataFrame
        ``policy k seed noise threshold free difference``: one row per threshold; ``free`` rows of it, and the distance
        of the mean of what they say from the threshold of the solution, over the range of f (NaN without free rows).
    """
    rows = []
    for k in ranks:
        for noise in NOISES:
            for seed in range(samples):
                X, y = _ranked(size, k, noise, seed)
                models = {
                    "fixed_margin": fixed_margin.fit_path(X, y, (10.0,), gamma=0.5, tol=1e-8)[0],
                    "sum_of_margins": sum_of_margins.fit_path(X, y, (None,), gamma=0.5, tol=1e-8)[0],
                }
                rows += [(name, k, seed, noise, *row) for name, model in models.items() for row in _read_off(model, X)]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _ranked(size, k, noise, seed):
    rng = np.random.default_rng(seed_of("threshold recovery", k, noise, seed))
    X = rng.standard_normal((size, 3))
    order = np.argsort(np.argsort(X[:, 0] + 0.3 * X[:, 1] ** 2 + noise * rng.standard_normal(size)))
    return X, 1.0 + order * k // size


def _read_off(model, X):
    """Yield threshold, its free rows and how far what they say is from the solution."""
    rows, alpha, s = model.problem.rows, model.solution.alpha, model.scores(X)
    upper = model.C * rows.cost
    inside = (alpha > FREE * upper) & (alpha < (1 - FREE) * upper)
    said = s[rows.plus] - rows.sign * rows.margin
    for j, theta in enumerate(model.solution.theta):
        free = inside & (rows.threshold == j)
        difference = abs(said[free].mean() - theta) / np.ptp(s) if free.any() else np.nan
        yield j, int(free.sum()), difference
