"""How the problems of Diez et al. grow with n: constraints, bytes, planes and seconds (sections 1, 2.1, 2.2, 3.1)."""

import numpy as np
import pandas as pd

from rankbench.experiments.seconds import least_seconds
from rankmargin.methods.swapped_pairs import fit_path
from rankmargin.rows.pairs import all_pairs
from rankmargin.rows.thresholds import implicit

COLUMNS = (
    "n",
    "tol",
    "n_pairs",
    "pair_bytes",
    "threshold_rows",
    "direct_bytes",
    "planes",
    "pairs_seconds",
    "direct_seconds",
)


def run(data, experiment, *, sizes, C, gamma, tolerances):
    """Fit made data of each size with all pairs listed, and with Algorithm 1 at each tolerance.

    Parameters
    ----------
    data, experiment
        Not used: n distinct targets y = x_1 + sin(2 x_2) + noise, five inputs.
    sizes : sequence of int
    C, gamma : float
        `C` is the weight of the *mean* over pairs, so that the problem stays the same while n grows; RBF kernel.
    tolerances : sequence of float
        Relative gaps.

    Returns
    -------
    DataFrame
        One row per size and tolerance: ``n tol n_pairs pair_bytes threshold_rows direct_bytes planes pairs_seconds
        direct_seconds``. ``threshold_rows``: rows of ordinal regression with as many ranks as examples;
        ``direct_bytes``: what Algorithm 1 keeps for a plane, its counts and its scores.
    """
    fit_path(*_made(20), (1.0,), gamma=gamma, solver="dual_cd")  # compiles
    fit_path(*_made(20), (1.0,), gamma=gamma, solver="cutting_plane")
    rows = []
    for n in sizes:
        X, y = _made(n)
        listed, ranks = all_pairs(y), np.argsort(np.argsort(y))
        n_rows = len(implicit(ranks, n).sign)
        pair_bytes = sum(array.nbytes for array in vars(listed).values() if isinstance(array, np.ndarray))
        weight = C / len(listed.sign)
        for tol in tolerances:
            pairs_seconds, _ = _fit(X, y, weight, gamma, tol, "dual_cd")
            direct_seconds, planes = _fit(X, y, weight, gamma, tol, "cutting_plane")
            rows.append((n, tol, len(listed.sign), pair_bytes, n_rows, 16 * n, planes, pairs_seconds, direct_seconds))
    return pd.DataFrame(rows, columns=COLUMNS)


def _made(n):
    rng = np.random.default_rng(n)
    X = rng.standard_normal((n, 5))
    return X, X[:, 0] + np.sin(2 * X[:, 1]) + 0.3 * rng.standard_normal(n)


def _fit(X, y, C, gamma, tol, solver):
    """Return the seconds of one fit and its number of iterations."""
    seconds, (model,) = least_seconds(fit_path, X, y, (C,), gamma=gamma, solver=solver, tol=tol)
    return seconds, model.solution.n_iter
