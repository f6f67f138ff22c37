"""Seconds of a general quadratic programming package and of SMO on the dual of a support vector machine."""

import numpy as np
import pandas as pd

from rankbench.experiments.seconds import least_seconds
from rankbench.experiments.split import seed_of
from rankmargin.kernels import Kernel
from rankmargin.methods import fixed_margin

COLUMNS = ("solver", "n", "seconds", "objective")
C, GAMMA = 1.0, 0.5


def run(data, experiment, *, sizes):
    """Solve two noisy ranks in five inputs at each size with both.

    Returns
    -------
    DataFrame
        ``solver n seconds objective``: the dual objective, for which the two must agree.
    """
    rows = []
    for n in (min(sizes), *sizes):  # the first time compiles
        rng = np.random.default_rng(seed_of("qp growth", n))
        X = rng.standard_normal((n, 5))
        y = np.sign(X[:, 0] + 0.5 * rng.standard_normal(n))
        for solver, solve in (("cvxopt", _general), ("smo", _smo)):
            seconds, objective = least_seconds(solve, X, y)
            rows.append((solver, n, seconds, objective))
    return pd.DataFrame(rows[2:], columns=list(COLUMNS))


def _smo(X, y):
    return fixed_margin.fit_path(X, y, (C,), gamma=GAMMA, tol=1e-3)[0].solution.dual_bound


def _general(X, y):
    from cvxopt import matrix, solvers

    n = len(y)
    Q = np.outer(y, y) * Kernel("rbf", GAMMA).gram(X, X) + 1e-9 * np.eye(n)
    G, h = np.vstack([np.eye(n), -np.eye(n)]), np.append(np.full(n, C), np.zeros(n))
    arguments = (Q, -np.ones(n), G, h, y[None, :], np.zeros(1))
    solved = solvers.qp(*map(matrix, arguments), options={"show_progress": False, "reltol": 1e-3})
    return -float(solved["primal objective"])
