"""Seconds of regression with orderings in its 1-norm form, a linear program, and in its 2-norm form (claim R22)."""

from itertools import product

import numpy as np
import pandas as pd
from scipy.optimize import linprog

from rankbench.experiments.seconds import least_seconds
from rankmargin.kernels import Kernel
from rankmargin.methods.ranksvr import fit_path

COLUMNS = ("form", "n", "n_pairs", "seed", "seconds")
DIMENSIONS, GAMMA, EPSILON, MARGIN = 5, 0.2, 0.1, 0.1


def run(data, experiment, *, sizes, seeds, C, C_rank):
    """Fit n targets and n ordered pairs of them in both forms: scipy's HiGHS and the solver of RankSVR (gap 1e-3).

    Parameters
    ----------
    data, experiment
        Not used: problems are made here.
    sizes : sequence of int
    seeds : int
        Problems of each size.
    C, C_rank : float

    Returns
    -------
    DataFrame
        `COLUMNS`; ``form`` is ``1-norm`` or ``2-norm``; the fewest processor seconds of three, kernel matrix included.

    Raises
    ------
    ValueError
        When the linear program is not solved.
    """
    rows = []
    _two_norm(*_problem(10, 0), C, C_rank)  # compiles before the first measurement
    for n, seed, (form, fit) in product(sizes, range(seeds), {"1-norm": one_norm, "2-norm": _two_norm}.items()):
        X, y, pairs = _problem(n, seed)
        seconds, _ = least_seconds(fit, X, y, pairs, C, C_rank)
        rows.append((form, n, len(pairs), seed, seconds))
    return pd.DataFrame(rows, columns=COLUMNS)


def _problem(n, seed):
    rng = np.random.default_rng([22, seed])
    X = rng.standard_normal((n, DIMENSIONS))
    wave = np.sin(X[:, 0]) + X[:, 1]
    i, j = np.arange(n), np.roll(np.arange(n), 1)
    above = (wave[i] > wave[j])[:, None]
    pairs = np.where(above, np.column_stack([i, j]), np.column_stack([j, i]))
    return X, wave + 0.1 * rng.standard_normal(n), pairs


def _two_norm(X, y, pairs, C, C_rank):
    fit_path(X, y, [C], pairs=pairs, C_rank=C_rank, epsilon=EPSILON, margin=MARGIN, gamma=GAMMA)


def one_norm(X, y, pairs, C, C_rank):
    """Minimise sum |alpha_i| + C sum (xi + xi*) + C_rank sum zeta for f = sum_i alpha_i k(x_i, .) + b; return alpha, b.

    The rows are those of RankSVR (Zhu and Goldberg 2007, with its tube); alpha = u - v with u, v >= 0.
    """
    K, n, p = Kernel("rbf", GAMMA).gram(X, X), len(X), len(pairs)
    one, steps = np.ones((n, 1)), K[pairs[:, 0]] - K[pairs[:, 1]]
    A = np.block(
        [
            [-K, K, -one, -np.eye(n), np.zeros((n, n + p))],
            [K, -K, one, np.zeros((n, n)), -np.eye(n), np.zeros((n, p))],
            [-steps, steps, np.zeros((p, 1 + 2 * n)), -np.eye(p)],
        ]
    )
    limits = np.concatenate([EPSILON - y, EPSILON + y, np.full(p, -MARGIN)])
    costs = np.concatenate([np.ones(2 * n), [0.0], np.full(2 * n, C), np.full(p, C_rank)])
    bounds = [(0, None)] * (2 * n) + [(None, None)] + [(0, None)] * (2 * n + p)
    answer = linprog(costs, A, limits, bounds=bounds, method="highs")
    if answer.status != 0:
        raise ValueError(f"the linear program of n = {n} was not solved: {answer.message}")
    return answer.x[:n] - answer.x[n : 2 * n], answer.x[2 * n]
