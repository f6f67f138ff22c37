"""Updates of a perceptron on pairs that can be separated, against the bound of Theorem 1.1."""

import numpy as np
import pandas as pd

from rankbench.experiments.split import seed_of
from rankbench.papers.herbrich.methods import pairwise_perceptron

COLUMNS = ("seed", "n", "updates", "bound", "converged")
EPOCHS = 100_000


def run(data, experiment, *, size, samples):
    """Run to the end on points of a lattice whose order is that of 2 x1 + x2.

    Returns
    -------
    DataFrame
        ``seed n updates bound converged``: the bound is (R / rho)^2 with R the longest difference of a pair of unequal
        rank and rho the margin of the true direction, which no best margin is below.
    """
    rows = []
    for seed in range(samples):
        X = np.random.default_rng(seed_of("perceptron", seed)).integers(-3, 4, (size, 2)).astype(float)
        y = X @ np.array([2.0, 1.0])
        model = pairwise_perceptron.fit_path(X, y, [None], epochs=EPOCHS, seed=seed)[0]
        gaps = np.abs(np.subtract.outer(y, y)).ravel() / np.sqrt(5.0)
        lengths = ((X[:, None] - X[None]) ** 2).sum(axis=2).ravel()
        bound = lengths[gaps > 0].max() / gaps[gaps > 0].min() ** 2
        rows.append((seed, size, model.n_updates, bound, model.converged))
    return pd.DataFrame(rows, columns=list(COLUMNS))
