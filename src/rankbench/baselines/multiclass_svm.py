"""Multi-class SVM by pairwise hyperplanes: scikit-learn's SVC on the ranks as classes.

It has no utility f(x), so its score is the predicted rank and all examples of one rank are tied.
"""

from dataclasses import dataclass

import numpy as np
from sklearn.svm import SVC

from rankmargin.parameters import Certified, check_parameters, kernel_of
from rankmargin.rows.ranks import ranks_of

from ._base import Baseline


@dataclass(eq=False, repr=False, kw_only=True)
class MulticlassSVM(Baseline, Certified):
    """The k (k - 1) / 2 hyperplanes; they vote, and with equal votes the lower rank wins.

    The parameters are those of :class:`sklearn.svm.SVC`.
    """

    max_iter: int = -1

    def fit(self, X, y):
        """Fit to X (n, d), an array or a CSR matrix, and y (n,), each distinct value of which is a class."""
        check_parameters(self)
        kernel, (rank, ranks) = kernel_of(self, X), ranks_of(y)
        parameters = {"gamma": kernel.gamma, "degree": kernel.degree, "coef0": kernel.coef0}
        machine = SVC(C=self.C, kernel=kernel.name, tol=self.tol, max_iter=self.max_iter, **parameters).fit(X, rank)
        self.model_ = PredictedRanks(machine, ranks)
        return self


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
