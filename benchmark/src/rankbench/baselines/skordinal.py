"""Outside competitors: SVOR and REDSVM of skordinal 0.2 (AYRNA, University of Cordoba), as methods of the benchmark.

``SVOR`` is Chu and Keerthi's own C code, ``REDSVM`` the reduction to a binary SVM of Li and Lin (libsvm-rank).  Both
come with the optional extra ``rivals``.  Their solutions have no certificate.  Only the Gaussian kernel is offered: the
linear and polynomial kernels of its SVOR are divided by the number of columns, so that their C is not ours.
"""

from dataclasses import dataclass

from rankmargin.problem.rows.ranks import ranks_of

from ._base import Baseline
from ._extra import optional_extra
from ._rivals import FittedRanks


@dataclass(eq=False, repr=False, kw_only=True)
class SkOrdinal(Baseline):
    """A machine with the Gaussian kernel exp(-gamma ||x - z||^2).

    Parameters
    ----------
    estimator : {"SVOR", "REDSVM"}
    constraints : {"implicit", "explicit"}, of SVOR; REDSVM has none
    C, gamma, tol : of both
    """

    estimator: str = "SVOR"
    constraints: str = "implicit"
    C: float = 1.0
    gamma: float = 1.0
    tol: float = 1e-3

    def fit(self, X, y):
        """Fit to X (n, d) and y (n,), each distinct value of which is a rank.

        Raises
        ------
        ModuleNotFoundError
            When skordinal is not installed; the message names the extra.
        """
        rank, ranks = ranks_of(y)
        with optional_extra():
            import skordinal.classifiers
        options = {"constraints": self.constraints} if self.estimator == "SVOR" else {}
        machine = getattr(skordinal.classifiers, self.estimator)(
            C=float(self.C), kernel="rbf", gamma=float(self.gamma), tol=self.tol, **options
        )
        machine.fit(X, rank)
        self.model_ = FittedRanks(machine, projection, ranks=ranks)
        return self


def projection(machine, X):
    """Return the projection f(x) of a machine for each row."""
    return machine.predict_projection(X)
