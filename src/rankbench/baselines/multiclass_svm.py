"""Multi-class SVM by pairwise hyperplanes: scikit-learn's SVC on the ranks as classes.

It has no utility f(x), so its score is the predicted rank and all examples of one rank are tied.
"""

from dataclasses import dataclass

import numpy as np

from rankmargin.methods.svor import ranks_of, refuse_groups
from rankmargin.parameters import Certified, kernel_of
from rankmargin.path import path_of

PATH = None
ORDINAL = True


@dataclass(eq=False, repr=False, kw_only=True)
class Parameters(Certified):
    """Those of :class:`sklearn.svm.SVC`; libsvm has no warm start, so there is no path."""

    max_iter: int = -1


def model(own, X, y, *, seed=0, groups=None):
    """Fit the k (k - 1) / 2 hyperplanes; they vote, and with equal votes the lower rank wins.

    Parameters
    ----------
    own : Parameters
    X : (n, d) array or CSR matrix
    y : (n,) array, each distinct value is a class
    seed : unused
    groups : must be None

    Returns
    -------
    PredictedRanks
    """
    from sklearn.svm import SVC

    refuse_groups(groups)
    kernel, (rank, ranks) = kernel_of(own, X), ranks_of(y)
    parameters = {"gamma": kernel.gamma, "degree": kernel.degree, "coef0": kernel.coef0}
    machine = SVC(C=own.C, kernel=kernel.name, tol=own.tol, max_iter=own.max_iter, **parameters).fit(X, rank)
    return PredictedRanks(machine, ranks)


fit_path = path_of(Parameters, model, path=None)


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
