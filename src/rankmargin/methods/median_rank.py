"""The baseline that looks at no input: every example gets the median training rank.

Of all constant answers it has the smallest mean absolute error on the training part.
"""

from dataclasses import dataclass

import numpy as np

from rankmargin.methods.svor import ranks_of, refuse_groups

PATH = None
ORDINAL = True


def fit_path(X, y, values, *, seed=0, groups=None):
    """Find the median rank, of two the lower one.

    Parameters
    ----------
    X : unused
    y : (n,) array, each distinct value is a rank
    values : one model is returned for each, all the same: there is no path
    seed : unused
    groups : must be None, the answer is common to all

    Returns
    -------
    list of ConstantRank
    """
    refuse_groups(groups)
    rank, ranks = ranks_of(y)
    median = int(np.sort(rank)[(len(rank) - 1) // 2])
    return [ConstantRank(median, ranks) for _ in values]


@dataclass(frozen=True)
class ConstantRank:
    """The 0-based ``rank`` that is always given, of the labels ``ranks`` (k,)."""

    rank: int
    ranks: np.ndarray
    solution: None = None

    def scores(self, X):
        """Return the 0-based rank as a float for every row, shape (m,)."""
        return np.full(X.shape[0], float(self.rank))

    def labels(self, X):
        """Return the rank for every row, shape (m,)."""
        return np.full(X.shape[0], self.ranks[self.rank])
