"""The slack sum of ordinal regression against the absolute rank deviation on the training data (Diez et al. 2.2)."""

import numpy as np
import pandas as pd

from rankmargin.methods.svor import fit_path

COLUMNS = ("n", "r", "C", "slack_sum", "deviation")
COSTS = (0.01, 1.0, 100.0)


def run(data, experiment, *, trials):
    """Fit random problems and compare both sums.

    Parameters
    ----------
    data, experiment
        Not used: targets follow the inputs, with noise, in 2 to 7 ranks.
    trials : int

    Returns
    -------
    DataFrame
        One row per trial and C: ``n r C slack_sum deviation``, the sum of the hinge losses over all threshold rows, and
        the sum over the examples of the distance between predicted and true rank.
    """
    rng, rows = np.random.default_rng(0), []
    for _ in range(trials):
        n, r = int(rng.integers(20, 80)), int(rng.integers(2, 8))
        X = rng.standard_normal((n, 4))
        latent = X[:, 0] + rng.standard_normal(n)
        y = np.searchsorted(np.quantile(latent, np.arange(1, r) / r), latent) + 1.0
        for C, model in zip(COSTS, fit_path(X, y, COSTS, kernel="rbf", gamma=0.3), strict=True):
            scores, problem = model.scores(X), model.problem.rows
            slack = np.maximum(0, problem.margin - problem.values(scores, model.solution.theta)).sum()
            rows.append((n, r, C, float(slack), float(np.abs(model.labels(X) - y).sum())))
    return pd.DataFrame(rows, columns=COLUMNS)
