"""How often the best of s random pairs is among the closest p percent of all (claim R14, the rule of 59)."""

import numpy as np
import pandas as pd

from rankmargin.sampling import draws_needed, p_close_pair

COLUMNS = ("p", "q", "exact", "draws", "trials", "share")


def run(data, experiment, *, p, q, n, trials):
    """Ask PClosePair for one pair of n points of the plane, many times.

    Parameters
    ----------
    p, q : float
        Of equation 10.
    n : int
    trials : int

    Returns
    -------
    DataFrame
        `COLUMNS`, one row: ``exact`` = log(1 - q) / log(1 - p), ``draws`` the integer above, ``share`` of the trials
        whose pair is among the closest p of all pairs.
    """
    rng = np.random.default_rng(59)
    Z, order = rng.standard_normal((n, 2)), rng.permutation(n).astype(float)
    i, j = np.triu_indices(n, 1)
    near = np.quantile(((Z[i] - Z[j]) ** 2).sum(axis=1), p)
    hits = 0
    for _ in range(trials):
        ((above, below),) = p_close_pair(Z, 1, order, {"kernel": "rbf"}, rng, p, q)
        hits += ((Z[above] - Z[below]) ** 2).sum() <= near
    exact = np.log(1 - q) / np.log(1 - p)
    return pd.DataFrame([(p, q, exact, draws_needed(p, q), trials, hits / trials)], columns=COLUMNS)
