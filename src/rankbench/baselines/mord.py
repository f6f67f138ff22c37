"""Outside rival: the threshold models of mord (logistic, all thresholds or the two next to each grade)."""

import warnings
from dataclasses import dataclass

import numpy as np

from rankmargin.methods.svor import ranks_of, refuse_groups

from ._rivals import check_estimator, optional_extra

PATH = None
ORDINAL = True
ESTIMATORS = ("LogisticAT", "LogisticIT")


def fit_path(X, y, values, *, estimator="LogisticAT", alpha=1.0, max_iter=1000, seed=0, groups=None):
    """Fit a linear function and one threshold fewer than there are grades.

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array, each distinct value is a rank
    values : one model is returned for each, all the same
    estimator : {"LogisticAT", "LogisticIT"}
    alpha : float >= 0, weight of the squared norm
    max_iter : int
    seed : unused
    groups : must be None, thresholds are common to all

    Returns
    -------
    list of FittedThresholds
    """
    check_estimator(estimator, ESTIMATORS)
    refuse_groups(groups)
    rank, ranks = ranks_of(y)
    with optional_extra():
        import mord
    machine = getattr(mord, estimator)(alpha=alpha, max_iter=max_iter)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it passes scipy an option that is deprecated
        machine.fit(X, rank)
    return [FittedThresholds(machine, ranks)] * len(values)


@dataclass(frozen=True)
class FittedThresholds:
    """A fitted ``machine`` of mord on 0-based ranks, of the labels ``ranks`` (k,)."""

    machine: object
    ranks: np.ndarray
    solution: None = None

    def scores(self, X):
        """Return the linear function, shape (m,)."""
        return np.asarray(X @ self.machine.coef_, dtype=np.float64)

    def labels(self, X):
        """Return the rank it predicts, shape (m,)."""
        return self.ranks[np.asarray(self.machine.predict(X), dtype=int)]
