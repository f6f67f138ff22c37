"""Outside rival: the threshold models of mord (logistic, all thresholds or the two next to each grade)."""

import warnings
from dataclasses import dataclass

from rankmargin.problem.rows.ranks import ranks_of

from ._base import Baseline
from ._extra import optional_extra
from ._rivals import FittedRanks


@dataclass(eq=False, repr=False, kw_only=True)
class Mord(Baseline):
    """A linear function and one threshold fewer than there are grades.

    Parameters
    ----------
    estimator : {"LogisticAT", "LogisticIT"}
    alpha : float >= 0, weight of the squared norm
    max_iter : int
    """

    estimator: str = "LogisticAT"
    alpha: float = 1.0
    max_iter: int = 1000

    def fit(self, X, y):
        """Fit to X (n, d) and y (n,), each distinct value of which is a rank."""
        rank, ranks = ranks_of(y)
        with optional_extra():
            import mord
        machine = getattr(mord, self.estimator)(alpha=self.alpha, max_iter=self.max_iter)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # it passes scipy an option that is deprecated
            machine.fit(X, rank)
        self.model_ = FittedRanks(machine, linear, ranks=ranks)
        return self


def linear(machine, X):
    """Return the linear function of a machine for each row."""
    return X @ machine.coef_
