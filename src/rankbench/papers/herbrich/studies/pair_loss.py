"""Theorem 2.1 and equation (2.18) of Herbrich, Graepel and Obermayer on samples: inversions as a loss of pairs."""

import numpy as np
import pandas as pd

from rankbench.papers.herbrich.studies.rank_maps import METHODS, draws

COLUMNS = ("method", "seed", "m", "pairs", "risk", "pair_error", "covariance", "correlation")


def run(data, experiment, *, size, samples):
    """Judge every method on ``size`` fresh examples after as many training examples.

    Parameters
    ----------
    data : dict of one data set in the unit square to (Table, None)

    Returns
    -------
    DataFrame
        ``method seed m pairs risk pair_error covariance correlation``. Of m examples, ``risk`` is the empirical risk
        of (2.11) over all m^2 ordered pairs, ``pairs`` the number m' of pairs of unequal rank, ``pair_error`` the share
        of these that the prediction puts in another relation (2.14); ``covariance`` is that of the losses of two pairs
        with an example in common, over all examples of the data set: by (2.12) the variance of c_g(x, y).
    """
    [(name, (table, _))] = data.items()
    rows = []
    for seed, order in enumerate(draws(table, name, 5, samples)):
        train, fresh = order[:size], order[size : 2 * size]
        for method, fit in METHODS.items():
            ranks = fit(table.X[train], table.y[train]).labels(table.X)
            loss = losses(table.y[fresh], ranks[fresh])
            whole = losses(table.y, ranks)
            each, p = whole.mean(axis=1), whole.mean()
            pairs, error = pair_error(table.y[fresh], ranks[fresh])
            covariance = each.var()
            rows.append((method, seed, size, pairs, loss.mean(), error, covariance, covariance / (p * (1 - p))))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def losses(y, ranks):
    """Return c_pref of (2.11) for all ordered pairs, shape (m, m)."""
    true, given = np.subtract.outer(y, y), np.subtract.outer(ranks, ranks)
    return ((true > 0) & (given <= 0)) | ((true < 0) & (given >= 0))


def pair_error(y, ranks):
    """Return the number of 2-sets of unequal rank (2.14) and the share whose sign the prediction does not have."""
    i, j = np.nonzero(np.triu(np.not_equal.outer(y, y)))
    return len(i), float(np.mean(np.sign(y[i] - y[j]) != np.sign(ranks[i] - ranks[j])))
