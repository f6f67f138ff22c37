"""Regression on rank numbers against rank boundaries, with other tubes and other gaps between the thresholds.

Section 2.5.1 explains their agreement by a tube of 0.5 near the differences of the thresholds.
"""

import numpy as np
import pandas as pd

from rankbench.experiments.split import seed_of
from rankbench.papers.herbrich.methods import svr_on_ranks
from rankbench.papers.herbrich.readers.herbrich_utility import THRESHOLDS
from rankbench.papers.herbrich.studies.rank_maps import KERNEL, C, ordinal
from rankmargin.metrics import rank_inversions

COLUMNS = ("spacing", "epsilon", "seed", "ordinal", "svr")
POOL, NOISE = 1000, 0.125


def run(data, experiment, *, epsilons, spacings, size, samples):
    """Fit both on the same samples.

    Parameters
    ----------
    epsilons : sequence of float, half widths of the tube
    spacings : sequence of float, factors of all thresholds: 1 is (2.29)
    size, samples : int, training examples and how many samples of them

    Returns
    -------
    DataFrame
        ``spacing epsilon seed ordinal svr``: inversions of the predicted ranks on the other examples.
    """
    rows = []
    for spacing in spacings:
        for seed in range(samples):
            X, y, order = _sample(spacing, seed, size)
            train, test = order[:size], order[size:]
            ours = rank_inversions(y[test], ordinal(X[train], y[train]).labels(X[test]))
            for epsilon in epsilons:
                (model,) = svr_on_ranks.fit_path(X[train], y[train], (C,), epsilon=epsilon, **KERNEL)
                rows.append((spacing, epsilon, seed, ours, rank_inversions(y[test], model.labels(X[test]))))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _sample(spacing, seed, size):
    """Return points, ranks and an order of them whose first ``size`` hold all five ranks."""
    rng = np.random.default_rng(seed_of("svr tube", spacing, seed))
    X = rng.uniform(size=(POOL, 2))
    utility = 10 * np.prod(X - 0.5, axis=1) + rng.normal(scale=NOISE, size=POOL)
    y = 1.0 + np.digitize(utility, spacing * np.array(THRESHOLDS))
    while True:
        order = rng.permutation(POOL)
        if len(np.unique(y[order[:size]])) == len(THRESHOLDS) + 1:
            return X, y, order
