"""Outside competitors: SVOR and REDSVM of skordinal 0.2 (AYRNA, University of Cordoba), as methods of the benchmark.

``SVOR`` is Chu and Keerthi's own C code, ``REDSVM`` the reduction to a binary SVM of Li and Lin (libsvm-rank).  Both
come with the optional extra ``rivals``.  Their solutions have no certificate.  Only the Gaussian kernel is offered: the
linear and polynomial kernels of its SVOR are divided by the number of columns, so that their C is not ours.
"""

from dataclasses import dataclass

import numpy as np

from rankmargin.kernels import Kernel
from rankmargin.methods.svor import ranks_of, refuse_groups

from ._rivals import check_estimator, optional_extra

PATH = None
ORDINAL = True
ESTIMATORS = ("SVOR", "REDSVM")


def fit_path(
    X, y, values, *, estimator="SVOR", constraints="implicit", C=1.0, gamma=1.0, tol=1e-3, seed=0, groups=None
):
    """Fit with the Gaussian kernel exp(-gamma ||x - z||^2).

    Parameters
    ----------
    X : (n, d) array
    y : (n,) array, each distinct value is a rank
    values : one model is returned for each, all the same: neither has a warm start
    estimator : {"SVOR", "REDSVM"}
    constraints : {"implicit", "explicit"}, of SVOR; REDSVM has none
    C, gamma, tol : of both
    seed : unused
    groups : must be None, thresholds are common to all

    Returns
    -------
    list of FittedEstimator

    Raises
    ------
    ModuleNotFoundError
        When skordinal is not installed; the message names the extra.
    """
    check_estimator(estimator, ESTIMATORS)
    refuse_groups(groups)
    Kernel("rbf", gamma)  # checks gamma
    rank, ranks = ranks_of(y)
    with optional_extra():
        import skordinal.classifiers
    options = {"constraints": constraints} if estimator == "SVOR" else {}
    machine = getattr(skordinal.classifiers, estimator)(
        C=float(C), kernel="rbf", gamma=float(gamma), tol=tol, **options
    )
    machine.fit(X, rank)
    return [FittedEstimator(machine, ranks) for _ in values]


@dataclass(frozen=True)
class FittedEstimator:
    """A fitted ``machine`` of skordinal on 0-based ranks, of the labels ``ranks`` (k,)."""

    machine: object
    ranks: np.ndarray
    solution: None = None

    def scores(self, X):
        """Return its projection f(x), shape (m,)."""
        return np.asarray(self.machine.predict_projection(X), dtype=np.float64).ravel()

    def labels(self, X):
        """Return the rank it predicts, shape (m,)."""
        return self.ranks[self.machine.predict(X)]
