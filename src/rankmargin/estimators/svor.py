"""SVOR: the scikit-learn estimator for :mod:`rankmargin.methods.svor`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from numpy.typing import ArrayLike

from rankmargin.annotations import ClassWeight, Gamma, Kernel, MatrixLike
from rankmargin.estimators.base import concordance
from rankmargin.estimators.descriptions import described
from rankmargin.estimators.ordinal_base import OrdinalClassifier
from rankmargin.estimators.targets import check_targets
from rankmargin.methods import svor


@described
@dataclass(eq=False, repr=False)
class SVOR(OrdinalClassifier):
    """Support vector ordinal regression: one function and ordered thresholds.

    Rank r lies between two thresholds. With implicit constraints it solves, over f with s = f(X) and theta, ::

        min   1/2 ||f||^2 + C sum over rows i and thresholds j of max(0, 1 - sign (s_i - theta_j))

    where sign is 1 if the rank of row i is above threshold j, otherwise -1.

    Parameters
    ----------
    C : float > 0, default 1.0
        Weight of the loss of each row at each threshold.
    constraints : {"implicit", "explicit"}, default "implicit"
        ``implicit``: each row is compared with all thresholds, and the optimal thresholds are in order. ``explicit``:
        each row is compared with the thresholds of its own rank, and theta_1 <= theta_2 <= ... is a constraint.
    n_bins : int >= 2 or None, default None
        First cut y into bins of equal frequency; ``predict`` then returns the bin 1, 2, ...
    bin_ties : {"share", "split"}, default "share"
        Whether equal values of y share a bin, or bins have equal counts.
    kernel, gamma, degree, coef0, tol, max_iter, verbose, max_seconds, categories, class_weight, probability

    Attributes
    ----------
    thresholds_ : (r - 1,) array
        Scores at which the rank changes.
    grades_, classes_, dual_coef_, coef_, slope_, cumulative_, objective_, dual_bound_, gap_, n_iter_, model_

    See Also
    --------
    rankmargin.CumulativeLink : Probabilities of the ranks.
    rankmargin.FixedMarginSVM : Explicit constraints without the order of the thresholds.

    References
    ----------
    Chu, Keerthi, "Support vector ordinal regression", Neural Computation 19 (2007). With bins as a ranker: Díez, del
    Coz, Bahamonde, "A support vector method for ranking minimizing the number of swapped pairs" (manuscript, posted in
    2014), eq. 4.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin import SVOR
    >>> X = np.arange(12.0).reshape(-1, 1)
    >>> y = np.repeat([1, 2, 3], 4)
    >>> grader = SVOR(C=10, kernel="linear").fit(X, y)
    >>> grader.predict([[0.0], [5.0], [11.0]])
    array([1, 2, 3])
    >>> grader.thresholds_.round(2)
    array([ 7., 15.])
    """

    _method = svor
    _options = ("constraints", "n_bins", "bin_ties", "tol", "max_iter")

    C: float = 1.0
    constraints: Literal["implicit", "explicit"] = "implicit"
    n_bins: int | None = None
    bin_ties: Literal["share", "split"] = "share"
    kernel: Kernel = "rbf"
    gamma: Gamma = "scale"
    degree: int = 3
    coef0: float = 0.0
    tol: float = 1e-3
    max_iter: int = 10_000_000
    verbose: int = 0
    max_seconds: float | None = None
    categories: Sequence[Any] | None = None
    class_weight: ClassWeight | None = None
    probability: bool = False

    def score(self, X: MatrixLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the share of grades that are predicted correctly; with ``n_bins``, when y holds numbers instead of
        grades, return 1 - the fraction of swapped pairs."""
        if self._cuts_y():
            y, _ = check_targets(y, self.categories)
            return concordance(y, self.score_samples(X), None, sample_weight)
        return super().score(X, y, sample_weight)
