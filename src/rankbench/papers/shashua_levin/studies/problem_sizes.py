"""Dual variables of the fixed margin, of pairwise ranking and of a general multi-class machine, counted."""

import numpy as np
import pandas as pd

from rankbench.experiments.split import seed_of
from rankmargin.rows.pairs import all_pairs
from rankmargin.rows.thresholds import explicit, sandwiched

COLUMNS = ("n", "k", "formula", "fixed_margin", "sum_of_margins", "pairs", "multiclass")


def run(data, experiment, *, sizes, ranks):
    """Count the rows that the methods solve, for ranks of random sizes.

    Returns
    -------
    DataFrame
        ``n k formula fixed_margin sum_of_margins pairs multiclass``: the formula is 2 n - n_1 - n_k, multiclass k n.
    """
    rows = []
    for n in sizes:
        for k in ranks:
            rng = np.random.default_rng(seed_of("problem sizes", n, k))
            rank = np.sort(np.append(np.arange(k), rng.choice(k, n - k, p=rng.dirichlet(np.ones(k)))))
            counts = np.bincount(rank)
            formula = 2 * n - counts[0] - counts[-1]
            policies = [len(rows_of(rank, k).plus) for rows_of in (explicit, sandwiched)]
            rows.append((n, k, formula, *policies, len(all_pairs(rank).plus), k * n))
    return pd.DataFrame(rows, columns=list(COLUMNS))
