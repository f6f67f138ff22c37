"""Pairwise ranking with a large margin on one user's ratings: pairs and seconds against the number of examples."""

import numpy as np
import pandas as pd

from rankbench.experiments.seconds import least_seconds
from rankbench.experiments.split import seed_of
from rankmargin.methods import fixed_margin, rank_boundaries

COLUMNS = ("dataset", "n", "seed", "pairs", "pairwise_seconds", "fixed_margin_seconds", "gap")
C = 0.001


def run(data, experiment, *, sizes, samples):
    """Fit both with a linear kernel at each size.

    Returns
    -------
    DataFrame
        ``dataset n seed pairs pairwise_seconds fixed_margin_seconds gap``: the gap is that of the pairwise fit.
    """
    rows = []
    for name, (table, _) in data.items():
        for n in (min(sizes), *sizes):  # the first time compiles
            for seed in range(samples):
                at = np.random.default_rng(seed_of("pair growth", name, seed)).permutation(len(table.y))[:n]
                X, y = table.X[at], table.y[at]
                pairwise, (model,) = least_seconds(_pairwise, X, y)
                fixed, _ = least_seconds(fixed_margin.fit_path, X, y, (C,), kernel="linear")
                solution = model.solution
                gap = (solution.objective - solution.dual_bound) / solution.objective
                rows.append((name, n, seed, len(model.problem.rows.plus), pairwise, fixed, gap))
        del rows[-len(sizes) * samples - samples : -len(sizes) * samples]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _pairwise(X, y):
    return rank_boundaries.fit_path(X, y, (C,), kernel="linear", solver="dual_cd", tol=1e-3)
