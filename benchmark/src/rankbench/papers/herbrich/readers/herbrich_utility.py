"""The artificial ranks of Herbrich, Graepel and Obermayer, equation 2.29; needs no file."""

import numpy as np

from rankbench.datasets.assemble import assemble
from rankbench.datasets.table import Table

THRESHOLDS = (-1.0, -0.1, 0.25, 1.0)
SEED = 229


def read(path, row) -> Table:
    """Make ``row.rows`` points of the unit square with ranks 1..5; always the same ones.

    y = i  <=>  10 (x1 - 0.5)(x2 - 0.5) + e in [theta_{i-1}, theta_i),  e ~ N(0, 0.125). The paper does not say whether
    0.125 is the variance. Here it is the standard deviation; in `herbrich_utility_variance` it is the variance.
    """
    return make(row, 0.125)


def make(row, noise_sd):
    """Make the ranks with noise of the given standard deviation."""
    rng = np.random.default_rng(SEED)
    X = np.round(rng.uniform(size=(row.rows, 2)), 6)
    utility = 10 * (X[:, 0] - 0.5) * (X[:, 1] - 0.5) + np.round(rng.normal(scale=noise_sd, size=row.rows), 6)
    rank = 1.0 + np.digitize(utility, THRESHOLDS)
    return assemble(row.name, ["x1", "x2", "y"], enumerate(np.column_stack([X, rank]).tolist(), 1), row)
