"""Multi-class SVM by pairwise hyperplanes: scikit-learn's SVC on the ranks as classes.

It has no utility f(x), so its score is the predicted rank and all rows of one rank are tied.
"""

from dataclasses import dataclass

from sklearn.svm import SVC

from rankmargin.problem.checks import Certified, check_parameters
from rankmargin.problem.landmarks import kernel_of
from rankmargin.problem.rows.ranks import ranks_of

from ._base import Baseline
from ._rivals import FittedRanks


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
        self.model_ = FittedRanks(machine, ranks=ranks)
        return self
