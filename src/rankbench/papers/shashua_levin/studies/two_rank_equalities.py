"""The two policies of Shashua and Levin with two ranks, against scikit-learn's SVC and NuSVC."""

import numpy as np
import pandas as pd

from rankbench.experiments.split import seed_of
from rankmargin.methods import fixed_margin, sum_of_margins

COLUMNS = ("policy", "kernel", "seed", "setting", "difference", "range")
KERNELS = {"linear": {"kernel": "linear"}, "rbf": {"kernel": "rbf", "gamma": 0.4}}
COSTS, NUS = (0.1, 1.0, 10.0), (0.51, 0.66, 0.81)  # times n / 2 not whole: else thresholds are not unique
TOL = 1e-9


def run(data, experiment, *, size, samples):
    """Compare decision functions on the training examples.

    Returns
    -------
    DataFrame
        ``policy kernel seed setting difference range``: the setting is C or nu (then C = 2 / (nu n)); the difference is
        the largest of two decision functions in units where the margin is at +-1, the range that of theirs.
    """
    rows = []
    for seed in range(samples):
        rng = np.random.default_rng(seed_of("two ranks", seed))
        X = rng.standard_normal((size, 3))
        f = X[:, 0] + 0.2 * X[:, 1] ** 2 + 0.3 * rng.standard_normal(size)
        y = np.where(f > np.median(f), 2.0, 1.0)
        for name, kernel in KERNELS.items():
            pairs = [("fixed_margin", C, *_fixed_margin(X, y, C, kernel)) for C in COSTS]
            pairs += [("sum_of_margins", nu, *_sum_of_margins(X, y, nu, kernel)) for nu in NUS]
            for policy, setting, ours, theirs in pairs:
                rows.append((policy, name, seed, setting, np.abs(ours - theirs).max(), np.ptp(theirs)))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _fixed_margin(X, y, C, kernel):
    from sklearn.svm import SVC

    model = fixed_margin.fit_path(X, y, (C,), tol=TOL, **kernel)[0]
    theirs = SVC(C=C, tol=TOL, **kernel).fit(X, y)
    return model.scores(X) - model.boundaries[0], theirs.decision_function(X)


def _sum_of_margins(X, y, nu, kernel):
    from sklearn.svm import NuSVC

    model = sum_of_margins.fit_path(X, y, (2 / (nu * len(y)),), tol=TOL, **kernel)[0]
    theirs = NuSVC(nu=nu, tol=TOL, **kernel).fit(X, y)
    lower, upper = model.solution.theta
    return 2 * (model.scores(X) - model.boundaries[0]) / (upper - lower), theirs.decision_function(X)
