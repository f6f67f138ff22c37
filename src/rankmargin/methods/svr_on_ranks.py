"""Support vector regression on a number for each rank (Herbrich et al., section 2.5): rank r_i as i or as exp(i).

The thresholds for i are the chapter's 1.5, 2.5, ... (its 0.5 has no rank below it); for exp(i) they are exp(1.5),
exp(2.5), ..., the same cuts carried along.
"""

from dataclasses import dataclass

import numpy as np

from rankmargin.methods import kernel_parameters
from rankmargin.methods.svor import ranks_of, refuse_groups
from rankmargin.model import rank_scores

PATH = None
REPRESENTATIONS = {"index": np.asarray, "exp": np.exp}


def fit_path(
    X,
    y,
    values,
    *,
    representation="index",
    epsilon=0.5,
    C=1.0,
    kernel="rbf",
    gamma=1.0,
    degree=3,
    coef0=0.0,
    tol=1e-3,
    max_iter=-1,
    seed=0,
    groups=None,
):
    """Fit scikit-learn's SVR on the numbers.

    Parameters
    ----------
    y : (n,) array, each distinct value is a rank, numbered 1 .. k
    values : one model is returned for each, all the same: libsvm has no warm start
    representation : {"index", "exp"}
    epsilon : float, half width of the tube, in units of the representation; 0.5 in the chapter
    C, tol, max_iter : of :class:`sklearn.svm.SVR`
    seed : unused
    groups : must be None

    Returns
    -------
    list of RegressionModel
    """
    from sklearn.svm import SVR

    if representation not in REPRESENTATIONS:
        raise ValueError(f"representation must be one of {', '.join(REPRESENTATIONS)}, got {representation!r}")
    refuse_groups(groups)
    parameters = kernel_parameters(kernel, gamma, degree, coef0)
    rank, ranks = ranks_of(y)
    represent = REPRESENTATIONS[representation]
    machine = SVR(C=C, epsilon=epsilon, tol=tol, max_iter=max_iter, **parameters).fit(X, represent(rank + 1.0))
    boundaries = represent(np.arange(1, len(ranks)) + 0.5)
    return [RegressionModel(machine, boundaries, ranks) for _ in values]


@dataclass(frozen=True)
class RegressionModel:
    """A fitted regression with fixed boundaries (k - 1,) between the labels ``ranks`` (k,)."""

    machine: object
    boundaries: np.ndarray
    ranks: np.ndarray
    solution: None = None

    def scores(self, X):
        """Return the predicted number, shape (m,)."""
        return self.machine.predict(X)

    def labels(self, X):
        """Return the rank between whose boundaries the number lies, shape (m,)."""
        return rank_scores(self.scores(X), self.boundaries, self.ranks)
