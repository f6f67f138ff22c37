"""SVOR: the scikit-learn estimator for :mod:`rankmargin.methods.svor`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from numpy.typing import ArrayLike

from rankmargin.annotations import ClassWeight, Gamma, Kernel, MatrixLike
from rankmargin.estimators.base import concordance
from rankmargin.estimators.ordinal_base import OrdinalClassifier
from rankmargin.estimators.targets import check_targets
from rankmargin.methods import svor


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
    kernel : {"rbf", "linear", "poly", "precomputed"}, default "rbf"
        ``rbf`` is exp(-gamma ||x - z||^2), ``linear`` x.z, ``poly`` (gamma x.z + coef0)^degree. With ``precomputed``,
        X is the matrix of kernel values: (n, n) in ``fit``, (m, n) later.
    gamma : float > 0 or "scale", default "scale"
        Parameter of ``rbf`` and ``poly``. ``scale`` is 1 / (d var(X)) for d features.
    degree : int >= 1, default 3
        Parameter of ``poly``.
    coef0 : float >= 0, default 0.0
        Parameter of ``poly``.
    tol : float > 0, default 1e-3
        Relative duality gap at which the solver stops.
    max_iter : int >= 1, default 10_000_000
        Largest number of steps. A fit that stops there warns with a ``ConvergenceWarning``.
    verbose : {0, 1, 2}, default 0
        0 is silent; 1 prints iteration, objective, gap and seconds once per second, 2 whenever the gap is computed.
    max_seconds : float > 0 or None, default None
        A fit that takes longer stops with the certificate that it has and a ``ConvergenceWarning``.
    categories : sequence or None, default None
        The grades from the lowest to the highest, if they are names. With None, y holds numbers or is an ordered
        categorical of pandas. Scikit-learn's stacking, voting and bagging classifiers and its ``cross_val_predict`` of
        probabilities number the names in y, also those of a categorical, in alphabetical order before they fit: give
        them numbers, ``y.cat.codes``.
    class_weight : dict, "balanced" or None, default None
        A factor of the weight of each row, by grade; ``balanced`` gives all grades the same total weight.
    probability : bool, default False
        Whether to fit ``predict_proba`` too, on scores of five more models for rows on which they were not fitted.

    Attributes
    ----------
    thresholds_ : (r - 1,) array
        Scores at which the rank changes.
    grades_ : (r,) array
        The grades of y from the lowest to the highest; ``predict`` returns one of them.
    classes_ : (r,) array
        The grades in sorted order, as in scikit-learn's classifiers; columns of arrays have this order.
    dual_coef_ : (n,) array
        Coefficients beta of f(x) = sum_i beta_i k(x_i, x).
    coef_ : (d,) array
        Weights w of f(x) = w.x; only with the linear kernel.
    slope_ : float
        Slope of the cumulative link of ``predict_proba``; only with ``probability=True``.
    cumulative_ : (r - 1,) array
        Ascending thresholds of this link; only with ``probability=True``.
    objective_ : float
        Objective of the fitted function.
    dual_bound_ : float
        No function has an objective below it.
    gap_ : float
        (``objective_`` - ``dual_bound_``) / ``objective_``.
    n_iter_ : int
        Steps of the solver.
    model_ : rankmargin.model.KernelModel
        The function and the problem that it solves; :func:`rankmargin.certificates.judge` checks it.

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
