"""FixedMarginSVM: the scikit-learn estimator for :mod:`rankmargin.methods.fixed_margin`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rankmargin.annotations import ClassWeight, Gamma, Kernel
from rankmargin.estimators.ordinal_base import OrdinalClassifier
from rankmargin.methods import fixed_margin


@dataclass(eq=False, repr=False)
class FixedMarginSVM(OrdinalClassifier):
    """Ordinal SVM with one margin between all neighbouring ranks.

    It solves, over f with s = f(X) and thresholds theta, ::

        min   1/2 ||f||^2 + C sum_j ( sum over rows of rank j of max(0, 1 - (theta_j - s_i))
                                    + sum over rows of rank j + 1 of max(0, 1 - (s_i - theta_j)) )

    Each threshold is compared with its two neighbouring ranks only. Nothing keeps the thresholds in order;
    :class:`rankmargin.SVOR` with explicit constraints does.

    Parameters
    ----------
    C : float > 0, default 1.0
        Weight of the loss of each row at each threshold next to its rank.
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
        Scores at which the rank changes. ``predict`` returns the first rank whose threshold lies above the score.
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
    rankmargin.SumOfMarginsSVM : One margin for each gap between ranks.

    References
    ----------
    Shashua, Levin, "Ranking with large margin principle: two approaches" (NIPS 2002), section 2, eq. 2 to 5.

    Examples
    --------
    >>> import numpy as np
    >>> from rankmargin import FixedMarginSVM
    >>> X = np.arange(12.0).reshape(-1, 1)
    >>> y = np.repeat([1, 2, 3], 4)
    >>> grader = FixedMarginSVM(C=10, kernel="linear").fit(X, y)
    >>> grader.predict([[0.0], [5.0], [11.0]])
    array([1, 2, 3])
    """

    _method = fixed_margin
    _options = ("tol", "max_iter")

    C: float = 1.0
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
