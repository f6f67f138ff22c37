"""How the hard-margin linear and quadratic programs compare on many random separable sets (Venuto et al., 3.1)."""

import numpy as np
import pandas as pd

from rankbench.papers.svmcompare.separable_pairs import scaled, separable_pairs
from rankmargin.methods.max_margin import max_margin_lp, max_margin_qp

COLUMNS = ("seed", "scaled", "lp", "qp", "angle", "violation")


def run(data, experiment, *, sets, n, spread):
    """Solve both programs on each set, as it is and with scaled features.

    Parameters
    ----------
    sets, n : int
        Sets, and pairs of each.
    spread : float
        How many times larger the second feature is than the first.

    Returns
    -------
    DataFrame
        `COLUMNS`, one row per set and scaling: ``lp qp`` (margins mu), ``angle`` (degrees between the two weights) and
        ``violation``, by how much the scaled solution of the quadratic program misses a constraint of the linear one
        with mu = -1 / beta and w = -u / beta (Lemma 1); at most 0 if it is feasible.
    """
    rows = []
    for seed in range(sets):
        X, X2, y = separable_pairs(seed, n, (1.0, spread))
        for name, (A, B) in {False: (X, X2), True: scaled(X, X2)}.items():
            lp, qp = max_margin_lp(A, B, y), max_margin_qp(A, B, y)
            cosine = lp.w @ qp.w / np.linalg.norm(lp.w) / np.linalg.norm(qp.w)
            angle = np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))
            rows.append((seed, name, lp.margin, qp.margin, angle, qp.margin - _margin(qp.w, B - A, y)))
    return pd.DataFrame(rows, columns=COLUMNS)


def _margin(w, differences, y):
    """Return the largest mu that is feasible for (7) with these weights."""
    rank = differences @ w
    return min((1.0 - np.abs(rank[y == 0])).min(), ((rank * y)[y != 0] - 1.0).min())
