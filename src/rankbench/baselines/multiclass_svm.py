"""Multi-class SVM by pairwise hyperplanes: scikit-learn's SVC on the ranks as classes.

It has no utility f(x), so its score is the predicted rank and all examples of one rank are tied.
"""

from dataclasses import dataclass

import numpy as np

from rankmargin.methods.svor import ranks_of, refuse_groups
from rankmargin.path import over_kernels

PATH = None
ORDINAL = True


@over_kernels
def fit_path(X, y, values, *, C=1.0, kernel, tol=1e-3, max_iter=-1, seed=0, groups=None):
    """Fit the k (k - 1) / 2 hyperplanes; they vote, and with equal votes the lower rank wins.

    Parameters
    ----------
    y : (n,) array, each distinct value is a class
    values : one model is returned for each, all the same: libsvm has no warm start
    C, tol, max_iter : of :class:`sklearn.svm.SVC`
    seed : unused
    groups : must be None

    Returns
    -------
    list of PredictedRanks
    """
    from sklearn.svm import SVC

    refuse_groups(groups)
    parameters = {"kernel": kernel.name, "gamma": kernel.gamma, "degree": kernel.degree, "coef0": kernel.coef0}
    rank, ranks = ranks_of(y)
    machine = SVC(C=C, tol=tol, max_iter=max_iter, **parameters).fit(X, rank)
    return [PredictedRanks(machine, ranks) for _ in values]


@dataclass(frozen=True)
class PredictedRanks:
    """A classifier of the 0-based ranks, whose prediction is its score.

    Attributes
    ----------
    machine : fitted classifier
    ranks : (k,) array of labels
    """

    machine: object
    ranks: np.ndarray
    solution: None = None

    def scores(self, X):
        """Return the 0-based predicted rank as a float, shape (m,)."""
        return self.machine.predict(X).astype(np.float64)

    def labels(self, X):
        """Return the predicted rank, shape (m,)."""
        return self.ranks[self.machine.predict(X)]
