"""The prediction as an SVR part and a ranking part (claim R21), held against the primal solved by a general QP."""

from itertools import product

import numpy as np
import pandas as pd

from rankmargin.kernels import Kernel
from rankmargin.methods.ranksvr import fit_path

COLUMNS = ("kernel", "seed", "n", "n_pairs", "largest_difference", "svr_share", "rank_share")
KERNELS = {
    "linear": {"kernel": "linear"},
    "poly": {"kernel": "poly", "gamma": 0.5, "degree": 2, "coef0": 1.0},
    "rbf": {"kernel": "rbf", "gamma": 0.5},
}
N, N_POOL, N_TEST, N_PAIRS = 15, 20, 40, 30


def run(data, experiment, *, seeds, params):
    """Solve small random problems twice: the dual by RankSVR, the primal (Definition 3) by cvxopt.

    Parameters
    ----------
    data, experiment
        Not used: problems are made here.
    seeds : int
    params : dict
        ``C C_rank epsilon margin``.

    Returns
    -------
    DataFrame
        `COLUMNS`: ``largest_difference`` of the primal prediction from the sum of SVR part, ranking part and bias over
        new points, and the share of either part, sd(part) / (sd(svr) + sd(rank)).
    """
    rows = []
    for (kernel, options), seed in product(KERNELS.items(), range(seeds)):
        X, y, Z, pairs, new = _problem(seed)
        rest = {name: value for name, value in params.items() if name != "C"}
        (model,) = fit_path(X, y, [params["C"]], Z=Z, pairs=pairs, tol=1e-9, **rest, **options)
        svr, rank = model.part_scores(new)
        primal = primal_predictions(X, y, Z, pairs, new, options, **params)
        difference = np.abs(svr + rank + model.bias - primal).max()
        shares = np.array([svr.std(), rank.std()]) / (svr.std() + rank.std())
        rows.append((kernel, seed, len(X), len(pairs), difference, *shares))
    return pd.DataFrame(rows, columns=COLUMNS)


def _problem(seed):
    """Return targets of a noisy wave, pairs of other points in its order, and new points."""
    rng = np.random.default_rng([21, seed])
    X, Z, new = (rng.standard_normal((size, 3)) for size in (N, N_POOL, N_TEST))

    def wave(points):
        return 2.0 * np.sin(points[:, 0]) + points[:, 1]

    i, step = rng.integers(N_POOL, size=N_PAIRS), rng.integers(1, N_POOL, size=N_PAIRS)
    pairs = np.column_stack([i, (i + step) % N_POOL])
    above = wave(Z)[pairs[:, 0]] > wave(Z)[pairs[:, 1]]
    y = wave(X) + 0.1 * rng.standard_normal(N)
    return X, y, Z, np.where(above[:, None], pairs, pairs[:, ::-1]), new


def primal_predictions(X, y, Z, pairs, new, kernel, *, C, C_rank, epsilon, margin):
    """Return w.phi(new) + b of the primal of Definition 3, in explicit features phi of all points.

    Variables are (w, b, xi, xi*, zeta); the features come from an eigendecomposition of the kernel matrix of all
    points, so that phi(x).phi(z) = k(x, z) among them.
    """
    import cvxopt

    points, n, p = np.vstack([X, Z, new]), len(X), len(pairs)
    values, vectors = np.linalg.eigh(Kernel(*kernel.values()).gram(points, points))
    kept = values > 1e-12 * values.max()
    features = vectors[:, kept] * np.sqrt(values[kept])
    d, one = features.shape[1], np.ones((n, 1))
    known, pool = features[:n], features[n : n + len(Z)]
    steps = pool[pairs[:, 0]] - pool[pairs[:, 1]]
    above = np.hstack([-known, -one, -np.eye(n), np.zeros((n, n + p))])  # y - f <= epsilon + xi
    below = np.hstack([known, one, np.zeros((n, n)), -np.eye(n), np.zeros((n, p))])  # f - y <= epsilon + xi*
    order = np.hstack([-steps, np.zeros((p, 1 + 2 * n)), -np.eye(p)])  # f(z_i) - f(z_j) >= margin - zeta
    positive = np.hstack([np.zeros((2 * n + p, d + 1)), -np.eye(2 * n + p)])
    G = np.vstack([above, below, order, positive])
    h = np.concatenate([epsilon - y, epsilon + y, np.full(p, -margin), np.zeros(2 * n + p)])
    P = np.diag(np.concatenate([np.ones(d), np.zeros(1 + 2 * n + p)]))
    q = np.concatenate([np.zeros(d + 1), np.full(2 * n, C), np.full(p, C_rank)])
    options = {"show_progress": False, "abstol": 1e-11, "reltol": 1e-11, "feastol": 1e-11, "maxiters": 300}
    answer = cvxopt.solvers.qp(*(cvxopt.matrix(array) for array in (P, q, G, h)), options=options)
    solution = np.array(answer["x"]).ravel()
    return features[n + len(Z) :] @ solution[:d] + solution[d]
